/**
 * When a child that ended is started again: at once the first time, then after twice as long each time, up to a ceiling. A child that
 * ran for a while starts again from the first delay: a child that cannot start fails within seconds, and one that fails later has done
 * work meanwhile.
 */

/** How restarts are spaced. */
export interface BackoffPolicy {
  /** Delay of the first restart. */
  readonly initialMs: number;
  /** No delay is longer. */
  readonly maximumMs: number;
  /** After running this long, the next delay is the first again. */
  readonly resetAfterMs: number;
}

export const DEFAULT_BACKOFF: BackoffPolicy = { initialMs: 200, maximumMs: 15_000, resetAfterMs: 10_000 };

/** Failures in a row, counting the present one, after a run of `ranMs`. */
export function failuresInARow(previous: number, ranMs: number, policy: BackoffPolicy = DEFAULT_BACKOFF): number {
  return ranMs >= policy.resetAfterMs ? 1 : previous + 1;
}

/** Milliseconds to wait before the restart after so many failures in a row (at least one). */
export function restartDelayMs(failures: number, policy: BackoffPolicy = DEFAULT_BACKOFF): number {
  return Math.min(policy.maximumMs, policy.initialMs * 2 ** Math.min(30, Math.max(0, failures - 1)));
}
