/** The forecast of the coming days, and its text in a terminal. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CostForecastDocument } from '../../../../api/client.ts';
import { renderForecast } from '../../../../cli/costs/forecast-text.ts';
import { forecastDays, LEAST_HISTORY_DAYS, type DayFacts } from '../../../../domain/costs/forecast/days.ts';
import { addDays } from '../../../../domain/costs/report/local-day.ts';
import { forAll } from '../../../../testing/property.ts';

const historyOf = (usd: readonly number[]): DayFacts[] =>
  usd.map((amount, i) => ({ day: addDays('2026-09-07', i), decks: amount * 2, gpuHours: amount / 2, usd: amount }));
const after = (history: readonly DayFacts[]): string => addDays('2026-09-07', history.length);

it('a day is expected to cost about what its weekday cost, within the range of such days', () => {
  // Mondays cost 10, other working days 2, weekends nothing.
  const history = historyOf(Array.from({ length: 56 }, (_, i) => (i % 7 === 0 ? 10 : i % 7 < 5 ? 2 : 0)));
  const forecast = forecastDays(history, after(history), 7);
  const means = (forecast?.days ?? []).map(({ usd }) => usd.mean);
  expect(means[0]).toBeGreaterThan(8.5);
  expect(means[0]).toBeLessThan(10);
  expect(means[6]).toBeLessThan(0.5);
  expect(forecast?.total.usd.mean).toBeCloseTo(18);
  // Every week came to the same.
  expect(forecast?.total.usd.low).toBeCloseTo(18);
  expect(forecast?.total.usd.high).toBeCloseTo(18);
});

it('too little history has no forecast, and a sum longer than the history no range', () => {
  const short = historyOf(Array.from({ length: LEAST_HISTORY_DAYS - 1 }, () => 1));
  expect(forecastDays(short, after(short), 7)).toBeNull();
  const enough = historyOf(Array.from({ length: LEAST_HISTORY_DAYS }, () => 1));
  expect(forecastDays(enough, after(enough), 31)?.total.usd).toMatchObject({ low: null, high: null });
});

it('every figure lies within its range, no day is negative, and the days add up to the total', () => {
  const day = fc.double({ min: 0, max: 100, noNaN: true });
  const days = fc.array(day, { minLength: LEAST_HISTORY_DAYS, maxLength: 56 });
  return forAll([days, fc.integer({ min: 1, max: 31 })], { runs: 200 }, (usd, count) => {
    const history = historyOf(usd);
    const forecast = forecastDays(history, after(history), count);
    expect(forecast?.days).toHaveLength(count);
    for (const figures of [...(forecast?.days ?? []), ...(forecast === null ? [] : [forecast.total])])
      for (const { mean, low, high } of [figures.decks, figures.gpuHours, figures.usd]) {
        expect(mean).toBeGreaterThanOrEqual(0);
        if (low !== null) expect(low).toBeLessThanOrEqual(mean);
        if (high !== null) expect(high).toBeGreaterThanOrEqual(mean);
      }
    const sum = (forecast?.days ?? []).reduce((total, { usd: { mean } }) => total + mean, 0);
    expect(forecast?.total.usd.mean).toBeCloseTo(sum);
  });
});

const figures = (mean: number) => ({
  decks: { mean: mean * 2, low: 0, high: mean * 4 },
  gpuHours: { mean, low: 0, high: mean * 2 },
  usd: { mean: mean / 2, low: null, high: null },
});
const shown = (changes: Partial<CostForecastDocument> = {}): CostForecastDocument => ({
  timezone: 'UTC',
  historyDays: 56,
  leastHistoryDays: 14,
  days: [
    { day: '2026-11-02', ...figures(3) },
    { day: '2026-11-03', ...figures(1) },
  ],
  total: figures(4),
  month: {
    month: '2026-11',
    spentUsd: '12.5',
    forecastUsd: '95',
    basis: 'weekdays',
    basisDays: 28,
    softUsd: '80',
    hardUsd: '100',
  },
  prewarm: [
    {
      pool: 'visual',
      mode: 'off',
      verdict: 'pays',
      words: 'Pre-warm pays.',
      replay: {
        from: '2026-09-21T00:00:00.000Z',
        until: '2026-11-02T00:00:00.000Z',
        warmed: 30,
        hits: 28,
        misses: 2,
        savedSec: 3000,
        savedUsd: 5,
        costUsd: 1,
        netUsd: 4,
        regretUsd: 11.25,
      },
      next: [],
    },
  ],
  ...changes,
});

it('the terminal shows each day, all together, the month against its budget, and the pools', () => {
  expect(renderForecast(shown())).toMatchInlineSnapshot(`
    "Expected by 56 days of history (UTC); in brackets where most such days lay

    DAY                          DECKS         GPU-HOURS   COST
    2026-11-02       6.0 (0.0 to 12.0)  3.0 (0.0 to 6.0)  $1.50
    2026-11-03        2.0 (0.0 to 4.0)  1.0 (0.0 to 2.0)  $0.50
    2 days together  8.0 (0.0 to 16.0)  4.0 (0.0 to 8.0)  $2.00

    2026-11: $12.50 so far, about $95.00 at its end; budget soft $80.00, hard $100.00: it reaches the soft cap.
    visual (the setting is off): Pre-warm pays. A clairvoyant would have gained $11.25 more."
  `);
});

it('the terminal says that there is too little history', () => {
  const month = { ...shown().month, forecastUsd: null, softUsd: null, hardUsd: null, basis: 'none' as const };
  const text = renderForecast(shown({ total: null, days: [], historyDays: 5, prewarm: [], month }));
  expect(text).toContain('Too little history: 5 whole days; a forecast begins after 14.');
  expect(text).toContain('2026-11: $12.50 so far; there is no budget for a month.');
});

it.each([
  ['30', 'within the budget'],
  ['80', 'it reaches the soft cap'],
  ['100', 'it reaches the hard cap'],
])('a month of $%s is %s', (forecastUsd, words) =>
  expect(renderForecast(shown({ month: { ...shown().month, forecastUsd } }))).toContain(words),
);
