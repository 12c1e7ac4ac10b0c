/**
 * The headings of a table's columns, and a row as it is quoted with them. A table comes as rows of cells by column; an empty cell is an empty
 * text.
 */
import { isValueText } from './is-table.ts';

/** Rows of cells by column. */
export type CellTexts = readonly (readonly string[])[];

/** Words of a heading of a column, at most. */
const MAX_HEADING_WORDS = 6;
/** Share of the cells of a column that are figures or ticks, in a column of values. */
const MOSTLY = 0.6;
/** A year, a quarter or a month heads a column; it is no value of it. */
const PERIOD =
  /^(?:(?:FY|CY|GJ|H[12]|Q[1-4]|\p{L}{3,9}\.?)?[\s'’/-]*(?:19|20)?\d{2}\s?(?:[AEFPB]|e)?\*?|(?:year|jahr|month|monat|week|woche|phase|[QYMW])\s?\d{1,2})$/iu;

const isHeading = (cell: string): boolean =>
  (PERIOD.test(cell) || !isValueText(cell)) && cell.split(/\s+/u).length <= MAX_HEADING_WORDS;

/** A row without values behind its first cell. */
function areHeadings([first = '', ...others]: readonly string[]): boolean {
  const named = others.filter((cell) => cell !== '');
  return named.length > 0 && named.every(isHeading) && (first === '' || isHeading(first));
}

/**
 * Number of rows at the top that name the columns: none where the first row is one like the others, or where its words alone do not tell;
 * two where a second line of headings stands below those that span several columns.
 */
export function headingRows(rows: CellTexts): 0 | 1 | 2 {
  const [header = [], second = [], ...others] = rows;
  if (rows.length < 2 || !areHeadings(header)) return 0;
  const below = rows.slice(1);
  const isValued = header.some((heading, column) => {
    const cells = below.flatMap((row) => row[column] || []);
    return column > 0 && heading !== '' && cells.filter(isValueText).length >= Math.max(1, MOSTLY * cells.length);
  });
  if (!isValued && header[0] !== '') return 0;
  const hasSecond = others.length > 0 && second[0] === '' && areHeadings(second) && others.some((row) => row[0] !== '');
  return hasSecond ? 2 : 1;
}

/** Rows of the cells that head a column, of `count` rows of headings: a heading that spans several columns stands over the first of them. */
export function headingsOf(rows: CellTexts, count: number, column: number): (readonly [row: number, column: number])[] {
  return Array.from({ length: count }, (_, row) => row).flatMap((row): (readonly [number, number])[] => {
    const cells = rows[row] ?? [];
    if ((cells[column] ?? '') !== '') return [[row, column]];
    const isSpanned = row + 1 < count && (rows[row + 1]?.[column] ?? '') !== '';
    const spanning = isSpanned ? cells.findLastIndex((cell, at) => at > 0 && at < column && cell !== '') : -1;
    return spanning < 0 ? [] : [[row, spanning]];
  });
}

/**
 * A row as it is quoted, with the headings of its cells; null for a row of headings and one without a name. The quote check knows the form.
 *
 * @param longest Characters of the quote, at most: it ends between two cells.
 * @example headedRow([['', 'Price', 'Bikes'], ['Nordrad', '€29', '1,100']], 1, 1, 280) // 'Nordrad: Price €29; Bikes 1,100'
 */
export function headedRow(rows: CellTexts, count: number, at: number, longest: number): string | null {
  const [name = '', ...cells] = rows[at] ?? [];
  if (count === 0 || at < count || name === '') return null;
  const headed = cells.flatMap((cell, index) => {
    const headings = headingsOf(rows, count, index + 1).map(([row, column]) => rows[row]?.[column] ?? '');
    return cell === '' ? [] : [[...headings, cell].join(' ')];
  });
  let quote = `${name}:`;
  for (const [index, pair] of headed.entries()) {
    const next = `${quote}${index === 0 ? '' : ';'} ${pair}`;
    if (next.length > longest) break;
    quote = next;
  }
  return quote === `${name}:` ? null : quote;
}
