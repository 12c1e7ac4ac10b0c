/**
 * Pages of a deck without attempts to steer a score whose parts stand on several pages.
 */
import { isSteering, mayBePart, shortened } from '../evidence/steering.ts';
import { layOutWithout } from './layout.ts';
import type { PageLayout } from './page.ts';
import { linesOf, placeOf, sentencesOf, type Piece } from './pieces.ts';
import type { NumberedPage } from './running.ts';

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
    distinct([...linesOf(layout), ...sentencesOf(layout)]).filter(
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
  /** True for a piece of the page's own text before the rest of an attempt that begins in the very place where it goes on. */
  const isByChance = (attempt: readonly Piece[], all: readonly (readonly Piece[])[], page: number): boolean => {
    const startsInPlace = (each: readonly Piece[]): boolean =>
      isSamePlace(layoutAt(page), each[0], layoutAt(page + 1), each[1]);
    const endOf = (each: readonly Piece[]): string =>
      each
        .slice(1)
        .flatMap(({ words }) => words)
        .join(' ');
    return !startsInPlace(attempt) && all.some((other) => startsInPlace(other) && endOf(other) === endOf(attempt));
  };
  for (const [page, own] of pieces.entries()) {
    const attempts = own
      .filter(isOpen)
      .slice(0, MAX_ENDS)
      .map((piece) => goesOn(page + 1, [piece]))
      .filter((attempt) => attempt !== null);
    for (const attempt of attempts.filter((each) => !isByChance(each, attempts, page))) {
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

/** A line may be a sentence. */
const distinct = (pieces: readonly Piece[]): Piece[] => [
  ...new Map(pieces.map((piece) => [piece.words.join(' '), piece])).values(),
];

const steers = (pieces: readonly Piece[]): boolean => isSteering([pieces.map(({ text }) => text).join(' ')]);

/** True for words that do not end a sentence. */
const isOpen = ({ text }: Piece): boolean => /[\p{L}\p{N},…-]$/u.test(text) && /\p{L}{2}/u.test(text);

/** A sentence goes on with a small letter, or at the same place of the next page. */
function continues(before: PageLayout, last: Piece, here: PageLayout, next: Piece): boolean {
  if (/^(?:…|\.{3})?\s?\p{Ll}/u.test(next.text)) return true;
  return isSamePlace(before, last, here, next);
}

/** True for pieces of two pages that begin in the same place. */
function isSamePlace(
  before: PageLayout | undefined,
  last: Piece | undefined,
  here: PageLayout | undefined,
  next: Piece | undefined,
): boolean {
  if (before === undefined || last === undefined || here === undefined || next === undefined) return false;
  const [from, to] = [placeOf(before, last), placeOf(here, next)];
  return from.every((value, index) => Math.abs(value - (to[index] ?? 0)) <= PLACE_SHARE);
}
