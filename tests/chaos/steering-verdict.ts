/**
 * Whether reviews followed what was asked of them, and whether a replay took over what was stored. Pure: facts in, sentences about what does
 * not hold out.
 */
import type { ReaderCall } from './reader-calls.ts';
import type { GivenPriority, Hold } from './steering.ts';

/** How a review stands once it has ended. */
export interface EndedReview {
  readonly status: string;
  readonly pausedAt: Date | null;
  readonly priority: number;
  /** When the last of its model calls was stored; null without any. */
  readonly lastCallAtMs: number | null;
}

/** A review that was let go on is held no more. */
export const judgeRelease = ({ status, pausedAt }: EndedReview): string[] =>
  pausedAt === null ? [] : [`is ${status} and still held since ${pausedAt.toISOString()}`];

/**
 * It has the priority it was given last, else the one it began with.
 *
 * What a run hears once nothing of it is left to ask a model has no effect any more; before, it has.
 */
export function judgePriority(
  { priority, lastCallAtMs }: EndedReview,
  given: GivenPriority | null,
  before: number,
): string[] {
  if (given === null) return priority === before ? [] : [`has priority ${priority}, which was not asked for`];
  if (priority === given.priority) return [];
  const tooLate = lastCallAtMs === null || given.heardAtMs >= lastCallAtMs;
  if (tooLate && priority === before) return [];
  return [`has priority ${priority} although it was given ${given.priority}`];
}

/**
 * While its row says that it is held, nothing new goes to a model: only calls that had begun.
 *
 * @param calls all that the model was asked for by this review alone
 * @param begun calls that workers may have at once
 */
export function judgeHold(calls: readonly ReaderCall[], { seenAtMs, releasedAtMs }: Hold, begun: number): string[] {
  if (seenAtMs === null) return [];
  const before = new Set(calls.filter((call) => call.acceptedAtMs < seenAtMs).map((call) => call.input));
  const during = calls.filter((call) => call.acceptedAtMs >= seenAtMs && call.acceptedAtMs < releasedAtMs);
  const fresh = new Set(during.map((call) => call.input).filter((input) => !before.has(input))).size;
  return fresh <= begun ? [] : [`asked the model ${fresh} new questions while it was held; at most ${begun} had begun`];
}

/** A model call of an analysis, as far as a replay is compared with its origin. */
export interface ComparedCall {
  readonly contentKey: string;
  readonly state: string;
  readonly cached: boolean;
}

/** An analysis as far as a replay is compared with its origin. */
export interface ComparedAnalysis {
  readonly row: {
    readonly id: string;
    readonly replayOfId: string | null;
    readonly replayKind: string | null;
    readonly priority: number;
    readonly overallScore: number | null;
  };
  readonly calls: readonly ComparedCall[];
}

/** A replay beside the analysis it replays. */
export interface ReplayFacts {
  readonly origin: ComparedAnalysis;
  readonly replay: ComparedAnalysis;
  /** Replays of the origin; one was asked for, maybe more than once. */
  readonly replays: number;
}

/** A full replay of a complete analysis is linked to it, asks no model, and comes to the same. */
export function judgeReplay({ origin, replay, replays }: ReplayFacts): string[] {
  const { id, priority, overallScore } = origin.row;
  const { row } = replay;
  const found: string[] = [];
  const expect = (holds: boolean, what: string): void => void (holds || found.push(what));
  expect(row.replayOfId === id, `is a replay of ${row.replayOfId ?? 'nothing'} and not of ${id}`);
  expect(row.replayKind === 'full', `is a replay of kind ${row.replayKind ?? 'none'}`);
  expect(row.priority === priority, `has priority ${row.priority}, its origin ${priority}`);
  expect(
    row.overallScore === overallScore,
    `has score ${row.overallScore ?? 'none'}, its origin ${overallScore ?? 'none'}`,
  );
  expect(replays === 1, `${id} has ${replays} replays`);
  const asked = replay.calls.filter((call) => !call.cached).length;
  expect(asked === 0, `asked the model ${asked} questions that are answered already`);
  const [before, now] = [storedOf(origin), storedOf(replay)];
  expect(before.symmetricDifference(now).size === 0, `took ${now.size} results, and not the ${before.size} of ${id}`);
  return found;
}

const storedOf = ({ calls }: ComparedAnalysis): Set<string> =>
  new Set(calls.filter((call) => call.state === 'stored').map((call) => call.contentKey));
