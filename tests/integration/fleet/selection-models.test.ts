/** A model that was added for the machines of a pool: what a registry says of it decides which GPUs it gets, or that it gets none. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { addModel } from '../../../api/models/add.ts';
import { addModelSchema } from '../../../api/models/schemas.ts';
import type { ExplainedLadder } from '../../../domain/fleet/selection/ladder-input.ts';
import { DEFAULT_TENANT } from '../../../domain/tenant.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { ggufHeader, type GgufValue } from '../../../testing/gguf-writer.ts';
import { codeOf, failureOf } from '../../../testing/refusal.ts';
import { serveForTest } from '../../../testing/server.ts';
import { A100, first, SelectionCloud, wish } from './selection-cloud.ts';

const GIB = 1024 ** 3;

/** A registry with one model whose cache takes 4 GiB at 16,384 tokens. */
function registry(values: Readonly<Record<string, GgufValue>>, weightsGib: number): Promise<string> {
  const manifest = JSON.stringify({
    layers: [
      { mediaType: 'application/vnd.ollama.image.model', digest: `sha256:${'1'.repeat(64)}`, size: weightsGib * GIB },
    ],
  });
  return serveForTest((request, response) =>
    response.end(request.url?.includes('/manifests/') === true ? manifest : ggufHeader(values)),
  );
}

const number = (value: number): GgufValue => ({ type: 'uint32', value });
const SEEING = {
  'general.architecture': { type: 'string', value: 'some' },
  'some.block_count': number(64),
  'some.context_length': number(65_536),
  'some.attention.head_count_kv': number(8),
  'some.attention.key_length': number(128),
  'some.vision.block_count': number(2),
} as const satisfies Record<string, GgufValue>;

const author = { owner: 'api', by: 'test', at: new Date() } as const;
const add = (db: PrismaClient, registryUrl: string, said: object = {}): ReturnType<typeof addModel> =>
  addModel(db, addModelSchema.parse({ model: 'some:70b', server: null, ...said }), {
    tenantId: DEFAULT_TENANT,
    author,
    registryUrl,
  });
const ladder = (db: PrismaClient): Promise<ExplainedLadder> =>
  new SelectionCloud().newSelection(db, 'some-70b').ladder(wish({ selector: '1A100.40S.22V' }), null);

it('the registry says what a model needs, and only GPUs that hold it are taken', async ({ db }) => {
  const { models, notes } = await add(db, await registry(SEEING, 20));
  expect(models).toMatchObject([
    {
      name: 'some:70b',
      server: null,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/u),
      window: 16_384,
      seesPictures: true,
      weightsGib: 20,
      kvCacheGibPerSlot: 4,
    },
  ]);
  expect(notes.join(' ')).toContain('20 GiB of memory and 4 GiB for each parallel call');
  // (20 + 4 × 4) × 1.1 = 39.6 of 40 GiB.
  expect(first(await ladder(db))?.key).toBe(A100);
  // The cache of another window is another one: 5 GiB.
  expect((await add(db, await registry(SEEING, 20), { window: 20_480 })).models).toMatchObject([
    { kvCacheGibPerSlot: 5 },
  ]);
  expect(await codeOf(ladder(db))).toBe('model_fits_no_offer');
});

it('a pool refuses a model by name as long as its need is not known, and takes it when somebody says it', async ({
  db,
}) => {
  const { 'some.attention.key_length': _, ...withoutSize } = SEEING;
  const url = await registry(withoutSize, 20);
  const { notes } = await add(db, url);
  expect(notes.join(' ')).toContain('its need of memory is not known');
  expect(await failureOf(ladder(db))).toMatchObject({
    code: 'model_not_configured',
    userMessage: 'No machine is rented or set up for some:70b: the cache of a call is not known.',
  });
  await add(db, url, { kvCacheGibPerSlot: 3 });
  expect(first(await ladder(db))?.key).toBe(A100);
});

it('nobody is asked where everything is said, and a registry that is away is named', async ({ db }) => {
  const away = 'http://127.0.0.1:9';
  expect(await codeOf(add(db, away))).toBe('service_unavailable');
  await add(db, away, { model: 'gemma3:12b', profile: 'own' });
  const digest = createHash('sha256').update('manifest').digest('hex');
  expect(await codeOf(add(db, away, { digest, weightsGib: 20, kvCacheGibPerSlot: 3 }))).toBe('model_lacks_vision');
  expect(await db.configuredModel.findUnique({ where: { name: 'some:70b' } })).toMatchObject({
    digest,
    weightsGib: 20,
  });
});
