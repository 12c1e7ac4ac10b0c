/**
 * The states of what is looked for in a deck: found; not found by the engine that looked; stated as absent, which the deck itself has to say;
 * not supported, where the answer's own check does not support it, so that it is kept but not shown as an answer; or the deck could not be
 * read. Only what was read can be "not found".
 */
import type { Answering } from './answering.ts';
import { hasNegation } from './changed-meaning.ts';
import type { EvidenceVerdict } from './quote-check.ts';

export const VALUE_STATES = ['found', 'not_found', 'stated_absent', 'not_supported', 'unreadable'] as const;
export type ValueState = (typeof VALUE_STATES)[number];

/**
 * State of something that an engine looked for in a deck that it could read. "Stated as absent" needs a quote that the slide confirms and
 * that negates something ("no competitors so far"); without one it was only not found.
 *
 * @param isFound what the engine says
 * @param quotes the quotes it gave, as they were checked
 */
export function stateOf(
  isFound: boolean,
  quotes: readonly { readonly quote: string; readonly verdict: EvidenceVerdict }[],
): Exclude<ValueState, 'unreadable' | 'not_supported'> {
  if (isFound) return 'found';
  return quotes.some(({ quote, verdict }) => verdict === 'verified' && hasNegation(quote))
    ? 'stated_absent'
    : 'not_found';
}

/** Results of the checks of an answer. */
export interface AnswerChecks {
  /** How its quotes answer by their own judgement; empty without quotes. */
  readonly answering: readonly (Answering | null)[];
  /** Whether the check of its score supports it; null as long as there is none. */
  readonly supported: boolean | null;
}

/**
 * State of an answer with its checks. One that was found is not supported where each of its quotes may be about something else, or where its
 * score says so and no quote was checked to bear on the question: the score reads the quotes alone, their check also where they stand. An
 * answer that was not found has nothing that could be supported.
 *
 * @param own the state without checks, or with earlier ones: `found` and `not_supported` stand for the same
 */
export function checkedState(own: ValueState, { answering, supported }: AnswerChecks): ValueState {
  if (own !== 'found' && own !== 'not_supported') return own;
  const isDoubtful = answering.length > 0 && answering.every((level) => level === 'doubtful');
  const isDenied = supported === false && !answering.some((level) => level === 'high' || level === 'some');
  return isDenied || isDoubtful ? 'not_supported' : 'found';
}
