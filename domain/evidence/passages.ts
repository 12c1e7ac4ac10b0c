/**
 * The passages of a page: the stretches of text in which a quote can stand as one statement. A passage is a block, blocks through which a
 * sentence runs on, or a row of a table. Rows with the headings of their columns are in headed-rows.ts.
 */
import { findDates } from '../decks/deck-date.ts';
import type { PageBlock, PageLayout } from '../pages/page.ts';
import { paragraphsOf } from '../pages/paragraphs.ts';

/** A word, number or sign of a passage, in lower case. */
export interface Token {
  readonly text: string;
  /** Offset in the text of the passage. */
  readonly start: number;
  readonly end: number;
  /** True when the page has it with a small first letter: after a line break it continues the sentence. */
  readonly isLowerCase: boolean;
}

/** `block`: a block, or several that one sentence runs through; `row`: a row of a table; `headed row`: a row with headings of its columns. */
export type PassageKind = 'block' | 'row' | 'headed row';

/** Words that stand together: a line of a block, a cell of a table. */
export interface Cell {
  /** Indices into the page's words. */
  readonly words: readonly number[];
  readonly line: string;
  /** What stands between the cell before and this one. */
  readonly before: '\n' | typeof CELL_GAP;
}

/** Where a word of the page stands in the text of a passage. */
export interface Place {
  readonly word: number;
  /** Identifies the word's line, in a table its cell. */
  readonly line: string;
  readonly start: number;
  readonly end: number;
}

/** A stretch of text in which a quote can stand. */
export interface Passage {
  readonly kind: PassageKind;
  /** Normalised. */
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly places: readonly Place[];
  /** Blocks whose words it holds. */
  readonly blocks: readonly number[];
  /** What it is part of: quotes with words of two origins are glued. */
  readonly origin: string;
  /**
   * Tokens [first, last] that are all of a block, or of a line of a title, heading, label or picture: there, one word is a statement. In margins only dates.
   * Rows and lines of text that are a label with a figure count as well.
   */
  readonly wholes: readonly (readonly [number, number])[];
}

/** Between two cells; words hold no white space. */
const CELL_GAP = '\t';

