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

/** Faults with the failure that they are judged as. */
const FAULTS: readonly { readonly fault: MachineFault; readonly failure: HealthFailure }[] = [
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

const traffic = (faultAtMs: number): fc.Arbitrary<Traffic> =>
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
      .map((aroundMs): Traffic => ({ kind: 'one_call', fromMs: Math.max(0, faultAtMs + aroundMs) })),
  );

/** The levels after the fault at `faultAtMs`, until then and three sample intervals later. */
function runWith(
  machine: FaultyMachine,
  fault: MachineFault,
  faultAtMs: number,
  options: ConstructorParameters<typeof VirtualHealth>[2] = {},
  times?: ConstructorParameters<typeof VirtualHealth>[3],
): VirtualHealth {
  const health = new VirtualHealth(machine, 0, options, times);
  const breakWhenDue = (atMs: number): void => {
    if (machine.fault === null && atMs >= faultAtMs) machine.setFault(fault, faultAtMs);
  };
  health.runUntil(faultAtMs + 3 * health.settings.sampleIntervalMs, breakWhenDue);
  return health;
}

/**
 * When a fault begins to show: a runner that is wedged while nothing runs shows when it is probed, or to the call that takes its only slot
 * before that.
 */
function showsAtMs(fault: MachineFault, faultAtMs: number, work: Traffic, slots: number): number {
  const isTaken = fault.kind === 'wedged' && work.kind === 'one_call' && slots === 1;
  return isTaken ? Math.max(faultAtMs, work.fromMs) : faultAtMs;
}

it('with the settings as they come everything is noticed within three minutes of virtual time, whenever it breaks', async () => {
  const noticed = new Set<string>();
  const plan = fc.integer({ min: 1, max: 30 * MINUTE }).chain((faultAtMs) =>
    fc.record({
      faultAtMs: fc.constant(faultAtMs),
      fault: fc.constantFrom(...FAULTS),
      traffic: traffic(faultAtMs),
      slots: fc.integer({ min: 1, max: 4 }),
      models: fc.constantFrom(['a'], ['a', 'b']),
      sampleMs: fc.integer({ min: 0, max: 3_000 }),
    }),
  );
  await forAll(
    [plan],
    { runs: 5_000, seed: 20_261_122 },
    ({ faultAtMs, fault, traffic: work, slots, models, sampleMs }) => {
      const machine = new FaultyMachine({ traffic: work, slots, models });
      const health = runWith(machine, fault.fault, faultAtMs, {}, { sampleMs, silenceMs: 20_000 });
      const showsMs = showsAtMs(fault.fault, faultAtMs, work, slots);
      health.runUntil(showsMs + 3 * MINUTE);
      const first = health.levels.find((one) => one.atMs >= faultAtMs);
      expect(health.levels.filter((one) => one.atMs < faultAtMs)).toEqual([]);
      expect(first).toMatchObject({ failure: fault.failure });
      expect((first?.atMs ?? Infinity) - showsMs).toBeLessThanOrEqual(3 * MINUTE);
      noticed.add(fault.failure);
    },
  );
  expect(noticed.size).toBe(new Set(FAULTS.map((s) => s.failure)).size);
});

it('with other settings within three sample intervals, as long as probes fit into them', async () => {
  const plan = fc.integer({ min: 500, max: 5 * MINUTE }).chain((sampleIntervalMs) =>
    fc.record({
      sampleIntervalMs: fc.constant(sampleIntervalMs),
      probeIdleMs: fc.integer({ min: Math.ceil(sampleIntervalMs / 2), max: 2 * sampleIntervalMs }),
      probeTimeoutMs: fc.integer({ min: 100, max: Math.floor(sampleIntervalMs / 3) }),
      faultAtIntervals: fc.double({ min: 0.01, max: 20, noNaN: true }),
      fault: fc.constantFrom(...FAULTS),
      kind: fc.constantFrom('idle' as const, 'busy' as const),
    }),
  );
  await forAll(
    [plan],
    { runs: 1_000, seed: 20_261_123 },
    ({ sampleIntervalMs, probeIdleMs, probeTimeoutMs, faultAtIntervals, fault, kind }) => {
      const faultAtMs = Math.round(faultAtIntervals * sampleIntervalMs);
      const work: Traffic = kind === 'idle' ? { kind } : { kind, inFlight: 4, callMs: Math.ceil(sampleIntervalMs / 2) };
      const machine = new FaultyMachine({ traffic: work, probeMs: Math.min(50, probeTimeoutMs) });
      const settings = { sampleIntervalMs, probeIdleMs, probeTimeoutMs };
      const times = { sampleMs: Math.floor(sampleIntervalMs / 60), silenceMs: Math.floor(sampleIntervalMs / 3) };
      const health = runWith(machine, fault.fault, faultAtMs, settings, times);
      const first = health.levels.find((one) => one.atMs >= faultAtMs);
      expect(first).toMatchObject({ failure: fault.failure });
      expect((first?.atMs ?? Infinity) - faultAtMs).toBeLessThanOrEqual(3 * sampleIntervalMs);
    },
  );
});

