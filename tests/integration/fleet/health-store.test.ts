/** What is stored of an instance's health, what its pool sees of it, and how long samples are kept. */
import { expect } from 'vitest';
import type { StoreHealthInput } from '../../../activities/health/contract.ts';
import { removeOldSamples, storeHealth } from '../../../activities/health/store-health.ts';
import { observePool } from '../../../activities/fleet/pool/observe.ts';
import { registerPool } from '../../../activities/fleet/pool/store.ts';
import type { HealthView } from '../../../domain/fleet/pool/quarantine.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { FaultyMachine } from '../../../testing/fleet/faulty-machine.ts';
import { ago, anInstance, aServing, NOW } from '../../../testing/make.ts';
import { visualPool } from './visual-pool.ts';

it.beforeEach(async ({ db }) => {
  await registerPool(db, visualPool);
  await anInstance(db, { name: 'a', readyAt: ago(80) });
});

const atMs = NOW.getTime();
const input = (changes: Partial<StoreHealthInput> = {}): StoreHealthInput => ({
  instance: 'a',
  pool: 'visual',
  atMs,
  health: {
    level: 'degraded',
    failure: 'overheating',
    reason: 'hot',
    sinceMs: atMs - 1000,
    lastSampleAtMs: atMs,
    lastProbeAtMs: null,
    probeMs: null,
    baselineProbeMs: 480.5,
    quarantinedSinceMs: null,
  },
  sample: {
    kind: 'measured',
    atMs,
    measurement: new FaultyMachine({ traffic: { kind: 'idle' } }).measure(atMs),
    probeMs: 481.2,
  },
  changes: [{ atMs, from: 'healthy', to: 'degraded', failure: 'overheating', reason: 'hot', action: 'none' }],
  ...changes,
});

const seen = async (db: PrismaClient): Promise<HealthView | null | undefined> => {
  const looked = { pool: 'visual', classes: ['gpu-visual' as const], births: [], wakeIntents: [] };
  const { observation } = await observePool(db, looked, NOW);
  return observation.instances[0]?.health;
};

it('a repetition changes nothing', async ({ db }) => {
  await aServing(db, { instanceName: 'a', seenAt: ago(5) });
  for (let n = 0; n < 2; n++) {
    expect(await storeHealth(db, input())).toEqual({ gatewaySeenAtMs: ago(5).getTime() });
  }
  expect(await db.instanceHealth.findMany()).toMatchObject([{ level: 'degraded', baselineProbeMs: 481 }]);
  expect(await db.healthSample.findMany()).toMatchObject([
    { instanceName: 'a', gpuIndex: 0, missing: false, temperatureC: 60, probeMs: 481, level: 'degraded' },
  ]);
  expect(await db.healthTransition.findMany()).toMatchObject([{ fromLevel: 'healthy', toLevel: 'degraded' }]);
});

it('what no row can hold does not keep the rest from being stored', async ({ db }) => {
  const said = 'it said \u0000\u001b[31m and so on \uD800';
  const { health, changes } = input();
  await storeHealth(db, {
    ...input(),
    health: { ...health, reason: said },
    changes: changes.map((change) => ({ ...change, reason: `${said}${'x'.repeat(100_000)}` })),
    sample: { kind: 'missing', atMs, message: said },
  });
  expect(await db.instanceHealth.findMany()).toMatchObject([
    { level: 'degraded', reason: 'it said [31m and so on \uFFFD' },
  ]);
  expect((await db.healthTransition.findFirst())?.reason.length).toBeLessThanOrEqual(1000);
  expect(await db.healthSample.count()).toBe(1);
});

it('a machine with several GPUs has a row for each, one without any and one that did not answer have one without figures', async ({
  db,
}) => {
  const machine = new FaultyMachine({ traffic: { kind: 'idle' } });
  const one = machine.measure(atMs);
  const gpus = [...(one.gpus ?? []), ...(one.gpus ?? []).map((gpu) => ({ ...gpu, index: 1 }))];
  const sample = { kind: 'measured', atMs, measurement: { ...one, gpus }, probeMs: null } as const;
  await storeHealth(db, input({ sample }));
  const none = { ...one, gpus: [], gpuMessage: 'No devices were found' };
  await storeHealth(db, input({ sample: { ...sample, atMs: atMs + 1, measurement: none } }));
  await storeHealth(db, input({ sample: { kind: 'missing', atMs: atMs + 2, message: 'no worker picked it up' } }));
  const rows = await db.healthSample.findMany({ orderBy: [{ at: 'asc' }, { gpuIndex: 'asc' }] });
  expect(rows.map(({ gpuIndex, missing, message }) => ({ gpuIndex, missing, message }))).toEqual([
    { gpuIndex: 0, missing: false, message: null },
    { gpuIndex: 1, missing: false, message: null },
    { gpuIndex: 0, missing: false, message: 'No devices were found' },
    { gpuIndex: 0, missing: true, message: 'no worker picked it up' },
  ]);
});

it('the pool of an instance sees what was judged since it became ready, and nothing of a time before', async ({
  db,
}) => {
  expect(await seen(db)).toBeNull();
  await storeHealth(db, input());
  expect(await seen(db)).toEqual({ level: 'degraded', failure: 'overheating', reason: 'hot', sinceMs: atMs - 1000 });
  await db.fleetInstance.update({ where: { name: 'a' }, data: { readyAt: NOW } });
  expect(await seen(db)).toBeNull();
  await db.fleetInstance.update({ where: { name: 'a' }, data: { readyAt: ago(80), phase: 'suspended' } });
  expect(await seen(db)).toBeNull();
});

it('samples are kept for the days that are configured, changes and standing for good', async ({ db }) => {
  const day = 24 * 3_600_000;
  for (const days of [0, 29, 31]) {
    const at = atMs - days * day;
    await storeHealth(db, input({ sample: { kind: 'missing', atMs: at, message: '' }, changes: [] }));
  }
  await storeHealth(db, input({ sample: null }));
  await removeOldSamples(db, 30, NOW);
  expect(await db.healthSample.count()).toBe(2);
  expect(await db.healthTransition.count()).toBe(1);
  expect(await db.instanceHealth.count()).toBe(1);
});
