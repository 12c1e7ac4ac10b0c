/** The forecast of arrivals: chances, shrinkage, and weeks in which clocks are changed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArrivalForecast, learnArrivals, type Arrival } from '../../../../domain/fleet/prewarm/forecast.ts';
import { QUARTER_MS, QUARTERS_OF_WEEK, quarterOfWeekIn } from '../../../../domain/fleet/prewarm/week.ts';
import { forAll } from '../../../../testing/property.ts';
import { DAY, HOUR, MINUTE, MONDAY, WEEK } from '../../../../testing/fleet/made-up-arrivals.ts';

const BERLIN = quarterOfWeekIn('Europe/Berlin');
const UTC = quarterOfWeekIn('UTC');

const arrivalsArb = fc
  .array(
    fc.record({
      atMs: fc.integer({ min: 0, max: (4 * WEEK) / MINUTE - 1 }).map((minute) => MONDAY + minute * MINUTE),
      decks: fc.integer({ min: 1, max: 5 }),
    }),
    { maxLength: 60 },
  )
  .map((rows) => rows.map((row): Arrival => ({ ...row, slides: row.decks * 10 })).toSorted((a, b) => a.atMs - b.atMs));
const spanArb = fc.tuple(fc.integer({ min: 0, max: 2 * WEEK }), fc.integer({ min: 0, max: 6 * HOUR }));

describe('the chance of a deck', () => {
  it('is a probability, grows with the time, and more arrivals never lower it', () =>
    forAll(
      [arrivalsArb, arrivalsArb, fc.integer({ min: 1, max: 4 }), spanArb, fc.integer({ min: 0, max: HOUR })],
      { runs: 300 },
      (some, others, weeks, [offset, length], longer) => {
        const fromMs = MONDAY + 4 * WEEK + offset;
        const learn = (arrivals: readonly Arrival[]) => learnArrivals(arrivals, MONDAY, MONDAY + weeks * WEEK, BERLIN);
        const few = learn(some);
        const chance = few.chance(fromMs, fromMs + length);
        expect(chance).toBeGreaterThanOrEqual(0);
        expect(chance).toBeLessThanOrEqual(1);
        expect(few.chance(fromMs, fromMs + length + longer)).toBeGreaterThanOrEqual(chance);
        const more = learn([...some, ...others].toSorted((a, b) => a.atMs - b.atMs));
        expect(more.chance(fromMs, fromMs + length)).toBeGreaterThanOrEqual(chance - 1e-12);
        expect(more.expectedDecks(fromMs, fromMs + length)).toBeGreaterThanOrEqual(
          few.expectedDecks(fromMs, fromMs + length) - 1e-12,
        );
      },
    ));

  it('is 0 while nothing was learned', () => {
    const nothing = new ArrivalForecast(UTC);
    expect(nothing.chance(MONDAY, MONDAY + WEEK)).toBe(0);
    expect(nothing.expectedDecks(MONDAY, MONDAY + WEEK)).toBe(0);
  });

  it('rises with every week that a deck came at the same time', () => {
    const atNine = (weeks: number): Arrival[] =>
      Array.from({ length: weeks }, (_, week) => ({ atMs: MONDAY + week * WEEK + 9 * HOUR, decks: 1, slides: 9 }));
    const chanceAfter = (weeks: number): number => {
      const nextMs = MONDAY + weeks * WEEK + 9 * HOUR;
      return learnArrivals(atNine(weeks), MONDAY, MONDAY + weeks * WEEK, UTC).chance(nextMs, nextMs + QUARTER_MS);
    };
    const chances = [1, 2, 4, 8].map(chanceAfter);
    expect(chances).toEqual(chances.toSorted((a, b) => a - b));
    expect(chances[0]).toBeLessThan(0.35);
    expect(chances[3]).toBeGreaterThan(0.5);
    const rest = learnArrivals(atNine(8), MONDAY, MONDAY + 8 * WEEK, UTC);
    expect(rest.chance(MONDAY + 8 * WEEK + 3 * HOUR, MONDAY + 8 * WEEK + 4 * HOUR)).toBeLessThan(0.01);
  });

  it('counts decks that come together once, and expects all of them', () => {
    const together = Array.from({ length: 8 }, (_, week) => ({
      atMs: MONDAY + week * WEEK + 9 * HOUR,
      decks: 20,
      slides: 400,
    }));
    const alone = together.map((arrival) => ({ ...arrival, decks: 1 }));
    const [many, one] = [together, alone].map((arrivals) => learnArrivals(arrivals, MONDAY, MONDAY + 8 * WEEK, UTC));
    const hour = [MONDAY + 8 * WEEK + 9 * HOUR, MONDAY + 8 * WEEK + 10 * HOUR] as const;
    expect(many?.chance(...hour)).toBe(one?.chance(...hour));
    expect(many?.expectedDecks(...hour)).toBeCloseTo(20 * (one?.expectedDecks(...hour) ?? 0));
    expect(many?.expectedDecks(...hour)).toBeGreaterThan(15);
  });

  it('expects over a whole number of weeks what came in them', () =>
    forAll([arrivalsArb], { runs: 50 }, (arrivals) => {
      const forecast = learnArrivals(arrivals, MONDAY, MONDAY + 4 * WEEK, UTC);
      const decks = arrivals.reduce((sum, arrival) => sum + arrival.decks, 0);
      expect(forecast.expectedDecks(MONDAY, MONDAY + 4 * WEEK)).toBeCloseTo(decks, 6);
    }));
});

describe('the quarter of the week', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

  it('is the one that the clock on the wall shows, whatever the zone and the day', () =>
    forAll(
      [fc.constantFrom(...zones), fc.integer({ min: 0, max: 2 * 366 * 96 })],
      { runs: 500 },
      (timeZone, quarters) => {
        const atMs = Date.UTC(2026, 0, 1) + quarters * QUARTER_MS;
        const parts = new Intl.DateTimeFormat('en-GB', {
          timeZone,
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
          hourCycle: 'h23',
        }).formatToParts(atMs);
        const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
        const day = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(of('weekday'));
        const shown = day * 96 + Number(of('hour')) * 4 + Math.floor(Number(of('minute')) / 15);
        expect(quarterOfWeekIn(timeZone)(atMs)).toBe(shown);
      },
    ));

  it('comes twice in the hour that is repeated, and not at all in the one that is skipped', () => {
    const times = (dayMs: number): Map<number, number> => {
      const counts = new Map<number, number>();
      for (let atMs = dayMs; atMs < dayMs + 7 * DAY; atMs += QUARTER_MS)
        counts.set(BERLIN(atMs), (counts.get(BERLIN(atMs)) ?? 0) + 1);
      return counts;
    };
    const sundayAt = (hour: number): number => 6 * 96 + hour * 4;
    const spring = times(Date.UTC(2026, 2, 23));
    const autumn = times(Date.UTC(2026, 9, 19));
    expect(spring.get(sundayAt(2))).toBeUndefined();
    expect(autumn.get(sundayAt(2))).toBe(2);
    expect([...spring.values(), ...autumn.values()].reduce((sum, n) => sum + n, 0)).toBe(2 * QUARTERS_OF_WEEK);
  });

  it('a deck at nine on the wall is expected at nine on the wall after clocks were changed', () => {
    // Summer time in Berlin ends on 25 October 2026: nine is 7:00 UTC before and 8:00 UTC after.
    const firstMs = Date.UTC(2026, 8, 7, 7);
    const arrivals = Array.from({ length: 7 }, (_, week) => ({ atMs: firstMs + week * WEEK, decks: 1, slides: 9 }));
    const untilMs = Date.UTC(2026, 9, 26);
    const forecast = learnArrivals(arrivals, Date.UTC(2026, 8, 7), untilMs, BERLIN);
    const at = (hour: number): number => forecast.chance(untilMs + hour * HOUR, untilMs + (hour + 1) * HOUR);
    expect(at(8)).toBeGreaterThan(0.5);
    expect(at(7)).toBeLessThan(0.1);
  });
});
