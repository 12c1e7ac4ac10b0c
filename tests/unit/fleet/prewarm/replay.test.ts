/** The replay that decides whether a pool warms instances ahead, and the outlook that follows from it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnArrivals } from '../../../../domain/fleet/prewarm/forecast.ts';
import { heldBackUntilMs, missesInARow } from '../../../../domain/fleet/prewarm/hold-back.ts';
import { outlookOf, type OutlookInput } from '../../../../domain/fleet/prewarm/outlook.ts';
import { hasPaid, replayWarming, type ReplayInput } from '../../../../domain/fleet/prewarm/replay.ts';
import { judgeWarming, warmTerms } from '../../../../domain/fleet/prewarm/rule.ts';
import { quarterOfWeekIn } from '../../../../domain/fleet/prewarm/week.ts';
import { forAll } from '../../../../testing/property.ts';
import { PLAIN_BLOCKS, pool, REFUNDED } from '../../../../testing/fleet/made-up-pools.ts';
import {
  DAY,
  HOUR,
  MINUTE,
  MONDAY,
  replayOf,
  uniformArrivals,
  WEEK,
  weeklyRhythm,
} from '../../../../testing/fleet/made-up-arrivals.ts';

const outlook = (replay: ReplayInput, more: Partial<OutlookInput> = {}) =>
  outlookOf({ ...replay, nowMs: replay.untilMs, warmedLately: [], ...more });

describe('a month of replay, after weeks that taught', () => {
  it('warming pays where decks come in a weekly rhythm, in spite of the noise', () => {
    for (const seed of [1, 2, 3, 4]) {
      const replay = replayWarming(replayOf(weeklyRhythm(8, seed), 8));
      expect(hasPaid(replay), `seed ${seed}`).toBe(true);
      expect(replay.hits).toBeGreaterThan(2 * replay.misses);
      // At least an eighth of what one who knows everything would have gained.
      expect(replay.netUsd).toBeGreaterThan(replay.clairvoyantUsd / 8);
      expect(replay.regretUsd).toBeCloseTo(replay.clairvoyantUsd - replay.netUsd);
    }
  });

  it('it stays off where decks come at any time, because the replay says that it would not have paid', () => {
    let tried = 0;
    for (const perWeek of [15, 60, 150, 200])
      for (const seed of [1, 2, 3]) {
        const replay = replayWarming(replayOf(uniformArrivals(8, seed, perWeek), 8));
        expect(hasPaid(replay), `${perWeek} a week, seed ${seed}`).toBe(false);
        tried += replay.warmed.length;
        expect(outlook(replayOf(uniformArrivals(8, seed, perWeek), 8)).outlook).toMatchObject({
          verdict: 'does_not_pay',
          windows: [],
        });
      }
    // Chance alone makes some times look good: that is what the replay is for.
    expect(tried).toBeGreaterThan(100);
  });

  it('it stays off for a machine that costs more than the waiting is worth', () => {
    const prices = [{ fromMs: MONDAY, usdPerHour: 8 }];
    expect(replayWarming(replayOf(weeklyRhythm(8, 1), 8, { prices })).warmed).toEqual([]);
  });

  it('knows nothing of what comes later: other arrivals after a time change nothing before it', () =>
    forAll(
      [fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 0, max: 5 * 7 * 24 }), fc.integer({ min: 1, max: 1000 })],
      { runs: 100 },
      (seed, hours, otherSeed) => {
        const cutMs = MONDAY + 2 * WEEK + hours * HOUR;
        const known = weeklyRhythm(8, seed).filter(({ atMs }) => atMs < cutMs);
        const rest = [weeklyRhythm(8, seed), weeklyRhythm(8, otherSeed)].map((all) =>
          all.filter(({ atMs }) => atMs >= cutMs),
        );
        const [one, other] = rest.map((later) =>
          replayWarming(replayOf([...known, ...later], 8))
            .warmed.map(({ wakeMs }) => wakeMs)
            .filter((wakeMs) => wakeMs < cutMs),
        );
        // What is still warm at that time is not decided yet.
        const decided = (times: readonly number[] | undefined): readonly number[] =>
          (times ?? []).filter((wakeMs) => wakeMs < cutMs - 2 * HOUR);
        expect(decided(one)).toEqual(decided(other));
      },
    ));

  it('counts every warmed instance as a hit or a miss, and regrets nothing less than the clairvoyant', () =>
    forAll(
      [fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(5, 40, 300), fc.constantFrom(0.2, 0.6, 2), fc.boolean()],
      { runs: 60 },
      (seed, perWeek, usdPerHour, isRegular) => {
        const arrivals = isRegular ? weeklyRhythm(6, seed) : uniformArrivals(6, seed, perWeek);
        const replay = replayWarming(replayOf(arrivals, 6, { prices: [{ fromMs: MONDAY, usdPerHour }] }));
        expect(replay.hits + replay.misses).toBe(replay.warmed.length);
        for (const { isHit, savedSec, costUsd } of replay.warmed) {
          expect(savedSec).toBeGreaterThanOrEqual(0);
          expect(savedSec).toBeLessThanOrEqual(180);
          expect(costUsd).toBeGreaterThanOrEqual(0);
          if (!isHit) expect(costUsd).toBeGreaterThan(0);
        }
        expect(replay.regretUsd).toBeGreaterThanOrEqual(-1e-9);
      },
    ));
});

describe('an outlook', () => {
  const rhythm = replayOf(weeklyRhythm(8, 1), 8);
  const tuesdayAt = (hour: number): number => MONDAY + 8 * WEEK + DAY + hour * HOUR;

  it('names the times at which an instance is worth being warm', () => {
    const { outlook: morning } = outlook(rhythm, { nowMs: tuesdayAt(8) });
    expect(morning).toMatchObject({ verdict: 'pays' });
    const nine = morning.windows.find(({ readyAtMs }) => readyAtMs === tuesdayAt(9));
    expect(nine).toMatchObject({ wakeAtMs: tuesdayAt(9) - 3 * MINUTE });
    expect(nine?.chance).toBeGreaterThan(0.5);
    expect(nine?.gainUsd).toBeGreaterThan(0);
    expect(nine?.keptUntilMs).toBeGreaterThan(tuesdayAt(9));
    expect(outlook(rhythm, { nowMs: tuesdayAt(2) }).outlook.windows).toEqual([]);
  });

  it('warms nothing while too little is known, or no price', () => {
    const short = replayOf(weeklyRhythm(8, 1), 2);
    expect(outlook(short).outlook).toMatchObject({ verdict: 'too_little_history', windows: [] });
    expect(outlook(replayOf([], 0)).outlook).toMatchObject({ verdict: 'too_little_history', windows: [] });
    expect(outlook(replayOf([], 8)).outlook).toMatchObject({ verdict: 'does_not_pay', windows: [] });
    expect(outlook({ ...rhythm, prices: [] }).outlook).toMatchObject({ verdict: 'no_price', windows: [] });
  });

  it('warms nothing for a while after misses in a row', () => {
    const misses = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ atMs: tuesdayAt(5) - (count - i) * HOUR, isHit: false }));
    const windows = (warmedLately: OutlookInput['warmedLately']) =>
      outlook(rhythm, { nowMs: tuesdayAt(8), warmedLately }).outlook.windows.length;
    expect(windows(misses(2))).toBeGreaterThan(0);
    expect(windows(misses(3))).toBe(0);
    expect(windows([...misses(3), { atMs: tuesdayAt(6), isHit: true }])).toBeGreaterThan(0);
  });

  it('holds back for longer with every further miss, and never for more than a week', () => {
    expect(heldBackUntilMs(2, 0)).toBeNull();
    expect([3, 4, 5, 60].map((misses) => (heldBackUntilMs(misses, 0) ?? 0) / DAY)).toEqual([1, 2, 4, 7]);
    expect(missesInARow([true, false, null, false])).toBe(2);
    expect(missesInARow([])).toBe(0);
    expect(missesInARow([false, true, null])).toBe(0);
  });
});

describe('the rule', () => {
  const forecast = learnArrivals(weeklyRhythm(8, 1), MONDAY, MONDAY + 8 * WEEK, quarterOfWeekIn('UTC'));
  const nineMs = MONDAY + 8 * WEEK + 9 * HOUR;
  const { terms } = replayOf([], 8);

  it('gains more, the more a minute is worth and the less the machine costs', () => {
    const gain = (usdPerHour: number, waitingUsdPerMinute: number): number =>
      judgeWarming(forecast, nineMs, usdPerHour, { ...terms, waitingUsdPerMinute }).gainUsd;
    expect(gain(0.6, 0.1)).toBeGreaterThan(gain(0.6, 0.05));
    expect(gain(0.6, 0.1)).toBeGreaterThan(gain(1.2, 0.1));
    expect(gain(0.6, 0)).toBeLessThan(0);
  });

  it('never warms for a pool that never sleeps, and counts paid blocks whose rest is lost', () => {
    const make = (sleepPolicy: string, billing = REFUNDED) =>
      warmTerms({
        config: pool({ sleepPolicy }),
        billing,
        bootSec: 180,
        usdPerHour: 0.6,
        volumeUsdPerHour: 0,
        idleGapsSec: [],
      });
    expect(judgeWarming(forecast, nineMs, 0.6, make('never')).gainUsd).toBe(-Infinity);
    expect(make('break_even')).toMatchObject({ sleepsAfterSec: 180, blockSec: 0 });
    expect(make('auto', PLAIN_BLOCKS).blockSec).toBe(600);
    const lost = judgeWarming(forecast, nineMs, 0.6, { ...terms, blockSec: 600 }).costUsd;
    expect(lost).toBeGreaterThan(judgeWarming(forecast, nineMs, 0.6, terms).costUsd);
  });
});
