/** The quotes of one review with the words marked that the other does not have. Without a library at run time, because pages import it. */
import type { ReportEvidence } from '../report.ts';
import { changedWords, type WordRun } from './words.ts';
import { sameWords } from './wording.ts';

/** Which side of a comparison a text is on. */
export type Side = 'before' | 'after';

/** A quote in runs of words; joined by spaces they are its words. */
export interface MarkedQuote {
  readonly evidence: ReportEvidence;
  readonly runs: readonly WordRun[];
}

/** Of less in common nothing is marked word by word: the text is another one. */
const LEAST_IN_COMMON = 0.5;

const wordCount = (text: string): number => text.split(/\s+/u).filter((word) => word !== '').length;

/** What two texts have in common, as a share of the words of the longer one. */
const inCommon = (runs: readonly WordRun[], a: string, b: string): number => {
  const same = runs.reduce((sum, { kind, text }) => sum + (kind === 'same' ? wordCount(text) : 0), 0);
  return same / Math.max(1, wordCount(a), wordCount(b));
};

const onSide = (runs: readonly WordRun[], side: Side): WordRun[] =>
  runs.filter(({ kind }) => kind === 'same' || kind === (side === 'before' ? 'removed' : 'added'));

/** A text on its side of a comparison; null where the two have too little in common to mark words. */
export function markedText(text: string, other: string, side: Side): readonly WordRun[] | null {
  if (sameWords(text, other)) return [{ kind: 'same', text }];
  const runs = side === 'before' ? changedWords(text, other) : changedWords(other, text);
  return inCommon(runs, text, other) < LEAST_IN_COMMON ? null : onSide(runs, side);
}

/**
 * The quotes of one side: unmarked where the other has the same words, word by word beside the closest other one, else marked as a whole.
 */
export function markedQuotes(
  quotes: readonly ReportEvidence[],
  others: readonly ReportEvidence[],
  side: Side,
): MarkedQuote[] {
  return quotes.map((evidence) => {
    const { quote } = evidence;
    const candidates = others.flatMap((other) => {
      const runs = markedText(quote, other.quote, side);
      return runs === null ? [] : [{ runs, share: inCommon(runs, quote, quote) }];
    });
    const closest = candidates.toSorted((a, b) => b.share - a.share)[0];
    const whole: WordRun = { kind: side === 'before' ? 'removed' : 'added', text: quote };
    return { evidence, runs: closest?.runs ?? [whole] };
  });
}
