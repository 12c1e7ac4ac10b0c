/** The rest of a refused upload is read, so that its sender gets the reason; not for ever. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RequestBody } from '../../../api/decks/request-body.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A sender of one chunk a second. */
async function* slowly(chunks: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < chunks; sent++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    yield new Uint8Array(8);
  }
}

/** Seconds after which discarding has ended, at most `limit`. */
async function secondsToDiscard(body: AsyncIterable<Uint8Array>, limit: number): Promise<number> {
  let isOver = false;
  void new RequestBody(body).discard().then(() => (isOver = true));
  for (let second = 0; second < limit; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    if (isOver) return second + 1;
  }
  return limit;
}

it('a refused body that takes a minute is read to its end', async () => {
  expect(await secondsToDiscard(slowly(60), 200)).toBe(60);
});

it('a refused body that does not end is given up after 80 seconds', async () => {
  expect(await secondsToDiscard(slowly(1000), 200)).toBe(80);
});
