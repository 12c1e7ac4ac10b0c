/** A server that says that it is busy is asked by one call at a time, later and later. */
import { expect, it } from 'vitest';
import { BusyPause } from '../../../../activities/models/host/busy-pause.ts';

const { signal } = new AbortController();

/** A pause whose waits a test ends, and how long they would have been. */
function busyPause() {
  const waits: number[] = [];
  const ends: (() => void)[] = [];
  const wait = (ms: number): Promise<void> => {
    waits.push(ms);
    return new Promise((resolve) => ends.push(resolve));
  };
  const busy = new BusyPause({ firstMs: 60_000, longestMs: 240_000, wait });
  return { busy, waits, endWait: () => ends.shift()?.() };
}

it('a server that takes calls is asked by all of them at once', async () => {
  const { busy, waits } = busyPause();
  const asked: number[] = [];
  await Promise.all([1, 2, 3].map((n) => busy.run(signal, () => Promise.resolve(asked.push(n)))));
  expect(asked).toEqual([1, 2, 3]);
  expect(waits).toEqual([]);
});

it('after a refusal one call asks again after the pause, and the next only when that one has ended', async () => {
  const { busy, waits, endWait } = busyPause();
  busy.refused();
  const asked: number[] = [];
  const gate = Promise.withResolvers<void>();
  const first = busy.run(signal, async () => {
    asked.push(1);
    await gate.promise;
    busy.taken();
  });
  const second = busy.run(signal, () => Promise.resolve(asked.push(2)));
  await Promise.resolve();
  expect([waits.length, asked.length]).toEqual([1, 0]);
  endWait();
  await expect.poll(() => asked).toEqual([1]);
  gate.resolve();
  await Promise.all([first, second]);
  expect(asked).toEqual([1, 2]);
  expect(waits).toHaveLength(1);
});

it('each refusal in a row doubles the pause, up to the longest', async () => {
  const { busy, waits, endWait } = busyPause();
  for (let n = 0; n < 4; n += 1) {
    busy.refused();
    const run = busy.run(signal, () => Promise.resolve());
    await expect.poll(() => waits.length).toBe(n + 1);
    endWait();
    await run;
  }
  // The clock has gone on a little since the refusal.
  expect(waits.map((ms) => Math.ceil(ms / 60_000))).toEqual([1, 2, 4, 4]);
});

it('refusals of calls that were sent together begin one pause', async () => {
  const { busy, waits, endWait } = busyPause();
  for (let n = 0; n < 4; n += 1) busy.refused();
  const run = busy.run(signal, () => Promise.resolve());
  await expect.poll(() => waits.length).toBe(1);
  endWait();
  await run;
  expect(waits.map((ms) => Math.ceil(ms / 60_000))).toEqual([1]);
});

it('a call that is cancelled while it waits does not ask', async () => {
  const { busy, endWait } = busyPause();
  busy.refused();
  const own = new AbortController();
  const run = busy.run(own.signal, () => Promise.reject(new Error('it asked')));
  own.abort(new Error('taken back'));
  endWait();
  await expect(run).rejects.toThrow('taken back');
});

it('a server that asks for a longer pause gets it, also by a refusal that comes within one', async () => {
  const { busy, waits, endWait } = busyPause();
  busy.refused(600_000);
  busy.refused(900_000);
  busy.refused(1000);
  const run = busy.run(signal, () => Promise.resolve());
  await expect.poll(() => waits.length).toBe(1);
  endWait();
  await run;
  expect(waits.map((ms) => Math.ceil(ms / 60_000))).toEqual([15]);
});
