/**
 * Machines that fall ill while a deck is reviewed, through Temporal, gateways and simulated machines: noticed, taken out of service, repaired
 * or replaced, and every call of the deck has its result exactly once. Intervals are scaled down sixtyfold.
 */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { MachineFaultInput } from '../../simulators/machine/faults.ts';
import { startMachineRig, type MachineRig } from '../support/fleet/machine-rig.ts';
import { drawPlainDeck, plainSlides } from '../support/plain-deck.ts';
import { until } from '../support/until.ts';

const POOL = {
  name: 'visual',
  classes: ['gpu-visual', 'gpu-text'] as ['gpu-visual', 'gpu-text'],
  min: 2,
  max: 2,
  sleepPolicy: 'never' as const,
  launchBudgetPerHour: 100,
  timing: {
    tickMs: 500,
    idleTickMs: 1000,
    bootPollMs: 200,
    bootPollMaxMs: 500,
    ladderPauseMs: 300,
    ladderPauseMaxMs: 600,
    goneConfirmMs: 300,
    destroyRetryMs: 300,
  },
};

let rig: MachineRig;
let made = 0;
beforeAll(async () => {
  rig = await startMachineRig({
    scenario: {
      name: 'ill',
      boot: { orderedSec: 0.1, provisioningSec: [0.1, 0.4], startSec: 0.2 },
      end: { stopSec: 0.1, deleteSec: [0.1, 0.4], diskLingerSec: 0 },
      stock: [{ types: '*', count: null }],
      modelServer: { pullMs: 10, loadMs: 10, callSeconds: 0.4 },
    },
    pools: [POOL],
    health: { sampleIntervalMs: 1000, probeIdleMs: 2000, probeTimeoutMs: 1500 },
    environment: { DECKHAND_MODEL_CONCURRENCY: '2' },
  });
  await bothServe();
});
afterAll(() => rig.stop());
afterEach(bothServe);

const instances = () => rig.db.fleetInstance.findMany({ where: { endedAt: null }, orderBy: { name: 'asc' } });

/** Waits until the pool has two instances at work, with nothing held against them. */
async function bothServe(): Promise<void> {
  await until(
    async () => {
      const rows = await rig.db.fleetInstance.findMany({ where: { endedAt: null }, include: { health: true } });
      return rows.filter((row) => row.phase === 'ready' && row.health?.level === 'healthy');
    },
    (rows) => rows.length === 2,
  );
}

/** Names of instances that have calls in hand. */
async function busyInstance(): Promise<string> {
  const rows = await until(
    () => rig.db.instanceServing.findMany({ where: { inFlight: { gt: 0 }, finishedCalls: { gt: 0 } } }),
    (busy) => busy.length > 0,
  );
  return rows[0]?.instanceName ?? '';
}

const actionsOf = async (instance: string, sinceMs: number): Promise<string[]> => {
  const rows = await rig.db.healthTransition.findMany({
    where: { instanceName: instance, at: { gte: new Date(sinceMs) }, action: { not: 'none' } },
    orderBy: { at: 'asc' },
  });
  return rows.map((row) => row.action);
};

const levelOf = async (instance: string): Promise<string | undefined> =>
  (await rig.db.instanceHealth.findUnique({ where: { instanceName: instance } }))?.level;

/** Reviews a deck, and has a busy machine fall ill on the way. Every call has its result exactly once. */
async function reviewedInSpiteOf(faults: readonly MachineFaultInput[], heal = false): Promise<string> {
  const company = `Ill ${(made += 1)}`;
  const deckId = await rig.upload(await drawPlainDeck(plainSlides(company)), `${company}.pdf`);
  const { analysisId } = await rig.client.startAnalysis(deckId, { models: 'reader' });
  const instance = await busyInstance();
  await rig.setFaults(instance, faults);
  if (heal) {
    await until(
      () => rig.db.fleetInstance.findUniqueOrThrow({ where: { name: instance } }),
      ({ phase }) => phase === 'cordoned',
    );
    await rig.setFaults(instance, []);
  }
  for await (const event of rig.client.events(analysisId)) if (event.type === 'finished') break;
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

it('a runner that is wedged while a deck is reviewed is restarted; no slide is lost', async () => {
  const sinceMs = Date.now();
  const before = await instances();
  const instance = await reviewedInSpiteOf([{ kind: 'wedged' }]);
  await until(
    () => actionsOf(instance, sinceMs),
    (actions) => actions.length > 0,
  );
  await bothServe();
  expect(await actionsOf(instance, sinceMs)).toEqual(['restart']);
  // The same machine works on.
  const machineOf = (rows: Awaited<ReturnType<typeof instances>>): string | null | undefined =>
    rows.find((row) => row.name === instance)?.providerId;
  expect(machineOf(await instances())).toBe(machineOf(before));
});

it('a machine that falls back to its CPU while a deck is reviewed, and that no remedy helps, is replaced; no slide is lost', async () => {
  const sinceMs = Date.now();
  const before = await instances();
  const instance = await reviewedInSpiteOf([{ kind: 'cpu_only', healedBy: 'replacement' }]);
  await until(
    () => actionsOf(instance, sinceMs),
    (actions) => actions.includes('replace'),
  );
  await bothServe();
  expect(await actionsOf(instance, sinceMs)).toEqual(['restart', 'reboot', 'replace']);
  const machines = await rig.machinesOf(instance);
  expect(machines).toHaveLength(1);
  expect(machines[0]?.id).not.toBe(before.find((row) => row.name === instance)?.providerId);
});

it('an overheated machine takes no new work, is watched, and comes back when it has cooled down; no slide is lost', async () => {
  const sinceMs = Date.now();
  const instance = await reviewedInSpiteOf([{ kind: 'overheating', marginC: 2 }], true);
  await until(
    () => actionsOf(instance, sinceMs),
    (actions) => actions.includes('release'),
  );
  await bothServe();
  expect(await actionsOf(instance, sinceMs)).toEqual(['quarantine', 'release']);
  expect(await levelOf(instance)).toBe('healthy');
});

it('an idle machine whose runner is wedged is found by its probe and repaired', async () => {
  const sinceMs = Date.now();
  const [first] = await instances();
  const name = first?.name ?? '';
  await rig.setFaults(name, [{ kind: 'wedged' }]);
  await until(
    () => actionsOf(name, sinceMs),
    // One that was restarted for this before is rebooted.
    (actions) => actions.some((action) => action === 'restart' || action === 'reboot'),
  );
  await bothServe();
  const rows = await rig.db.healthTransition.findMany({
    where: { instanceName: name, at: { gte: new Date(sinceMs) } },
  });
  expect(rows.find((row) => row.toLevel === 'unhealthy')).toMatchObject({ failure: 'runner_wedged' });
});