const TOKEN =
  /(?<![\p{L}\p{N}])[-−](?=\d)|[<>≤≥](?=\s?[€$£¥]?\s?\d)|\d+(?:[.,:'’/]\d+)*|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[%€$£¥‰]/gu;
/** Two sizes of one text; recognised words differ by as much. */
const SAME_SIZE = 0.12;
const SENTENCE_END = /[.!?:;…][)\]"'”“»]*$/u;

/** Footnotes, exponents and fractions behind a digit, which NFKC would make digits of the same number. */
const RAISED_DIGITS = /(?<=[\p{L}\d])[⁰¹²³⁴-⁹₀-₉¼-¾⅐-⅞]+/gu;

/**
 * Marks of footnotes: raised digits, unless they are an exponent of ten, of a unit or of a letter that stands alone (m², €/qm², R², x³).
 * A word of two small letters keeps its mark, unless it multiplies a number (€4.2m²).
 */
const FOOTNOTE_MARKS =
  /(?<=[\p{L}\p{N}%€$£¥).,"”’])(?<!(?<![\d.,])10)(?<!(?<!\p{L}|[€$£¥]\s?[\d.,]{1,9}\s?)(?:(?!(?:k|bn|mn)[²³])\p{Ll}{1,2}|R|CO|[Ss]ec|[Ii]nch|[Ff](?:eet|oot|uß)|[Yy]ards?|[Mm]et(?:er|re)s?)(?=[²³]))[⁰¹²³⁴-⁹]+/gu;

/** NFKC, one kind of apostrophe and dash, without soft hyphens; raised digits are numbers of their own. Keeps the case. */
export const normalise = (text: string): string =>
  text
    .replaceAll(RAISED_DIGITS, ' $&')
    .normalize('NFKC')
    .replaceAll('\u00AD', '')
    .replaceAll(/[’‘`´]/gu, "'")
    .replaceAll(/[‐‑–—−]/gu, '-');

/** Tokens of a text that is normalised. */
export function tokenise(normalised: string): Token[] {
  return [...normalised.matchAll(TOKEN)].map((m) => ({
    text: m[0].toLowerCase(),
    start: m.index,
    end: m.index + m[0].length,
    isLowerCase: /^\p{Ll}/u.test(m[0]),
  }));
}

/** Tokens of a quote; a word divided at the end of a line is one. */
export const quoteTokens = (quote: string): Token[] =>
  tokenise(normalise(quote).replaceAll(/(\p{Ll})-\r?\n\s*(?=\p{Ll})/gu, '$1'));

/** By page: several quotes are looked for on one. */
const known = new WeakMap<PageLayout, readonly Passage[]>();

/** Every passage of a page, blocks before rows. */
export function passagesOf(layout: PageLayout): readonly Passage[] {
  const passages = known.get(layout) ?? collectPassages(layout);
  known.set(layout, passages);
  return passages;
}

function collectPassages(layout: PageLayout): Passage[] {
  const texts = runs(layout).flatMap((blocks) =>
    passages(
      layout,
      blocks.flatMap((at) => cellsOf(layout, at)),
      { kind: 'block', blocks, origin: `block ${blocks[0] ?? 0}` },
    ),
  );
  const tables = layout.blocks.flatMap((block, at) => (block.kind === 'table' ? rowsOf(layout, at) : []));
  return [...texts, ...tables];
}

/** Blocks that are no tables, in reading order; those through which a sentence runs on are together. */
function runs(layout: PageLayout): number[][] {
  const all: number[][] = [];
  // A header or footer between two columns does not end a sentence.
  const isMargin = (at: number | undefined): boolean => at === undefined || layout.blocks[at]?.kind === 'margin';
  let last: number[] | undefined;
  for (const [at, block] of layout.blocks.entries()) {
    if (block.kind === 'table') {
      last = undefined;
    } else if (!isMargin(at) && last !== undefined && runsOn(layout, last.at(-1) ?? 0, at)) {
      last.push(at);
    } else {
      const own = [at];
      all.push(own);
      if (!isMargin(at)) last = own;
    }
  }
  return all;
}

/** True when a sentence of one block of text ends in the next one: no end of a sentence, a small letter, the same size. */
function runsOn(layout: PageLayout, before: number, after: number): boolean {
  const [a, b] = [layout.blocks[before], layout.blocks[after]];
  if (a?.kind !== 'text' || b?.kind !== 'text') return false;
  const end = layout.words[wordsOf(a).at(-1) ?? -1];
  const begin = layout.words[wordsOf(b)[0] ?? -1];
  if (end === undefined || begin === undefined || end.turn !== begin.turn) return false;
  const isSameSize = Math.abs(end.sizePt - begin.sizePt) <= SAME_SIZE * Math.max(end.sizePt, begin.sizePt);
  return isSameSize && !SENTENCE_END.test(end.text) && /^\p{Ll}/u.test(begin.text);
}

const wordsOf = (block: PageBlock): number[] => block.lines.flat(2);

function cellsOf(layout: PageLayout, at: number): Cell[] {
  const lines = layout.blocks[at]?.lines ?? [];
  return lines.flatMap((cells, line) =>
    cells.map(
      (words, cell) => ({ words, line: `${at}/${line}/${cell}`, before: cell === 0 ? '\n' : CELL_GAP }) as const,
    ),
  );
}

/** Rows of a table, each by itself. */
const rowsOf = (layout: PageLayout, at: number): Passage[] =>
  tableCells(layout, at).flatMap((cells, row) =>
    passages(
      layout,
      cells.filter(({ words }) => words.length > 0),
      { kind: 'row', blocks: [at], origin: `row ${at}/${row}` },
    ),
  );

/** The cells of a table by row and column; some are empty. */
export const tableCells = (layout: PageLayout, at: number): Cell[][] =>
  (layout.blocks[at]?.lines ?? []).map((cells, row) =>
    cells.map((words, column): Cell => ({ words, line: `${at}/${row}/${column}`, before: CELL_GAP })),
  );

type Scope = Pick<Passage, 'kind' | 'blocks' | 'origin'>;

/**
 * The passage of these cells; a second one where a word is divided at the end of a line, which may as well keep its hyphen ("long-term"); and
 * the same without marks of footnotes where it has some.
 */
export function passages(layout: PageLayout, cells: readonly Cell[], scope: Scope): Passage[] {
  const hasMarks = cells.some(({ words }) =>
    words.some((word) => layout.words[word]?.text.search(FOOTNOTE_MARKS) !== -1),
  );
  return (hasMarks ? [true, false] : [true]).flatMap((keepsMarks) => {
    const joined = passage(layout, cells, scope, { joinsDivided: true, keepsMarks });
    const kept = passage(layout, cells, scope, { joinsDivided: false, keepsMarks });
    return joined.text === kept.text ? [joined] : [joined, kept];
  });
}

function passage(
  layout: PageLayout,
  cells: readonly Cell[],
  scope: Scope,
  { joinsDivided, keepsMarks }: { readonly joinsDivided: boolean; readonly keepsMarks: boolean },
): Passage {
  let text = '';
  const places: Place[] = [];
  for (const { words, line, before } of cells) {
    for (const [index, word] of words.entries()) {
      const written = layout.words[word]?.text ?? '';
      const shown = normalise(keepsMarks ? written : written.replaceAll(FOOTNOTE_MARKS, ''));
      const gap = index > 0 ? ' ' : before;
      const isDivided = gap === '\n' && /\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(shown);
      if (isDivided && joinsDivided) text = text.slice(0, -1);
      else if (text !== '') text += gap;
      places.push({ word, line, start: text.length, end: text.length + shown.length });
      text += shown;
    }
  }
  const tokens = tokenise(text);
  const lines = linesOf(tokens, places);
  const wholes = scope.kind === 'block' ? wholesOf(layout, scope.blocks, lines, tokens) : wholeRow(tokens);
  return { ...scope, text, tokens, places, wholes };
}

/** Block and line of each token. */
function linesOf(tokens: readonly Token[], places: readonly Place[]): (readonly [block: string, line: string])[] {
  let place = 0;
  return tokens.map(({ start }) => {
    while ((places[place + 1]?.start ?? Infinity) <= start) place++;
    const [block = '', line = ''] = places[place]?.line.split('/') ?? [];
    return [block, line];
  });
}

/** A row of a table says something with few words where it has a label and a figure: "Bikes 45 %". */
const wholeRow = (tokens: readonly Token[]): (readonly [number, number])[] =>
  isEntry(tokens.map(({ text }) => text).join(' ')) ? [[0, tokens.length - 1]] : [];

/** A month and a year are no entry: they date something else. */
const isEntry = (text: string): boolean =>
  /\p{L}{3}/u.test(text) && /\d/u.test(text.replaceAll(/(?<!\d)(?:19|20)\d\d(?![\d.,]*\d)/gu, ''));

/** Two lines of a card, of which one is a figure and the other its label: "TAM" over "€12.4B". */
function figuresWithLabels(
  lines: readonly (readonly [number, number] | undefined)[],
  tokens: readonly Token[],
): (readonly [number, number])[] {
  const hasFigure = ([first, last]: readonly [number, number]): boolean =>
    tokens.slice(first, last + 1).some(({ text }) => /^\d/u.test(text));
  return lines.flatMap((upper, at): (readonly [number, number])[] => {
    const lower = lines[at + 1];
    if (upper === undefined || lower === undefined || hasFigure(upper) === hasFigure(lower)) return [];
    return [[upper[0], lower[1]]];
  });
}

/** Lines of a block that are a label with a figure, such as the entries of a legend, and no part of a longer paragraph. */
function entriesOf(layout: PageLayout, block: PageBlock | undefined): ReadonlySet<number> {
  if (block === undefined) return new Set();
  const starts = new Map(paragraphsOf(layout, block).map(({ words }) => [words[0], words.length]));
  return new Set(
    block.lines.flatMap((cells, line) => {
      const words = cells.flat();
      const text = words.map((word) => layout.words[word]?.text ?? '').join(' ');
      return starts.get(words[0]) === words.length && isEntry(text) ? [line] : [];
    }),
  );
}

/** Before the date of a footer: "v3 – ", "Stand: ". */
const VERSION = /^(?:(?:v(?:ersion)?\.?\s?\d{1,3}|stand|as of)[^\p{L}\d]{1,4})?$/iu;
/** A longer footer says more than a date. */
const MAX_DATE_LENGTH = 60;

/** A footer that is nothing but a date dates the page; any other may be a page number or a name. */
function isDate(layout: PageLayout, lines: PageBlock['lines']): boolean {
  const text = lines
    .flat(2)
    .map((word) => layout.words[word]?.text ?? '')
    .join(' ');
  if (text.length > MAX_DATE_LENGTH) return false;
  const [date, ...others] = findDates(text);
  return (
    date !== undefined && others.length === 0 && VERSION.test(text.slice(0, date.start)) && date.end === text.length
  );
}

/** See {@link Passage.wholes}. */
function wholesOf(
  layout: PageLayout,
  numbers: readonly number[],
  linesOfTokens: readonly (readonly [block: string, line: string])[],
  tokens: readonly Token[],
): (readonly [number, number])[] {
  const { blocks } = layout;
  const ranges = new Map<string, readonly [number, number]>();
  for (const [index, [block, line]] of linesOfTokens.entries())
    for (const key of [block, `${block}/${line}`]) ranges.set(key, [ranges.get(key)?.[0] ?? index, index]);
  return numbers.flatMap((at) => {
    const { kind, lines } = blocks[at] ?? { kind: 'text', lines: [] };
    const entries = kind === 'text' ? entriesOf(layout, blocks[at]) : new Set<number>();
    const hasFewWords = kind === 'title' || kind === 'heading' || kind === 'label' || kind === 'picture';
    const whole = (_: unknown, line: number): string[] => (hasFewWords || entries.has(line) ? [`${at}/${line}`] : []);
    if (kind === 'margin' && !isDate(layout, lines)) return [];
    const range = (key: string): (readonly [number, number])[] => {
      const found = ranges.get(key);
      return found === undefined ? [] : [found];
    };
    const few = hasFewWords ? lines.map((_, line) => range(`${at}/${line}`)[0]) : [];
    return [...[`${at}`, ...lines.flatMap(whole)].flatMap(range), ...figuresWithLabels(few, tokens)];
  });
}
