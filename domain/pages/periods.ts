/** Times as they head a column of a table or an entry of a time line: years, quarters, months, phases. */
import { isMonth } from '../decks/date-patterns.ts';
import { findDates } from '../decks/deck-date.ts';

/** Words before the year of a column; behind the short ones a year may have two digits. */
const OF_YEAR = String.raw`FY|CY|GJ|FC|BP|LE|YTD|LTM|Ist|Soll|Act|Est|Bud|H[12]|[12]H|Q[1-4]|[1-4]Q`;
const OF_FULL_YEAR = String.raw`${OF_YEAR}|plan(?:ned)?|budget|forecast|actuals?|estimate|projected|target|year|end|by|until|since|in|jahr|ende|ziel|stand|prognose|bis|seit|ab|early|mid|late|spring|summer|autumn|fall|winter|anfang|mitte|frühjahr|frühling|sommer|herbst`;
const OF_SORT = 'Ist|Soll|Plan|planned|actuals?|act|est|estimate|budget|bud|forecast|FC|Prognose|YTD';
/** Behind a year: "2024A", "2025E", "2026 (f)", "2025 (Ist)". */
const SORT_OF_YEAR = String.raw`\s?(?:[ABEFP]|\((?:[ABEFP]|${OF_SORT})\.?\)|${OF_SORT}\.?)?\*?`;
/** A year, a quarter or a month heads a column; a number of two digits alone does not. */
const PERIOD = new RegExp(
  String.raw`^(?:(?:(?:${OF_FULL_YEAR})\.?[\s/-]*)?(?:19|20)\d{2}(?:\s?[/–-]\s?(?:20)?\d{2})?${SORT_OF_YEAR}` +
    String.raw`|(?:(?:${OF_YEAR})[\s/-]*['’]?|['’])\d{2}(?:\s?[/–-]\s?\d{2})?${SORT_OF_YEAR}` +
    String.raw`|(?:year|jahr|quarter|quartal|month|monat|week|woche|day|tag|phase|[QYMW]|KW|CW)\s?\d{1,2}|H[12]|[12]H|[1-4]Q)$`,
  'iu',
);

/** "Dez 24" and "May-25", if the word is a month: a column may have any year. */
const MONTH_OF_YEAR = /^(\p{L}{3,})\.?[\s'’/-]*\d{2}$/u;

/** True for a year, a quarter, a month or another time that can head a column: "FY25", "Dez 24", "Year 2". */
export function isPeriod(cell: string): boolean {
  const [, word] = MONTH_OF_YEAR.exec(cell) ?? [];
  if (PERIOD.test(cell) || (word !== undefined && isMonth(word))) return true;
  const [date, ...others] = findDates(cell);
  return date !== undefined && others.length === 0 && date.start === 0 && date.end === cell.length;
}
