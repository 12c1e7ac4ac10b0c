/** Schedules as a person reads them in a terminal. */
import { DateTime } from 'luxon';
import type { ScheduleDocument } from '../../api/client.ts';
import { durationWords } from '../../domain/text/words.ts';
import { clean } from '../terminal/style.ts';

/** `2026-03-29 06:00`, by the clock that the schedule goes by. */
const minuteIn = (timezone: string, at: string): string =>
  DateTime.fromISO(at, { zone: timezone }).toFormat('yyyy-MM-dd HH:mm');

/** One schedule in a few lines. @param nowMs how long from now it is due */
export function renderSchedule(schedule: ScheduleDocument, nowMs: number): string {
  const { id, what, paused, note, everyMs, timezone, nextTimes, recent, missed, skipped } = schedule;
  const when = everyMs === null ? `by the calendar of ${timezone}` : `every ${durationWords(everyMs)}`;
  const minute = (at: string): string => minuteIn(timezone, at);
  const [next] = nextTimes;
  const due = paused
    ? `paused${note === null ? '' : `: ${clean(note)}`}`
    : next === undefined
      ? 'never again'
      : `next ${minute(next)} (${timezone}), in ${durationWords(Math.max(0, Date.parse(next) - nowMs))}`;
  const last = recent
    .map(({ scheduledAt, status }) => `${minute(scheduledAt)} ${status ?? 'no longer kept'}`)
    .join(', ');
  const lost = [
    ...(missed === 0 ? [] : [`${missed} missed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped: the run before was still active`]),
  ];
  return [
    `${id}  ${clean(what)}`,
    `  ${when}, ${due}`,
    ...(recent.length === 0 ? [] : [`  last: ${last}`]),
    ...(lost.length === 0 ? [] : [`  ${lost.join(', ')}`]),
  ].join('\n');
}

/** All of them, without a trailing newline. */
export function renderSchedules(schedules: readonly ScheduleDocument[], nowMs: number): string {
  if (schedules.length === 0) return 'There are no schedules. The control worker makes them when it starts.';
  return schedules.map((schedule) => renderSchedule(schedule, nowMs)).join('\n');
}
