/**
 * How the next attempt at an answer differs from those before: each fault of an answer has a remedy of its own.
 *
 * | fault | next attempt |
 * |---|---|
 * | only thinking; no JSON while thinking is off | asks another way about thinking, if the model can think |
 * | cut off | has twice the room where the window allows, and is told to be shorter |
 * | white space without end | is told to write compact JSON; after the second in a row the schema is in words and any object may be written |
 * | every fault | is told what was wrong, is hotter and has another seed |
 */
import type { JsonSchema } from './json-schema.ts';
import { correctionFor, samplingFor, type OutputFault } from './model-output.ts';

/** How a model that can think is asked: not to, to think little, or as it does by itself. */
export const THINKING = ['off', 'low', 'leave'] as const;
export type Thinking = (typeof THINKING)[number];

/** Settings that all attempts of a call share. */
export interface AttemptBase {
  readonly temperature: number;
  readonly seed: number;
  readonly windowTokens: number;
  /** Estimate of the prompt. */
  readonly promptTokens: number;
  /** Most tokens of an answer. */
  readonly outputTokens: number;
  /** How the first attempt asks; null for a model that cannot think. */
  readonly thinking: Thinking | null;
  readonly schema: JsonSchema;
  readonly schemaName: string;
}

/** One attempt. */
export interface AttemptPlan {
  readonly temperature: number;
  readonly seed: number;
  /** Most tokens it may write. */
  readonly outputTokens: number;
  readonly thinking: Thinking | null;
  /** That the server is to enforce. */
  readonly schema: JsonSchema;
  /** Added to the prompt; null = nothing. */
  readonly correction: string | null;
}

/** An attempt that gave no usable answer. */
export interface FailedAttempt {
  readonly plan: AttemptPlan;
  /** Null when the answer had no fault of its own: the server said nothing more, or refused how it was asked to think. */
  readonly fault: OutputFault | null;
  readonly isThinkingRefused?: boolean;
}

/** Tokens of the window that a correction may take. */
const CORRECTION_TOKENS = 200;

/** The attempt after those that failed; the first when none has. */
export function nextAttempt(base: AttemptBase, failed: readonly FailedAttempt[]): AttemptPlan {
  const faults = failed.flatMap(({ fault }) => (fault === null ? [] : [fault]));
  const isLoose = faults.length > 1 && faults.slice(-2).every(({ kind }) => kind === 'whitespace');
  const thinking = thinkingOf(base, failed);
  return {
    ...samplingFor(base, failed.length + 1),
    outputTokens: outputTokensOf(base, thinking, faults),
    thinking,
    // White space is what a grammar always allows a model that wants to write something else.
    schema: isLoose ? { title: base.schemaName, type: 'object' } : base.schema,
    correction: correction(base, faults.at(-1), isLoose),
  };
}

function correction(
  { schema, schemaName }: AttemptBase,
  fault: OutputFault | undefined,
  isLoose: boolean,
): string | null {
  if (fault === undefined) return null;
  const sentence = correctionFor(fault, schemaName);
  return isLoose ? `${sentence} Its JSON schema: ${JSON.stringify(schema)}` : sentence;
}

/** Twice as many for each answer that was cut off, and for thinking, which counts as output; no more than the window has room for. */
function outputTokensOf(
  { windowTokens, promptTokens, outputTokens }: AttemptBase,
  thinking: Thinking | null,
  faults: readonly OutputFault[],
): number {
  const cuts = faults.filter(({ kind }) => kind === 'truncated').length;
  const doublings = cuts + (thinking === 'low' || thinking === 'leave' ? 1 : 0);
  const room = windowTokens - promptTokens - CORRECTION_TOKENS;
  return Math.max(outputTokens, Math.min(outputTokens * 2 ** doublings, room));
}

/** Each way is tried once before one is tried again. */
function thinkingOf({ thinking }: AttemptBase, failed: readonly FailedAttempt[]): Thinking | null {
  const last = failed.at(-1);
  if (thinking === null || last === undefined) return thinking;
  const asked = last.plan.thinking ?? thinking;
  if (!isFaultOfThinking(last)) return asked;
  const tried = new Set(failed.map(({ plan }) => plan.thinking));
  return THINKING.find((way) => !tried.has(way)) ?? THINKING.find((way) => way !== asked) ?? asked;
}

/** Some servers drop the grammar together with the thinking. */
const isFaultOfThinking = ({ plan, fault, isThinkingRefused }: FailedAttempt): boolean =>
  isThinkingRefused === true ||
  fault?.kind === 'only_thinking' ||
  (fault?.kind === 'invalid_json' && plan.thinking === 'off');
