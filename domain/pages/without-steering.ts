/**
 * Pages without the words that try to steer a score. Such words are reported, and the page is laid out as it would be without them: they are
 * part of no prompt and no evidence, and they displace nothing.
 */
import { findAttempts, isSteering, mayBePart, shortened } from '../evidence/steering.ts';
import { layOutWithout } from './layout.ts';
import type { PageBlock, PageLayout } from './page.ts';
import { paragraphsOf } from './paragraphs.ts';
import type { NumberedPage } from './running.ts';

/** A page, and what of it tries to steer a score. */
interface CleanPage {
  /** Without the words that steer. */
  readonly layout: PageLayout;
  /** What was found, hidden words included; as it stands on the page. */
  readonly steering: readonly string[];
}

/** Words that are read together: a sentence, a line, a cell of a table. */
interface Piece {
  readonly text: string;
  readonly words: readonly number[];
}

/** Takes the words off a page that try to steer a score. */
export function withoutSteering(layout: PageLayout): CleanPage {
  const hidden = layout.hidden.map(({ text }) => text).filter((text) => isSteering([text]));
  const sentences = sentencesOf(layout);
  // In the order in which a page is read, and row by row: an attempt may be spread over boxes.
  const found = [...attemptsIn(sentences), ...attemptsIn(byRow(layout, sentences))];
  const texts = found.map((attempt) => attempt.map(({ text }) => text).join(' '));
  const steering = [...new Set([...texts, ...hidden].map(shortened))];
  if (found.length === 0) return { layout, steering };
  const steers = new Set(found.flat().flatMap(({ words }) => words));
  // What shares a line with an attempt belongs to it.
  const words = linesOf(layout).filter((line) => line.words.some((word) => steers.has(word)));
  return { layout: layOutWithout(layout, new Set(words.flatMap((line) => line.words))), steering };
}

const attemptsIn = (pieces: readonly Piece[]): (readonly Piece[])[] =>
  findAttempts(pieces.map((piece) => piece.text)).map(({ from, count }) => pieces.slice(from, from + count));

/** Pieces from top to bottom, those of one height from left to right. */
function byRow(layout: PageLayout, pieces: readonly Piece[]): Piece[] {
  const rowOf = (piece: Piece): number => Math.round(40 * placeOf(layout, piece)[1]);
  return pieces.toSorted((a, b) => rowOf(a) - rowOf(b) || placeOf(layout, a)[0] - placeOf(layout, b)[0]);
}

/** Sentences of paragraphs, and cells of tables. */
function sentencesOf(layout: PageLayout): Piece[] {
  return layout.blocks
    .flatMap((block) => paragraphWords(layout, block))
    .flatMap((words) => sentences(layout, words))
    .map((words) => ({ text: textOf(layout, words), words }));
}

const linesOf = (layout: PageLayout): Piece[] =>
  layout.blocks.flatMap((block) => block.lines.flat()).map((words) => ({ text: textOf(layout, words), words }));

/** Words of each paragraph of a block, of each cell of a table. */
function paragraphWords(layout: PageLayout, block: PageBlock): (readonly number[])[] {
  if (block.kind === 'table') return block.lines.flat();
  if (block.kind === 'title' || block.kind === 'heading') return [block.lines.flat(2)];
  return paragraphsOf(layout, block).map(({ words }) => words);
}

