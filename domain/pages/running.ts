/**
 * Running lines: headers, footers and page numbers that come back on several pages of a deck. They are said once, not on every page.
 */
import { findDates } from '../decks/deck-date.ts';
import type { PageBlock, PageLayout } from './page.ts';
import { boxAround } from './words.ts';

/** A page of a deck; `number` is 1-based. */
export interface NumberedPage {
  readonly number: number;
  readonly layout: PageLayout;
}

/** A line that comes back, as it stands on the first of its pages. */
export interface RunningLine {
  readonly text: string;
  /** Numbers of its pages, ascending. */
  readonly pages: readonly number[];
}

/** What comes back on the pages of a deck. */
export interface Running {
  readonly lines: readonly RunningLine[];
  /** Indices of the blocks that are running, by page number. */
  readonly blocks: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Edge of the page in which lines can be running, as a share of its height. */
const EDGE_SHARE = 0.16;
/** Pages on which a line has to stand, as a share of those that have text and at least so many. */
const MIN_SHARE = 0.25;
const MIN_PAGES = 3;
/** Places that are so close, as a share of the page, are the same place. */
const PLACE_SHARE = 0.03;
const MAX_LINE_WORDS = 30;
/** A page number among words differs from the number of the page in the file by no more. */
const MAX_OFFSET = 3;

interface Candidate {
  readonly page: number;
  readonly block: number;
  readonly text: string;
  /** Middle of the block as shares of width and height. */
  readonly x: number;
  readonly y: number;
}

/** Finds what stands at the same place with the same words, but for page numbers, on several pages; and page numbers. */
export function findRunning(pages: readonly NumberedPage[]): Running {
  const candidates = pages
    .toSorted((a, b) => a.number - b.number)
    .flatMap(({ number, layout }) =>
      layout.blocks.flatMap((block, index) => candidateOf(layout, block, number, index) ?? []),
    );
  const byWords = Map.groupBy(candidates, ({ text }) => text.toLowerCase().replaceAll(/\d+/gu, '0'));
  const withText = pages.filter(({ layout }) => layout.blocks.length > 0).length;
  const needed = Math.max(MIN_PAGES, MIN_SHARE * withText);
  const lines: RunningLine[] = [];
  const blocks = new Map<number, Set<number>>();
  for (const [words, same] of byWords) {
    for (const group of atOnePlace(same).flatMap(alike)) {
      const onPages = [...new Set(group.map(({ page }) => page))];
      if (onPages.length < needed) continue;
      if (/\p{L}/u.test(words) || isOneDate(group)) lines.push({ text: group[0]?.text ?? '', pages: onPages });
      for (const { page, block } of group) blocks.set(page, (blocks.get(page) ?? new Set()).add(block));
    }
  }
  return {
    lines: lines.toSorted((a, b) => (a.pages[0] ?? 0) - (b.pages[0] ?? 0) || b.pages.length - a.pages.length),
    blocks,
  };
}

/** A date in figures is no page number. */
const isOneDate = (group: readonly Candidate[]): boolean =>
  group.every(({ text }) => text === group[0]?.text) && findDates(group[0]?.text ?? '').length > 0;

function candidateOf(layout: PageLayout, block: PageBlock, page: number, index: number): Candidate | null {
  const words = block.lines.flat(2).flatMap((word) => layout.words[word] ?? []);
  if (words.length === 0 || words.length > MAX_LINE_WORDS) return null;
  const [left, top, right, bottom] = boxAround(words.map((word) => word.box));
  if (bottom > EDGE_SHARE * layout.heightPt && top < (1 - EDGE_SHARE) * layout.heightPt) return null;
  return {
    page,
    block: index,
    text: words.map((word) => word.text).join(' '),
    x: (left + right) / 2 / (layout.widthPt || 1),
    y: (top + bottom) / 2 / (layout.heightPt || 1),
  };
}

/** Candidates with the same words, apart by place. */
function atOnePlace(candidates: readonly Candidate[]): Candidate[][] {
  const groups: Candidate[][] = [];
  for (const candidate of candidates) {
    const group = groups.find(([first]) => first !== undefined && samePlace(first, candidate));
    if (group === undefined) groups.push([candidate]);
    else group.push(candidate);
  }
  return groups;
}

const samePlace = (a: Candidate, b: Candidate): boolean =>
  Math.abs(a.x - b.x) <= PLACE_SHARE && Math.abs(a.y - b.y) <= PLACE_SHARE;

/** Candidates that say the same: all of them where their numbers count the pages, else those of one wording ("Results of 2024" and of 2025 differ). */
function alike(group: readonly Candidate[]): (readonly Candidate[])[] {
  return countPages(group) ? [group] : [...Map.groupBy(group, ({ text }) => text.toLowerCase()).values()];
}

/**
 * True where each number stays the same, or counts the pages: alone from wherever it begins, among words about as the pages of the file do,
 * of which a cover or a hidden slide may not be counted.
 */
function countPages(group: readonly Candidate[]): boolean {
  const numbers = group.map(({ text }) => (text.match(/\d+/gu) ?? []).map(Number));
  const hasWords = /\p{L}{2}/u.test(group[0]?.text ?? '');
  return (numbers[0] ?? []).every((first, index) => {
    const offsets = group.map(({ page }, at) => (numbers[at]?.[index] ?? 0) - page);
    const isSame = numbers.every((own) => own[index] === first);
    const isCount = hasWords
      ? offsets.every((offset) => Math.abs(offset) <= MAX_OFFSET)
      : offsets.every((offset) => offset === offsets[0]);
    return isSame || isCount;
  });
}
