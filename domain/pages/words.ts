/**
 * From the characters of a page to its words.
 *
 * A PDF places characters; where a word ends is a matter of the distances between them. Letters that stand apart for effect
 * ("A P R I L", a headline with wide tracking) are one word to a person, and here too.
 */
import { joinLigatures } from './ligatures.ts';
import { withRaisedDigits } from './raised-digits.ts';
import { MAX_WORD_LENGTH, type Box, type PageWord } from './page.ts';

/** A character as it lies on the page. */
export interface PageCharacter {
  /** White space where the author wrote a space; empty where the library that read the page made it from the distance. */
  readonly text: string;
  /** From the pen's place to the next one along the line, from ascender to descender across it. */
  readonly box: Box;
  readonly sizePt: number;
  readonly turn: PageWord['turn'];
  readonly bold: boolean;
  /** Tells apart what draws the characters of a page: the letters of a ligature are drawn by one object. */
  readonly object?: number;
  /** Tells the fonts of a page apart. */
  readonly font?: number | string;
  /** True for a glyph whose character the file does not tell; the text is then of no use. */
  readonly unmapped?: boolean;
}

/** A word and the characters it was made of. */
export interface JoinedWord<C extends PageCharacter> {
  readonly word: PageWord;
  readonly characters: readonly C[];
}

/** Gap between two characters above which a word ends, in font sizes; counted from the usual gap of the line. */
const WORD_GAP = 0.15;
/** The same where the library that read the page takes the gap for a space, in lines whose letters stand closely. */
const GUESSED_WORD_GAP = 0.09;
/** Tightest and widest setting that is taken for one, in font sizes; wider than that every letter is a piece of its own at first. */
const TIGHTEST = -0.35;
const WIDEST = 0.12;
/** Fewest characters that show how a line is set. */
const MIN_SET_LETTERS = 6;
/** Characters that are further apart have nothing to do with each other, in font sizes. */
const RUN_GAP = 1.5;
/** Largest ratio of two sizes in a word; raised letters are a little larger than half. */
const MAX_SIZE_RATIO = 2.2;
/** Lines that were left and may go on. */
const OPEN_RUNS = 4;
/** How far a character may begin before the end of the one before it, in font sizes: kerning, accents, slanted fonts. */
const OVERLAP = 0.6;
/** Fewest pieces of one or two characters in a row that are taken for letters that stand apart. */
const MIN_SPACED_PIECES = 4;
/** Fewest where only usual spaces stand between them and the line has other words: "vitamins A B C D". */
const MIN_SPACED_PIECES_WITHIN_A_LINE = 6;
const MIN_SPACED_LETTERS = 3;
const MIN_SINGLE_SHARE = 0.7;
/** Widest gap that a usual space makes, in font sizes. */
const USUAL_SPACE = 0.36;

/** A character in the coordinates of its line: along the direction of reading, and across it downwards. */
interface Glyph<C> {
  readonly character: C;
  readonly start: number;
  readonly end: number;
  readonly top: number;
  readonly bottom: number;
  /** What stands before it: a space that the author wrote, one that is guessed, or nothing. */
  readonly space: 'written' | 'guessed' | null;
}

/**
 * Joins characters to words, in the order given.
 *
 * @param characters In the order of the file or of reading: characters that follow each other in a word follow each other here
 */
export function joinCharacters<C extends PageCharacter>(characters: readonly C[]): JoinedWord<C>[] {
  return toRuns(joinLigatures(characters)).flatMap((run) => joinSpaced(split(run)).flatMap(toWords));
}

/**
 * Puts characters together that go on on one line. Files and libraries mix lines that overlap, such as small print beside a large letter,
 * so a character may also go on a line that was left a moment ago.
 */
