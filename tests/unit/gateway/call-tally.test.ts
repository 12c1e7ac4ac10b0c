/**
 * Whether calls get on: tokens, loads, answers and silence.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallTally } from '../../../activities/models/host/call-tally.ts';
import { DeckhandError } from '../../../domain/errors.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const at = (ms: number): void => void vi.setSystemTime(ms);
const stall = new DeckhandError('model_stalled', 'it says nothing');

it('a token is progress; that a call began, waits or reads its prompt is none', () => {
  const tally = new CallTally();
  at(1000);
  const call = tally.began();
  call.tookSlot();
  for (const phase of ['waiting', 'prompting'] as const) call.followed({ phase });
  expect(tally.lastProgressAt).toBeNull();
  expect(tally.oldestCallAt).toEqual(new Date(1000));
  at(2000);
  call.followed({ phase: 'generating' });
  at(9000);
  expect(tally.lastProgressAt).toEqual(new Date(2000));
});

it('a model that is being loaded is progress until the load is over', () => {
  const tally = new CallTally();
  const call = tally.began();
  call.followed({ phase: 'loading' });
  at(60_000);
  expect(tally.lastProgressAt).toEqual(new Date(60_000));
  call.followed({ phase: 'prompting' });
  at(90_000);
  expect(tally.lastProgressAt).toEqual(new Date(60_000));
  const other = tally.began();
  other.followed({ phase: 'loading' });
  other.ended(new Error('cut'));
  expect(tally.lastProgressAt).toEqual(new Date(60_000));
});

it('calls that end in silence are counted in a row, until one is answered by a model', () => {
  const tally = new CallTally({ finished: 3, lastCallAt: null, lastProgressAt: new Date(5), stalledInARow: 1 });
  const end = (error?: unknown, asked = true): void => {
    const call = tally.began();
    if (asked) call.followed({ phase: 'prompting' });
    call.ended(error);
  };
  end(stall);
  end(new DeckhandError('model_crashed', 'gone'));
  end(new DeckhandError('model_sends_exhausted', 'sent 3 times', { cause: stall }));
  expect(tally.stalledInARow).toBe(3);
  expect(tally.lastProgressAt).toEqual(new Date(5));
  // Its answer was there already: no model was asked.
  end(undefined, false);
  expect(tally.stalledInARow).toBe(3);
  at(70);
  end();
  expect(tally).toMatchObject({ stalledInARow: 0, finished: 5, lastProgressAt: new Date(70) });
});

describe('calls without a usable answer', () => {
  const unparseable = new DeckhandError('model_output_unparseable', 'random signs');
  const tallied = (ends: readonly (readonly [task: string, error?: DeckhandError])[]): number => {
    const tally = new CallTally();
    for (const [task, error] of ends) {
      const call = tally.began();
      call.asks(task);
      call.followed({ phase: 'prompting' });
      call.ended(error);
    }
    return tally.unusableInARow;
  };

  it('are counted in a row, until one is answered', () => {
    expect(
      tallied([
        ['a', unparseable],
        ['b', unparseable],
        ['a', unparseable],
      ]),
    ).toBe(3);
    expect(tallied([['a', unparseable], ['b', unparseable], ['c'], ['a', unparseable], ['b', unparseable]])).toBe(2);
  });

  it('do not count while they are of one kind that the machine never answered', () => {
    expect(tallied([['b'], ['a', unparseable], ['a', unparseable], ['a', unparseable]])).toBe(0);
    expect(tallied([['a'], ['a', unparseable], ['a', unparseable], ['a', unparseable]])).toBe(3);
  });

  it('are interrupted by no other failure', () =>
    expect(
      tallied([
        ['a', unparseable],
        ['b', stall],
        ['b', unparseable],
      ]),
    ).toBe(2));
});

it('the oldest call is the one that has had its slot longest; one that waits for a slot has none', () => {
  const tally = new CallTally();
  const [waiting, first, second] = [tally.began(), tally.began(), tally.began()] as const;
  expect(tally).toMatchObject({ oldestCallAt: null, inSlot: 0 });
  at(10);
  first.tookSlot();
  at(20);
  second.tookSlot();
  expect(tally).toMatchObject({ oldestCallAt: new Date(10), inSlot: 2 });
  first.ended();
  expect(tally.oldestCallAt).toEqual(new Date(20));
  second.ended(stall);
  waiting.ended(new Error('cancelled'));
  expect(tally.oldestCallAt).toBeNull();
});

it('a call is overdue when it says nothing for longer than was expected of it; each token puts that off', () => {
  const tally = new CallTally();
  const [reads, writes] = [tally.began(), tally.began()] as const;
  for (const call of [reads, writes]) call.tookSlot();
  expect(tally.overdueAt).toBeNull();
  reads.followed({ phase: 'prompting', silenceMs: 300_000 });
  writes.followed({ phase: 'prompting', silenceMs: 200_000 });
  expect(tally.overdueAt).toEqual(new Date(200_000));
  at(100_000);
  writes.followed({ phase: 'generating', silenceMs: 60_000 });
  expect(tally.overdueAt).toEqual(new Date(160_000));
  writes.ended();
  expect(tally.overdueAt).toEqual(new Date(300_000));
  reads.ended();
  expect(tally.overdueAt).toBeNull();
});

it('a call that is sent again, or another after it, does not put off that nothing was said', () => {
  const tally = new CallTally();
  const prompts = (silenceMs: number): ReturnType<CallTally['began']> => {
    const call = tally.began();
    call.tookSlot();
    call.followed({ phase: 'prompting', silenceMs });
    return call;
  };
  const first = prompts(1000);
  at(1000);
  first.followed({ phase: 'prompting', silenceMs: 4000 });
  expect(tally.overdueAt).toEqual(new Date(1000));
  first.ended(stall);
  const second = prompts(9000);
  expect(tally.overdueAt).toEqual(new Date(1000));
  second.followed({ phase: 'generating', silenceMs: 50 });
  expect(tally.overdueAt).toEqual(new Date(1050));
  second.ended();
  const third = prompts(9000);
  expect(tally.overdueAt).toEqual(new Date(10_000));
  // A new attempt after an answer that was of no use begins anew.
  third.followed({ phase: 'generating', silenceMs: 50 });
  third.followed({ phase: 'prompting', silenceMs: 700 });
  expect(tally.overdueAt).toEqual(new Date(1700));
});
