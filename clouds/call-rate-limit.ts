/**
 * The call rate limit of every call to a provider's API: callers wait instead of being refused.
 *
 * A call draws from one or more buckets at once (its endpoint's and its account's). This file counts for one process;
 * `activities/fleet/call-rate-limit.ts` counts for all processes of an installation.
 */

/** A limit of the provider: at most `limit` calls in `windowMs`. */
export interface CallBucket {
  /** Name of the bucket in all processes; contains no secret. */
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** A bucket without calls, and how long it stays so, ms. */
export interface FullBucket {
  readonly bucket: CallBucket;
  readonly waitMs: number;
}

export interface CallRateLimit {
  /**
   * Waits until every bucket has a call left, and takes one from each.
   *
   * @param patienceMs longest wait in all; without end where left out
   * @returns null = taken; else the bucket that stays full for longer than that, told at once
   * @throws the signal's reason when it fires first
   */
  take(buckets: readonly CallBucket[], signal?: AbortSignal, patienceMs?: number): Promise<FullBucket | null>;
  /**
   * Applies the number of calls that the provider reports as left for the next `resetMs`. It can only lower our own number. With 0 left the
   * bucket is closed for exactly that time.
   */
  report(bucket: CallBucket, remaining: number, resetMs: number): Promise<void>;
}

/** Waits for `ms`; ends early, without an error, when the signal fires. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export interface MemoryRateLimitOptions {
  readonly now: () => number;
  readonly pause: Pause;
}

/** Calls of one bucket: their times, oldest first, and the time until which the provider accepts none. */
interface Ledger {
  madeAtMs: number[];
  closedUntilMs: number;
}

const NEVER = new AbortController().signal;

/** A rate limit of one process: exact over every window, wherever it starts. */
export function createMemoryRateLimit({ now, pause }: MemoryRateLimitOptions): CallRateLimit {
  const ledgers = new Map<string, Ledger>();
  let sweptAtMs = now();

  const ledgerOf = (bucket: CallBucket): Ledger => {
    const ledger = ledgers.get(bucket.key) ?? { madeAtMs: [], closedUntilMs: 0 };
    ledgers.set(bucket.key, ledger);
    const horizonMs = now() - bucket.windowMs;
    while ((ledger.madeAtMs[0] ?? Infinity) <= horizonMs) ledger.madeAtMs.shift();
    return ledger;
  };

  const waitMs = (bucket: CallBucket): number => {
    const { madeAtMs, closedUntilMs } = ledgerOf(bucket);
    const oldest = madeAtMs.length < bucket.limit ? undefined : madeAtMs[madeAtMs.length - bucket.limit];
    return Math.max(closedUntilMs - now(), oldest === undefined ? 0 : oldest + bucket.windowMs - now(), 0);
  };

  /** Removes unused buckets: every instance has one, for its own path. */
  const sweep = (windowMs: number): void => {
    if (now() - sweptAtMs < windowMs) return;
    sweptAtMs = now();
    for (const [key, { madeAtMs, closedUntilMs }] of ledgers)
      if (closedUntilMs <= now() && (madeAtMs.at(-1) ?? 0) <= now() - windowMs) ledgers.delete(key);
  };

  return {
    async take(buckets, signal = NEVER, patienceMs = Infinity) {
      const untilMs = now() + patienceMs;
      for (;;) {
        signal.throwIfAborted();
        const [longest] = buckets
          .map((bucket) => ({ bucket, waitMs: waitMs(bucket) }))
          .toSorted((a, b) => b.waitMs - a.waitMs);
        if (longest === undefined || longest.waitMs === 0) break;
        if (now() + longest.waitMs > untilMs) return longest;
        await pause(longest.waitMs, signal);
      }
      for (const bucket of buckets) ledgerOf(bucket).madeAtMs.push(now());
      sweep(Math.max(0, ...buckets.map((b) => b.windowMs)));
      return null;
    },
    report(bucket, remaining, resetMs) {
      const ledger = ledgerOf(bucket);
      if (remaining <= 0) ledger.closedUntilMs = Math.max(ledger.closedUntilMs, now() + resetMs);
      // Calls of other clients: they leave the window when the provider's counter resets.
      const unseen = Math.min(bucket.limit, bucket.limit - remaining) - ledger.madeAtMs.length;
      const asIfMadeAtMs = now() + resetMs - bucket.windowMs;
      if (unseen > 0 && remaining > 0) {
        ledger.madeAtMs.push(...Array.from({ length: unseen }, () => asIfMadeAtMs));
        ledger.madeAtMs.sort((a, b) => a - b);
      }
      return Promise.resolve();
    },
  };
}
