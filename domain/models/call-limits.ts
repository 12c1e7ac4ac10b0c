/**
 * Time limits of one attempt at an answer. They follow from its tokens and from the speed of the model on its machine, never from a constant:
 * a prompt of 6,000 tokens takes 333 s at 18 tokens a second, and a server says nothing while it reads.
 */
import { estimateTokens } from './token-estimate.ts';
import { type MeasuredSpeed, type ModelSpeed, speedAt } from './speed.ts';

/** Tokens of an attempt. */
export interface AttemptWork {
  /** Tokens of the prompt, pictures included; rather too many than too few. */
  readonly readTokens: number;
  /** The most tokens that the answer may have. */
  readonly writeTokens: number;
  /** After how long the attempt before it was cut without a token; absent = it was not. */
  readonly cutAfterMs?: number;
}

/** Settings that decide the limits beside tokens and speed. */
export interface LimitSettings {
  /**
   * Speed of a whole server that is assumed where none has been measured, and the slowest that an answer is waited for: half of what a server
   * that is to be used must do.
   */
  readonly slowestTokensPerSec: number;
  /** A measured speed may be this many times too high. */
  readonly factor: number;
  /** No limit is shorter: a server may load a model within the request, or swap models. */
  readonly leastFirstTokenMs: number;
  readonly leastBetweenTokensMs: number;
}

export const LIMIT_SETTINGS: LimitSettings = {
  slowestTokensPerSec: 2.5,
  factor: 4,
  leastFirstTokenMs: 120_000,
  leastBetweenTokensMs: 60_000,
};

/** Limits of an attempt. */
export interface AttemptLimits {
  /** From the request to the first token. */
  readonly firstTokenMs: number;
  /** From one token to the next: a server that reads other prompts meanwhile writes one token per batch of theirs. */
  readonly betweenTokensMs: number;
  /** Of the whole attempt. It allows the slowest accepted speed: a model that stops writing is noticed by its silence. */
  readonly totalMs: number;
  /** Speed that the limits rest on, of this call; null = none has been measured. */
  readonly speed: ModelSpeed | null;
}

/** A prompt that was cut before its first token is sent again only with so many times the time. */
export const CUT_GROWTH = 2;
/** Tokens that servers read of other prompts before they write the next token of an answer. */
const BATCH_TOKENS = 2048;
/** Tokens of a picture, where it is not known: the most that a vision model of the catalogue takes for a slide. */
export const MOST_PICTURE_TOKENS = 2880;
/** Tokens of the chat template around the messages. */
const TEMPLATE_TOKENS = 64;

/**
 * Limits of an attempt.
 *
 * @param speed null = not measured: the slowest accepted speed counts, and calls may wait in the server for each other
 * @param slotsInUse calls on the machine, this one included
 */
export function attemptLimits(
  { readTokens, writeTokens, cutAfterMs = 0 }: AttemptWork,
  speed: MeasuredSpeed | null,
  slotsInUse: number,
  settings: LimitSettings = LIMIT_SETTINGS,
): AttemptLimits {
  const calls = Math.max(1, slotsInUse);
  const slowestMs = (tokens: number): number => msFor(tokens * calls, settings.slowestTokensPerSec);
  // Also the wait for the calls before it, where they may have to stand in line.
  const lineMs = slowestMs(readTokens) + (slowestMs(writeTokens) * (calls - 1)) / calls;
  const slowest = {
    // An assumed speed is corrected by the cut itself.
    firstTokenMs: speed === null ? Math.max(lineMs, cutAfterMs * CUT_GROWTH) : lineMs,
    betweenTokensMs: slowestMs(calls > 1 ? BATCH_TOKENS : 1),
  };
  const own = speed === null ? null : speedAt(speed, calls);
  // Never longer than without a measurement: a machine below the slowest accepted speed is too slow.
  const silence =
    own === null ? slowest : withinMost(expectedSilence(readTokens, own, calls), settings.factor, slowest);
  const firstTokenMs = Math.round(Math.max(silence.firstTokenMs, settings.leastFirstTokenMs));
  const betweenTokensMs = Math.round(Math.max(silence.betweenTokensMs, settings.leastBetweenTokensMs));
  const totalMs = Math.round(firstTokenMs + slowestMs(writeTokens) + betweenTokensMs);
  return { firstTokenMs, betweenTokensMs, totalMs, speed: own };
}

type Silence = Pick<AttemptLimits, 'firstTokenMs' | 'betweenTokensMs'>;

function expectedSilence(readTokens: number, own: ModelSpeed, calls: number): Silence {
  const tokenMs = msFor(1, own.writeTokensPerSec);
  return {
    firstTokenMs: msFor(readTokens, own.readTokensPerSec) + tokenMs,
    betweenTokensMs: (calls > 1 ? msFor(BATCH_TOKENS, own.readTokensPerSec) : 0) + tokenMs,
  };
}

const withinMost = (expected: Silence, factor: number, most: Silence): Silence => ({
  firstTokenMs: Math.min(expected.firstTokenMs * factor, most.firstTokenMs),
  betweenTokensMs: Math.min(expected.betweenTokensMs * factor, most.betweenTokensMs),
});

/** The same limit for everything: for trials, which have a time limit of their own. */
export const fixedLimits = (ms: number): AttemptLimits => ({
  firstTokenMs: ms,
  betweenTokensMs: ms,
  totalMs: ms,
  speed: null,
});

/** Tokens of a prompt, on the high side. @param pictureTokens tokens per picture, where they are known */
export function promptTokens(
  texts: readonly string[],
  pictures: number,
  pictureTokens: number = MOST_PICTURE_TOKENS,
): number {
  return TEMPLATE_TOKENS + pictures * pictureTokens + texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

const msFor = (tokens: number, tokensPerSec: number): number => (tokens / tokensPerSec) * 1000;
