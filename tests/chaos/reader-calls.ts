/**
 * What a reader's journal says of its calls, and how often one was asked for more than once. Pure.
 */
import type { JournalEntry } from '../../simulators/ollama/stats.ts';

/** One call as the model server saw it. */
export interface ReaderCall {
  readonly task: string;
  /** Hash of everything that the answer depends on. */
  readonly input: string;
  readonly acceptedAtMs: number;
  /** Null when the server died first. */
  readonly closedAtMs: number | null;
  readonly how: 'completed' | 'cancelled' | 'refused' | 'lost';
}

/** The calls of one life of a reader, in the order they came. A last line that a kill cut off is left out. */
export function callsOf(journal: string): ReaderCall[] {
  const calls = new Map<number, ReaderCall>();
  for (const line of journal.split('\n').slice(0, -1)) {
    const entry = JSON.parse(line) as JournalEntry;
    if (entry.event === 'accepted') {
      const { task, input, atMs } = entry;
      calls.set(entry.call, { task, input, acceptedAtMs: atMs, closedAtMs: null, how: 'lost' });
      continue;
    }
    const call = calls.get(entry.call);
    if (call !== undefined) calls.set(entry.call, { ...call, closedAtMs: entry.atMs, how: entry.how });
  }
  return [...calls.values()];
}

/** How often inputs came. */
export interface CallCount {
  readonly calls: number;
  readonly inputs: number;
  /** Calls beyond the first of each input. */
  readonly repeated: number;
  /** Answers beyond the first of each input: work that was done twice. */
  readonly answeredAgain: number;
  /** Calls that ended without an answer. */
  readonly unanswered: number;
}

export function countCalls(calls: readonly ReaderCall[]): CallCount {
  const answers = new Map<string, number>();
  for (const { input, how } of calls) answers.set(input, (answers.get(input) ?? 0) + (how === 'completed' ? 1 : 0));
  const answered = calls.filter((call) => call.how === 'completed').length;
  return {
    calls: calls.length,
    inputs: answers.size,
    repeated: calls.length - answers.size,
    answeredAgain: [...answers.values()].reduce((sum, n) => sum + Math.max(0, n - 1), 0),
    unanswered: calls.length - answered,
  };
}

/**
 * The calls of every input that came more than once, for the message of a failure: when each came, how it ended and after how long.
 *
 * @param sinceMs start of the run
 */
export function describeRepeats(calls: readonly ReaderCall[], sinceMs: number): string[] {
  return [...Map.groupBy(calls, ({ input }) => input).values()]
    .filter((same) => same.length > 1)
    .map((same) => {
      const tries = same.map(({ acceptedAtMs, closedAtMs, how }) => {
        const lasted = closedAtMs === null ? '' : ` for ${closedAtMs - acceptedAtMs} ms`;
        return `${how} from ${acceptedAtMs - sinceMs} ms${lasted}`;
      });
      return `${same[0]?.task}: ${tries.join(', ')}`;
    });
}
