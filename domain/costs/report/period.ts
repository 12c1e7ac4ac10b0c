/**
 * The period of a cost report: a day, an ISO week or a month of a time zone, or any requested days or instants.
 *
 * Periods begin and end at local midnight. Ledger entries are cut at every quarter hour of UTC, which all zones' midnights are, so an
 * entry belongs to the one period that it begins in.
 */
import { DeckhandError } from '../../errors.ts';
import type { TimeSpan } from '../budget/types.ts';
import {
  addDays,
  firstOfMonth,
  firstOfNextMonth,
  isDay,
  localDayOf,
  mondayOf,
  mondayOfWeek,
  startOfDayMs,
  weekOf,
  type LocalDay,
} from './local-day.ts';

/** What reports are made of. */
export const REPORT_KINDS = ['daily', 'weekly', 'monthly', 'manual'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];
/** Kinds whose periods follow each other without a gap, so that each has one before it. */
export type CalendarKind = Exclude<ReportKind, 'manual'>;

/** A period of a report. */
export interface ReportPeriod {
  readonly kind: ReportKind;
  /** `2026-03-29`, `2026-W13`, `2026-03`, or first and last of a manual one: `2026-03-01/2026-03-15` or two instants. */
  readonly name: string;
  readonly fromMs: number;
  /** The first instant after it. */
  readonly untilMs: number;
  /** IANA. */
  readonly timezone: string;
}

/** A day of a period. */
export interface PeriodDay extends TimeSpan {
  readonly day: LocalDay;
}

/** Longest period of one report. */
const MOST_DAYS = 366;
/** That many days have an hour or two more than 24 each where clocks are set back in between. */
const CLOCK_CHANGES_MS = 3 * 3_600_000;

/** The period of a kind that an instant falls into. */
export function periodAt(kind: CalendarKind, atMs: number, timezone: string): ReportPeriod {
  return calendarPeriod(kind, localDayOf(atMs, timezone), timezone);
}

/** The last period of a kind that is over at an instant: what a schedule that fires then reports on. */
export function periodOverAt(kind: CalendarKind, atMs: number, timezone: string): ReportPeriod {
  return periodAt(kind, periodAt(kind, atMs, timezone).fromMs - 1, timezone);
}

/** The period before: of a calendar kind the one before it, of a manual one as many days or as much time before it. */
export function periodBefore(period: ReportPeriod): ReportPeriod {
  const { kind, fromMs, untilMs, timezone } = period;
  if (kind !== 'manual') return periodAt(kind, fromMs - 1, timezone);
  const first = localDayOf(fromMs, timezone);
  if (startOfDayMs(first, timezone) !== fromMs) return spanPeriod(2 * fromMs - untilMs, fromMs, timezone);
  const days = daysOf(period).length;
  return daysPeriod(addDays(first, -days), addDays(first, -1), timezone);
}

/** The days of a period, in order; the first and last are cut where the period begins and ends within them. */
export function daysOf({
  fromMs,
  untilMs,
  timezone,
}: Pick<ReportPeriod, 'fromMs' | 'untilMs' | 'timezone'>): PeriodDay[] {
  const days: PeriodDay[] = [];
  for (let day = localDayOf(fromMs, timezone), atMs = fromMs; atMs < untilMs; day = addDays(day, 1)) {
    const endMs = Math.min(untilMs, startOfDayMs(addDays(day, 1), timezone));
    // A day that the zone left out has no time.
    if (endMs > atMs) days.push({ day, fromMs: atMs, untilMs: endMs });
    atMs = endMs;
  }
  return days;
}

/** Whole days, the first and the last included, as a manual period. */
export function daysPeriod(first: LocalDay, last: LocalDay, timezone: string): ReportPeriod {
  const fromMs = startOfDayMs(first, timezone);
  return {
    kind: 'manual',
    name: `${first}/${last}`,
    fromMs,
    untilMs: startOfDayMs(addDays(last, 1), timezone),
    timezone,
  };
}

