/** Figures of a review, from the rows of its calls. */

/** Of a planned call. */
export interface CallRow {
  readonly state: string;
  /** Its result was there already. */
  readonly cached: boolean;
  readonly sends: number;
  readonly lostSends: number;
}

/** Of the time that a call had a slot. */
export interface AttemptRow {
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly outcome: string | null;
  readonly failureCode: string | null;
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/** Facts of a review. */
export interface ReviewRows {
  readonly calls: readonly CallRow[];
  readonly attempts: readonly AttemptRow[];
  /** Classes of the answers that could not be used, one for each. */
  readonly faults: readonly string[];
}

/** Figures of a review. */
export interface Measures {
  /** From the first request to the last result. */
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  readonly seconds: number;
  /** Calls that were made. */
  readonly calls: number;
  /** Requests of these calls, also those that were lost. */
  readonly sends: number;
  /** Tokens of the answers that were stored and of their prompts, a second. */
  readonly readPerSec: number;
  readonly writtenPerSec: number;
  /** Calls whose first request gave a valid answer, as a share of the calls. */
  readonly firstValid: number;
  /** How often each class of fault came, the most frequent first. */
  readonly faults: readonly (readonly [name: string, count: number])[];
}

/** Error of a call each of whose attempts is a fault of its own. */
const UNUSABLE = 'model_output_unparseable';

/** Computes them. @throws Error for a review without an answer */
export function measuresOf({ calls, attempts, faults }: ReviewRows): Measures {
  const stored = attempts.filter(({ outcome }) => outcome === 'stored');
  if (stored.length === 0) throw new Error('no call of the review was answered');
  const beganAtMs = Math.min(...attempts.map(({ startedAt }) => startedAt.getTime()));
  const endedAtMs = Math.max(...stored.map(({ endedAt, startedAt }) => (endedAt ?? startedAt).getTime()));
  // Rows have whole milliseconds.
  const seconds = Math.max(1, endedAtMs - beganAtMs) / 1000;
  const made = calls.filter(({ cached }) => !cached);
  const isValidAtFirst = ({ state, sends, lostSends }: CallRow): boolean =>
    state === 'stored' && sends === 1 && lostSends === 0;
  const sum = (of: 'promptTokens' | 'outputTokens'): number => stored.reduce((total, row) => total + row[of], 0);
  const errors = attempts.flatMap(({ outcome, failureCode }) =>
    outcome === 'failed' && failureCode !== null && failureCode !== UNUSABLE ? [failureCode] : [],
  );
  const groups = Map.groupBy([...faults, ...errors], (name) => name);
  return {
    beganAtMs,
    endedAtMs,
    seconds,
    calls: made.length,
    sends: made.reduce((total, { sends, lostSends }) => total + sends + lostSends, 0),
    readPerSec: sum('promptTokens') / seconds,
    writtenPerSec: sum('outputTokens') / seconds,
    firstValid: made.filter(isValidAtFirst).length / made.length,
    faults: [...groups]
      .map(([name, all]) => [name, all.length] as const)
      .toSorted(([one, a], [other, b]) => b - a || one.localeCompare(other)),
  };
}
