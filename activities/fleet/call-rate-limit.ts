/**
 * The call rate limit that all processes of an installation share: counted in Postgres by rate-limiter-flexible.
 *
 * While the database is away each process goes on with a part of the limit, counted in memory: reading a provider must not depend on
 * our own database, and a few processes together still stay below the limit.
 */
import { RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible';
import {
  createMemoryRateLimit,
  type CallBucket,
  type CallRateLimit,
  type FullBucket,
  type Pause,
} from '../../clouds/call-rate-limit.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Logger } from '../../platform/log.ts';
import { pause as realPause } from '../../platform/pause.ts';

export interface SharedRateLimitOptions {
  readonly db: PrismaClient;
  readonly log: Logger;
  /** Part of each limit that a process allows itself while the database is away. */
  readonly localShare?: number;
  readonly pause?: Pause;
}

const LOCAL_SHARE = 0.2;
/** After a database error the database is not asked again for this long. */
const STORE_RETRY_MS = 5_000;
/** Shortest wait for a full window. */
const LEAST_WAIT_MS = 50;
/** Random extra wait, so that waiters of one window do not all retry at once. */
const SPREAD_MS = 250;
/** How often rows of past windows are removed. */
const SWEEP_MS = 600_000;

const NEVER = new AbortController().signal;

export function createSharedRateLimit(options: SharedRateLimitOptions): CallRateLimit {
  const { db, log, localShare = LOCAL_SHARE, pause = realPause } = options;
  const local = createMemoryRateLimit({ now: Date.now, pause });
  const limiters = new Map<string, RateLimiterPrisma>();
  let storeAwayUntilMs = 0;
  let sweptAtMs = Date.now();

  /** Buckets of the same limit share a limiter. */
  const limiterOf = ({ limit, windowMs }: CallBucket): RateLimiterPrisma => {
    const name = `${limit}/${windowMs}`;
    const limiter =
      limiters.get(name) ??
      new RateLimiterPrisma({
        storeClient: db,
        tableName: 'rateLimit',
        // The limit stands in the key, so that a row by itself says whether its window is full.
        keyPrefix: name,
        points: limit,
        duration: windowMs / 1000,
        // Skip the query for a window known to be full.
        inMemoryBlockOnConsumed: limit,
        clearExpiredByTimeout: false,
      });
    limiters.set(name, limiter);
    return limiter;
  };

  /** Takes from every bucket in turn. @returns the first full one; null = all taken */
  const tryTake = async (buckets: readonly CallBucket[]): Promise<FullBucket | null> => {
    for (const bucket of buckets) {
      try {
        await limiterOf(bucket).consume(bucket.key);
      } catch (error) {
        // What was taken from narrower buckets stays taken: too few calls rather than too many.
        if (error instanceof RateLimiterRes) return { bucket, waitMs: Math.max(error.msBeforeNext, LEAST_WAIT_MS) };
        throw error;
      }
    }
    return null;
  };

  /** Runs a query; 'away' when the database does not answer. */
  const withStore = async <T>(what: () => Promise<T>): Promise<T | 'away'> => {
    if (Date.now() < storeAwayUntilMs) return 'away';
    try {
      const result = await what();
      if (storeAwayUntilMs > 0) log.info('the database is back: the call rate limit is shared again');
      storeAwayUntilMs = 0;
      return result;
    } catch (error) {
      if (storeAwayUntilMs === 0)
        log.warn({ err: error }, 'the database is away: this process uses its share of the call rate limit');
      storeAwayUntilMs = Date.now() + STORE_RETRY_MS;
      return 'away';
    }
  };

  const sweep = async (): Promise<void> => {
    if (Date.now() - sweptAtMs < SWEEP_MS) return;
    sweptAtMs = Date.now();
    await withStore(() => db.rateLimit.deleteMany({ where: { expire: { lt: new Date(Date.now() - SWEEP_MS) } } }));
  };

  return {
    async take(buckets, signal = NEVER, patienceMs = Infinity) {
      const untilMs = Date.now() + patienceMs;
      for (;;) {
        signal.throwIfAborted();
        const full = await withStore(() => tryTake(buckets));
        if (full === 'away') {
          const part = buckets.map((b) => ({ ...b, limit: Math.max(1, Math.floor(b.limit * localShare)) }));
          return local.take(part, signal, untilMs - Date.now());
        }
        if (full === null) {
          await sweep();
          return null;
        }
        if (Date.now() + full.waitMs > untilMs) return full;
        await pause(full.waitMs + Math.random() * SPREAD_MS, signal);
      }
    },
    async report(bucket, remaining, resetMs) {
      await local.report(bucket, remaining, resetMs);
      await withStore(() => raiseCount(limiterOf(bucket), bucket, remaining, resetMs));
    },
  };
}

/** A row's key: limit and window, provider, account, and the endpoint (absent for the account's own window). */
const WINDOW_KEY = /^(?<limit>\d+)\/\d+:(?<provider>[^:\s]+):\S+(?: \S+ (?<path>\S+))?$/u;

/**
 * Until when each provider takes no more calls: by its own answer (429), or because the limit is used up. Windows of a single machine or
 * disk are left out, because they delay nothing else.
 */
export async function readFullWindows(db: Pick<PrismaClient, 'rateLimit'>, now: Date): Promise<Map<string, number>> {
  const full = new Map<string, number>();
  for (const { key, points, expire } of await db.rateLimit.findMany({ where: { expire: { gt: now } } })) {
    const { limit, provider, path = '' } = WINDOW_KEY.exec(key)?.groups ?? {};
    if (provider === undefined || expire === null || points <= Number(limit) || path.lastIndexOf('/') > 0) continue;
    full.set(provider, Math.max(full.get(provider) ?? 0, expire.getTime()));
  }
  return full;
}

/**
 * Takes over the provider's window, with its count and its end, where it counts more than we do: after that end both begin anew. Ours may
 * have begun later (another client's calls), and kept until its own end it would stand still for up to a minute after a pause of seconds.
 */
async function raiseCount(
  limiter: RateLimiterPrisma,
  { key, limit }: CallBucket,
  remaining: number,
  resetMs: number,
): Promise<void> {
  // A window that has ended. The library would keep one of no length for good.
  if (resetMs <= 0) return;
  if (remaining <= 0) {
    // This process may know the window as full until our own end of it.
    limiter.deleteInMemoryBlockedAll();
    await limiter.block(key, resetMs / 1000);
    return;
  }
  const used = limit - Math.min(remaining, limit);
  const window = await limiter.get(key);
  if (window === null || window.consumedPoints < used) await limiter.set(key, used, resetMs / 1000);
}
