/**
 * Quarters of an hour of a week, in a time zone: what arrivals repeat by.
 *
 * An instant belongs to the quarter that the clock on the wall shows. Where clocks are changed, an hour of the week comes twice or not at all,
 * so a count by quarters also counts how often each quarter came.
 */
import { DateTime } from 'luxon';

/** Zones change their clocks by whole multiples of this, and at such times. */
export const QUARTER_MS = 15 * 60_000;
export const QUARTERS_OF_WEEK = 7 * 24 * 4;

const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday, and weeks begin on Mondays. */
const FIRST_QUARTER = 3 * 24 * 4;

/** Which quarter of the week an instant (ms since 1970) falls on: 0 = Monday 0:00 … 671. */
export type QuarterOfWeek = (atMs: number) => number;

/** Start of the quarter that an instant falls on. */
export const quarterStart = (atMs: number): number => Math.floor(atMs / QUARTER_MS) * QUARTER_MS;

/** See the file's header. @param timezone IANA */
export function quarterOfWeekIn(timezone: string): QuarterOfWeek {
  const offsetMs = (atMs: number): number => DateTime.fromMillis(atMs, { zone: timezone }).offset * 60_000;
  /** Offset of a UTC day; null = clocks are changed in it. */
  const byDay = new Map<number, number | null>();
  return (atMs) => {
    const day = Math.floor(atMs / DAY_MS);
    let offset = byDay.get(day);
    if (offset === undefined) {
      const first = offsetMs(day * DAY_MS);
      offset = first === offsetMs((day + 1) * DAY_MS) ? first : null;
      byDay.set(day, offset);
    }
    const quarter = Math.floor((atMs + (offset ?? offsetMs(atMs))) / QUARTER_MS) + FIRST_QUARTER;
    return ((quarter % QUARTERS_OF_WEEK) + QUARTERS_OF_WEEK) % QUARTERS_OF_WEEK;
  };
}