it('scenario 15: one of two runners that is wedged while nothing calls it is found by its own probe', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'idle' }, models: ['a', 'b'] });
  const faultAtMs = 10 * MINUTE;
  const health = runWith(machine, { kind: 'wedged', model: 'b' }, faultAtMs);
  const [first] = health.levels;
  expect(first).toMatchObject({ level: 'unhealthy', failure: 'runner_wedged' });
  expect((first?.atMs ?? Infinity) - faultAtMs).toBeLessThanOrEqual(3 * MINUTE);
});

it('a machine that answers calls with nothing that can be used, and probes well, is found', () =>
  forAll([fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1_000, max: 15_000 })], (inFlight, callMs) => {
    const machine = new FaultyMachine({ traffic: { kind: 'busy', inFlight, callMs } });
    const faultAtMs = 10 * MINUTE;
    const [first] = runWith(machine, { kind: 'garbage' }, faultAtMs).levels;
    expect(first).toMatchObject({ level: 'unhealthy', failure: 'unusable_answers' });
    expect((first?.atMs ?? Infinity) - faultAtMs).toBeLessThanOrEqual(3 * MINUTE);
  }));

it('a healthy machine is never judged faulty, however samples and calls are timed', async () => {
  const blip = fc.constantFrom<MachineFault>(
    { kind: 'hot', marginC: 3 },
    { kind: 'disk_full' },
    { kind: 'cpu' },
    { kind: 'slow', factor: 10 },
    { kind: 'silent' },
  );
  const blips = fc.array(fc.record({ afterLooks: fc.integer({ min: 4, max: 9 }), blip }), { maxLength: 8 });
  const options = { runs: 500, seed: 20_261_124 };
  await forAll([traffic(10 * MINUTE), blips, fc.integer({ min: 0, max: 3_000 })], options, (work, faults, sampleMs) => {
    const machine = new FaultyMachine({ traffic: work });
    const health = new VirtualHealth(machine, 0, {}, { sampleMs, silenceMs: 20_000 });
    for (const { afterLooks, blip: fault } of faults) {
      for (let n = 0; n < afterLooks; n++) health.lookOnce();
      machine.setFault(fault, 0);
      health.lookOnce();
      machine.setFault(null, 0);
    }
    health.runUntil(health.dueMs + 30 * MINUTE);
    expect(health.levels).toEqual([]);
  });
});

const reading = fc
  .record({ readMs: fc.integer({ min: 1000, max: 60 * MINUTE }), spare: fc.double({ min: 2, max: 12, noNaN: true }) })
  .map(({ readMs, spare }): Traffic & { kind: 'reads' } => ({ kind: 'reads', readMs, expectedMs: readMs * spare }));

it('a machine that reads its prompts within the expected time is never judged faulty, however long that is', () =>
  forAll([reading, fc.integer({ min: 1, max: 2 })], { runs: 500 }, (traffic, slots) => {
    const health = new VirtualHealth(new FaultyMachine({ traffic, slots }), 0);
    health.runUntil(3 * 60 * MINUTE);
    return health.levels.length === 0;
  }));

it('a machine that dies while it reads is noticed within a minute after a token was expected, or as early as any other', () =>
  forAll([reading, fc.integer({ min: 1, max: 60 * MINUTE })], { runs: 500 }, (traffic, faultAtMs) => {
    const health = runWith(new FaultyMachine({ traffic, slots: 1 }), { kind: 'wedged' }, faultAtMs);
    const beganMs = faultAtMs - (faultAtMs % traffic.readMs);
    const overdueMs = beganMs + traffic.expectedMs;
    health.runUntil(Math.max(overdueMs, faultAtMs) + 3 * MINUTE);
    const [first] = health.levels;
    expect(first).toMatchObject({ level: 'unhealthy', failure: 'runner_wedged' });
    expect(first?.atMs).toBeLessThanOrEqual(Math.max(overdueMs + MINUTE, faultAtMs + 3 * MINUTE));
  }));

it('gets better only after five samples that show nothing, and a probe that answered', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'idle' } });
  const health = runWith(machine, { kind: 'cpu' }, 5 * MINUTE);
  expect(health.levels.map((one) => one.level)).toEqual(['unhealthy']);
  machine.setFault(null, health.dueMs);
  const before = health.samples;
  const fixedAtMs = health.dueMs;
  health.runUntil(fixedAtMs + 20 * MINUTE);
  expect(health.levels.map((one) => one.level)).toEqual(['unhealthy', 'healthy']);
  expect(health.samples - before).toBeGreaterThanOrEqual(5);
  expect(health.actions.map((one) => one.action)).toEqual(['repair', 'release']);
});

