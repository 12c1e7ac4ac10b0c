/** Waiting for an API that is unavailable for a while, because it or its database restarts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DeckhandError } from '../../domain/errors.ts';

const RETRY_MS = 1000;
const MAX_RETRY_MS = 10_000;
/** After this time without an answer the call fails. */
export const PATIENCE_MS = 10 * 60_000;

/** The wait before one tries again after this error; null when trying again does not help. */
export function retryDelayMs(error: unknown): number | null {
  if (!(error instanceof DeckhandError) || error.code !== 'service_unavailable') return null;
  return Math.min(MAX_RETRY_MS, error.retryAfterMs ?? RETRY_MS);
}

/** Options of `patiently`. */
export interface PatienceOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told before each wait. */
  readonly onAway?: (error: DeckhandError) => void;
  /** The API has answered before. If not, it is waited for only when it asks for a retry itself. */
  readonly answeredBefore: boolean;
}

/**
 * Makes a call that may be repeated, and makes it again while the API or its database is away.
 *
 * @throws DeckhandError `service_unavailable` when it stays away; the signal's reason when aborted
 */
export async function patiently<T>(
  call: () => Promise<T>,
  { signal, onAway, answeredBefore }: PatienceOptions,
): Promise<T> {
  const startedAtMs = performance.now();
  for (;;) {
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      const delayMs = retryDelayMs(error);
      const isWorthIt = answeredBefore || (error instanceof DeckhandError && error.retryAfterMs !== undefined);
      if (delayMs === null || !isWorthIt || performance.now() - startedAtMs > PATIENCE_MS) throw error;
      if (error instanceof DeckhandError) onAway?.(error);
      await sleep(delayMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}
