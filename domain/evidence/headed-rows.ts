/**
 * Rows of a table with the headings of their columns, as quotes have them: `Nordrad: Price €29; Bikes 1,100`, `Price €29`, or the row of
 * headings and then a row. Each cell stands behind the heading of its own column, so that no quote gives a figure to another column.
 */
import type { PageLayout } from '../pages/page.ts';
import { headingRows, headingsOf, mayHaveHeadings, type CellTexts } from '../pages/table-headings.ts';
import { normalise, passages, tableCells, tokenise, type Cell, type Passage } from './passages.ts';

/** A row with its headings has no more words; only a hostile page has more. */
const MAX_WORDS = 300;
/** Ticks and crosses are the whole of a cell, and no words. */
const TICKS = /[✓✔✅☑]/gu;
const CROSSES = /[✗✘✕❌☒]/gu;
/** A dot, a dash or another sign that is all of a cell; in a quote it stands behind its heading, at the end or before the next. */
const SIGN = String.raw`[+●○◐◑◒◓◔◕⬤◯■□▪▫★☆–—−-]`;
const [SIGN_IN_CELL, SIGN_IN_QUOTE] = [
  new RegExp(`^${SIGN}$`, 'u'),
  new RegExp(`(?<=\\s)${SIGN}(?=\\s*(?:;|$))`, 'gu'),
];
/** Dashes are written in several ways. */
const wordOfSign = (sign: string): string => (/[–—−-]/u.test(sign) ? 'dash' : `sign${sign.codePointAt(0)}`);

/** A cell that is not empty, and its words. */
interface ReadCell {
  readonly cell: Cell;
  readonly words: readonly string[];
}

/** A name and what is said of it: a row with its cells, or a column with those of each row. */
interface Entry {
  readonly name: ReadCell | undefined;
  /** Headings and, last, the cell that they head. */
  readonly pairs: readonly (readonly ReadCell[])[];
}

/** Cells by row and column. */
type Rows = readonly (readonly (ReadCell | undefined)[])[];

/** The words of a text; a tick and a cross are words as well. */
const wordsOf = (text: string): string[] =>
  tokenise(normalise(text).replaceAll(TICKS, ' tick ').replaceAll(CROSSES, ' cross ')).map((token) => token.text);

const wordsOfCell = (text: string): string[] => wordsOf(SIGN_IN_CELL.test(text) ? wordOfSign(text) : text);
const wordsOfQuote = (quote: string): string[] => wordsOf(quote.replaceAll(SIGN_IN_QUOTE, wordOfSign));

/** Passages that begin with the words of the quote: what it says of rows of tables of the page, with the headings of their cells. */
export function headedRows(layout: PageLayout, quote: string): Passage[] {
  const wanted = wordsOfQuote(quote);
  if (wanted.length === 0 || wanted.length > MAX_WORDS) return [];
  return layout.blocks.flatMap((block, at) => {
    if (block.kind !== 'table') return [];
    const found = entriesOf(layout, at).map((entry) => cellsSaying(entry, wanted) ?? []);
    return found
      .filter((cells) => cells.length > 0)
      .flatMap((cells) =>
        passages(layout, cells, { kind: 'headed row', blocks: [at], origin: `row ${at}/${cells.at(-1)?.line ?? ''}` }),
      );
  });
}

/** All that a table says with headings: of its rows, and, where its first row surely names them, of its columns. */
function entriesOf(layout: PageLayout, at: number): Entry[] {
  const cells = tableCells(layout, at);
  const texts = cells.map((row) =>
    row.map(({ words }) => words.map((word) => layout.words[word]?.text ?? '').join(' ')),
  );
  const rows: Rows = cells.map((row, i) =>
    row.map((cell, j) => (cell.words.length === 0 ? undefined : { cell, words: wordsOfCell(texts[i]?.[j] ?? '') })),
  );
  const known = headingRows(texts);
  const count = known === 0 && mayHaveHeadings(texts) ? 1 : known;
  if (count === 0) return [];
  return [...rowEntries(rows, texts, count), ...(known > 0 ? columnEntries(rows, known) : []), ...listed(rows, count)];
}

function rowEntries(rows: Rows, texts: CellTexts, count: number): Entry[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const headings = Array.from({ length: columns }, (_, column) =>
    headingsOf(texts, count, column).flatMap(([row, index]) => rows[row]?.[index] ?? []),
  );
  return rows.slice(count).map(([name, ...cells]) => ({
    name,
    pairs: cells.flatMap((cell, index) => (cell === undefined ? [] : [[...(headings[index + 1] ?? []), cell]])),
  }));
}

function columnEntries(rows: Rows, count: number): Entry[] {
  const names = rows[count - 1] ?? [];
  return names.slice(1).map((name, index) => ({
    name,
    pairs: rows.slice(count).flatMap((row) => {
      const [label, cell] = [row[0], row[index + 1]];
      return label === undefined || cell === undefined ? [] : [[label, cell]];
    }),
  }));
}

/** The row of headings and then a row, as far as no cell is empty: where one is, the order does not tell which heading a cell has. */
function listed(rows: Rows, count: number): Entry[] {
  const header = (rows[count - 1] ?? []).filter((cell) => cell !== undefined);
  if (header.flatMap(({ words }) => words).length > MAX_WORDS) return [];
  return rows.slice(count).flatMap((row) => {
    const empty = row.indexOf(undefined);
    const cells = row.slice(0, empty < 0 ? row.length : empty).filter((cell) => cell !== undefined);
    return cells.map((_, index) => ({ name: undefined, pairs: [[...header, ...cells.slice(0, index + 1)]] }));
  });
}

/**
 * Cells of which an entry says the quote: its name, if the quote begins with that, and pairs in order, of which some may be left out. The last
 * cell may go on behind the quote. Null where it does not say so.
 */
function cellsSaying({ name, pairs }: Entry, wanted: readonly string[]): readonly Cell[] | null {
  const failed = new Set<string>();
  const from = (at: number, next: number): readonly Cell[] | null => {
    const key = `${at} ${next}`;
    if (failed.has(key)) return null;
    for (const [index, pair] of pairs.entries()) {
      if (index < next || (at === 0 && pair.length < 2)) continue;
      const end = endOf(pair, wanted, at);
      if (end === null) continue;
      const rest = end >= wanted.length ? [] : from(end, index + 1);
      if (rest !== null) return [...pair.map(({ cell }) => cell), ...rest];
    }
    failed.add(key);
    return null;
  };
  const named = name === undefined || name.words.length === 0 ? null : endOf([name], wanted, 0);
  const rest = named === null || named >= wanted.length ? null : from(named, 0);
  return name !== undefined && rest !== null ? [name.cell, ...rest] : from(0, 0);
}

/** Where the words of these cells end in the quote, if they stand there from `at` on; the last cell is begun at least. */
function endOf(cells: readonly ReadCell[], wanted: readonly string[], at: number): number | null {
  const before = cells.slice(0, -1).flatMap(({ words }) => words);
  const words = [...before, ...(cells.at(-1)?.words ?? [])];
  const end = Math.min(at + words.length, wanted.length);
  const isBegun = end > at + before.length;
  return isBegun && words.slice(0, end - at).every((word, offset) => wanted[at + offset] === word) ? end : null;
}
