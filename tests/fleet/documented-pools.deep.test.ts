/** The fleet file that docs/fleet.md shows, one pool per class, on an installation where no model was ever seen. Only times are shorter. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import type { poolConfigSchema } from '../../domain/fleet/pool/pool-config.ts';
import { QUICK_SCENARIO, startFleetRig } from '../../testing/fleet-rig.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { perFile } from '../../testing/per-file.ts';

type PoolInput = z.input<typeof poolConfigSchema>;

const DOCS = path.resolve(import.meta.dirname, '../../docs/fleet.md');
/** A boot takes long enough to tell two in a row from two side by side. */
const SCENARIO = {
  ...QUICK_SCENARIO,
  boot: { orderedSec: 1, provisioningSec: [2, 2] as [number, number], startSec: 1 },
};
const TIMING = {
  tickMs: 300,
  bootPollMs: 200,
  bootPollMaxMs: 400,
  ladderPauseMs: 300,
  ladderPauseMaxMs: 600,
  goneConfirmMs: 300,
  destroyRetryMs: 300,
};

/** Pools of the first fleet file in the document. */
function documentedPools(): readonly PoolInput[] {
  const [, json] = /```json\n(.*?)```/su.exec(readFileSync(DOCS, 'utf8')) ?? [];
  const { pools } = JSON.parse(json ?? '{}') as { readonly pools: readonly PoolInput[] };
  return pools;
}

const rig = perFile(() =>
  startFleetRig({
    servers: sharedServers,
    scenario: SCENARIO,
    pools: documentedPools().map((pool) => ({ ...pool, timing: TIMING })),
  }),
);

/** When an instance of a pool first came to a phase. */
async function firstAt(pool: string, toPhase: string): Promise<number> {
  const { at } = await rig.db.instanceTransition.findFirstOrThrow({
    where: { toPhase, instance: { pool } },
    orderBy: { at: 'asc' },
  });
  return at.getTime();
}

it('the documented fleet reviews a deck to its end: the pools are of one class each, and the second boots beside the first', async () => {
  expect(documentedPools().map(({ name, classes }) => [name, classes])).toEqual([
    ['visual', ['gpu-visual']],
    ['text', ['gpu-text']],
  ]);
  expect(await rig.db.modelConfiguration.count({ where: { pinnedDigest: { not: null } } })).toBe(0);

  const report = await rig.review(await rig.upload(await plainDeck('Cardiana'), 'cardiana.pdf'));
  expect(report.status).toBe('completed');
  expect(await firstAt('text', 'creating')).toBeLessThan(await firstAt('visual', 'ready'));
});
