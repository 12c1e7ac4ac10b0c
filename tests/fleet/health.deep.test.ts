/**
 * Machines that become unhealthy while a deck is reviewed, through Temporal, gateways and simulated machines: noticed, quarantined, repaired
 * or replaced, and every call of the deck has its result exactly once. Samples come every second; what decides that a machine is stuck is
 * scaled down less, so that a machine of ours that is short of processors is not taken for unhealthy.
 */
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { HealthFailure } from '../../domain/health/types.ts';
import type { MachineFaultInput } from '../../simulators/machine/faults.ts';
import { quickPool } from '../../testing/fleet-rig.ts';
import { startMachineRig } from '../../testing/fleet/machine-rig.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { until } from '../../testing/until.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { perFile } from '../../testing/per-file.ts';

const POOL = quickPool({
  min: 2,
  sleepPolicy: 'never',
  timing: { tickMs: 500, idleTickMs: 1000, bootPollMaxMs: 500 },
});

let made = 0;
const rig = perFile(() =>
  startMachineRig({
    servers: sharedServers,
    scenario: {
      name: 'unhealthy',
      boot: { orderedSec: 0.1, provisioningSec: [0.1, 0.4], startSec: 0.2 },
      end: { stopSec: 0.1, deleteSec: [0.1, 0.4], diskLingerSec: 0 },
      stock: [{ types: '*', count: null }],
      modelServer: { pullMs: 10, loadMs: 10, callSeconds: 0.4 },
    },
    pools: [POOL],
    health: { sampleIntervalMs: 1000, probeIdleMs: 6000, probeTimeoutMs: 10_000 },
    environment: {
      DECKHAND_MODEL_CONCURRENCY: '2',
      DECKHAND_SLOWEST_TOKENS_PER_SEC: '5000',
      DECKHAND_LEAST_SILENCE_SEC: '5',
    },
  }),
);
beforeAll(() => bothServe());
afterEach(bothServe);

const instances = () => rig.db.fleetInstance.findMany({ where: { endedAt: null }, orderBy: { name: 'asc' } });

/** Waits until the pool has two instances at work, with nothing held against them. */
async function bothServe(): Promise<void> {
  await until(async () => {
    const rows = await rig.db.fleetInstance.findMany({ where: { endedAt: null }, include: { health: true } });
    return rows.filter((row) => row.phase === 'ready' && row.health?.level === 'healthy');
  }).is((rows) => rows.length === 2);
}

/** Names of instances that have calls in hand. */
async function busyInstance(): Promise<string> {
  const rows = await until(() =>
    rig.db.instanceServing.findMany({ where: { inFlight: { gt: 0 }, finishedCalls: { gt: 0 } } }),
  ).is((busy) => busy.length > 0);
  return rows[0]?.instanceName ?? '';
}

/** What was done to an instance for a fault. */
async function actionsOf(instance: string, failure: HealthFailure, sinceMs: number): Promise<string[]> {
  const rows = await rig.db.healthTransition.findMany({
    where: { instanceName: instance, failure, at: { gte: new Date(sinceMs) }, action: { not: 'none' } },
    orderBy: { at: 'asc' },
  });
  return rows.map((row) => row.action);
}

const acted = (instance: string, failure: HealthFailure, sinceMs: number, action: string): Promise<string[]> =>
  until(() => actionsOf(instance, failure, sinceMs)).is((actions) => actions.includes(action));

const phaseOf = async (instance: string): Promise<string> =>
  (await rig.db.fleetInstance.findUniqueOrThrow({ where: { name: instance } })).phase;
const isCordoned = (instance: string): Promise<string> => until(() => phaseOf(instance)).is('cordoned');

/** The machines of all instances, by name. */
const machines = async (): Promise<Record<string, string | null>> =>
  Object.fromEntries((await instances()).map(({ name, providerId }) => [name, providerId]));

