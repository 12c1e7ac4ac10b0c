/**
 * Whatever breaks in a machine is noticed within three minutes, whenever it breaks and whatever the machine is doing; what breaks nothing
 * changes nothing.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LONGEST_LOAD_MS } from '../../../domain/health/rules.ts';
import type { HealthFailure } from '../../../domain/health/types.ts';
import { FaultyMachine, type MachineFault, type Traffic } from '../../../testing/fleet/faulty-machine.ts';
import { HEALTH_SETTINGS, VirtualHealth } from '../../../testing/fleet/virtual-health.ts';
import { forAll } from '../../../testing/property.ts';

const MINUTE = 60_000;

/** Faults with what they are to be taken for. `unknown` = nothing is heard. */
const SICKNESSES: readonly { readonly fault: MachineFault; readonly failure: HealthFailure }[] = [
  { fault: { kind: 'wedged' }, failure: 'runner_wedged' },
  { fault: { kind: 'cpu' }, failure: 'cpu_only' },
  { fault: { kind: 'xid', xid: 79 }, failure: 'gpu_lost' },
  { fault: { kind: 'xid', xid: 94 }, failure: 'gpu_app_error' },
  { fault: { kind: 'xid', xid: 13 }, failure: 'gpu_app_error' },
  { fault: { kind: 'xid', xid: 48 }, failure: 'gpu_reset_needed' },
  { fault: { kind: 'xid', xid: 119 }, failure: 'gpu_reset_needed' },
  { fault: { kind: 'hot', marginC: 5 }, failure: 'overheating' },
  { fault: { kind: 'hot', marginC: 0 }, failure: 'overheating' },
  { fault: { kind: 'remap_failed' }, failure: 'gpu_memory_worn' },
  { fault: { kind: 'no_gpu' }, failure: 'gpu_lost' },
  { fault: { kind: 'disk_full' }, failure: 'disk_full' },
  { fault: { kind: 'silent' }, failure: 'no_samples' },
];

const traffic = (sickAtMs: number): fc.Arbitrary<Traffic> =>
  fc.oneof(
    fc.constant<Traffic>({ kind: 'idle' }),
    fc.record({
      kind: fc.constant('busy' as const),
      inFlight: fc.integer({ min: 1, max: 4 }),
      callMs: fc.integer({ min: 1_000, max: 90_000 }),
    }),
    // Begins shortly before or after the fault, on a machine with one slot or several.
    fc
      .integer({ min: -100_000, max: 100_000 })
      .map((aroundMs): Traffic => ({ kind: 'one_call', fromMs: Math.max(0, sickAtMs + aroundMs) })),
  );

/** The levels after the fault at `sickAtMs`, until then and three sample intervals later. */
function runWith(
  machine: FaultyMachine,
  fault: MachineFault,
  sickAtMs: number,
  options: ConstructorParameters<typeof VirtualHealth>[2] = {},
  times?: ConstructorParameters<typeof VirtualHealth>[3],
): VirtualHealth {
  const health = new VirtualHealth(machine, 0, options, times);
  const fall = (atMs: number): void => {
    if (machine.fault === null && atMs >= sickAtMs) machine.fall(fault, sickAtMs);
  };
  health.runUntil(sickAtMs + 3 * health.settings.sampleIntervalMs, fall);
  return health;
}

/**
 * When a fault begins to show: a runner that is wedged while nothing runs shows when it is probed, or to the call that takes its only slot
 * before that.
 */
function showsAtMs(fault: MachineFault, sickAtMs: number, work: Traffic, slots: number): number {
  const isTaken = fault.kind === 'wedged' && work.kind === 'one_call' && slots === 1;
  return isTaken ? Math.max(sickAtMs, work.fromMs) : sickAtMs;
}

