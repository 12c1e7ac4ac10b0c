/**
 * Cuts the text of a slide into units that can be quoted: sentences, list items, table rows.
 *
 * A unit is always one unbroken run of one block, so that a quote made of it can be found there again. Units of the same block may be quoted
 * together; words of different blocks never are.
 */
import type { MarkedBlock } from '../domain/pages/markup.ts';
import { headedRow, headingRows } from '../domain/pages/table-headings.ts';
import { isOnly, sourceOf } from './phrases.ts';

/** What a unit is on its page. */
export type UnitKind = 'title' | 'heading' | 'sentence' | 'item' | 'row' | 'running';

/** One quotable piece of a slide. */
export interface TextUnit {
  /** With single spaces instead of line breaks. */
  readonly text: string;
  readonly lower: string;
  /** As it is quoted: the text, for a row of a table with the headings of its columns. */
  readonly quote: string;
  readonly kind: UnitKind;
  /** Position among the units of its slide. */
  readonly index: number;
  /** Position of its block on the slide; -1 for a running line. */
  readonly block: number;
  /** The heading it stands under; empty when there is none. */
  readonly under: string;
  /** Cells of a table row, and of the first row of its table; empty for other units. */
  readonly cells: readonly string[];
  readonly headerCells: readonly string[];
  /** A row that names the columns of its table and states nothing. */
  readonly headsColumns: boolean;
  /** The headline of its slide or a heading on it. */
  readonly heading: boolean;
  readonly words: number;
  /** A line that several slides carry: footer, confidentiality note. */
  readonly running: boolean;
}

/** A quote is at most this long (the schema's limit with room to spare). */
export const MAX_QUOTE = 280;
/** A quote of fewer words proves nothing. */
export const MIN_QUOTE_WORDS = 4;

const BULLET = /^(?:[•·▪►▸●○*✓✔→]|\d{1,2}[.)](?!\s+(?:Quartal|Halbjahr|Hj\.|\p{Lu}\p{Ll}+\s+\d{4})))\s+/u;
const ABBREVIATION = new RegExp(String.raw`(?:^|[\s(,])(?:\p{L}|${sourceOf('abbreviations')})\.$`, 'iu');
const AFTER_ORDINAL = new RegExp(`^(?:${sourceOf('after an ordinal')})`, 'iu');