function toRuns<C extends PageCharacter>(characters: readonly C[]): Glyph<C>[][] {
  const runs: Glyph<C>[][] = [];
  let latest: Glyph<C>[] | undefined;
  let space: Glyph<C>['space'] = null;
  for (const character of characters) {
    if (/^\s*$/u.test(character.text)) {
      space = character.text === '' ? (space ?? 'guessed') : 'written';
      continue;
    }
    const glyph = toGlyph(character);
    const open = [...(latest === undefined ? [] : [latest]), ...runs.slice(-OPEN_RUNS).toReversed()];
    let run = open.find((candidate) => goesOn(candidate, glyph));
    if (run === undefined) runs.push((run = []));
    run.push(run === latest ? { ...glyph, space } : glyph);
    latest = run;
    space = null;
  }
  return runs;
}

function toGlyph<C extends PageCharacter>(character: C): Glyph<C> {
  const [start, end, top, bottom] = alongLine(character.box, character.turn);
  const leftwards = /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(character.text);
  return { character, start: leftwards ? -end : start, end: leftwards ? -start : end, top, bottom, space: null };
}

/** A box as start, end, top and bottom of a line that is turned clockwise by so many degrees. */
export function alongLine([left, top, right, bottom]: Box, turn: PageWord['turn']): Box {
  switch (turn) {
    case 0:
      return [left, right, top, bottom];
    case 90:
      return [top, bottom, -right, -left];
    case 180:
      return [-right, -left, -bottom, -top];
    case 270:
      return [-bottom, -top, left, right];
  }
}

function goesOn<C extends PageCharacter>(run: readonly Glyph<C>[], next: Glyph<C>): boolean {
  const previous = run.at(-1);
  if (previous === undefined || previous.character.turn !== next.character.turn) return false;
  const sizes = [previous.character.sizePt, next.character.sizePt] as const;
  const size = Math.max(...sizes);
  if (size > MAX_SIZE_RATIO * Math.min(...sizes)) return false;
  const height = Math.min(previous.bottom - previous.top, next.bottom - next.top);
  const shared = Math.min(previous.bottom, next.bottom) - Math.max(previous.top, next.top);
  if (!(shared >= 0.4 * height)) return false;
  // The letters of a ligature have one box.
  if (next.start === previous.start && next.end === previous.end) return true;
  const gap = next.start - previous.end;
  return gap < RUN_GAP * size && gap > -OVERLAP * size && next.start > previous.start - 0.3 * size;
}

function gapBefore<C extends PageCharacter>(previous: Glyph<C>, next: Glyph<C>): number {
  return (next.start - previous.end) / (Math.min(previous.character.sizePt, next.character.sizePt) || 1);
}

/** Cuts a run at its spaces. */
function split<C extends PageCharacter>(run: readonly Glyph<C>[]): Glyph<C>[][] {
  const widest = run.length >= MIN_SET_LETTERS ? WIDEST : 0;
  const usualGap = Math.max(TIGHTEST, Math.min(widest, medianGap(run)));
  return cutWhere(run, (previous, next) => {
    if (next.space === 'written') return true;
    const isGuessed = next.space === 'guessed' && usualGap < GUESSED_WORD_GAP;
    return gapBefore(previous, next) > usualGap + (isGuessed ? GUESSED_WORD_GAP : WORD_GAP);
  });
}

function cutWhere<C>(
  glyphs: readonly Glyph<C>[],
  isEnd: (previous: Glyph<C>, next: Glyph<C>) => boolean,
): Glyph<C>[][] {
  const parts: Glyph<C>[][] = [];
  for (const [index, glyph] of glyphs.entries()) {
    const previous = glyphs[index - 1];
    const part = parts.at(-1);
    if (part === undefined || previous === undefined || isEnd(previous, glyph)) parts.push([glyph]);
    else part.push(glyph);
  }
  return parts;
}