it('with the settings as they come everything is noticed within three minutes of virtual time, whenever it breaks', async () => {
  const noticed = new Set<string>();
  const plan = fc.integer({ min: 1, max: 30 * MINUTE }).chain((sickAtMs) =>
    fc.record({
      sickAtMs: fc.constant(sickAtMs),
      fault: fc.constantFrom(...SICKNESSES),
      traffic: traffic(sickAtMs),
      slots: fc.integer({ min: 1, max: 4 }),
      models: fc.constantFrom(['a'], ['a', 'b']),
      sampleMs: fc.integer({ min: 0, max: 3_000 }),
    }),
  );
  await forAll(
    [plan],
    { runs: 5_000, seed: 20_261_122 },
    ({ sickAtMs, fault, traffic: work, slots, models, sampleMs }) => {
      const machine = new FaultyMachine({ traffic: work, slots, models });
      const health = runWith(machine, fault.fault, sickAtMs, {}, { sampleMs, silenceMs: 20_000 });
      const showsMs = showsAtMs(fault.fault, sickAtMs, work, slots);
      health.runUntil(showsMs + 3 * MINUTE);
      const first = health.levels.find((one) => one.atMs >= sickAtMs);
      expect(health.levels.filter((one) => one.atMs < sickAtMs)).toEqual([]);
      expect(first).toMatchObject({ failure: fault.failure });
      expect((first?.atMs ?? Infinity) - showsMs).toBeLessThanOrEqual(3 * MINUTE);
      noticed.add(fault.failure);
    },
  );
  expect(noticed.size).toBe(new Set(SICKNESSES.map((s) => s.failure)).size);
});

it('with other settings within three sample intervals, as long as probes fit into them', async () => {
  const plan = fc.integer({ min: 500, max: 5 * MINUTE }).chain((sampleIntervalMs) =>
    fc.record({
      sampleIntervalMs: fc.constant(sampleIntervalMs),
      probeIdleMs: fc.integer({ min: Math.ceil(sampleIntervalMs / 2), max: 2 * sampleIntervalMs }),
      probeTimeoutMs: fc.integer({ min: 100, max: Math.floor(sampleIntervalMs / 3) }),
      sickAtIntervals: fc.double({ min: 0.01, max: 20, noNaN: true }),
      fault: fc.constantFrom(...SICKNESSES),
      kind: fc.constantFrom('idle' as const, 'busy' as const),
    }),
  );
  await forAll(
    [plan],
    { runs: 1_000, seed: 20_261_123 },
    ({ sampleIntervalMs, probeIdleMs, probeTimeoutMs, sickAtIntervals, fault, kind }) => {
      const sickAtMs = Math.round(sickAtIntervals * sampleIntervalMs);
      const work: Traffic = kind === 'idle' ? { kind } : { kind, inFlight: 4, callMs: Math.ceil(sampleIntervalMs / 2) };
      const machine = new FaultyMachine({ traffic: work, probeMs: Math.min(50, probeTimeoutMs) });
      const settings = { sampleIntervalMs, probeIdleMs, probeTimeoutMs };
      const times = { sampleMs: Math.floor(sampleIntervalMs / 60), silenceMs: Math.floor(sampleIntervalMs / 3) };
      const health = runWith(machine, fault.fault, sickAtMs, settings, times);
      const first = health.levels.find((one) => one.atMs >= sickAtMs);
      expect(first).toMatchObject({ failure: fault.failure });
      expect((first?.atMs ?? Infinity) - sickAtMs).toBeLessThanOrEqual(3 * sampleIntervalMs);
    },
  );
});

it('scenario 15: one of two runners that is wedged while nothing calls it is found by its own probe', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'idle' }, models: ['a', 'b'] });
  const sickAtMs = 10 * MINUTE;
  const health = runWith(machine, { kind: 'wedged', model: 'b' }, sickAtMs);
  const [first] = health.levels;
  expect(first).toMatchObject({ level: 'unhealthy', failure: 'runner_wedged' });
  expect((first?.atMs ?? Infinity) - sickAtMs).toBeLessThanOrEqual(3 * MINUTE);
});

