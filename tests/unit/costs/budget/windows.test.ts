/** Windows of budgets: one after the other without a gap, as long as the calendar says. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowAt, windowsOver } from '../../../../domain/costs/budget/windows.ts';
import { forAll } from '../../../../testing/property.ts';

const HOUR_MS = 3_600_000;
const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
const instant = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2028, 0, 1) });

describe('a window', () => {
  it('holds its instant, and the next one begins where it ends', () =>
    forAll([instant, fc.constantFrom(...ZONES), fc.constantFrom('hour', 'day', 'month')], (atMs, zone, period) => {
      const window = windowAt(period, atMs, zone);
      expect(window.fromMs).toBeLessThanOrEqual(atMs);
      expect(window.untilMs).toBeGreaterThan(atMs);
      expect(windowAt(period, window.untilMs, zone).fromMs).toBe(window.untilMs);
      expect(windowAt(period, window.fromMs - 1, zone).untilMs).toBe(window.fromMs);
    }));

  it.each([
    ['the day clocks go forward', '2026-03-29T12:00Z', 23],
    ['the day clocks go back', '2026-10-25T12:00Z', 25],
    ['any other day', '2026-06-10T12:00Z', 24],
  ])('is as long as %s in Berlin', (_, at, hours) => {
    const { fromMs, untilMs } = windowAt('day', Date.parse(at), 'Europe/Berlin');
    expect((untilMs - fromMs) / HOUR_MS).toBe(hours);
  });

  it('of a month begins on its first day of the zone', () => {
    const { fromMs, untilMs } = windowAt('month', Date.parse('2026-03-31T23:30:00Z'), 'Europe/Berlin');
    expect(new Date(fromMs).toISOString()).toBe('2026-03-31T22:00:00.000Z');
    expect(new Date(untilMs).toISOString()).toBe('2026-04-30T22:00:00.000Z');
  });

  it('of a document is all of time', () => {
    const { fromMs, untilMs } = windowAt('document', Date.now(), 'UTC');
    expect([fromMs, untilMs]).toEqual([-Infinity, Infinity]);
  });
});

it('a span touches each of its windows once', () =>
  forAll([instant, fc.integer({ min: 0, max: 100 * HOUR_MS }), fc.constantFrom(...ZONES)], (fromMs, ms, zone) => {
    const windows = windowsOver('day', { fromMs, untilMs: fromMs + ms }, zone);
    if (ms === 0) {
      expect(windows).toEqual([]);
      return;
    }
    expect(windows[0]?.fromMs).toBeLessThanOrEqual(fromMs);
    expect(windows.at(-1)?.untilMs).toBeGreaterThanOrEqual(fromMs + ms);
    windows.slice(1).forEach((window, i) => expect(window.fromMs).toBe(windows[i]?.untilMs));
  }));
