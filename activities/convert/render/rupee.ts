/**
 * The sign of the rupee, which recognition does not know: it takes it for a digit, so that ₹2.08 becomes 22.08 or 32.08. Its shape tells: on
 * the left it has two bars in the upper third, where a digit has one stroke at most.
 */
import type { Box } from '../../../domain/pages/page.ts';
import type { GreyPicture } from './flatten.ts';

/** Columns that are looked at, as shares of the width of the sign: right of them its bow joins the bars. */
const FIRST_COLUMN = 0.15;
const LAST_COLUMN = 0.5;
/** Middle of the upper bar and of the lower one, at most, as shares of the height. */
const UPPER_BAR = 0.2;
const LOWER_BAR = 0.36;
/** Middle of the stroke below them, which closes the bow and may run into the leg. */
const END_OF_BOW = 0.68;
/** Share of the columns that have both. */
const MIN_COLUMNS = 0.6;
const MIN_HEIGHT_PX = 10;

/** True when what stands in a box, in pixels, has the shape of the sign. */
export function looksLikeRupee({ widthPx, heightPx, grey }: GreyPicture, [left, top, right, bottom]: Box): boolean {
  if (left < 0 || top < 0 || right > widthPx || bottom > heightPx || bottom - top < MIN_HEIGHT_PX) return false;
  const at = (x: number, y: number): number => grey[y * widthPx + x] ?? 255;
  const shades: number[] = [];
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) shades.push(at(x, y));
  // A large sign has more pixels than a call takes arguments.
  let [darkest, lightest] = [Infinity, -Infinity];
  for (const shade of shades) [darkest, lightest] = [Math.min(darkest, shade), Math.max(lightest, shade)];
  const middle = (darkest + lightest) / 2;
  // Heavy letters cover more than half of their box, so the ground is what is above it.
  const above = Array.from({ length: right - left }, (_, index) => at(left + index, Math.max(0, top - 2)));
  const isDark = above.filter((shade) => shade >= middle).length * 2 > above.length;
  const isInk = (x: number, y: number): boolean => at(x, y) < middle === isDark;
  const [from, to] = [FIRST_COLUMN, LAST_COLUMN].map((share) => Math.round(left + share * (right - left))) as [
    number,
    number,
  ];
  let both = 0;
  for (let x = from; x < to; x++) {
    const [upper = 1, lower = 1, bow = 1] = strokesOf(top, bottom, (y) => isInk(x, y));
    if (upper <= UPPER_BAR && lower <= LOWER_BAR && bow <= END_OF_BOW) both++;
  }
  return to > from && both >= MIN_COLUMNS * (to - from);
}

/** Middles of the strokes that a column crosses, from the top, as shares of its height. */
function strokesOf(top: number, bottom: number, isInk: (y: number) => boolean): number[] {
  const strokes: number[] = [];
  for (let y = top; y < bottom; y++) {
    if (!isInk(y)) continue;
    let end = y;
    while (end + 1 < bottom && isInk(end + 1)) end++;
    strokes.push(((y + end + 1) / 2 - top) / (bottom - top));
    y = end;
  }
  return strokes;
}