it('a machine that has nothing is never taken for ill, however its looks and its work fall', async () => {
  const blip = fc.constantFrom<MachineFault>(
    { kind: 'hot', marginC: 3 },
    { kind: 'disk_full' },
    { kind: 'cpu' },
    { kind: 'slow', factor: 10 },
    { kind: 'silent' },
  );
  await forAll(
    [
      traffic(10 * MINUTE),
      fc.array(fc.record({ afterLooks: fc.integer({ min: 4, max: 9 }), blip }), { maxLength: 8 }),
      fc.integer({ min: 0, max: 3_000 }),
    ],
    { runs: 500, seed: 20_261_124 },
    (work, blips, sampleMs) => {
      const machine = new FaultyMachine({ traffic: work });
      const health = new VirtualHealth(machine, 0, {}, { sampleMs, silenceMs: 20_000 });
      for (const { afterLooks, blip: fault } of blips) {
        for (let n = 0; n < afterLooks; n++) health.lookOnce();
        machine.fall(fault, 0);
        health.lookOnce();
        machine.fall(null, 0);
      }
      health.runUntil(health.dueMs + 30 * MINUTE);
      expect(health.levels).toEqual([]);
    },
  );
});

it('gets better only after five samples that show nothing, and a probe that answered', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'idle' } });
  const health = runWith(machine, { kind: 'cpu' }, 5 * MINUTE);
  expect(health.levels.map((one) => one.level)).toEqual(['unhealthy']);
  machine.fall(null, health.dueMs);
  const before = health.samples;
  const healedAtMs = health.dueMs;
  health.runUntil(healedAtMs + 20 * MINUTE);
  expect(health.levels.map((one) => one.level)).toEqual(['unhealthy', 'healthy']);
  expect(health.samples - before).toBeGreaterThanOrEqual(5);
  expect(health.actions.map((one) => one.action)).toEqual(['repair', 'release']);
});

it('scenario 45: an XID 94 that was dealt with does not count again, the next one does', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'busy', inFlight: 2, callMs: 5_000 } });
  const health = runWith(machine, { kind: 'xid', xid: 94 }, 5 * MINUTE);
  expect(health.levels).toMatchObject([{ level: 'unhealthy', failure: 'gpu_app_error' }]);
  // Its model server was restarted; the kernel log still has the line.
  machine.fall(null, health.dueMs);
  health.prove(health.dueMs, { isSameMachine: true, isRebooted: false });
  health.runUntil(health.dueMs + 60 * MINUTE);
  expect(health.levels).toHaveLength(1);
  machine.fall({ kind: 'xid', xid: 94 }, health.dueMs);
  health.runUntil(health.dueMs + 3 * MINUTE);
  expect(health.levels).toHaveLength(2);
});

it('lines that follow an XID 94 until its remedy is done are its echo, and no reason for the next remedy', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'busy', inFlight: 2, callMs: 5_000 } });
  const health = runWith(machine, { kind: 'xid', xid: 94 }, 5 * MINUTE);
  for (const xid of [94, 94, 31]) machine.fall({ kind: 'xid', xid }, health.dueMs);
  machine.fall(null, health.dueMs);
  health.prove(health.dueMs, { isSameMachine: true, isRebooted: false });
  health.runUntil(health.dueMs + 60 * MINUTE);
  expect(health.levels).toMatchObject([{ failure: 'gpu_app_error' }]);
  machine.fall({ kind: 'xid', xid: 31 }, health.dueMs);
  health.runUntil(health.dueMs + 3 * MINUTE);
  expect(health.levels).toHaveLength(2);
});

it('what the driver merely notes beside an XID 94 that was dealt with does not make it count again', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'busy', inFlight: 2, callMs: 5_000 } });
  const health = runWith(machine, { kind: 'xid', xid: 94 }, 5 * MINUTE);
  machine.fall(null, health.dueMs);
  health.prove(health.dueMs, { isSameMachine: true, isRebooted: false });
  // A row is to be remapped, an application was stopped.
  for (const xid of [63, 43]) machine.fall({ kind: 'xid', xid }, health.dueMs);
  health.runUntil(health.dueMs + 60 * MINUTE);
  expect(health.levels).toMatchObject([{ failure: 'gpu_app_error' }]);
});

