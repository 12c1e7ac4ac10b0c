/** Speeds of a machine with one model, from the answers of its probes; and how long a probe may be and take by them. */
import type { ModelSpeed } from '../speed.ts';
import type { TrialAnswer } from './judge.ts';

/** No duration is shorter than this: clocks and sockets are no finer. */
const LEAST_MS = 1;
/** Shorter writing does not show which calls were worked on together. */
const LEAST_INTERVAL_MS = 20;
/**
 * So much of an interval at each end may overlap with another one by chance. Answers that arrive late on a busy machine overlap with those
 * after them; calls that ran together overlap whole. Half an interval separates the two best.
 */
const MARGIN = 0.25;

const perSecond = (tokens: number, ms: number): number => (tokens * 1000) / Math.max(LEAST_MS, ms);

/** Speed of one answer. Where the server says no times, its first token ends the reading. */
export function speedOf(answer: TrialAnswer): ModelSpeed {
  const { promptTokens, outputTokens, readMs, writeMs, firstTokenMs, endMs } = answer;
  return {
    readTokensPerSec: perSecond(Math.max(1, promptTokens), readMs ?? firstTokenMs),
    writeTokensPerSec: perSecond(Math.max(1, outputTokens), writeMs ?? endMs - firstTokenMs),
  };
}

/** Mean speed of each of several answers that were asked for at once; null = there are none. */
export function meanSpeed(answers: readonly TrialAnswer[]): ModelSpeed | null {
  if (answers.length === 0) return null;
  const speeds = answers.map(speedOf);
  const mean = (of: (speed: ModelSpeed) => number): number => speeds.reduce((sum, s) => sum + of(s), 0) / speeds.length;
  return { readTokensPerSec: mean((s) => s.readTokensPerSec), writeTokensPerSec: mean((s) => s.writeTokensPerSec) };
}

/** When a server worked on a call, ms since all were sent. */
export interface WorkInterval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** From the begin of its reading, where the server says how long that took; else from its first token. */
export const workInterval = ({ readMs, firstTokenMs, endMs }: TrialAnswer): WorkInterval => ({
  fromMs: Math.max(0, firstTokenMs - (readMs ?? 0)),
  toMs: endMs,
});

/**
 * Most calls that a server worked on at a time.
 *
 * @returns null where the calls were too short to tell
 */
export function learnedSlots(intervals: readonly WorkInterval[]): number | null {
  if (intervals.length === 0 || intervals.some(({ fromMs, toMs }) => toMs - fromMs < LEAST_INTERVAL_MS)) return null;
  const inner = intervals.map(({ fromMs, toMs }) => {
    const margin = (toMs - fromMs) * MARGIN;
    return { fromMs: fromMs + margin, toMs: toMs - margin };
  });
  return Math.max(
    ...inner.map(({ fromMs: at }) => inner.filter((other) => other.fromMs <= at && at <= other.toMs).length),
  );
}

/**
 * The number of slots after several rounds of calls at once: what two rounds show, else the middle of three. A machine that was busy with
 * something else shows too few in one round, late answers show too many.
 *
 * @param rounds what each round showed
 * @returns null where another round has to decide
 */
export function settledSlots(rounds: readonly number[]): number | null {
  const seenTwice = rounds.find((slots, index) => rounds.indexOf(slots) !== index);
  if (seenTwice !== undefined) return seenTwice;
  return rounds.length < 3 ? null : (rounds.toSorted((a, b) => a - b)[1] ?? null);
}

/** Speed as the first answers show it is right within this factor; a probe that takes longer has no answer. */
const FACTOR = 4;
/** A busy machine pauses for seconds whatever it is asked. */
const GRACE_MS = 5000;

/** Tokens of a probe. */
export interface ProbeSize {
  readonly readTokens: number;
  readonly writeTokens: number;
}

/** Expected duration of a probe, ms. */
export const expectedMs = ({ readTokens, writeTokens }: ProbeSize, speed: ModelSpeed): number =>
  (readTokens / speed.readTokensPerSec + writeTokens / speed.writeTokensPerSec) * 1000;

/** Longest duration of a probe, ms. */
export const limitMs = (size: ProbeSize, speed: ModelSpeed): number => expectedMs(size, speed) * FACTOR + GRACE_MS;

/** Tokens of a real prompt, and the fewest that show a reading speed. */
export const REAL_PROMPT_TOKENS = 2000;
const LEAST_PROMPT_TOKENS = 128;
/** Tokens of a real answer, and the fewest that show a writing speed. */
const REAL_ANSWER_TOKENS = 128;
const LEAST_ANSWER_TOKENS = 24;

/** Size of the probe that measures a speed in about so many ms: reading gets two thirds of them. */
export function speedProbeSize(rough: ModelSpeed, forMs: number): ProbeSize {
  const within = (tokens: number, least: number, most: number): number =>
    Math.round(Math.min(most, Math.max(least, tokens)));
  return {
    readTokens: within((rough.readTokensPerSec * forMs * 2) / 3000, LEAST_PROMPT_TOKENS, REAL_PROMPT_TOKENS),
    writeTokens: within((rough.writeTokensPerSec * forMs) / 3000, LEAST_ANSWER_TOKENS, REAL_ANSWER_TOKENS),
  };
}
