/**
 * The call rate limit of all processes: two of them on one database stay under the limit together, and neither stops without it.
 */
import { afterEach, expect } from 'vitest';
import { createSharedRateLimit, readFullWindows } from '../../../activities/fleet/call-rate-limit.ts';
import type { CallBucket, CallRateLimit } from '../../../clouds/call-rate-limit.ts';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import { pause as realPause } from '../../../platform/pause.ts';
import { createLogger } from '../../../platform/log.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';

const log = createLogger('test', { logLevel: 'silent' });
/** Longer than the test takes: whatever is let through is of one window. */
const WINDOW_MS = 600_000;
const bucket = (key: string, limit: number): CallBucket => ({ key, limit, windowMs: WINDOW_MS });

const databases: PrismaClient[] = [];
afterEach(() => Promise.all(databases.splice(0).map(closeDatabase)));

const connect = (url: string): PrismaClient => {
  const db = createDatabase(url, { poolSize: 4 });
  databases.push(db);
  return db;
};

/** Asks for `asked` calls, all at once and from both rateLimits in turn. @returns how many were let through; the others would wait */
async function letThrough(
  rateLimits: readonly CallRateLimit[],
  buckets: readonly CallBucket[],
  asked: number,
): Promise<number> {
  const stop = new AbortController();
  let taken = 0;
  let refused = 0;
  const done = Promise.withResolvers<void>();
  const settle = (): void => {
    if (taken + refused === asked) done.resolve();
  };
  const all = Array.from({ length: asked }, async (_, n) => {
    try {
      await rateLimits[n % rateLimits.length]?.take(buckets, stop.signal);
      taken += 1;
      settle();
    } catch {
      expect(stop.signal.aborted).toBe(true);
    }
  });
  waitHook = () => {
    refused += 1;
    settle();
  };
  await done.promise;
  stop.abort(new Error('enough'));
  await Promise.all(all);
  return taken;
}

/** Called when a rateLimit makes a caller wait; none waits for long here. */
let waitHook = (): void => undefined;
const pause = (_ms: number, signal: AbortSignal): Promise<void> => {
  waitHook();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
};

/** The limit as two processes see it, each over a connection of its own. */
const twoProcesses = (url: string): [CallRateLimit, CallRateLimit] => {
  const open = (): CallRateLimit => createSharedRateLimit({ db: connect(url), log, pause });
  return [open(), open()];
};

/** A limit whose callers really wait, and for how long each did. */
function measured(db: PrismaClient) {
  const waits: number[] = [];
  const waiting: typeof realPause = (ms, signal) => {
    waits.push(ms);
    return realPause(ms, signal);
  };
  return { rateLimit: createSharedRateLimit({ db, log, pause: waiting }), waits };
}

it('the shared call rate limit is one limit for two processes', async ({ databaseUrl }) => {
  const rateLimits = twoProcesses(databaseUrl);
  expect(await letThrough(rateLimits, [bucket('path', 40), bucket('account', 25)], 60)).toBe(25);
  expect(await letThrough(rateLimits, [bucket('another path', 7), bucket('another account', 25)], 30)).toBe(7);
});

it('the shared call rate limit closes for all when the provider says so', async ({ databaseUrl }) => {
  const [first, second] = twoProcesses(databaseUrl);
  await first.report(bucket('account', 100), 3, WINDOW_MS);
  expect(await letThrough([second], [bucket('account', 100)], 10)).toBe(3);
  await first.report(bucket('other', 100), 0, WINDOW_MS);
  expect(await letThrough([second], [bucket('other', 100)], 5)).toBe(0);
});

it('the shared call rate limit closes for as long as the provider says, and not until its own window ends', async ({
  db,
}) => {
  const { rateLimit, waits } = measured(db);
  const path = bucket('path', 3);
  for (let n = 0; n < 3; n += 1) await rateLimit.take([path]);
  await rateLimit.report(path, 0, 1_000);
  expect(await rateLimit.take([path], undefined, 500)).toMatchObject({ bucket: path });
  expect(await rateLimit.take([path], undefined, 10_000)).toBeNull();
  // A window without length is over, not one without end.
  for (const remaining of [0, 1]) await rateLimit.report(bucket('over', 1), remaining, 0);
  expect(await rateLimit.take([bucket('over', 1)], undefined, 0)).toBeNull();
  // Other clients' calls count until the provider's window ends, too.
  await rateLimit.report(path, 1, 1_000);
  await rateLimit.take([path]);
  await rateLimit.take([path]);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_000 + 250);
  expect(waits.length).toBeGreaterThanOrEqual(2);
});

it('the shared rate limit tells who waits for a machine until when a provider takes no calls', async ({ db }) => {
  const rateLimit = createSharedRateLimit({ db, log, pause });
  const untilMs = async (): Promise<number | undefined> => (await readFullWindows(db, new Date())).get('datacrunch');
  await rateLimit.take([bucket('datacrunch:abc', 2)]);
  await rateLimit.report(bucket('datacrunch:abc GET /instances/7', 60), 0, WINDOW_MS);
  expect(await untilMs()).toBeUndefined();
  await rateLimit.report(bucket('datacrunch:abc POST /instances', 60), 0, WINDOW_MS);
  expect(await untilMs()).toBeGreaterThan(Date.now());
  expect((await readFullWindows(db, new Date(Date.now() + WINDOW_MS))).size).toBe(0);
});

it('the shared call rate limit opens again when the window is over', async ({ db }) => {
  const { rateLimit, waits } = measured(db);
  const brief = { key: 'brief', limit: 2, windowMs: 500 };
  for (let n = 0; n < 6; n += 1) await rateLimit.take([brief]);
  expect(waits.length).toBeGreaterThanOrEqual(1);
  expect(Math.max(...waits)).toBeLessThanOrEqual(brief.windowMs + 250);
});

it('the shared call rate limit goes on with a part of the limit while the database is away', async () => {
  const away = connect('postgresql://none@127.0.0.1:1/nothing');
  const rateLimit = createSharedRateLimit({ db: away, log, pause, localShare: 0.2 });
  expect(await letThrough([rateLimit], [bucket('path', 50), bucket('account', 100)], 30)).toBe(10);
});