it('an error that only a reboot mends counts until the kernel log begins anew', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'busy', inFlight: 2, callMs: 5_000 } });
  const health = runWith(machine, { kind: 'xid', xid: 119 }, 5 * MINUTE);
  health.prove(health.dueMs, { isSameMachine: true, isRebooted: false });
  health.runUntil(health.dueMs + 3 * MINUTE);
  expect(health.levels.map((one) => one.failure)).toEqual(['gpu_reset_needed', 'gpu_reset_needed']);
  machine.fall(null, health.dueMs);
  machine.reboot();
  health.prove(health.dueMs, { isSameMachine: true, isRebooted: true });
  health.runUntil(health.dueMs + 30 * MINUTE);
  expect(health.levels).toHaveLength(2);
});

it('a probe that takes more than three times its usual duration is repeated at once; slow twice is degraded', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'idle' }, probeMs: 600 });
  const health = runWith(machine, { kind: 'slow', factor: 4 }, 10 * MINUTE);
  expect(health.levels).toMatchObject([{ level: 'degraded', failure: 'slow' }]);
  // Which duration is usual follows the good probes only.
  expect(health.state.baselineProbeMs).toBe(600);
});

it('a probe comes exactly when nothing has shown life for two minutes, and again every two minutes; none comes while calls do', () => {
  const idle = new VirtualHealth(new FaultyMachine({ traffic: { kind: 'idle' } }), 0);
  const times: number[] = [];
  let before = 0;
  for (; idle.dueMs < 10 * MINUTE; idle.lookOnce()) {
    if (idle.probes > before) times.push(idle.state.probedAtMs ?? 0);
    before = idle.probes;
  }
  expect(times.map((atMs) => Math.round(atMs / MINUTE))).toEqual([2, 4, 6, 8]);
  const busy = new VirtualHealth(new FaultyMachine({ traffic: { kind: 'busy', inFlight: 4, callMs: 20_000 } }), 0);
  busy.runUntil(60 * MINUTE);
  expect(busy.probes).toBe(0);
});

it('silence makes it unknown and never worse; the first answer takes it back, and an operator is told once when it lasts', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'idle' } });
  const health = runWith(machine, { kind: 'silent' }, 5 * MINUTE);
  health.runUntil(health.dueMs + 60 * MINUTE);
  expect(health.levels.map((one) => one.level)).toEqual(['unknown']);
  expect(health.actions.map((one) => one.action)).toEqual(['quarantine', 'tell_operator']);
  const [, told] = health.actions;
  expect((told?.atMs ?? 0) - (health.levels[0]?.atMs ?? 0)).toBeGreaterThan(20 * MINUTE);
  machine.fall(null, health.dueMs);
  health.lookOnce();
  expect(health.levels.map((one) => one.level)).toEqual(['unknown', 'healthy']);
});

it('silence does not excuse what was known before', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'idle' } });
  const health = runWith(machine, { kind: 'xid', xid: 79 }, 5 * MINUTE);
  machine.fall({ kind: 'silent' }, health.dueMs);
  health.runUntil(health.dueMs + 30 * MINUTE);
  expect(health.state).toMatchObject({ level: 'unhealthy', failure: 'gpu_lost' });
});

