/** When idle instances sleep: each policy's rule, and the bounds on what it may cost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakEvenOf, replay, type Setting } from '../../../bench/sleep/replay.ts';
import { standardTraces } from '../../../bench/sleep/traces.ts';
import { SLEEP_POLICIES } from '../../../domain/fleet/pool/pool-config.ts';
import { costOfGap, makeGapPrices } from '../../../domain/fleet/sleep/costs.ts';
import { learnedIdleSec } from '../../../domain/fleet/sleep/learned.ts';
import { automaticPolicy, sleepTime, type SleepInput } from '../../../domain/fleet/sleep/policy.ts';
import { forAll } from '../../../testing/property.ts';
import { PLAIN_BLOCKS, REFUNDED } from '../../../testing/fleet/made-up-pools.ts';

const MINUTE = 60_000;
const PER_SECOND = { quantumSec: 1, refundsUnused: false };

const idle = (more: Partial<SleepInput> = {}): SleepInput => ({
  policy: 'break_even',
  billing: REFUNDED,
  wakeCostSec: 420,
  priceUsdPerHour: 2,
  volumeUsdPerHour: 0,
  minIdleMs: 0,
  fixedIdleMs: 10 * MINUTE,
  stopLeadSec: 90,
  idleGapsSec: [],
  draw01: 0.5,
  nowMs: 0,
  idleSinceMs: 0,
  billedSinceMs: 0,
  ...more,
});
const setting = (billing: Setting['billing'], seed = 1): Setting => ({
  billing,
  wakeSec: 420,
  stopLeadSec: 90,
  fixedIdleMs: 600_000,
  seed,
});
/** So many gaps of that length, s. */
const gapsOf = (count: number, sec: number): number[] => Array.from({ length: count }, () => sec);
const at = (more: Partial<SleepInput>): number | null => sleepTime(idle(more)).atMs;

describe('when an idle instance sleeps', () => {
  it('break-even: when idling has cost as much as a wake, later the dearer storage is', () => {
    expect(at({})).toBe(420_000);
    expect(at({ volumeUsdPerHour: 2 })).toBe(840_000);
    expect(at({ idleSinceMs: 5000, nowMs: 9000 })).toBe(425_000);
  });

  it('randomised: by the number drawn for the gap, between at once and break-even', () => {
    expect(at({ policy: 'randomised', draw01: 0 })).toBe(0);
    expect(at({ policy: 'randomised', draw01: 1 })).toBeCloseTo(420_000, 3);
    expect(at({ policy: 'randomised', draw01: 0.5 })).toBeCloseTo(420_000 * Math.log(1 + 0.5 * (Math.E - 1)), 3);
  });

  it('fixed and never: by configuration', () => {
    expect(at({ policy: 'fixed' })).toBe(600_000);
    expect(at({ policy: 'never' })).toBeNull();
  });

  it('never sooner than the least idle time', () =>
    expect(at({ policy: 'randomised', draw01: 0, minIdleMs: 10_000 })).toBe(10_000));

  it('block end: one lead before a paid block ends, in the first block that leaves enough idle time', () => {
    const blocks = { policy: 'block_end', billing: PLAIN_BLOCKS } as const;
    // Idle since minute 3 of a block, 2.8 minutes asked for without history: minute 8.5.
    expect(at({ ...blocks, idleSinceMs: 3 * MINUTE, nowMs: 3 * MINUTE })).toBe(8.5 * MINUTE);
    // Idle since minute 7: the end of this block is too close.
    expect(at({ ...blocks, idleSinceMs: 7 * MINUTE, nowMs: 7 * MINUTE })).toBe(18.5 * MINUTE);
    // The moment was missed: the next block has begun.
    expect(at({ ...blocks, idleSinceMs: 3 * MINUTE, nowMs: 9.9 * MINUTE })).toBe(18.5 * MINUTE);
    // A look that comes a little late still stops in time.
    expect(at({ ...blocks, idleSinceMs: 3 * MINUTE, nowMs: 8.6 * MINUTE })).toBe(8.5 * MINUTE);
  });

  it('block end where unused time comes back: there is no block to use up', () =>
    expect(sleepTime(idle({ policy: 'block_end' }))).toMatchObject({ atMs: 420_000, policy: 'break_even' }));

  it('every policy but fixed and never stops at the end of a block where the rest of it would be lost', () =>
    forAll(
      [
        fc.constantFrom(
          'auto' as const,
          'break_even' as const,
          'randomised' as const,
          'learned' as const,
          'block_end' as const,
        ),
        fc.integer({ min: 0, max: 100 * MINUTE }),
        fc.integer({ min: 0, max: 20 * MINUTE }),
        fc.array(fc.integer({ min: 1, max: 9000 }), { maxLength: 60 }),
      ],
      (policy, idleSinceMs, later, idleGapsSec) => {
        const nowMs = idleSinceMs + later;
        const atMs = at({ policy, billing: PLAIN_BLOCKS, idleSinceMs, nowMs, idleGapsSec, draw01: 0.7 });
        expect(atMs).not.toBeNull();
        expect(((atMs ?? 0) + 1.5 * MINUTE) % (10 * MINUTE)).toBeCloseTo(0, 6);
        expect(atMs ?? 0).toBeGreaterThanOrEqual(idleSinceMs);
      },
    ));

  it('auto: learned where billing stops with the machine, block end where it does not; randomised before it has learned', () => {
    expect(automaticPolicy(PER_SECOND)).toBe('learned');
    expect(automaticPolicy(REFUNDED)).toBe('learned');
    expect(automaticPolicy(PLAIN_BLOCKS)).toBe('block_end');
    expect(sleepTime(idle({ policy: 'auto' })).policy).toBe('randomised');
    expect(sleepTime(idle({ policy: 'learned' })).policy).toBe('break_even');
    const idleGapsSec = gapsOf(30, 300);
    expect(sleepTime(idle({ policy: 'auto', idleGapsSec }))).toMatchObject({ policy: 'learned', atMs: 306_000 });
  });
});

