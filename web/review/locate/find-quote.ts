/**
 * Where the words of a quote stand on a slide, for quotes that came without boxes. Only letters and digits are compared: white space,
 * hyphens and punctuation differ between a quote and the page.
 */
import type { Box } from '../../../domain/pages/page.ts';

/** A word of a slide, in points from the upper left corner of the page. */
export interface SlideWord {
  readonly text: string;
  readonly box: Readonly<Box>;
}

/** What a quote covers. */
export interface QuotePlace {
  /** A box per line. */
  readonly boxes: readonly Readonly<Box>[];
  /** False where the words stand in several places, or only most of them were found. */
  readonly whole: boolean;
}

/** Share of the letters of a quote that have to be found where it does not stand in one run. */
const MIN_SHARE_FOUND = 0.6;
/** Words of a run that is part of a quote, and letters of a run of one word. */
const MIN_RUN_WORDS = 2;
const MIN_WORD_LETTERS = 8;

/** Letters and digits only, in lower case. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The letters of a slide in one text, with the word that each begins or ends. */
interface Letters {
  readonly text: string;
  /** Word by the position of its first letter. */
  readonly starts: ReadonlyMap<number, number>;
  /** Word by the position after its last letter. */
  readonly ends: ReadonlyMap<number, number>;
  /** Word of each position. */
  readonly wordAt: readonly number[];
}

function lettersOf(words: readonly SlideWord[]): Letters {
  let text = '';
  const starts = new Map<number, number>();
  const ends = new Map<number, number>();
  const wordAt: number[] = [];
  for (const [index, word] of words.entries()) {
    const letters = plain(word.text);
    if (letters === '') continue;
    starts.set(text.length, index);
    for (let at = 0; at < letters.length; at++) wordAt.push(index);
    text += letters;
    ends.set(text.length, index);
  }
  return { text, starts, ends, wordAt };
}

/** First and last word of a run of letters; whole words before parts of words. Null where it does not stand. */
function runOf(letters: Letters, wanted: string): readonly [first: number, last: number] | null {
  let parts: readonly [number, number] | null = null;
  for (let at = letters.text.indexOf(wanted); at !== -1; at = letters.text.indexOf(wanted, at + 1)) {
    const first = letters.starts.get(at);
    const last = letters.ends.get(at + wanted.length);
    if (first !== undefined && last !== undefined) return [first, last];
    parts ??= [letters.wordAt[at] ?? 0, letters.wordAt[at + wanted.length - 1] ?? 0];
  }
  return parts;
}

/** Words from `first` to `last`. */
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, offset) => first + offset);

/** The longest runs of the quote that stand somewhere, in its order. */
function runsOf(letters: Letters, tokens: readonly string[]): { readonly words: number[]; readonly found: number } {
  const words: number[] = [];
  let found = 0;
  for (let from = 0; from < tokens.length;) {
    let taken = 0;
    for (let count = tokens.length - from; count > 0 && taken === 0; count--) {
      const wanted = tokens.slice(from, from + count).join('');
      if (count < MIN_RUN_WORDS && wanted.length < MIN_WORD_LETTERS) break;
      const run = runOf(letters, wanted);
      if (run === null) continue;
      words.push(...range(...run));
      found += wanted.length;
      taken = count;
    }
    from += Math.max(1, taken);
  }
  return { words, found };
}

/** The place of a quote among the words of its slide; null where it does not stand there. */
export function findQuote(words: readonly SlideWord[], quote: string): QuotePlace | null {
  const tokens = quote.split(/\s+/u).map(plain).filter(Boolean);
  const wanted = tokens.join('');
  if (wanted === '') return null;
  const letters = lettersOf(words);
  const run = runOf(letters, wanted);
  if (run !== null) return { boxes: lineBoxes(range(...run).flatMap((index) => words[index] ?? [])), whole: true };
  const { words: indices, found } = runsOf(letters, tokens);
  if (found < MIN_SHARE_FOUND * wanted.length) return null;
  const once = [...new Set(indices)].toSorted((a, b) => a - b);
  return { boxes: lineBoxes(once.flatMap((index) => words[index] ?? [])), whole: false };
}

/** Words that follow each other, by line: two are on one line where they overlap by half across it and stand close along it. */
export function linesOf<W extends SlideWord>(words: readonly W[]): W[][] {
  const lines: W[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const before = line?.at(-1);
    if (line !== undefined && before !== undefined && isSameLine(before, word)) line.push(word);
    else lines.push([word]);
  }
  return lines;
}

/** Widest space between two words of one line, in heights of the line. */
const MAX_SPACE = 3;

/** True for a word whose line goes up or down the page. */
export const isUpright = ({ text, box: [left, top, right, bottom] }: SlideWord): boolean =>
  text.length > 2 && bottom - top > right - left;

function isSameLine(a: SlideWord, b: SlideWord): boolean {
  const [left, top, right, bottom] = a.box;
  const [nextLeft, nextTop, nextRight, nextBottom] = b.box;
  const isLineUpright = isUpright(a) || isUpright(b);
  const [across, gap] = isLineUpright
    ? [overlap(left, right, nextLeft, nextRight), Math.max(nextTop - bottom, top - nextBottom)]
    : [overlap(top, bottom, nextTop, nextBottom), Math.max(nextLeft - right, left - nextRight)];
  const height = isLineUpright
    ? Math.min(right - left, nextRight - nextLeft)
    : Math.min(bottom - top, nextBottom - nextTop);
  return across >= height / 2 && gap <= MAX_SPACE * height;
}

const overlap = (from: number, to: number, otherFrom: number, otherTo: number): number =>
  Math.min(to, otherTo) - Math.max(from, otherFrom);

/** One box around the words of each line. */
const lineBoxes = (words: readonly SlideWord[]): Box[] =>
  linesOf(words).map((line) => around(line.map(({ box }) => box)));

/** The smallest box around boxes. */
export const around = (boxes: readonly Readonly<Box>[]): Box => [
  Math.min(...boxes.map(([left]) => left)),
  Math.min(...boxes.map(([, top]) => top)),
  Math.max(...boxes.map(([, , right]) => right)),
  Math.max(...boxes.map(([, , , bottom]) => bottom)),
];
