/**
 * Turns: what wants the same result at the same time gets it one after the other.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from '../../../activities/models/turns.ts';

const never = new AbortController().signal;

it('work under one key is done one after the other and in order, under different keys at the same time', async () => {
  const turns = new Turns();
  const log: string[] = [];
  const work = (key: string, name: string) =>
    turns.take(key, never, async () => {
      log.push(`${name} begins`);
      await turn();
      log.push(`${name} ends`);
      return name;
    });
  expect(await Promise.all([work('a', '1'), work('a', '2'), work('b', '3')])).toEqual(['1', '2', '3']);
  expect(log.filter((line) => !line.startsWith('3'))).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
  expect(log.indexOf('3 begins')).toBeLessThan(log.indexOf('1 ends'));
});

it('of many that want one result, one computes it', async () => {
  const turns = new Turns();
  let stored: number | undefined;
  let computed = 0;
  const ask = () =>
    turns.take('key', never, async () => {
      if (stored !== undefined) return stored;
      await turn();
      computed += 1;
      stored = computed;
      return stored;
    });
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill(1));
});

it('a failed turn fails alone, and one that is cancelled while it waits neither delays the others nor lets them in early', async () => {
  const turns = new Turns();
  const gate = Promise.withResolvers<void>();
  const cancelled = new AbortController();
  let inside = 0;
  const enter = async (): Promise<number> => {
    inside += 1;
    expect(inside).toBe(1);
    await turn();
    inside -= 1;
    return 1;
  };
  const first = turns.take('a', never, async () => {
    inside += 1;
    await gate.promise;
    inside -= 1;
    throw new Error('first');
  });
  const second = turns.take('a', cancelled.signal, enter);
  const third = turns.take('a', never, enter);
  cancelled.abort(new Error('cancelled'));
  await expect(second).rejects.toThrow('cancelled');
  gate.resolve();
  await expect(first).rejects.toThrow('first');
  expect(await third).toBe(1);
  expect(await turns.take('a', never, enter)).toBe(1);
});
