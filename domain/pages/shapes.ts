/** Shapes drawn around and between words. */
import type { Box } from './page.ts';

/** Most shapes that are kept of a page, the longest ones; a map or a pattern has more, which divide nothing. */
export const MAX_SHAPES = 600;
/** Shorter shapes are list marks, ticks and dashes, in points. */
const MIN_LENGTH_PT = 6;

/** The shapes that may divide words, once each, as far as they lie on the page, to a tenth of a point. */
export function dividingShapes(
  shapes: readonly Box[],
  { widthPt, heightPt }: { readonly widthPt: number; readonly heightPt: number },
): Box[] {
  const kept = new Map<string, Box>();
  for (const shape of shapes) {
    const [left, top, right, bottom] = shape.map((pt, side) =>
      tenths(clamped(pt, side % 2 === 0 ? widthPt : heightPt)),
    );
    if (left === undefined || top === undefined || right === undefined || bottom === undefined) continue;
    if (right < left || bottom < top) continue;
    const box: Box = [left, top, right, bottom];
    if (longest(box) >= MIN_LENGTH_PT) kept.set(box.join(' '), box);
  }
  const all = [...kept.values()];
  return all.length <= MAX_SHAPES ? all : all.toSorted((a, b) => longest(b) - longest(a)).slice(0, MAX_SHAPES);
}

const longest = ([left, top, right, bottom]: Box): number => Math.max(right - left, bottom - top);

/** A place that is no number lies nowhere: such a shape has no length. */
const clamped = (pt: number, most: number): number => (Number.isFinite(pt) ? Math.min(Math.max(0, pt), most) : 0);
/** Rounded down, so that nothing leaves the page. */
const tenths = (pt: number): number => Math.floor(pt * 10) / 10;
