/**
 * The headings of a table's columns, and a row as it is quoted with them. A table comes as rows of cells by column; an empty cell is an empty
 * text.
 */
import { isMeasureText, isValueText } from './is-table.ts';
import { isFigureText } from './lines.ts';
import { isPeriod } from './periods.ts';

/** Rows of cells by column. */
export type CellTexts = readonly (readonly string[])[];

/** A heading of which a line is missing. */
const UNFINISHED = /[&+/,–—-]$/u;
/** Words of a heading of a column, at most. */
const MAX_HEADING_WORDS = 6;
/** Share of the cells of a column that are figures or ticks, in a column of values. */
const MOSTLY = 0.6;
/** The unit of a table stands where its headings and its labels meet: "£000", "in T€", "USD thousand". */
const UNIT =
  /^(?:\(?(?:in|all|figures|T?(?:EUR|USD|CHF|GBP|INR|SEK|NOK|DKK|PLN|CZK|JPY|CNY|AUD|CAD)|[kT]?\p{Sc}(?:['’]?000s?|k|mn?|bn)?|['’]?000s?|Tsd\.?|Mio\.?|Mrd\.?|Tausend|Millionen|thousands?|millions?)\)?(?:\s|$))+$/iu;
const isUnit = (cell: string): boolean => UNIT.test(cell);

const isHeading = (cell: string): boolean =>
  (isPeriod(cell) || !isValueText(cell)) && cell.split(/\s+/u).length <= MAX_HEADING_WORDS;

/** True for a row without values behind its first cell. */
function areHeadings([first = '', ...others]: readonly string[]): boolean {
  const named = others.filter((cell) => cell !== '');
  return named.length > 0 && named.every(isHeading) && (first === '' || isUnit(first) || isHeading(first));
}

/** Cells below the first row by column, without those that are empty. */
const columnsBelow = (rows: CellTexts): string[][] =>
  (rows[0] ?? []).map((_, column) => rows.slice(1).flatMap((row) => row[column] || []));

/** What a cell is: a time, a figure, a tick or a word for a degree, or other words. */
function sortOf(cell: string): 'time' | 'figure' | 'degree' | 'words' {
  if (isUnit(cell)) return 'words';
  if (isPeriod(cell)) return 'time';
  if (isFigureText(cell)) return 'figure';
  return isValueText(cell) ? 'degree' : 'words';
}

/**
 * False where the first row is surely one like the others: it has a name and figures, or times or ticks over the like, such as the years in
 * which companies were founded. Words alone do not tell.
 */
export function mayHaveHeadings(rows: CellTexts): boolean {
  const [header = []] = rows;
  if (!header.slice(1).some((cell) => cell !== '')) return false;
  if (header[0] === '') return true;
  return columnsBelow(rows).every((cells, column) => {
    const sort = sortOf(header[column] ?? '');
    if (sort === 'words' || sort === 'figure') return sort === 'words';
    return cells.filter((cell) => sortOf(cell) === sort).length <= cells.length / 2;
  });
}

/**
 * Number of rows at the top that name the columns: none where the first row is one like the others, or where its words alone do not tell;
 * two where a second line of headings stands below those that span several columns.
 */
export function headingRows(rows: CellTexts): 0 | 1 | 2 {
  const [header = [], second = [], ...others] = rows;
  if (rows.length < 2 || !areHeadings(header) || !mayHaveHeadings(rows)) return 0;
  const columns = columnsBelow(rows);
  const isValued = header.some((heading, column) => {
    const cells = columns[column] ?? [];
    return column > 0 && heading !== '' && cells.filter(isMeasureText).length >= Math.max(1, MOSTLY * cells.length);
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

/** "Yes" and a tick are no name of a row: its label stands elsewhere. */
const isTick = (cell: string): boolean =>
  isValueText(cell) && (!/\p{L}/u.test(cell) || /^(?:yes|no|ja|nein)$/iu.test(cell)) && !/\d/u.test(cell);

/**
 * A row as it is quoted, with the headings of its cells; null for a row of headings and one without a name. The quote check knows the form.
 *
 * @param longest Characters of the quote, at most: it ends between two cells.
 * @example headedRow([['', 'Price', 'Bikes'], ['Nordrad', '€29', '1,100']], 1, 1, 280) // 'Nordrad: Price €29; Bikes 1,100'
 */
export function headedRow(rows: CellTexts, count: number, at: number, longest: number): string | null {
  const [name = '', ...cells] = rows[at] ?? [];
  if (count === 0 || at < count || name === '' || isTick(name)) return null;
  const headed = cells.flatMap((cell, index) => {
    const headings = headingsOf(rows, count, index + 1).map(([row, column]) => rows[row]?.[column] ?? '');
    return cell === '' ? [] : [{ cell, heading: headings.join(' ') }];
  });
  // With the headings of some columns alone, or with a part of one, it would say less than the bare row.
  if (headed.some(({ heading }) => heading === '' || UNFINISHED.test(heading))) return null;
  let quote = `${name}:`;
  for (const [index, { cell, heading }] of headed.entries()) {
    const next = `${quote}${index === 0 ? '' : ';'} ${heading} ${cell}`;
    if (next.length > longest) break;
    quote = next;
  }
  return quote === `${name}:` ? null : quote;
}
