/** The cache of promises: one load for concurrent callers, bounds of number and age, and no failures kept. */
import { beforeEach, expect, it, vi } from 'vitest';
import { Memo } from '../../../platform/memo.ts';

let nowMs = 0;
const now = () => nowMs;
const load = vi.fn((value: string) => Promise.resolve(value));
beforeEach(() => {
  nowMs = 0;
  load.mockClear();
});

it('a memo loads a value once for callers at the same time, and again when its time is over', async () => {
  const memo = new Memo<string>({ keptMs: 100, now });
  const get = () => memo.get('a', () => load(`at ${nowMs}`));
  expect(await Promise.all([get(), get()])).toEqual(['at 0', 'at 0']);
  nowMs = 99;
  expect(await get()).toBe('at 0');
  nowMs = 100;
  expect(await get()).toBe('at 100');
  expect(load).toHaveBeenCalledTimes(2);
});

it('a memo drops the value that was used longest ago', async () => {
  const memo = new Memo<string>({ limit: 2 });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await memo.get(key, () => load(key));
  expect(load.mock.calls.flat()).toEqual(['a', 'b', 'c', 'b']);
});

it('a memo keeps no failure, and a late failure drops no newer value', async () => {
  const memo = new Memo<string>({ keptMs: 100, now });
  const { promise, reject } = Promise.withResolvers<string>();
  const failing = memo.get('a', () => promise);
  nowMs = 100;
  expect(await memo.get('a', () => load('new'))).toBe('new');
  reject(new Error('late'));
  await expect(failing).rejects.toThrow('late');
  expect(await memo.get('a', () => load('newest'))).toBe('new');
  await expect(memo.get('b', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await memo.get('b', () => load('yes'))).toBe('yes');
});

it('a memo says how old what it forgets is', async () => {
  const memo = new Memo<string>({ now });
  expect(memo.forgetAll()).toBe(Infinity);
  await memo.get('a', () => load('a'));
  nowMs = 50;
  await memo.get('b', () => load('b'));
  expect(memo.forgetAll()).toBe(0);
  expect(memo.forgetAll()).toBe(Infinity);
});
