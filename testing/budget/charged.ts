/**
 * What a provider really charged, and how much of it in each window: worked out from the machines alone, in numbers and without a line of
 * what is tested.
 */
import { DateTime } from 'luxon';
import type { BudgetPeriod } from '../../domain/costs/budget/types.ts';

/** Something that was charged, from the first until before the last instant. */
export interface Charge {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly usdPerHour: number;
}

const HOUR_MS = 3_600_000;

/** Windows seen so far: calendars are slow, and thousands of runs fall into few days. */
const known = new Map<string, (readonly [number, number])[]>();

/** Start of the window an instant is in, and of the next one. */
export function clockWindow(period: BudgetPeriod, atMs: number, timezone: string): readonly [number, number] {
  const key = `${period} ${timezone}`;
  const windows = known.get(key) ?? [];
  known.set(key, windows);
  const there = windows.find(([start, end]) => start <= atMs && atMs < end);
  if (there !== undefined) return there;
  const window = calendarWindow(period, atMs, timezone);
  windows.push(window);
  return window;
}

function calendarWindow(period: BudgetPeriod, atMs: number, timezone: string): readonly [number, number] {
  const local = DateTime.fromMillis(atMs, { zone: timezone });
  switch (period) {
    case 'hour': {
      const start = atMs - (atMs % HOUR_MS);
      return [start, start + HOUR_MS];
    }
    case 'day':
      return [local.startOf('day').toMillis(), local.startOf('day').plus({ days: 1 }).toMillis()];
    case 'month':
      return [local.startOf('month').toMillis(), local.startOf('month').plus({ months: 1 }).toMillis()];
    case 'document':
      return [-Infinity, Infinity];
    default:
      return period satisfies never;
  }
}

/** USD charged between two instants. */
export function chargedBetween(charges: readonly Charge[], fromMs: number, untilMs: number): number {
  return charges.reduce((sum, charge) => {
    const ms = Math.max(0, Math.min(charge.untilMs, untilMs) - Math.max(charge.fromMs, fromMs));
    return sum + (charge.usdPerHour * ms) / HOUR_MS;
  }, 0);
}

/** Every window that was charged for: its start and what was charged in it. */
export function chargedByWindow(
  charges: readonly Charge[],
  period: BudgetPeriod,
  timezone: string,
): readonly { readonly fromMs: number; readonly usd: number }[] {
  const starts = new Map<number, number>();
  for (const { fromMs, untilMs } of charges)
    for (let atMs = fromMs; atMs < untilMs;) {
      const [start, end] = clockWindow(period, atMs, timezone);
      starts.set(start, end);
      atMs = end;
    }
  return [...starts].map(([start, end]) => ({ fromMs: start, usd: chargedBetween(charges, start, end) }));
}
