/**
 * When a call is sent again inside the client: reads and repeatable changes after a fault or a 429, a bounded number of times.
 */
import type { DeckhandError } from '../../../domain/errors.ts';
import { DEFAULT_RETRY_AFTER_MS } from './refusal.ts';
import type { CallKind } from './classify.ts';

export interface RetryOptions {
  /** Sendings in all. */
  readonly maxTries: number;
  /** Pause after the first fault, ms; doubles each time. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** A Retry-After beyond this is passed on to the caller instead of being waited for, ms. */
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryOptions = { maxTries: 4, baseMs: 1_000, maxMs: 8_000, maxRetryAfterMs: 65_000 };

/** Pauses vary by this share either way, so that callers who failed together do not come back together. */
const JITTER = 0.4;

/**
 * How long to wait before sending again; null = do not.
 *
 * @param tried how often it was sent
 * @param random a number in [0, 1)
 */
export function retryPauseMs(
  kind: CallKind,
  error: DeckhandError,
  tried: number,
  options: RetryOptions,
  random: number,
): number | null {
  // A create is never sent twice: the first may have worked.
  if (kind === 'create' || tried >= options.maxTries) return null;
  if (error.code === 'provider_throttled') {
    const waitMs = error.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS;
    return waitMs > options.maxRetryAfterMs ? null : waitMs + random * options.baseMs;
  }
  if (error.code !== 'provider_transient') return null;
  const backOffMs = Math.min(options.baseMs * 2 ** (tried - 1), options.maxMs);
  return Math.max(error.retryAfterMs ?? 0, backOffMs * (1 - JITTER + 2 * JITTER * random));
}
