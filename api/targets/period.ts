/** The period of a request. */
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { parsePeriod } from '../../domain/costs/report/period.ts';
import { parseSince } from '../../domain/text/words.ts';
import type { Span } from '../../activities/metrics/targets.ts';
import type { PeriodQuery } from './schemas.ts';

const DEFAULT_MS = 30 * 86_400_000;
const AGO = /^\d+\s*[mhdw]$/u;
const LONGEST_MS = 366 * 86_400_000;

/**
 * The period, cut off at the present.
 *
 * @throws DeckhandError `invalid_request` for what is no period, what is longer than a year and what begins in the future
 */
export function spanOf({ period, from, to }: PeriodQuery, timezone: string, now: Date): Span {
  const span = period === undefined ? betweenInstants(from, to, now) : inWords(period, from ?? to, timezone, now);
  if (span.from > now) throw refuse('The period has not begun yet.');
  if (span.from >= span.until) throw refuse('The period ends where it begins, or before.');
  if (span.until.getTime() - span.from.getTime() > LONGEST_MS + DEFAULT_MS)
    throw refuse('The period is longer than a year.');
  return { from: span.from, until: span.until < now ? span.until : now };
}

function betweenInstants(from: string | undefined, to: string | undefined, now: Date): Span {
  const until = to === undefined ? now : new Date(to);
  return { from: from === undefined ? new Date(until.getTime() - DEFAULT_MS) : new Date(from), until };
}

function inWords(period: string, instant: string | undefined, timezone: string, now: Date): Span {
  if (instant !== undefined) throw refuse('Name a period or its ends, not both.');
  if (AGO.test(period.trim())) {
    const from = parseSince(period, now.getTime());
    if (from !== null) return { from, until: now };
  }
  try {
    const { fromMs, untilMs } = parsePeriod(period, timezone, now.getTime());
    return { from: new Date(fromMs), until: new Date(untilMs) };
  } catch (error) {
    const { code, userMessage } = asDeckhandError(error);
    // The message stays; the hint names the periods that are possible here, which are more than those of a report.
    throw code === 'invalid_request' ? refuse(userMessage) : error;
  }
}

const refuse = (userMessage: string): DeckhandError =>
  new DeckhandError('invalid_request', userMessage, {
    userMessage,
    hint: 'Such as 2026-11, 2026-W47, 2026-11-22, 2026-11-01/2026-11-15, yesterday, this-month, 24h or 30d; over HTTP also from and to as instants.',
  });
