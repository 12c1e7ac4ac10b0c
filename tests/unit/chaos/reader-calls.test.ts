/**
 * What a model server's journal says of repeated calls.
 */
import { expect, it } from 'vitest';
import type { JournalEntry } from '../../../simulators/ollama/stats.ts';
import { callsOf, countCalls, describeRepeats } from '../../chaos/reader-calls.ts';

const accepted = (call: number, input: string): JournalEntry => ({
  event: 'accepted',
  atMs: call,
  call,
  task: 'describe_slide',
  input,
});
const closed = (call: number, how: 'completed' | 'cancelled' | 'refused'): JournalEntry => ({
  event: 'closed',
  atMs: 100 + call,
  call,
  how,
});
const journal = (...entries: readonly JournalEntry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

it('a call that was answered is completed, one that was open when the server died is lost', () => {
  const calls = callsOf(journal(accepted(1, 'a'), accepted(2, 'b'), closed(1, 'completed')));
  expect(calls.map(({ input, how, closedAtMs }) => ({ input, how, closedAtMs }))).toEqual([
    { input: 'a', how: 'completed', closedAtMs: 101 },
    { input: 'b', how: 'lost', closedAtMs: null },
  ]);
});

it('a line of the journal that a kill cut off is left out', () =>
  expect(callsOf(`${journal(accepted(1, 'a'))}{"event":"acc`)).toHaveLength(1));

it('model calls are counted by what was asked again, answered again, or not answered', () => {
  const calls = callsOf(
    journal(
      accepted(1, 'a'),
      closed(1, 'completed'),
      accepted(2, 'b'),
      closed(2, 'cancelled'),
      accepted(3, 'b'),
      closed(3, 'completed'),
      accepted(4, 'a'),
      closed(4, 'completed'),
      accepted(5, 'c'),
    ),
  );
  expect(countCalls(calls)).toEqual({ calls: 5, inputs: 3, repeated: 2, answeredAgain: 1, unanswered: 2 });
});

it('a repeated call is described by when each try came, how it ended and after how long', () => {
  const calls = callsOf(
    journal(accepted(1, 'a'), closed(1, 'cancelled'), accepted(2, 'b'), closed(2, 'completed'), accepted(3, 'a')),
  );
  expect(describeRepeats(calls, 1)).toEqual(['describe_slide: cancelled from 0 ms for 100 ms, lost from 2 ms']);
});