/** Puts letters that stand apart together again. */
function joinSpaced<C extends PageCharacter>(pieces: readonly Glyph<C>[][]): Glyph<C>[][] {
  const joined: Glyph<C>[][] = [];
  for (let from = 0; from < pieces.length;) {
    let to = from;
    while ((pieces[to]?.length ?? 3) <= 2) to++;
    const stretch = pieces.slice(from, to);
    joined.push(...(standApart(stretch, to - from === pieces.length) ? regroup(stretch.flat()) : stretch));
    const long = pieces[to];
    if (long !== undefined) joined.push(long);
    from = to + 1;
  }
  return joined;
}

function standApart<C extends PageCharacter>(stretch: readonly Glyph<C>[][], wholeRun: boolean): boolean {
  if (stretch.length < MIN_SPACED_PIECES) return false;
  const glyphs = stretch.flat();
  const letters = glyphs.filter(({ character }) => /\p{L}/u.test(character.text)).length;
  const singles = stretch.filter((piece) => piece.length === 1).length;
  if (letters < MIN_SPACED_LETTERS || singles < MIN_SINGLE_SHARE * stretch.length) return false;
  const usual = glyphs.slice(1).every((glyph) => glyph.space === 'written') && medianGap(glyphs) <= USUAL_SPACE;
  return !usual || wholeRun || stretch.length >= MIN_SPACED_PIECES_WITHIN_A_LINE;
}

/** Cuts where a gap is clearly wider than the gaps between letters. */
function regroup<C extends PageCharacter>(glyphs: readonly Glyph<C>[]): Glyph<C>[][] {
  const letterGap = medianGap(glyphs);
  return cutWhere(glyphs, (a, b) => gapBefore(a, b) > letterGap + Math.max(0.12, 0.45 * letterGap));
}

function medianGap<C extends PageCharacter>(glyphs: readonly Glyph<C>[]): number {
  const gaps = glyphs.slice(1).map((glyph, index) => gapBefore(glyphs[index] ?? glyph, glyph));
  return gaps.toSorted((a, b) => a - b)[Math.floor((gaps.length - 1) / 2)] ?? 0;
}

/** One word; several only where it is longer than a word may be. */
function toWords<C extends PageCharacter>(glyphs: readonly Glyph<C>[]): JoinedWord<C>[] {
  const words: JoinedWord<C>[] = [];
  let open: C[] = [];
  let length = 0;
  const close = (): void => {
    const word = open.length === 0 ? null : wordOf(open);
    if (word !== null) words.push({ word, characters: open });
    [open, length] = [[], 0];
  };
  for (const { character } of glyphs) {
    if (length + character.text.length > MAX_WORD_LENGTH) close();
    open.push(character);
    length += character.text.length;
  }
  close();
  return words;
}

/** Variation selectors and joiners say how another character looks; alone they are nothing. */
const VISIBLE = /[^\u{FE00}-\u{FE0F}\u{200B}-\u{200F}\u{2060}\u{FEFF}]/u;

/** Null when nothing is left of the text. */
function wordOf(characters: readonly PageCharacter[]): PageWord | null {
  const [first] = characters;
  const text = withRaisedDigits(characters)
    .join('')
    .normalize('NFC')
    .replace(/\s+/gu, '')
    .slice(0, MAX_WORD_LENGTH)
    .toWellFormed();
  if (first === undefined || !VISIBLE.test(text)) return null;
  const sizes = characters.map((character) => character.sizePt).toSorted((a, b) => a - b);
  return {
    text,
    box: boxAround(characters.map((character) => character.box)),
    sizePt: sizes[Math.floor(sizes.length / 2)] ?? first.sizePt,
    turn: first.turn,
    bold: characters.filter((character) => character.bold).length * 2 > characters.length,
    confidence: null,
  };
}

/** The smallest box that holds all of these. */
export function boxAround(boxes: readonly Box[]): Box {
  const around: Box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [left, top, right, bottom] of boxes) {
    around[0] = Math.min(around[0], left);
    around[1] = Math.min(around[1], top);
    around[2] = Math.max(around[2], right);
    around[3] = Math.max(around[3], bottom);
  }
  return around;
}
