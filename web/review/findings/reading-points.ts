/** Points of a special reading with the quotes that they rest on. Pure. */
import type { AnalysisReport } from '../../../domain/decks/report.ts';

type Reading = AnalysisReport['specialised'][number];

/** A point. */
export interface ReadingPoint {
  readonly heading: string;
  /** Null where it says nothing besides its quotes. */
  readonly text: string | null;
  /** Indices of the quotes that it repeats; each is of one point. */
  readonly quotes: readonly number[];
}

/** Letters besides quotes and their slides that a point needs to say something of its own. */
const MIN_OWN_LETTERS = 15;

/** The words of a point that are not quotes with their slides. */
function ownWords(text: string, quotes: readonly string[]): string {
  let rest = text;
  for (const quote of quotes) rest = rest.replaceAll(quote, '');
  return rest.replaceAll(/(?:slide|folie) \d+/giu, '').replaceAll(/[^\p{L}]/gu, '');
}

/**
 * The points, and the quotes that none of them repeats.
 *
 * @param quotes of the reading, in the order of the page
 */
export function readingPoints(
  { points }: Pick<Reading, 'points'>,
  quotes: readonly string[],
): { readonly points: readonly ReadingPoint[]; readonly others: readonly number[] } {
  const taken = new Set<number>();
  const shown = points.map(({ heading, text }) => {
    const own = quotes.flatMap((quote, index) => (text.includes(quote) && !taken.has(index) ? [index] : []));
    for (const index of own) taken.add(index);
    return { heading, text: ownWords(text, quotes).length >= MIN_OWN_LETTERS ? text : null, quotes: own };
  });
  return {
    points: shown.filter(({ text, quotes: own }) => text !== null || own.length > 0),
    others: quotes.flatMap((_, index) => (taken.has(index) ? [] : [index])),
  };
}

/** True for a deck that has special readings, finished or not. */
export const hasReadings = (specialised: readonly Reading[]): boolean =>
  specialised.some(({ status }) => status !== 'skipped' && status !== 'not_asked');