/** Any two instants as a manual period. */
export function spanPeriod(fromMs: number, untilMs: number, timezone: string): ReportPeriod {
  const name = `${new Date(fromMs).toISOString()}/${new Date(untilMs).toISOString()}`;
  return { kind: 'manual', name, fromMs, untilMs, timezone };
}

/** Words for the last period of a kind that is over. */
const LAST: Readonly<Record<string, CalendarKind>> = {
  yesterday: 'daily',
  'last-week': 'weekly',
  'last-month': 'monthly',
};
/** Words for the period of a kind that is under way. */
const THIS: Readonly<Record<string, CalendarKind>> = { today: 'daily', 'this-week': 'weekly', 'this-month': 'monthly' };

/**
 * Reads a period as people write it.
 *
 * @param text `2026-03-29`, `2026-W13`, `2026-03`, `2026-03-01/2026-03-15` (both days included), two instants with a zone, or a word
 * @throws DeckhandError `invalid_request` for what is none, what is too long, what begins before 1970 or in the future
 */
export function parsePeriod(text: string, timezone: string, nowMs: number): ReportPeriod {
  const period = readPeriod(text.trim(), timezone, nowMs);
  if (period === null) {
    throw new DeckhandError('invalid_request', `no period: ${text}`, {
      userMessage: `${JSON.stringify(text)} is no period.`,
      hint: 'A day (2026-03-29), a week (2026-W13), a month (2026-03), days with both ends (2026-03-01/2026-03-15), today, yesterday, this-week, last-week, this-month or last-month.',
    });
  }
  const refuse = (userMessage: string): never => {
    throw new DeckhandError('invalid_request', `period ${period.name}: ${userMessage}`, { userMessage });
  };
  if (period.untilMs <= period.fromMs) refuse(`${period.name} ends before it begins.`);
  if (period.untilMs - period.fromMs > MOST_DAYS * 86_400_000 + CLOCK_CHANGES_MS) {
    refuse(`${period.name} is longer than ${MOST_DAYS} days.`);
  }
  // Earlier ones, and what they would be compared with, are no times that a database takes.
  if (period.fromMs < 0) refuse(`${period.name} begins before 1970.`);
  if (period.fromMs > nowMs) refuse(`${period.name} has not begun yet.`);
  return period;
}

function readPeriod(text: string, timezone: string, nowMs: number): ReportPeriod | null {
  const last = LAST[text];
  if (last !== undefined) return periodOverAt(last, nowMs, timezone);
  const under = THIS[text];
  if (under !== undefined) return periodAt(under, nowMs, timezone);
  if (isDay(text)) return calendarPeriod('daily', text, timezone);
  if (/^\d{4}-\d{2}$/u.test(text))
    return isDay(`${text}-01`) ? calendarPeriod('monthly', `${text}-01`, timezone) : null;
  const monday = mondayOfWeek(text);
  if (monday !== null) return calendarPeriod('weekly', monday, timezone);
  const [first = '', end = '', ...more] = text.split('/');
  if (more.length > 0) return null;
  if (isDay(first) && isDay(end)) return daysPeriod(first, end, timezone);
  const instants = [first, end].map((part) => (INSTANT.test(part) ? Date.parse(part) : Number.NaN));
  const [fromMs = Number.NaN, untilMs = Number.NaN] = instants;
  return Number.isNaN(fromMs) || Number.isNaN(untilMs) ? null : spanPeriod(fromMs, untilMs, timezone);
}

/** With a zone: without one it would be the reader's. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/u;

function calendarPeriod(kind: CalendarKind, day: LocalDay, timezone: string): ReportPeriod {
  const between = (name: string, first: LocalDay, next: LocalDay): ReportPeriod => ({
    kind,
    name,
    fromMs: startOfDayMs(first, timezone),
    untilMs: startOfDayMs(next, timezone),
    timezone,
  });
  switch (kind) {
    case 'daily':
      return between(day, day, addDays(day, 1));
    case 'weekly':
      return between(weekOf(day), mondayOf(day), addDays(mondayOf(day), 7));
    case 'monthly':
      return between(day.slice(0, 7), firstOfMonth(day), firstOfNextMonth(day));
  }
}