/** Reviews a deck, and has something happen to a busy machine on the way. Every call has its result exactly once. */
async function reviewedInSpiteOf(happens: (busy: string) => Promise<unknown>): Promise<string> {
  const company = `Unhealthy ${(made += 1)}`;
  const deckId = await rig.upload(await drawPlainDeck(plainSlides(company)), `${company}.pdf`);
  const { analysisId } = await rig.client.startAnalysis(deckId, { models: 'reader' });
  const instance = await busyInstance();
  await happens(instance);
  await rig.ended(analysisId);
  const { status } = await rig.db.analysis.findUniqueOrThrow({ where: { id: analysisId } });
  expect(status).toBe('completed');
  const calls = await rig.db.modelCall.findMany({ where: { analysisId } });
  expect(calls.filter((call) => call.state !== 'stored')).toEqual([]);
  const keys = calls.map((call) => call.contentKey);
  const results = await rig.db.modelResult.findMany({ where: { contentKey: { in: keys } } });
  expect(results.map((result) => result.contentKey).toSorted()).toEqual([...new Set(keys)].toSorted());
  // A call that was cut begins anew: what the machine did to it is not the call's failure.
  expect(results.filter((result) => result.attempts > 1)).toEqual([]);
  const slides = calls.filter((call) => call.task === 'describe_slide').map((call) => call.slideNumber);
  expect(slides.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(plainSlides(company).map((_, index) => index + 1));
  return instance;
}

const withFault =
  (fault: MachineFaultInput) =>
  (instance: string): Promise<void> =>
    rig.setFaults(instance, [fault]);

it.each<[string, MachineFaultInput, HealthFailure, string]>([
  ['a wedged runner costs a restart of the model server', { kind: 'wedged' }, 'runner_wedged', 'restart'],
  ['XID 94 costs a restart of the model server', { kind: 'xid', xid: 94 }, 'gpu_app_error', 'restart'],
  ['XID 79 costs a reboot', { kind: 'xid', xid: 79, healedBy: 'reboot' }, 'gpu_lost', 'reboot'],
])('%s; no slide is lost, and the same machine works on', async (_what, fault, failure, action) => {
  const sinceMs = Date.now();
  const before = await machines();
  const instance = await reviewedInSpiteOf(withFault(fault));
  await acted(instance, failure, sinceMs, action);
  await bothServe();
  expect(await actionsOf(instance, failure, sinceMs)).toEqual([action]);
  expect((await machines())[instance]).toBe(before[instance]);
});

it('a machine that falls back to its CPU while a deck is reviewed, and that no remedy helps, is replaced; no slide is lost', async () => {
  const sinceMs = Date.now();
  const before = await machines();
  const instance = await reviewedInSpiteOf(withFault({ kind: 'cpu_only', healedBy: 'replacement' }));
  await acted(instance, 'cpu_only', sinceMs, 'replace');
  await bothServe();
  expect(await actionsOf(instance, 'cpu_only', sinceMs)).toEqual(['restart', 'reboot', 'replace']);
  const living = await rig.machinesOf(instance);
  expect(living).toHaveLength(1);
  expect(living[0]?.id).not.toBe(before[instance]);
});

it('an overheated machine takes no new work, is watched, and comes back when it has cooled down; no slide is lost', async () => {
  const sinceMs = Date.now();
  const instance = await reviewedInSpiteOf(async (busy) => {
    await rig.setFaults(busy, [{ kind: 'overheating', marginC: 2 }]);
    await isCordoned(busy);
    await rig.setFaults(busy, []);
  });
  await acted(instance, 'overheating', sinceMs, 'release');
  await bothServe();
  expect(await actionsOf(instance, 'overheating', sinceMs)).toEqual(['quarantine', 'release']);
});

it('of two machines that answer no look one is quarantined, the other works on, neither is touched, and no slide is lost', async () => {
  const sinceMs = Date.now();
  const before = await machines();
  const names = Object.keys(before);
  const out = async (): Promise<string[]> =>
    (await instances()).filter((row) => row.phase !== 'ready').map((row) => row.name);
  const taken: string[][] = [];
  await reviewedInSpiteOf(async () => {
    for (const name of names) await rig.setFaults(name, [{ kind: 'no_answer' }]);
    await until(async () => {
      taken.push(await out());
      return rig.db.instanceHealth.findMany({ where: { instanceName: { in: names } } });
    }).is((rows) => rows.every((row) => row.level === 'unknown') && taken.at(-1)?.length === 1);
  });
  taken.push(await out());
  for (const name of names) await rig.setFaults(name, []);
  await bothServe();
  expect(Math.max(...taken.map((one) => one.length))).toBe(1);
  const actions = await until(() => Promise.all(names.map((name) => actionsOf(name, 'no_samples', sinceMs)))).is(
    (all) => all.flat().includes('release'),
  );
  expect(actions.toSorted((a, b) => a.length - b.length)).toEqual([[], ['quarantine', 'release']]);
  expect(await machines()).toEqual(before);
});

it('an idle machine whose runner is wedged is found by its probe and repaired', async () => {
  const sinceMs = Date.now();
  const [first] = await instances();
  const name = first?.name ?? '';
  await rig.setFaults(name, [{ kind: 'wedged' }]);
  // One that was restarted for this before is rebooted.
  await until(() => actionsOf(name, 'runner_wedged', sinceMs)).is((actions) =>
    actions.some((action) => action === 'restart' || action === 'reboot'),
  );
  await bothServe();
  const rows = await rig.db.healthTransition.findMany({
    where: { instanceName: name, at: { gte: new Date(sinceMs) } },
  });
  expect(rows.find((row) => row.toLevel === 'unhealthy')).toMatchObject({ failure: 'runner_wedged' });
});