describe('the learned idle time', () => {
  const prices = makeGapPrices(420, 2, 0.03);
  const stopAfter = (idleSec: number) => ({ askedSec: idleSec, paidUntilSec: idleSec });

  it('needs 30 gaps', () => {
    expect(learnedIdleSec(gapsOf(29, 100), prices, stopAfter)).toBeNull();
    expect(learnedIdleSec(gapsOf(30, 100), prices, stopAfter)).toBeCloseTo(102, 6);
  });

  it('sleeps at once where gaps are long, and never idles for more than three break-even times', async () => {
    expect(learnedIdleSec(gapsOf(100, 7200), prices, stopAfter)).toBe(0);
    await forAll([fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 30, maxLength: 250 })], (gaps) => {
      expect(learnedIdleSec(gaps, prices, stopAfter) ?? 0).toBeLessThanOrEqual(3 * 427);
    });
  });

  it('is as cheap over the remembered gaps as every other idle time up to its limit', async () => {
    const cost = (gaps: readonly number[], idleSec: number): number =>
      gaps.reduce((sum, gap) => sum + costOfGap(gap, stopAfter(idleSec), prices), 0);
    await forAll(
      [
        fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 30, maxLength: 200 }),
        fc.integer({ min: 0, max: 1200 }),
      ],
      (gaps, other) => {
        const learned = learnedIdleSec(gaps, prices, stopAfter);
        // 2 % of margin above a gap is paid on each longer one.
        if (learned !== null) expect(cost(gaps, learned)).toBeLessThanOrEqual(cost(gaps, other) * 1.021 + 1);
      },
    );
  });

  it('is given up when the latest gaps are of another kind', () => {
    const long = gapsOf(180, 7200);
    const short = gapsOf(20, 60);
    expect(learnedIdleSec([...long, ...short], prices, stopAfter)).toBeNull();
  });
});

describe('what a policy costs, compared with one who knows each gap', () => {
  const gapsArb = fc.array(fc.double({ min: 0.1, max: 20_000, noNaN: true }), { minLength: 1, maxLength: 60 });

  it('break-even never costs more than twice as much, for any gaps', () =>
    forAll([gapsArb, fc.constantFrom(PER_SECOND, REFUNDED)], (gaps, billing) => {
      expect(replay('break_even', gaps, setting(billing)).ratio).toBeLessThanOrEqual(2 + 1e-9);
    }));

  it('randomised is expected at 1.582 times, for any kind of gap', () => {
    for (const gap of [60, 300, 419, 421, 900, 7200]) {
      const gaps = gapsOf(20_000, gap);
      expect(replay('randomised', gaps, setting(PER_SECOND)).ratio).toBeLessThanOrEqual(Math.E / (Math.E - 1) + 0.02);
    }
    for (const { gapsSec } of standardTraces(5000, 420, 7))
      expect(replay('randomised', gapsSec, setting(REFUNDED)).ratio).toBeLessThanOrEqual(Math.E / (Math.E - 1) + 0.04);
  });

  it('no policy is cheaper than one who knows each gap, under any billing', () =>
    forAll(
      [gapsArb, fc.constantFrom(...SLEEP_POLICIES), fc.constantFrom(PER_SECOND, REFUNDED, PLAIN_BLOCKS)],
      (gaps, policy, billing) => expect(replay(policy, gaps, setting(billing)).ratio).toBeGreaterThanOrEqual(1 - 1e-9),
    ));

  it('what auto chooses keeps the aims on the five standard traces', () => {
    const traces = standardTraces(2000, breakEvenOf({ wakeSec: 420 }), 11);
    const worst = (billing: Setting['billing']): number =>
      Math.max(...traces.map((t) => replay('auto', t.gapsSec, setting(billing)).ratio));
    expect(worst(PER_SECOND)).toBeLessThanOrEqual(1.6);
    expect(worst(REFUNDED)).toBeLessThanOrEqual(1.6);
    expect(worst(PLAIN_BLOCKS)).toBeLessThanOrEqual(1.35);
  });

  it('learned survives a change of the gaps: after long ones come short ones, and the other way round', () => {
    const long = gapsOf(300, 7200);
    const short = gapsOf(300, 60);
    expect(replay('auto', [...long, ...short, ...long, ...short], setting(REFUNDED)).ratio).toBeLessThanOrEqual(1.6);
  });
});
