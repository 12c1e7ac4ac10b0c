/** Needs of a pool of machines with vLLM before it rents one, and the identity that it then pins. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { z } from 'zod';
import { poolStartupScript } from '../../../activities/gateway/pool-startup-script.ts';
import { revisionDigest } from '../../../activities/models/client/revision-digest.ts';
import { changeCatalog, putModel, putProfile } from '../../../activities/models/catalog/change.ts';
import { loadFleet } from '../../../clouds/fleet-file.ts';
import { poolConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import { modelSchema, profileSchema } from '../../../domain/models/catalog/catalog.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { loadConfig } from '../../../platform/config.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { folderPerFile } from '../../../testing/per-file.ts';
import { codeOf, failureOf } from '../../../testing/refusal.ts';
import { first, SelectionCloud, wish } from './selection-cloud.ts';

const home = folderPerFile();
const REVISION = '0123456789abcdef0123456789abcdef01234567';
const NEED = { weightsGib: 17, kvCacheGibPerSlot: 1, seesPictures: true };
const VISION = { name: 'house:8b', repository: 'House/Pitch-8B', revision: REVISION, ...NEED };

/** Writes models, and a profile of the first two of them: one for slides, one for text. */
async function configure(db: PrismaClient, ...models: readonly z.input<typeof modelSchema>[]): Promise<void> {
  await changeCatalog(db, { owner: 'api', by: 'test', at: new Date() }, async (change) => {
    for (const model of models) await putModel(change, modelSchema.parse(model));
    const [visual, text = visual] = models.map(({ name }) => name);
    await putProfile(
      change,
      profileSchema.parse({ name: 'house', models: { 'gpu-visual': visual, 'gpu-text': text } }),
      null,
    );
  });
}

const ladder = (db: PrismaClient, changes: Parameters<typeof wish>[0] = {}) =>
  new SelectionCloud()
    .newSelection(db, 'house')
    .ladder(wish({ engine: 'vllm', selector: 'cheapest', ...changes }), null);

it('a model with a repository and a revision needs no digest, and its machines are told to serve exactly that', async ({
  db,
}) => {
  await configure(db, VISION);
  expect(first(await ladder(db))).toBeDefined();
  const rows = await db.modelConfiguration.findMany({ where: { profile: 'house' } });
  expect(new Set(rows.map(({ pinnedDigest, isNeedKnown }) => [pinnedDigest, isNeedKnown].join()))).toEqual(
    new Set([`${revisionDigest('house:8b', `House/Pitch-8B@${REVISION}`)},true`]),
  );
  const config = { ...loadConfig(), home, models: 'house', fleetFile: `${home}/${randomUUID()}` };
  const pool = poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual', 'gpu-text'], engine: 'vllm' });
  const script = await poolStartupScript({ db, config, fleet: loadFleet({ ...loadConfig(), home }) }, pool);
  expect(script).toContain(`WEIGHTS=/var/lib/vllm/models/House/Pitch-8B@${REVISION}\n`);
  expect(script).toContain('--served-model-name house:8b ');
  expect(script).toContain(`--max-model-len 16384 --max-num-seqs ${config.modelConcurrency} `);
});

it('a pool refuses by name a model whose weights cannot be fetched, and two models on one machine', async ({ db }) => {
  const { repository: _, revision: __, ...plain } = VISION;
  await configure(db, { ...plain, digest: 'a'.repeat(64) });
  expect(await failureOf(ladder(db))).toMatchObject({
    code: 'model_not_configured',
    userMessage: 'vLLM cannot serve house:8b: the repository of its weights is not known.',
  });
  await configure(db, VISION, { ...VISION, name: 'house-text:8b' });
  expect(await failureOf(ladder(db))).toMatchObject({
    userMessage: 'vLLM serves one model per machine, and profile house needs house-text:8b and house:8b.',
    hint: expect.stringContaining('a pool to each class'),
  });
  expect(first(await ladder(db, { classes: ['gpu-text'] }))).toBeDefined();
});

it('half a revision, and a revision beside a digest, are refused', async ({ db }) => {
  const { revision: _, ...half } = VISION;
  expect(await codeOf(configure(db, half))).toBe('invalid_request');
  expect(await codeOf(configure(db, { ...VISION, digest: 'a'.repeat(64) }))).toBe('invalid_request');
  expect(await db.configuredModel.count()).toBe(0);
});
