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

/** Share of the letters of a place that another reading of it may leave out. */
const MAX_LOST_SHARE = 0.1;

/** What two readings have at one place: words of each that overlap each other. */
interface Place {
  first: PageWord[];
  second: PageWord[];
}

/**
 * The words of two readings of one picture. Where both have something, the second counts if it is more certain of all its words there and
 * leaves nothing out; the order is that of the first.
 */
export function mergeReadings(first: readonly PageWord[], second: readonly PageWord[]): PageWord[] {
  const places = placesOf(first, second);
  const kept = first.flatMap((word) => {
    const place = places.find((each) => each.first.includes(word));
    if (place === undefined || !isBetter(place)) return [word];
    return place.first[0] === word ? place.second : [];
  });
  return mergeWords(kept, second);
}

/** A word of so much smaller letters is another one, however a box around large letters reaches over it. */
const SMALLER = 0.4;

/**
 * The words of readings, and those of a reading of large glyphs alone, which stand where the others have none, or take the place of what is
 * less certain and of pieces of them. A word that is known already is left out: its box in a small picture is not exact. Order is kept.
 *
 * @param beside words of the page that are known otherwise
 */
export function addLarge(
  words: readonly PageWord[],
  large: readonly PageWord[],
  beside: readonly PageWord[],
): PageWord[] {
  return large.reduce<PageWord[]>(
    (known, word) => {
      if ([...known, ...beside].some(({ text }) => lettersOf(text) === lettersOf(word.text))) return known;
      const beneath = known.filter((other) => overlap(other.box, word.box) && other.sizePt > SMALLER * word.sizePt);
      const [first] = beneath;
      if (first === undefined) return [...known, word];
      const isPieces = lengthOf(beneath) < word.text.length && beneath.every(({ text }) => word.text.includes(text));
      if (!isPieces && !isBetter({ first: beneath, second: [word] })) return known;
      return known.flatMap((other) => (other === first ? [word] : beneath.includes(other) ? [] : [other]));
    },
    [...words],
  );
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The places where both readings have words. */
function placesOf(first: readonly PageWord[], second: readonly PageWord[]): Place[] {
  let places: Place[] = [];
  for (const word of second) {
    const beneath = first.filter((other) => overlap(other.box, word.box));
    const touched = places.filter((place) => place.first.some((other) => beneath.includes(other)));
    const together = new Set([...touched.flatMap((place) => place.first), ...beneath]);
    places = places.filter((place) => !touched.includes(place));
    if (together.size > 0)
      places.push({
        first: first.filter((other) => together.has(other)),
        second: [...touched.flatMap((place) => place.second), word],
      });
  }
  return places;
}

function isBetter({ first, second }: Place): boolean {
  const least = Math.min(...second.map(({ confidence }) => confidence ?? 0));
  const lost = 1 - lengthOf(second) / lengthOf(first);
  return first.every(({ confidence }) => least > (confidence ?? 0)) && lost <= MAX_LOST_SHARE;
}

/** Letters and signs of texts together. */
export const lengthOf = (texts: readonly { readonly text: string }[]): number =>
  texts.reduce((sum, { text }) => sum + text.length, 0);

/** True when two boxes cover each other by more than the edge. A box without an area overlaps where it lies inside the other. */
export function overlap(a: Box, b: Box): boolean {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width < 0 || height < 0) return false;
  const smaller = Math.min(area(a), area(b));
  return smaller === 0 || width * height > MAX_SHARED * smaller;
}

function area([left, top, right, bottom]: Box): number {
  return (right - left) * (bottom - top);
}
