/**
 * How fast a model reads prompts and writes answers on one machine: measured at the readiness check, corrected by the answers since.
 *
 * Answers lower the estimate quickly and raise it slowly, and never above what was measured. So an answer whose prompt the server had in
 * its cache does not make the machine look faster: servers differ in whether they count such a prompt as read.
 */

/** Speed of one call, in tokens per second. */
export interface ModelSpeed {
  readonly readTokensPerSec: number;
  readonly writeTokensPerSec: number;
}

/** Speed of a model on a machine. */
export interface MeasuredSpeed {
  /** Of a call that runs alone. */
  readonly alone: ModelSpeed;
  /** Of each call while every slot is in use; null = not measured. */
  readonly full: ModelSpeed | null;
  /** Calls that the server runs side by side; null = not known. */
  readonly slots: number | null;
}

/** Tokens and durations that a server gave with an answer. */
export interface AnswerTimes {
  /** Tokens of the prompt, without those the server says it took from its cache. */
  readonly promptTokens: number;
  /** Null = the server does not say. */
  readonly readMs: number | null;
  readonly outputTokens: number;
  readonly writeMs: number | null;
  /** Calls on the machine while this one ran, itself included. */
  readonly slotsInUse: number;
}

/** A measurement and how answers differ from it: 0.5 = they take twice the time. At most 1. */
export interface SpeedEstimate {
  readonly measured: MeasuredSpeed;
  readonly readRatio: number;
  readonly writeRatio: number;
}

/** Weight of an answer that is slower, or faster, than the estimate. */
const SLOWER_WEIGHT = 0.5;
const FASTER_WEIGHT = 0.05;
/** Fewer tokens measure the request, not the model. */
const LEAST_TOKENS = 16;
const LEAST_RATIO = 1e-6;

export const newEstimate = (measured: MeasuredSpeed): SpeedEstimate => ({ measured, readRatio: 1, writeRatio: 1 });

/** The estimate after one more answer. */
export function withAnswer(estimate: SpeedEstimate, answer: AnswerTimes): SpeedEstimate {
  const { readTokensPerSec, writeTokensPerSec } = speedAt(estimate.measured, answer.slotsInUse);
  const { promptTokens, readMs, outputTokens, writeMs } = answer;
  return {
    ...estimate,
    readRatio: moved(estimate.readRatio, ratioOf(promptTokens, readMs, readTokensPerSec)),
    writeRatio: moved(estimate.writeRatio, ratioOf(outputTokens, writeMs, writeTokensPerSec)),
  };
}

/** The estimate after a prompt that was not read to its end in so much time: the machine reads more slowly than that. */
export function withUnreadPrompt(
  estimate: SpeedEstimate,
  unread: { readonly promptTokens: number; readonly elapsedMs: number; readonly slotsInUse: number },
): SpeedEstimate {
  const { readTokensPerSec } = speedAt(estimate.measured, unread.slotsInUse);
  const ratio = ratioOf(unread.promptTokens, unread.elapsedMs, readTokensPerSec);
  if (ratio === null) return estimate;
  return { ...estimate, readRatio: Math.max(LEAST_RATIO, Math.min(estimate.readRatio, ratio)) };
}

/** The measurement as answers have corrected it. */
export function correctedSpeed({ measured, readRatio, writeRatio }: SpeedEstimate): MeasuredSpeed {
  const corrected = (speed: ModelSpeed): ModelSpeed => ({
    readTokensPerSec: speed.readTokensPerSec * readRatio,
    writeTokensPerSec: speed.writeTokensPerSec * writeRatio,
  });
  const { alone, full, slots } = measured;
  return { alone: corrected(alone), full: full === null ? null : corrected(full), slots };
}

/**
 * Speed of each of so many calls side by side. Between one call and all slots the time of a token grows evenly; where only one call was
 * measured, or more calls run than the server has slots, they share.
 */
export function speedAt({ alone, full, slots }: MeasuredSpeed, slotsInUse: number): ModelSpeed {
  const calls = Math.max(1, slotsInUse);
  const of = (key: keyof ModelSpeed): number => {
    if (full === null || slots === null || slots < 2) return alone[key] / calls;
    if (calls >= slots) return (full[key] * slots) / calls;
    const share = (calls - 1) / (slots - 1);
    return 1 / ((1 - share) / alone[key] + share / full[key]);
  };
  return { readTokensPerSec: of('readTokensPerSec'), writeTokensPerSec: of('writeTokensPerSec') };
}

/** Speed as a part of the expected one; null = too little to tell. */
function ratioOf(tokens: number, ms: number | null, expectedTokensPerSec: number): number | null {
  if (ms === null || ms <= 0 || tokens < LEAST_TOKENS) return null;
  return tokens / (ms / 1000) / expectedTokensPerSec;
}

function moved(ratio: number, seen: number | null): number {
  if (seen === null) return ratio;
  const next = Math.min(1, seen);
  return Math.max(LEAST_RATIO, ratio + (next < ratio ? SLOWER_WEIGHT : FASTER_WEIGHT) * (next - ratio));
}