/** Number of words of a text as a quote check counts them. */
export function countWords(text: string): number {
  return text.match(/\d+(?:[.,:'’/]\d+)*|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu)?.length ?? 0;
}

/** True for a row of a table or the labels of an axis: mostly numbers and very short words. */
export function isTabular(line: string): boolean {
  const parts = line.split(/\s+/u);
  const numbers = parts.filter((part) => /\d/u.test(part)).length;
  return parts.length >= 3 && numbers / parts.length >= 0.5;
}

/** The end of a sentence, with the number of a footnote, and the space before the next. */
const SENTENCE_END = /(?:[.!?…]["”'’)]?|(?<=\p{L})[.!?]\d{1,2})\s+(?=["“„(]?[\p{Lu}\d€$£])/gu;

/** Splits a paragraph after sentence ends, not after abbreviations, ordinals or initials. */
export function splitSentences(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].trimEnd().length;
    const piece = text.slice(start, end);
    const ordinal = /(?:^|\s)\d{1,2}\.$/u.test(piece) && AFTER_ORDINAL.test(text.slice(end).trimStart());
    if (ABBREVIATION.test(piece.replace(/(?<=\.)\d{1,2}$/u, '')) || ordinal || /^\d{1,2}\.$/u.test(piece)) continue;
    parts.push(piece);
    start = end + (match[0].length - match[0].trimEnd().length);
  }
  const rest = text.slice(start);
  if (rest.trim() !== '') parts.push(rest);
  return parts.map((part) => part.trim());
}

/** The units of a slide, in order. */
export function toUnits(blocks: readonly MarkedBlock[]): TextUnit[] {
  const units: TextUnit[] = [];
  let under = '';
  for (const [block, { kind, lines }] of blocks.entries()) {
    // A screenshot states nothing of the company.
    if (kind === 'picture') continue;
    const whole = lines.map((line) => line.text).join(' ');
    const rows = kind === 'table' ? lines.map((line) => line.text.split('\t')) : [];
    const isNamed = rows.length > 1 && isOnly(rows[0]?.[0] ?? '', 'heads of rows');
    const headings = headingRows(rows) || (isNamed ? 1 : 0);
    // The heading of a page is often set over two lines.
    const pieces = kind === 'title' || kind === 'heading' ? [{ text: whole, item: false }] : lines;
    for (const [at, line] of pieces.entries()) {
      const sentences = kind === 'table' ? [line.text.replaceAll('\t', ' ')] : splitSentences(line.text);
      for (const sentence of sentences) {
        const text = sentence.replace(BULLET, '').replaceAll(/\s+/gu, ' ').trim();
        if (text === '') continue;
        const role: UnitKind = kind === 'text' ? (line.item ? 'item' : 'sentence') : kind === 'table' ? 'row' : kind;
        const place = {
          kind: role,
          heading: role === 'title' || role === 'heading',
          index: units.length,
          block,
          under: role === 'heading' ? '' : under,
        };
        const quote = headedRow(rows, headings, at, MAX_QUOTE) ?? text;
        units.push({
          ...plainUnit(text),
          ...place,
          quote,
          cells: rows[at] ?? [],
          headerCells: rows[0] ?? [],
          headsColumns: at < headings,
        });
      }
    }
    if (kind === 'heading') under = whole;
    // A heading stands over what follows it, up to the next heading.
    if (kind === 'title') under = '';
  }
  return units;
}

/** A line that several slides carry. */
export const runningUnit = (text: string, index: number): TextUnit => ({
  ...plainUnit(text),
  kind: 'running',
  index,
  running: true,
});

const plainUnit = (text: string): TextUnit => ({
  text,
  lower: text.toLowerCase(),
  quote: text,
  kind: 'sentence',
  index: 0,
  block: -1,
  under: '',
  cells: [],
  headerCells: [],
  headsColumns: false,
  heading: false,
  words: countWords(text),
  running: false,
});

/**
 * A quote of the unit that is long enough to prove something and short enough for the schema: the unit itself, with its neighbours in the same
 * block when it is too short, cut at the end of a clause when it is too long. A row of a table has its headings and never neighbours.
 */
export function quoteOf(units: readonly TextUnit[], index: number): string {
  const unit = units[index];
  if (unit === undefined) return '';
  if (unit.kind === 'row') return cutQuote(unit.quote);
  const joins = (other: TextUnit | undefined): other is TextUnit =>
    other !== undefined && other.block === unit.block && other.block >= 0;
  let first = index;
  let last = index;
  let text = unit.text;
  // A label with its figure is all that its line says, and whole: "Funding: $70,000".
  while (countWords(text) < MIN_QUOTE_WORDS && !isEntry(text)) {
    const after = units[last + 1];
    const before = units[first - 1];
    if (joins(after) && !LABELLED.test(after.text)) {
      text = `${text} ${after.text}`;
      last += 1;
    } else if (joins(before)) {
      text = `${before.text} ${text}`;
      first -= 1;
    } else break;
  }
  return cutQuote(text);
}

/** "Use of funds: product" is a statement of its own. */
export const LABELLED = /^\p{Lu}[\p{L}&/-]*(?:\s[\p{L}&/-]+){0,3}\s?:\s/u;
/** A label and a figure; a month and a year date something else. */
const isEntry = (text: string): boolean =>
  /\p{L}{3}/u.test(text) && /\d/u.test(text.replaceAll(/(?<!\d)(?:19|20)\d\d(?![\d.,]*\d)/gu, ''));

/** At most {@link MAX_QUOTE} characters, ending where a clause ends if one does in the second half, else between words. */
export function cutQuote(text: string): string {
  if (text.length <= MAX_QUOTE) return text;
  const head = text.slice(0, MAX_QUOTE);
  const clause = [...head.matchAll(/[.!?;,:](?=\s)/gu)].at(-1);
  if (clause !== undefined && clause.index > MAX_QUOTE / 2) return head.slice(0, clause.index);
  const space = head.lastIndexOf(' ');
  return head.slice(0, space > 0 ? space : MAX_QUOTE);
}