/** A busy machine that reported an XID and was judged for it. */
function withXid(xid: number) {
  const machine = new FaultyMachine({ traffic: { kind: 'busy', inFlight: 2, callMs: 5_000 } });
  const health = runWith(machine, { kind: 'xid', xid }, 5 * MINUTE);
  return {
    health,
    reports: (...xids: readonly number[]) => {
      for (const one of xids) machine.setFault({ kind: 'xid', xid: one }, health.dueMs);
    },
    /** The remedy worked: the fault is over, and the readiness check was passed. The kernel log stays, unless it was rebooted. */
    isRepaired: (isRebooted = false) => {
      machine.setFault(null, health.dueMs);
      if (isRebooted) machine.reboot();
      health.passCheck(health.dueMs, { isSameMachine: true, isRebooted });
    },
    failuresAfter: (minutes: number) => {
      health.runUntil(health.dueMs + minutes * MINUTE);
      return health.levels.map((one) => one.failure);
    },
  };
}

it('scenario 45: an XID 94 that was dealt with does not count again, the next one does', () => {
  const machine = withXid(94);
  expect(machine.health.levels).toMatchObject([{ level: 'unhealthy', failure: 'gpu_app_error' }]);
  machine.isRepaired();
  expect(machine.failuresAfter(60)).toHaveLength(1);
  machine.reports(94);
  expect(machine.failuresAfter(3)).toHaveLength(2);
});

it('lines that follow an XID 94 until its remedy is done belong to it, and are no reason for the next remedy', () => {
  const machine = withXid(94);
  machine.reports(94, 94, 31);
  machine.isRepaired();
  expect(machine.failuresAfter(60)).toEqual(['gpu_app_error']);
  machine.reports(31);
  expect(machine.failuresAfter(3)).toHaveLength(2);
});

it('notes of the driver beside an XID 94 that was dealt with do not make it count again', () => {
  const machine = withXid(94);
  machine.isRepaired();
  // A row is to be remapped, an application was stopped.
  machine.reports(63, 43);
  expect(machine.failuresAfter(60)).toEqual(['gpu_app_error']);
});

it('an error that only a reboot fixes counts until the kernel log begins anew', () => {
  const machine = withXid(119);
  machine.health.passCheck(machine.health.dueMs, { isSameMachine: true, isRebooted: false });
  expect(machine.failuresAfter(3)).toEqual(['gpu_reset_needed', 'gpu_reset_needed']);
  machine.isRepaired(true);
  expect(machine.failuresAfter(30)).toHaveLength(2);
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
  machine.setFault(null, health.dueMs);
  health.lookOnce();
  expect(health.levels.map((one) => one.level)).toEqual(['unknown', 'healthy']);
});

it('silence does not excuse what was known before', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'idle' } });
  const health = runWith(machine, { kind: 'xid', xid: 79 }, 5 * MINUTE);
  machine.setFault({ kind: 'silent' }, health.dueMs);
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
  // While it is faulty, it is probed until it recovers.
  machine.setFault({ kind: 'cpu' }, 60 * MINUTE);
  used.runUntil(70 * MINUTE);
  expect(used.state.level).toBe('unhealthy');
  expect(used.probes).toBeGreaterThan(2);
});

it('a server that runs already may work on its CPU, unless it was seen to use a GPU', () => {
  const always = new FaultyMachine({ traffic: { kind: 'idle' } });
  always.setFault({ kind: 'cpu' }, 0);
  const health = new VirtualHealth(always, 0, { rented: false });
  health.runUntil(30 * MINUTE);
  expect(health.levels).toEqual([]);
  const idle = new FaultyMachine({ traffic: { kind: 'idle' } });
  const lost = runWith(idle, { kind: 'cpu' }, 10 * MINUTE, { rented: false });
  expect(lost.levels).toMatchObject([{ failure: 'cpu_only' }]);
});

it('a model that is being loaded is neither a hanging call nor a failed probe', () => {
  const machine = new FaultyMachine({ traffic: { kind: 'one_call', fromMs: 0 }, models: [] });
  machine.setFault({ kind: 'wedged' }, 0);
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
  machine.setFault({ kind: 'wedged' }, 0);
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
    const throttleReasons = slowed ? ['hw_thermal_slowdown'] : ['sw_power_cap'];
    return { ...one, gpus: (one.gpus ?? []).map((gpu) => ({ ...gpu, throttleReasons })) };
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
