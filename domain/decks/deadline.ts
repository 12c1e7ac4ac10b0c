/**
 * Deadline of an analysis: how people write it, when it makes a deck's calls critical for the fleet, and what is said of a run that it ended.
 */
import { DeckhandError } from '../errors.ts';
import { momentText } from '../temporal/run-details.ts';
import { counted } from '../text/words.ts';
import { plainSpaces } from '../text/plain-spaces.ts';

/** Code of the gaps of a run that its deadline ended, and the item of the gap that says so of the whole run. */
export const DEADLINE_CODE = 'deadline';

/** From this long before its deadline on, the open calls of an analysis count as critical. Longer than a usual boot and one deck. */
export const DEADLINE_IS_NEAR_MS = 30 * 60_000;

/** No analysis waits longer; later times are typing mistakes. */
const LATEST_MS = 30 * 86_400_000;

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,6})\s*([smhd])$/u;
const NUMBER = /^[+-]?\d+([.,]\d+)?$/u;
/** A date and a time of day with its zone. */
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/iu;
const DATE_OR_LOCAL_TIME = /^\d{4}-\d{2}-\d{2}/u;

const refuse = (text: string, because: string, hint: string): DeckhandError =>
  new DeckhandError('invalid_request', `deadline ${JSON.stringify(text)}: ${because}`, {
    userMessage: `The deadline ${JSON.stringify(text)} ${because}.`,
    hint,
  });

/**
 * A deadline as people write it: a duration from now (`90s`, `10m`, `2h`, `1d`) or a time with its zone (`2026-11-27T09:00Z`).
 *
 * @throws DeckhandError `invalid_request` for a number without a unit, a time without a zone, a time in the past or more than 30 days ahead,
 *   and any other text
 */
export function parseDeadline(text: string, nowMs: number): Date {
  const trimmed = text.trim();
  const atMs = momentOf(trimmed, nowMs);
  if (atMs <= nowMs) throw refuse(trimmed, 'is in the past', 'Name a time that is still to come.');
  if (atMs > nowMs + LATEST_MS) throw refuse(trimmed, 'is more than 30 days ahead', 'Name an earlier time.');
  return new Date(atMs);
}

function momentOf(text: string, nowMs: number): number {
  const duration = DURATION.exec(text);
  if (duration !== null) return nowMs + Number(duration[1]) * UNIT_MS[duration[2] as keyof typeof UNIT_MS];
  if (NUMBER.test(text))
    throw refuse(text, 'has no unit', `Write ${text.replace(/^[+-]/u, '')}m for minutes, or s, h or d.`);
  const atMs = MOMENT.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (!Number.isNaN(atMs)) return atMs;
  if (DATE_OR_LOCAL_TIME.test(text)) {
    throw refuse(text, 'is no time with a zone', 'Write date, time and zone, such as 2026-11-27T09:00Z.');
  }
  throw refuse(text, 'is neither a duration nor a time', 'Write 10m, 2h or a time such as 2026-11-27T09:00Z.');
}

/** Why one call of a run was not made. */
export const deadlinePassedText = (deadlineAtMs: number): string =>
  `the deadline of the analysis (${plainSpaces(momentText(deadlineAtMs))}) had passed`;

/** What the deadline left out of a run. @param stage the run was in; null = not begun @param cancelledCalls planned calls that were cancelled */
export function deadlineGapText(deadlineAtMs: number, stage: string | null, cancelledCalls: number): string {
  const at = stage === null ? 'before the analysis began' : `in stage ${stage}`;
  const calls =
    cancelledCalls === 0 ? 'No planned call was open' : `${counted(cancelledCalls, 'planned call')} cancelled`;
  return `The deadline (${plainSpaces(momentText(deadlineAtMs))}) passed ${at}. ${calls}; later stages were not run.`;
}
