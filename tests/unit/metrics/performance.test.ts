/** Model calls over time: whole series from what the database has, and lines of bars that tell the truth. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { performanceTable, targetTable } from '../../../cli/targets/table.ts';
import { performanceSeries, shorten, sparkline, type PerformanceCell } from '../../../domain/metrics/performance.ts';
import { forAll } from '../../../testing/property.ts';

const ONE_CALL = { stored: 1, failed: 0, cut: 0, totalSeconds: 2, medianSeconds: 2, p95Seconds: 2 };
const cell = (group: string, atMs: number, values: Partial<PerformanceCell> = {}): PerformanceCell => ({
  group,
  atMs,
  ...ONE_CALL,
  ...values,
});

it('series have every step of the period, also those without a call', () => {
  const [series] = performanceSeries([cell('a', 20)], [10, 20, 30]);
  expect(series?.points.map((p) => [p.atMs, p.stored, p.meanSeconds, p.failureRate])).toEqual([
    [10, 0, null, null],
    [20, 1, 2, 0],
    [30, 0, null, null],
  ]);
});

it('series weigh steps by their calls', () => {
  const cells = [
    cell('a', 10, { stored: 9, totalSeconds: 9, failed: 1 }),
    cell('a', 20, { stored: 1, totalSeconds: 11, failed: 9 }),
  ];
  const expected = { meanSeconds: 2, failureRate: 0.5, stored: 10, failed: 10 };
  expect(performanceSeries(cells, [10, 20])[0]).toMatchObject(expected);
});

it('series come with the busiest first', () =>
  expect(performanceSeries([cell('a', 10), cell('b', 10, { cut: 5 })], [10]).map((s) => s.group)).toEqual(['b', 'a']));

it('bars reach from none to the highest', () => {
  expect(sparkline([0, null, 5, 10])).toBe('▁·▅█');
  expect(sparkline([0, 0])).toBe('▁▁');
  expect(sparkline([0.5], 1)).toBe('▅');
});

it('bars are as many as the values, and no more than asked for', () =>
  forAll([fc.array(fc.option(fc.float({ min: 0, noNaN: true }))), fc.integer({ min: 1, max: 60 })], (values, most) => {
    expect(sparkline(values)).toHaveLength(values.length);
    const short = shorten(values, most, (some) => some.find((v) => v !== null) ?? null);
    expect(short.length).toBeLessThanOrEqual(most);
    expect(short.some((v) => v !== null)).toBe(values.some((v) => v !== null));
  }));

describe('in a terminal', () => {
  const span = { from: '2026-11-01T00:00:00.000Z', until: '2026-11-22T10:00:00.000Z', timezone: 'UTC' };

  it('targets are a table that does not round over a limit', () => {
    const item = {
      target: 'call_success' as const,
      title: 'model calls with an answer',
      unit: 'ratio' as const,
      value: 0.98999,
      limit: { comparison: 'above' as const, value: 0.99 },
      state: 'not_met' as const,
      samples: 1000,
      sampleOf: 'calls',
    };
    const text = targetTable({ ...span, items: [item] });
    expect(text).toMatch(/model calls with an answer +98\.99 % {2}> 99 % +✗ not met +1000 calls/u);
  });

  it('performance is two lines of bars for each group, without control characters of a name', () => {
    const calls = { stored: 2, failed: 2, cut: 0, meanSeconds: 3, failureRate: 0.5 };
    const points = [{ ...calls, at: span.from, medianSeconds: 3, p95Seconds: 4 }];
    const items = [{ ...calls, group: 'bad\u001B[31m', points }];
    const text = performanceTable({ ...span, by: 'model', bucket: 'day', items });
    expect(text).toContain('2 stored, 2 failed, mean 3.0 s, 50 % failed');
    expect(text).toContain('duration  █  up to 3.0 s');
    expect(text).not.toContain('\u001B');
    expect(performanceTable({ ...span, by: 'model', bucket: 'day', items: [] })).toContain('No model call');
  });
});
