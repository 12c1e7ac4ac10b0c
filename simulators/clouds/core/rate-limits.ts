/** Rate limits: calls in windows of a minute. The windows are a part of the provider's account, so a restart goes on with them. */
import type { SimulatedCloud } from './simulated-cloud.ts';

export const WINDOW_MS = 60_000;

/** Calls in the running minute, by bucket. */
export type CallWindows = Record<string, { fromMs: number; calls: number }>;

export interface Bucket {
  readonly key: string;
  /** Calls a minute. */
  readonly quota: number;
}

/**
 * Counts a call in all its buckets, unless one is full: a refused call is not counted, so that waiting is enough.
 *
 * @returns `isFull` of each bucket before the call, `calls` after it, and the time at which its window ends
 */
export function countInWindows(
  windows: CallWindows,
  nowMs: number,
  buckets: readonly Bucket[],
): readonly (Bucket & { readonly isFull: boolean; readonly calls: number; readonly endMs: number })[] {
  const looked = buckets.map((bucket) => {
    const known = windows[bucket.key];
    const window = known === undefined || known.fromMs + WINDOW_MS <= nowMs ? { fromMs: nowMs, calls: 0 } : known;
    windows[bucket.key] = window;
    return { ...bucket, window, isFull: window.calls >= bucket.quota };
  });
  if (looked.every(({ isFull }) => !isFull)) for (const { window } of looked) window.calls += 1;
  return looked.map(({ window, ...bucket }) => ({ ...bucket, calls: window.calls, endMs: window.fromMs + WINDOW_MS }));
}

/**
 * True when a call exceeds a rate limit of the scenario: of all calls of the bucket `all`, or of those in the bucket `alike`, which are
 * lists or others. Else it is counted.
 */
export function isTooMany(
  { scenario: { rateLimits }, clock }: SimulatedCloud,
  windows: CallWindows,
  call: { readonly all: string; readonly alike: string; readonly isList: boolean },
): boolean {
  if (rateLimits === null) return false;
  return countInWindows(windows, clock.nowMs(), [
    { key: call.all, quota: rateLimits.project },
    { key: call.alike, quota: call.isList ? rateLimits.list : rateLimits.endpoint },
  ]).some(({ isFull }) => isFull);
}
