/**
 * Days of the calendar in a time zone: where each begins, and which one an instant falls on.
 *
 * A day lasts from its first instant until the first of the next one: 23 or 25 hours where clocks are changed, 0 where a zone left a day
 * out. A day is its date, `2026-03-29`; what is counted in days is counted on dates, never by adding 24 hours.
 */
import { DateTime } from 'luxon';

/** A day of the calendar: `2026-03-29`. */
export type LocalDay = string;

/** Zones change their clocks by whole multiples of this, and at such times. */
const STEP_MS = 15 * 60_000;

/** The day that an instant falls on. @param timezone IANA */
export function localDayOf(atMs: number, timezone: string): LocalDay {
  const day = DateTime.fromMillis(atMs, { zone: timezone }).toISODate();
  if (day === null) throw new RangeError(`${atMs} ms is no instant in ${timezone}`);
  return day;
}

/**
 * The first instant of a day, ms since 1970: the first one whose date is not before it. Where clocks go back over midnight it is the
 * earlier one of two midnights, and where they go forward over midnight there is none, and the day begins when they went.
 */
export function startOfDayMs(day: LocalDay, timezone: string): number {
  let atMs = DateTime.fromISO(day, { zone: timezone }).startOf('day').toMillis();
  while (localDayOf(atMs, timezone) < day) atMs += STEP_MS;
  while (localDayOf(atMs - STEP_MS, timezone) >= day) atMs -= STEP_MS;
  return atMs;
}

/** A date and the one so many days later; earlier for a negative number. */
export function addDays(day: LocalDay, days: number): LocalDay {
  return iso(dateOf(day).plus({ days }));
}

/** The Monday of a date's week. */
export const mondayOf = (day: LocalDay): LocalDay => iso(dateOf(day).startOf('week'));

/** The first of a date's month. */
export const firstOfMonth = (day: LocalDay): LocalDay => `${day.slice(0, 7)}-01`;

/** The first of the month after a date's. */
export const firstOfNextMonth = (day: LocalDay): LocalDay => iso(dateOf(firstOfMonth(day)).plus({ months: 1 }));

/** 1 = Monday … 7 = Sunday. */
export const weekdayOf = (day: LocalDay): number => dateOf(day).weekday;

/** ISO week of a date, `2026-W13`: the year is that of its Thursday. */
export function weekOf(day: LocalDay): string {
  const { weekYear, weekNumber } = dateOf(day);
  return `${String(weekYear).padStart(4, '0')}-W${String(weekNumber).padStart(2, '0')}`;
}

/** True for a date that there is. */
export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/u.test(text) && dateOf(text).isValid;

/** The Monday of an ISO week such as `2026-W13`; null when there is no such week. */
export function mondayOfWeek(week: string): LocalDay | null {
  if (!/^\d{4}-W\d{2}$/u.test(week)) return null;
  const monday = DateTime.fromISO(week, { zone: 'utc' });
  return monday.isValid ? iso(monday) : null;
}

/** A day as luxon has it. UTC has no changes of clocks, so that counting dates meets none. */
const dateOf = (day: LocalDay): DateTime => DateTime.fromISO(day, { zone: 'utc' });

function iso(date: DateTime): LocalDay {
  const day = date.toISODate();
  if (day === null) throw new RangeError('there is no such day');
  return day;
}