it('a server that runs already is not made to generate while it is not used; after calls ran on it, once', () => {
  const idle = new VirtualHealth(new FaultyMachine({ traffic: { kind: 'idle' } }), 0, { rented: false });
  idle.runUntil(24 * 60 * MINUTE);
  expect(idle.probes).toBe(0);
  const machine = new FaultyMachine({ traffic: { kind: 'idle' } });
  const measure = machine.measure.bind(machine);
  machine.measure = (atMs) => {
    const one = measure(atMs);
    const calls = { ...one.calls, lastCallAtMs: 3 * MINUTE, lastProgressAtMs: 3 * MINUTE };
    return atMs < 3 * MINUTE ? one : { ...one, calls };
  };
  const used = new VirtualHealth(machine, 0, { rented: false });
  used.runUntil(60 * MINUTE);
  expect(used.probes).toBe(1);
  expect(used.state.probedAtMs).toBeGreaterThanOrEqual(5 * MINUTE);
  expect(used.state.probedAtMs).toBeLessThan(6 * MINUTE);
  // Found ill, it is tried until it is well.
  machine.fall({ kind: 'cpu' }, 60 * MINUTE);
  used.runUntil(70 * MINUTE);
  expect(used.state.level).toBe('unhealthy');
  expect(used.probes).toBeGreaterThan(2);
});

it('a server that runs already may work on its CPU, unless it was seen to use a GPU', () => {
  const always = new FaultyMachine({ traffic: { kind: 'idle' } });
  always.fall({ kind: 'cpu' }, 0);
  const health = new VirtualHealth(always, 0, { rented: false });
  health.runUntil(30 * MINUTE);
  expect(health.levels).toEqual([]);
  const lost = runWith(new FaultyMachine({ traffic: { kind: 'idle' } }), { kind: 'cpu' }, 10 * MINUTE, {
    rented: false,
  });
  expect(lost.levels).toMatchObject([{ failure: 'cpu_only' }]);
});

it('a model that is being loaded is neither a hanging call nor a failed probe', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'one_call', fromMs: 0 }, models: [] });
  machine.fall({ kind: 'wedged' }, 0);
  const health = new VirtualHealth(machine, 0);
  health.runUntil(4 * MINUTE);
  expect(health.levels).toEqual([]);
  // No load takes that long.
  health.runUntil(8 * MINUTE);
  expect(health.levels).toMatchObject([{ failure: 'runner_wedged' }]);
});

it('a model that does not load in all the time it has is a wedged runner, and not tried for as long again', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'idle' }, models: [] });
  const health = new VirtualHealth(machine, 0);
  const probe = machine.probe.bind(machine);
  machine.probe = (atMs, timeoutMs, wanted) =>
    machine.fault === null
      ? probe(atMs, timeoutMs, wanted)
      : { kind: 'failed', atMs: atMs + LONGEST_LOAD_MS, durationMs: LONGEST_LOAD_MS, message: 'did not load' };
  machine.fall({ kind: 'wedged' }, 0);
  for (; health.levels.length === 0 && health.dueMs < 20 * MINUTE; health.lookOnce());
  expect(health.probes).toBe(1);
  expect(health.levels[0]).toMatchObject({ level: 'unhealthy', failure: 'runner_wedged' });
});

it('hardware that slows itself down in six of ten samples is overheated, now and then it is not', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'busy', inFlight: 1, callMs: 1000 } });
  const measure = machine.measure.bind(machine);
  let n = 0;
  let often = false;
  machine.measure = (atMs) => {
    const one = measure(atMs);
    const slowed = often || n++ % 3 === 0;
    const gpus = (one.gpus ?? []).map((gpu) => ({
      ...gpu,
      throttleReasons: slowed ? ['hw_thermal_slowdown'] : ['sw_power_cap'],
    }));
    return { ...one, gpus };
  };
  const health = new VirtualHealth(machine, 0);
  health.runUntil(60 * MINUTE);
  expect(health.levels).toEqual([]);
  often = true;
  health.runUntil(health.dueMs + 8 * MINUTE);
  expect(health.levels).toMatchObject([{ level: 'degraded', failure: 'overheating' }]);
});

it('the state is plain JSON of a bounded size', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'idle' }, models: ['a', 'b'] });
  const health = new VirtualHealth(machine, 0, HEALTH_SETTINGS);
  health.runUntil(24 * 60 * MINUTE);
  expect(JSON.parse(JSON.stringify(health.state))).toEqual(health.state);
  expect(JSON.stringify(health.state).length).toBeLessThan(2_000);
});
