/**
 * Call limits per minute: of the project, and of every method and path. Windows start with their first call.
 */
import type { Simulation } from './account.ts';

const WINDOW_MS = 60_000;
/** Above this many windows those that ended are forgotten. */
const MANY_WINDOWS = 200;

/** The verdict on one call, with the headers that every authenticated answer carries. */
export interface LimitVerdict {
  /** Seconds until the next try; null = let it pass. */
  readonly retryAfterSec: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts a call. */
export function countAgainstLimits({ cloud, account }: Simulation, method: string, path: string): LimitVerdict {
  const limits = cloud.scenario.rateLimits;
  if (limits === null) return { retryAfterSec: null, headers: {} };
  const nowMs = cloud.clock.nowMs();
  const { windows } = account;
  if (Object.keys(windows).length > MANY_WINDOWS)
    for (const [key, window] of Object.entries(windows)) if (window.fromMs + WINDOW_MS <= nowMs) delete windows[key];
  const isList = method === 'GET' && (path === '/instances' || path === '/volumes');
  const buckets = [
    { name: 'project', key: 'project', quota: limits.project },
    { name: 'endpoint', key: `${method} ${path}`, quota: isList ? limits.list : limits.endpoint },
  ].map((bucket) => {
    let window = windows[bucket.key];
    if (window === undefined || window.fromMs + WINDOW_MS <= nowMs) {
      window = { fromMs: nowMs, calls: 0 };
      windows[bucket.key] = window;
    }
    return { ...bucket, window, resetSec: Math.max(1, Math.ceil((window.fromMs + WINDOW_MS - nowMs) / 1000)) };
  });
  const full = buckets.filter((b) => b.window.calls >= b.quota);
  // A refused call counts for nothing, so that waiting as told is enough.
  if (full.length === 0) for (const bucket of buckets) bucket.window.calls += 1;
  return {
    retryAfterSec: full.length === 0 ? null : Math.max(...full.map((b) => b.resetSec)),
    headers: {
      'RateLimit-Policy': buckets.map((b) => `"${b.name}";q=${b.quota};w=${WINDOW_MS / 1000}`).join(', '),
      RateLimit: buckets
        .map((b) => `"${b.name}";r=${Math.max(0, b.quota - b.window.calls)};t=${b.resetSec}`)
        .join(', '),
    },
  };
}

/** Answer to a call too many: short text, no JSON. */
export const tooManyCalls = (retryAfterSec: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response('Rate limit', {
    status: 429,
    headers: { ...headers, 'content-type': 'text/plain', 'Retry-After': String(Math.ceil(retryAfterSec)) },
  });
