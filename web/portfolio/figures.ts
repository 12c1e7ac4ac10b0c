/** The figures of the portfolio as the API gives them. */
import type { Answer } from '../../api/paths.ts';

/** All figures. */
export type Portfolio = Answer<'get', '/decks/portfolio'>;
/** Decks between two values. */
export type Band = Portfolio['scores'][number];

/** Least coverages that are told, the highest first. */
const COVERAGES = [0.9, 0.7, 0.5, 0.3] as const;

/** How many decks reach each of a few coverages, as the list filters by them. */
export const reached = (bands: readonly Band[]): { readonly least: number; readonly decks: number }[] =>
  COVERAGES.map((least) => ({
    least,
    // Tenths are not exact as binary fractions.
    decks: bands.reduce((sum, { from, decks }) => (from > least - 0.05 ? sum + decks : sum), 0),
  }));

/** Bands without those at either end that are empty. */
export function trimmed(bands: readonly Band[]): readonly Band[] {
  const first = bands.findIndex(({ decks }) => decks > 0);
  const last = bands.findLastIndex(({ decks }) => decks > 0);
  return first < 0 ? [] : bands.slice(first, last + 1);
}
