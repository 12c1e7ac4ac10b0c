/** The figures of the portfolio as the API gives them. */
import type { Answer } from '../../api/paths.ts';

/** All figures. */
export type Portfolio = Answer<'get', '/decks/portfolio'>;
/** Decks between two values. */
export type Band = Portfolio['scores'][number];

/** Means of the reviews of some decks. */
export type Means = Pick<Portfolio['sectors'][number], 'meanScore' | 'meanEvidence'>;

/** Figures of one month, such as `2026-03`. */
type Month = Portfolio['months'][number];

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

/** The month after another one. */
function nextMonth(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

/** The months from the first to the last of them, in order; those without decks have none. */
export function withoutHoles(months: readonly Month[]): Month[] {
  const [first, last] = [months[0]?.month, months.at(-1)?.month];
  if (first === undefined || last === undefined) return [];
  const known = new Map(months.map((each) => [each.month, each]));
  const all: Month[] = [];
  for (let month = first; month <= last; month = nextMonth(month)) {
    all.push(known.get(month) ?? { month, decks: 0, meanScore: null, meanEvidence: null });
  }
  return all;
}

/** The first and the last day of a month, as the list filters by them. */
export function daysOf(month: string): { readonly since: string; readonly until: string } {
  const last = new Date(Date.parse(`${nextMonth(month)}-01T00:00:00Z`) - 1);
  return { since: `${month}-01`, until: last.toISOString().slice(0, 10) };
}
