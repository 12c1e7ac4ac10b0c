/**
 * Puts words from two readings of one page together.
 */
import type { Box, PageWord } from './page.ts';

/** Share of the smaller box that two boxes may have in common; boxes of the text layer reach a little over their letters. */
const MAX_SHARED = 0.1;

/**
 * The words of the first reading, and after them those of the second that stand where the first has none. Order is kept.
 *
 * @example mergeWords(page.words, await ocr.read(picture, { scale }))
 */
export function mergeWords(words: readonly PageWord[], others: readonly PageWord[]): PageWord[] {
  return [...words, ...others.filter((other) => !words.some((word) => overlap(word.box, other.box)))];
}

/** Share of the letters of a word, or of several, that another reading of their place may leave out. */
const MAX_LOST_SHARE = 0.1;

/**
 * The words of two readings of one picture. Where both have something, the second counts if it is more certain of all it replaces and leaves
 * nothing out; the order is that of the first.
 */
export function mergeReadings(first: readonly PageWord[], second: readonly PageWord[]): PageWord[] {
  const replacedBy = new Map<PageWord, PageWord>();
  for (const word of second) {
    const others = first.filter((other) => overlap(other.box, word.box));
    const lost = 1 - word.text.length / others.reduce((sum, { text }) => sum + text.length, 0);
    const isBetter = others.every(
      (other) => (word.confidence ?? 0) > (other.confidence ?? 0) && !replacedBy.has(other),
    );
    if (others.length > 0 && isBetter && lost <= MAX_LOST_SHARE)
      for (const other of others) replacedBy.set(other, word);
  }
  const better = first.map((word) => replacedBy.get(word) ?? word);
  return mergeWords([...new Set(better)], second);
}

/** True when two boxes cover each other by more than the edge. A box without an area overlaps where it lies inside the other. */
function overlap(a: Box, b: Box): boolean {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width < 0 || height < 0) return false;
  const smaller = Math.min(area(a), area(b));
  return smaller === 0 || width * height > MAX_SHARED * smaller;
}

function area([left, top, right, bottom]: Box): number {
  return (right - left) * (bottom - top);
}
