/**
 * When a call is sent again inside a client: reads and repeatable changes after a fault or a 429, a bounded number of times.
 */
import type { DeckhandError } from '../../domain/errors.ts';
import type { CallKind, ServiceCallKind } from './wire.ts';

export interface RetryOptions {
  /** Sendings in all. */
  readonly maxTries: number;
  /** Pause after the first fault, ms; doubles each time. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** A Retry-After beyond this is passed on to the caller instead of being waited for, ms. */
  readonly maxRetryAfterMs: number;
  /**
   * All tries of a read together, with every wait between and before them, ms. People and activities wait for reads, and their own time limits
   * (HTTP clients: often 60 s, ours 300 s; activities: 120 s) would end with less to say than the provider's error.
   */
  readonly readWithinMs: number;
}

export const DEFAULT_RETRY: RetryOptions = {
  maxTries: 4,
  baseMs: 1_000,
  maxMs: 8_000,
  maxRetryAfterMs: 65_000,
  readWithinMs: 30_000,
};

/** After a 429 that names no time. */
export const DEFAULT_RETRY_AFTER_MS = 5_000;

/** A create waits this long for the rate limit, ms; beyond it, it is refused before anything is sent. */
export const CREATE_PATIENCE_MS = 30_000;

/** What is left of `readWithinMs` after the last wait, at least: a request that has milliseconds for its answer would only hide why it waited. */
export const LEAST_ANSWER_MS = 5_000;

/** Pauses vary by this share either way, so that callers who failed together do not come back together. */
const JITTER = 0.4;

/** What was tried so far. */
export interface Tried {
  readonly kind: CallKind;
  readonly error: DeckhandError;
  /** How often it was sent. */
  readonly times: number;
  /** How long is left of the call, ms; infinite where there is no limit. */
  readonly patienceMs: number;
  /** A number in [0, 1). */
  readonly random: number;
}

/** How long to wait before sending again; null = do not. */
export function retryPauseMs({ kind, error, times, patienceMs, random }: Tried, options: RetryOptions): number | null {
  // A create is never sent twice: the first may have worked.
  if (kind === 'create' || times >= options.maxTries) return null;
  const pauseMs = pauseAfter(error, times, options, random);
  return pauseMs === null || pauseMs > patienceMs - LEAST_ANSWER_MS ? null : pauseMs;
}

/** Sendings, and the pause after the first fault, where each call has a time limit of its own. */
const TIMED = { maxTries: 5, baseMs: 1_000, maxMs: 8_000 };

/**
 * The same where each call has a time limit of its own, and providers often name no time when they throttle. Tells the rate limit of a
 * throttled call.
 */
export async function timedPauseMs(
  { kind, error, times, patienceMs, random }: Tried,
  throttled: (waitMs: number) => Promise<void>,
): Promise<number | null> {
  const mayRepeat = kind !== 'create' && times < TIMED.maxTries;
  const passes = error.code === 'provider_transient' || error.code === 'provider_throttled';
  const waitMs = mayRepeat && passes ? Math.max(error.retryAfterMs ?? 0, backOffMs(times, TIMED, random)) : null;
  if (error.code === 'provider_throttled') await throttled(waitMs ?? error.retryAfterMs ?? TIMED.baseMs);
  return waitMs === null || waitMs >= patienceMs ? null : waitMs;
}

/**
 * Limits of a call with all its repetitions and waits, and of one request, ms. A create has one request, which may take all of its time after
 * the wait for the rate limit: an unknown outcome is expensive.
 */
export const timeLimits = (read: TimeLimit): Readonly<Record<ServiceCallKind, TimeLimit>> => ({
  read,
  change: { wholeMs: 60_000, requestMs: 30_000 },
  create: { wholeMs: CREATE_PATIENCE_MS + 90_000, requestMs: 90_000 },
});

interface TimeLimit {
  readonly wholeMs: number;
  readonly requestMs: number;
}

function pauseAfter(error: DeckhandError, times: number, options: RetryOptions, random: number): number | null {
  if (error.code === 'provider_throttled') {
    const waitMs = error.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS;
    return waitMs > options.maxRetryAfterMs ? null : waitMs + random * options.baseMs;
  }
  if (error.code !== 'provider_transient') return null;
  return Math.max(error.retryAfterMs ?? 0, backOffMs(times, options, random));
}

/** Pause after so many faults in a row, ms. @param random a number in [0, 1) */
function backOffMs(times: number, { baseMs, maxMs }: Pick<RetryOptions, 'baseMs' | 'maxMs'>, random: number): number {
  return Math.min(baseMs * 2 ** (times - 1), maxMs) * (1 - JITTER + 2 * JITTER * random);
}

/** Longest time that is believed, ms: a day. */
const LONGEST_RETRY_AFTER_MS = 86_400_000;

/** Reads Retry-After: whole seconds or a date. @returns ms, at most a day; undefined when there is none that can be read */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), LONGEST_RETRY_AFTER_MS);
}
