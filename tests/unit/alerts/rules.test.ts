/** Rules as data: what is refused, by name; the rules of the seed; and the figures metrics are made of. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayCostRatio,
  hoursLeft,
  LONGEST_HOURS,
  median,
  priceRatio,
  scheduleLateMs,
} from '../../../domain/alerts/figures.ts';
import { ALERT_METRIC_NAMES, alertMetricOf } from '../../../domain/metrics/catalogue.ts';
import { checkRule, type AlertRule } from '../../../domain/alerts/rule.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { ALERT_RULES } from '../../../prisma/seed/alert-rules.ts';
import { forAll } from '../../../testing/property.ts';

const [RULE] = ALERT_RULES as readonly [AlertRule, ...AlertRule[]];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

it.each<[string, Partial<AlertRule>]>([
  ['metric: "failures" is not known; there are boot_seconds', { metric: 'failures' }],
  ['clearAt: 0.9 is beyond raiseAt 0.5', { comparison: 'above', raiseAt: 0.5, clearAt: 0.9 }],
  ['clearAt: 0.1 is beyond raiseAt 0.5', { comparison: 'below', raiseAt: 0.5, clearAt: 0.1 }],
  ['raiseAt: is not a number', { raiseAt: Number.NaN }],
  ['clearAt: is not a number', { clearAt: Number.POSITIVE_INFINITY }],
  ['raiseForSec: is not a whole number', { raiseForSec: -1 }],
  ['clearForSec: is not a whole number', { clearForSec: 1.5 }],
  ['windowSec: is not a whole number', { windowSec: 0 }],
  ['title: is empty', { title: ' ' }],
])('a rule is refused by the name of what is wrong: %s', (message, change) => {
  const check = (): void => checkRule({ ...RULE, ...change });
  expect(check).toThrow(DeckhandError);
  const userMessage = expect.stringContaining(message) as string;
  expect(check).toThrow(expect.objectContaining({ code: 'invalid_request', userMessage }) as Error);
});

describe('the rules of the seed', () => {
  it('are valid, have names of their own, and something to do', () => {
    for (const rule of ALERT_RULES) expect(() => checkRule(rule), rule.id).not.toThrow();
    expect(new Set(ALERT_RULES.map(({ id }) => id)).size).toBe(ALERT_RULES.length);
    expect(ALERT_RULES.filter(({ advice, id }) => advice === '' || !/^[a-z]+(-[a-z]+)*$/u.test(id))).toEqual([]);
  });

  it('leave no metric without a rule', () => {
    const used = new Set<string>(ALERT_RULES.map(({ metric }) => metric));
    expect(ALERT_METRIC_NAMES.filter((name) => !used.has(name))).toEqual([]);
    expect(alertMetricOf('toString')).toBeUndefined();
  });
});

describe('figures', () => {
  it('the median is the middle value, or the mean of the two', async () => {
    expect([median([]), median([3]), median([1, 9, 2]), median([4, 1, 2, 3])]).toEqual([null, 3, 2, 2.5]);
    await forAll([fc.array(fc.integer(), { minLength: 1 })], (values) => {
      const middle = median(values) ?? 0;
      expect(values.filter((v) => v <= middle).length * 2).toBeGreaterThanOrEqual(values.length);
      expect(values.filter((v) => v >= middle).length * 2).toBeGreaterThanOrEqual(values.length);
    });
  });

  it('a day is held against the days before yesterday that cost anything, once there are three', () => {
    expect(dayCostRatio([9, 1, 2, 0, 4, 3])).toBe(3);
    expect(dayCostRatio([1, 12, 2, 4, 3])).toBe(4);
    expect(dayCostRatio([9, 1, 2, 0, 4])).toBe(0);
    expect(dayCostRatio([])).toBe(0);
  });

  it('a price without three earlier ones is as usual', () =>
    expect([priceRatio(3, [2, 2]), priceRatio(3, [2, 2, 1]), priceRatio(3, [0, 0, 0])]).toEqual([1, 1.5, 1]));

  it('a balance lasts less with every hour since it was read, never less than none, and for ever when nothing runs', () => {
    expect(hoursLeft(100, 2, 10)).toBe(8);
    expect(hoursLeft(100, 20, 10)).toBe(0);
    expect(hoursLeft(0, 0, 0)).toBe(LONGEST_HOURS);
    expect(hoursLeft(1, 0, 1e-9)).toBe(LONGEST_HOURS);
  });

  it('a schedule is late once more than its interval has passed, whatever the length of the month', () => {
    const minute = { lastDueMs: 0, nextDueMs: [60_000, 120_000] };
    expect([60_000, 69_000, 600_000].map((now) => scheduleLateMs(minute, now))).toEqual([0, 0, 531_000]);
    const march = Date.UTC(2026, 2, 1);
    const april = { lastDueMs: march, nextDueMs: [Date.UTC(2026, 3, 1), Date.UTC(2026, 4, 1)] };
    expect(scheduleLateMs(april, Date.UTC(2026, 3, 1))).toBe(0);
    expect(scheduleLateMs(april, Date.UTC(2026, 3, 8))).toBeGreaterThan(2 * DAY_MS);
    expect(scheduleLateMs({ lastDueMs: 0, nextDueMs: [] }, DAY_MS)).toBe(0);
  });
});
