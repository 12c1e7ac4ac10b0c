/**
 * The call rate limit of one process: never more than the limit in any window, however calls come, and no wait without a reason.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryRateLimit, type CallBucket } from '../../../clouds/call-rate-limit.ts';
import { pause } from '../../../platform/pause.ts';
import { forAll } from '../../../testing/property.ts';
import { virtualClock } from './scripted-api.ts';

const WINDOW_MS = 60_000;
const bucket = (key: string, limit: number): CallBucket => ({ key, limit, windowMs: WINDOW_MS });

/** The most calls of any window of that length. */
const mostInOneWindow = (timesMs: readonly number[]): number =>
  Math.max(0, ...timesMs.map((from) => timesMs.filter((t) => t >= from && t < from + WINDOW_MS).length));

describe('the call rate limit of one process', () => {
  it('never lets more than the limit through, in any window', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 });
    await forAll(
      [gaps, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 12 })],
      async (waits, narrow, wide) => {
        const clock = virtualClock();
        const rateLimit = createMemoryRateLimit(clock);
        const madeAtMs: number[] = [];
        for (const [n, gapMs] of waits.entries()) {
          clock.nowMs += gapMs;
          await rateLimit.take([bucket(`path-${n % 2}`, narrow), bucket('account', wide)]);
          madeAtMs.push(clock.nowMs);
        }
        expect(mostInOneWindow(madeAtMs)).toBeLessThanOrEqual(Math.min(wide, 2 * narrow));
      },
    );
  });

  it('lets callers pass while there are calls left', async () => {
    const clock = virtualClock();
    const rateLimit = createMemoryRateLimit(clock);
    for (let n = 0; n < 5; n += 1) await rateLimit.take([bucket('a', 5)]);
    await rateLimit.take([bucket('b', 5)]);
    expect(clock.pauses).toEqual([]);
  });

  it('closes a bucket as long as the provider says, and only ever lowers what is left', async () => {
    const clock = virtualClock();
    const rateLimit = createMemoryRateLimit(clock);
    await rateLimit.report(bucket('a', 5), 0, 9_000);
    await rateLimit.report(bucket('a', 5), 5, 60_000);
    await rateLimit.take([bucket('a', 5)]);
    expect(clock.pauses).toEqual([9_000]);
  });

  it('counts the calls of others until their window ends', async () => {
    const clock = virtualClock();
    const rateLimit = createMemoryRateLimit(clock);
    await rateLimit.report(bucket('a', 5), 2, 20_000);
    await rateLimit.take([bucket('a', 5)]);
    await rateLimit.take([bucket('a', 5)]);
    expect(clock.pauses).toEqual([]);
    await rateLimit.take([bucket('a', 5)]);
    expect(clock.pauses).toEqual([20_000]);
  });

  it('tells those who would wait for too long how long, at once and without taking a call', async () => {
    const clock = virtualClock();
    const rateLimit = createMemoryRateLimit(clock);
    const [wide, narrow] = [bucket('account', 5), bucket('path', 1)];
    expect(await rateLimit.take([narrow, wide])).toBeNull();
    expect(await rateLimit.take([narrow, wide], undefined, WINDOW_MS - 1)).toEqual({
      bucket: narrow,
      waitMs: WINDOW_MS,
    });
    expect(clock.pauses).toEqual([]);
    expect(await rateLimit.take([narrow, wide], undefined, WINDOW_MS)).toBeNull();
    expect(clock.pauses).toEqual([WINDOW_MS]);
  });

  it('is left by those whose signal fires', async () => {
    const stop = new AbortController();
    const rateLimit = createMemoryRateLimit({ now: () => 0, pause });
    await rateLimit.take([bucket('a', 1)], stop.signal);
    const waiting = rateLimit.take([bucket('a', 1)], stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});
