/**
 * When scheduled reports are made: at a local hour, also on the days on which clocks skip that hour.
 *
 * A schedule's calendar leaves out a time that the local clock skips. The days on which that happens are known in advance, so each gets
 * a time of its own, one hour later. An hour that comes twice is taken twice; the second run makes the same report again.
 */
import { DateTime } from 'luxon';
import { firstOfMonth, weekdayOf, type LocalDay } from './local-day.ts';
import type { CalendarKind } from './period.ts';

/** One time of a calendar; what is left out is "every", hours and minutes are local. */
export interface CalendarTime {
  readonly hour: number;
  readonly minute: number;
  readonly year?: number;
  readonly month?: number;
  readonly dayOfMonth?: number;
  /** 0 = Sunday … 6 = Saturday. */
  readonly dayOfWeek?: number;
}

/** So far ahead days without the hour are looked for; every start of a control process looks again. */
const YEARS_AHEAD = 5;
/** And so far back: a report missed on such a day is made later like any other, automatically within a week, or on request. */
const YEARS_BACK = 1;
const MONDAY = 1;

/** Times at which reports of a kind are made: every day, on Mondays, on the first of a month. */
export function reportTimes(kind: CalendarKind, hour: number, timezone: string, nowMs: number): CalendarTime[] {
  const usual: CalendarTime = { hour, minute: 0, ...USUAL_DAYS[kind] };
  const instead = daysWithoutHour(hour, timezone, nowMs)
    .filter((day) => isReportDay(kind, day))
    .map((day) => {
      const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
      // No zone skips the last hour of a day without the day.
      return { year, month, dayOfMonth, hour: (hour + 1) % 24, minute: 0 };
    });
  return [usual, ...instead];
}

const USUAL_DAYS: Readonly<Record<CalendarKind, Partial<CalendarTime>>> = {
  daily: {},
  weekly: { dayOfWeek: MONDAY },
  monthly: { dayOfMonth: 1 },
};

function isReportDay(kind: CalendarKind, day: LocalDay): boolean {
  switch (kind) {
    case 'daily':
      return true;
    case 'weekly':
      return weekdayOf(day) === MONDAY;
    case 'monthly':
      return day === firstOfMonth(day);
  }
}

/** The days around now whose clock skips the beginning of this hour. */
function daysWithoutHour(hour: number, timezone: string, nowMs: number): LocalDay[] {
  const found: LocalDay[] = [];
  const today = DateTime.fromMillis(nowMs, { zone: timezone }).startOf('day');
  const first = today.minus({ years: YEARS_BACK });
  const end = today.plus({ years: YEARS_AHEAD });
  for (let date = first; date < end; date = date.plus({ days: 1 })) {
    const there = date.set({ hour, minute: 0 });
    const day = date.toISODate();
    if (there.hour !== hour && day !== null) found.push(day);
  }
  return found;
}
