/** What is kept of a pool: its last decision, idle gaps, and what its instances cost. */
import { expect } from 'vitest';
import { readDemand } from '../../../activities/fleet/pool/demand.ts';
import { registerPool, storePoolDecision } from '../../../activities/fleet/pool/store.ts';
import { loadFleetView } from '../../../api/fleet/fleet-view.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { ago, anInstance, NOW, aHistory } from '../../../testing/make.ts';
import { visualPool } from './visual-pool.ts';

it('a decision is stored once, with the gaps it closed; unknown demand leaves the figures as they were', async ({
  db,
}) => {
  await registerPool(db, visualPool);
  const demand = await readDemand(db, ['gpu-visual'], NOW);
  const decision = {
    pool: 'visual',
    target: 2,
    wish: 3,
    reasons: ['because'],
    demand: { ...demand, openCalls: 7, openSeconds: 105, oldestAgeMs: 1234.5 },
    nextLookAtMs: NOW.getTime(),
    idleGaps: [{ startedAtMs: ago(60).getTime(), seconds: 60 }],
  };
  await storePoolDecision(db, decision);
  await storePoolDecision(db, decision);
  await storePoolDecision(db, { ...decision, demand: null, target: 1, idleGaps: [] });
  expect(await db.fleetPool.findUnique({ where: { name: 'visual' } })).toMatchObject({
    target: 1,
    openCalls: 7,
    openSeconds: 105,
    reasons: ['because'],
  });
  expect((await registerPool(db, visualPool)).idleGapsSec).toEqual([60]);
});

it('costs of machines that the ledger has not seen are their time at the prices in their history, for instances that live and that have ended', async ({
  db,
}) => {
  await registerPool(db, visualPool);
  await db.fleetPool.update({ where: { name: 'visual' }, data: { nextLookAt: NOW } });
  const history = (name: string, rows: readonly [number, string, number | null][]): Promise<void> => {
    const steps = rows.map(([secondsAgo, toPhase, priceUsdPerHour]) => ({
      at: ago(secondsAgo),
      toPhase,
      priceUsdPerHour,
      providerId: priceUsdPerHour === null ? null : `machine-of-${name}`,
    }));
    return aHistory(db, name, steps);
  };
  await anInstance(db, { name: 'live' });
  await history('live', [
    [7200, 'creating', null],
    [3600, 'booting', 2],
    [1800, 'ready', 2],
  ]);
  await anInstance(db, { name: 'ended', phase: 'gone', endedAt: ago(0) });
  await history('ended', [
    [7200, 'booting', 4],
    [3600, 'suspended', null],
    [1800, 'gone', null],
  ]);
  const fleet = await loadFleetView(db, NOW);
  expect(fleet.pools[0]?.instances.map((i) => [i.name, i.costUsd])).toEqual([['live', 2]]);
  expect(fleet.costUsd).toBeCloseTo(6);
});