/** A sentence ends where a word ends with its mark. */
function sentences(layout: PageLayout, words: readonly number[]): number[][] {
  const found: number[][] = [];
  let open: number[] | null = null;
  for (const word of words) {
    if (open === null) found.push((open = [word]));
    else open.push(word);
    if (/\p{L}{2}[.!?]["'”’)]*$/u.test(layout.words[word]?.text ?? '')) open = null;
  }
  return found;
}

const textOf = (layout: PageLayout, words: readonly number[]): string =>
  words.map((word) => layout.words[word]?.text ?? '').join(' ');

/** An attempt that is spread over pages which follow each other. */
export interface SpreadAttempt {
  /** The page it begins on. */
  readonly page: number;
  readonly text: string;
}

/** Pages without the attempts that only pages together make. */
interface CleanPages {
  readonly pages: readonly NumberedPage[];
  readonly steering: readonly SpreadAttempt[];
}

/** An attempt is spread over so many pages at most. */
const MAX_PAGES = 4;
/** Most pieces of a page that may go on elsewhere; no slide has more. */
const MAX_ENDS = 12;
/** Words of a piece of a sentence. */
const MAX_PIECE_WORDS = 30;
/** Places that are so close, as a share of the page, are the same place. */
const PLACE_SHARE = 0.03;

/** Takes attempts off the pages of a deck whose parts stand on several pages. Each page is already without its own. */
export function withoutSpreadSteering(pages: readonly NumberedPage[]): CleanPages {
  const pieces = pages.map(({ layout }) =>
    [...linesOf(layout), ...sentencesOf(layout)].filter(
      (piece) => piece.words.length <= MAX_PIECE_WORDS && mayBePart(piece.text),
    ),
  );
  const steering: SpreadAttempt[] = [];
  const taken = new Map<number, Set<number>>();
  const layoutAt = (page: number): PageLayout | undefined => pages[page]?.layout;
  /** The rest of an attempt that so far has these pieces, the last on the page before this one. */
  const goesOn = (page: number, sofar: readonly Piece[]): Piece[] | null => {
    const [before, here] = [layoutAt(page - 1), layoutAt(page)];
    const last = sofar.at(-1);
    if (before === undefined || here === undefined || last === undefined || sofar.length >= MAX_PAGES) return null;
    const next = (pieces[page] ?? []).filter((piece) => continues(before, last, here, piece)).slice(0, MAX_ENDS);
    for (const piece of next) {
      const together = [...sofar, piece];
      // An attempt that needs no first piece is found where its second piece stands.
      if (steers(together)) return steers(together.slice(1)) ? null : together;
      const more = isOpen(piece) ? goesOn(page + 1, together) : null;
      if (more !== null) return more;
    }
    return null;
  };
  for (const [page, own] of pieces.entries()) {
    for (const piece of own.filter(isOpen).slice(0, MAX_ENDS)) {
      const attempt = goesOn(page + 1, [piece]);
      if (attempt === null) continue;
      steering.push({ page: pages[page]?.number ?? 0, text: shortened(attempt.map(({ text }) => text).join(' ')) });
      for (const [offset, { words }] of attempt.entries()) {
        const on = taken.get(page + offset) ?? new Set();
        for (const word of words) on.add(word);
        taken.set(page + offset, on);
      }
    }
  }
  const clean = pages.map((page, index) => {
    const words = taken.get(index);
    return words === undefined ? page : { ...page, layout: layOutWithout(page.layout, words) };
  });
  return { pages: clean, steering };
}

const steers = (pieces: readonly Piece[]): boolean => isSteering([pieces.map(({ text }) => text).join(' ')]);

/** True for words that do not end a sentence. */
const isOpen = ({ text }: Piece): boolean => /[\p{L}\p{N},…-]$/u.test(text) && /\p{L}{2}/u.test(text);

/** A sentence goes on with a small letter, or at the same place of the next page. */
function continues(before: PageLayout, last: Piece, here: PageLayout, next: Piece): boolean {
  if (/^(?:…|\.{3})?\s?\p{Ll}/u.test(next.text)) return true;
  const [from, to] = [placeOf(before, last), placeOf(here, next)];
  return from.every((value, index) => Math.abs(value - (to[index] ?? 0)) <= PLACE_SHARE);
}

/** Left edge and top of the first word as shares of the page. */
function placeOf(layout: PageLayout, { words }: Piece): [left: number, top: number] {
  const [left = 0, top = 0] = layout.words[words[0] ?? -1]?.box ?? [];
  return [left / (layout.widthPt || 1), top / (layout.heightPt || 1)];
}
