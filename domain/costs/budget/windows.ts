/**
 * The windows of budgets: hours, days and months, without gaps.
 *
 * Days and months follow the calendar of the accounting time zone, so a day has 23 to 25 hours where clocks change. Hours are UTC hours and
 * always equally long.
 */
import { firstOfMonth, firstOfNextMonth, addDays, localDayOf, startOfDayMs } from '../report/local-day.ts';
import type { BudgetPeriod, TimeSpan } from './types.ts';

const HOUR_MS = 3_600_000;

/** All of time: the window of a deck's budget. */
const ALWAYS: TimeSpan = { fromMs: -Infinity, untilMs: Infinity };

/** The last window by period and zone, cached because computing one is slow and most questions are about the same one. */
const lastFound = new Map<string, TimeSpan>();

/** The window that contains an instant. @param timezone IANA */
export function windowAt(period: BudgetPeriod, atMs: number, timezone: string): TimeSpan {
  const key = `${period} ${timezone}`;
  const last = lastFound.get(key);
  if (last !== undefined && atMs >= last.fromMs && atMs < last.untilMs) return last;
  const found = findWindow(period, atMs, timezone);
  lastFound.set(key, found);
  return found;
}

function findWindow(period: BudgetPeriod, atMs: number, timezone: string): TimeSpan {
  switch (period) {
    case 'hour': {
      const fromMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
      return { fromMs, untilMs: fromMs + HOUR_MS };
    }
    case 'day': {
      const day = localDayOf(atMs, timezone);
      return { fromMs: startOfDayMs(day, timezone), untilMs: startOfDayMs(addDays(day, 1), timezone) };
    }
    case 'month': {
      const day = localDayOf(atMs, timezone);
      return {
        fromMs: startOfDayMs(firstOfMonth(day), timezone),
        untilMs: startOfDayMs(firstOfNextMonth(day), timezone),
      };
    }
    case 'document':
      return ALWAYS;
  }
}

/** The windows that a span touches, oldest first. An empty span touches none. */
export function windowsOver(period: BudgetPeriod, { fromMs, untilMs }: TimeSpan, timezone: string): TimeSpan[] {
  const windows: TimeSpan[] = [];
  for (let atMs = fromMs; atMs < untilMs;) {
    const window = windowAt(period, atMs, timezone);
    windows.push(window);
    atMs = window.untilMs;
  }
  return windows;
}
