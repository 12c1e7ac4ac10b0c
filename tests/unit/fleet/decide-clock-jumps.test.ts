/**
 * The clock of a pool jumps forwards and backwards: its work is served all the same, never by more machines than it may have, and when there
 * is none everything sleeps within twice its idle time.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../testing/property.ts';
import { demandOf, NO_DEMAND, pool, VirtualPool } from '../../../testing/fleet/made-up-pools.ts';

const MINUTE = 60_000;
const BOOT_MS = 2 * MINUTE;
const IDLE_MS = 10 * MINUTE;
const MAX = 3;

interface Stretch {
  /** Work in seconds; 0 = none. */
  readonly openSeconds: number;
  readonly minutes: number;
  /** What the clock does at the end of it, in minutes. */
  readonly jumpMin: number;
}

const stretchArb: fc.Arbitrary<Stretch> = fc.record({
  openSeconds: fc.constantFrom(0, 0, 30, 900, 9000),
  minutes: fc.integer({ min: 0, max: 40 }),
  jumpMin: fc.oneof(fc.integer({ min: -30, max: 30 }), fc.integer({ min: -5000, max: 5000 })),
});

/** A pool that has been through all of it; every look is checked. The clock of the test goes on, the pool's jumps. */
function through(stretches: readonly Stretch[]): VirtualPool {
  const timing = { fixedIdleMs: IDLE_MS };
  const living = new VirtualPool(pool({ max: MAX, sleepPolicy: 'fixed', timing }), BOOT_MS);
  // Far from zero, so that the clock can go back.
  living.nowMs = 20_000 * MINUTE;
  for (const { openSeconds, minutes, jumpMin } of stretches) {
    serve(living, openSeconds, minutes);
    jump(living, jumpMin * MINUTE);
  }
  return living;
}

/** A machine that boots does not boot faster for it. */
function jump(living: VirtualPool, byMs: number): void {
  living.nowMs += byMs;
  for (const { name, phase, phaseSinceMs } of living.instances) {
    if (phase === 'booting' || phase === 'waking') living.set(name, { phaseSinceMs: phaseSinceMs + byMs });
  }
}

/** So much work for so long. */
function serve(living: VirtualPool, openSeconds: number, minutes: number): void {
  const untilMs = living.nowMs + minutes * MINUTE;
  do {
    // What works says so; what has nothing to do has had nothing since the last look at the earliest.
    const busy = openSeconds > 0;
    for (const one of living.instances) {
      if (one.phase !== 'ready') continue;
      living.set(
        one.name,
        busy ? { inFlight: 1, idleSinceMs: null } : { inFlight: 0, idleSinceMs: one.idleSinceMs ?? living.nowMs },
      );
    }
    const { nextLookAtMs } = living.look(busy ? demandOf(openSeconds) : NO_DEMAND, busy ? 5 : 0);
    // Thousands of looks: `expect` takes as long as the rest of one.
    const waitMs = nextLookAtMs - living.nowMs;
    if (waitMs <= 0 || waitMs > MINUTE) throw new Error(`the next look is in ${waitMs} ms`);
    const rented = living.instances.filter((i) => i.phase !== 'suspended').length;
    if (rented > MAX) throw new Error(`${rented} machines are rented`);
    living.nowMs = nextLookAtMs;
  } while (living.nowMs < untilMs);
}

const awake = (living: VirtualPool): number =>
  living.instances.filter((i) => i.phase === 'ready' || i.phase === 'booting' || i.phase === 'waking').length;

it('work that is there after jumps is served within a boot', () =>
  forAll([fc.array(stretchArb, { maxLength: 6 })], { runs: 400 }, (stretches) => {
    const living = through(stretches);
    serve(living, 300, 3);
    expect(living.instances.filter((i) => i.phase === 'ready').length).toBeGreaterThan(0);
  }));

it('what is idle after jumps sleeps when its idle time is over', () =>
  forAll([fc.array(stretchArb, { maxLength: 6 })], { runs: 400 }, (stretches) => {
    const living = through(stretches);
    // A boot that goes on, the idle time (once more where a clock set back comes by the time of the last call again), the delay of an
    // emergency, and a look.
    serve(living, 0, 2 + 2 * 10 + 1 + 2);
    expect(awake(living)).toBe(0);
  }));

it('work that goes on is not taken its machines by a jump', () =>
  forAll([fc.array(stretchArb, { minLength: 1, maxLength: 6 })], { runs: 400 }, (stretches) => {
    const living = through(
      stretches.map((stretch) => ({ ...stretch, openSeconds: 300, minutes: stretch.minutes + 3 })),
    );
    expect(living.count('suspend') + living.count('destroy')).toBe(0);
    expect(living.count('create')).toBe(1);
  }));
