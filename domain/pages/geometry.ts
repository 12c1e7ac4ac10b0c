/**
 * Boxes in the direction in which their text is read, and the search for what lies near.
 *
 * Text that is turned is laid out as if the page were turned back: in its frame it runs from left to right, and lines follow downwards.
 */
import type { Box, PageWord } from './page.ts';

/** A rectangle in a frame: x to the right along the text, y downwards, in points. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Top to bottom, then left to right. */
export const byRows = (a: Rect, b: Rect): number =>
  a.top - b.top || a.left - b.left || a.bottom - b.bottom || a.right - b.right;

export type Turn = PageWord['turn'];

/** A box of the page in the frame of text that is turned by `turn`. */
export function toFrame([left, top, right, bottom]: Box, turn: Turn, widthPt: number, heightPt: number): Rect {
  switch (turn) {
    case 0:
      return { left, top, right, bottom };
    case 90:
      return { left: top, top: widthPt - right, right: bottom, bottom: widthPt - left };
    case 180:
      return { left: widthPt - right, top: heightPt - bottom, right: widthPt - left, bottom: heightPt - top };
    case 270:
      return { left: heightPt - bottom, top: left, right: heightPt - top, bottom: right };
  }
}

/** The smallest rectangle around all of them. */
export function around(rects: readonly Rect[]): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const rect of rects) {
    left = Math.min(left, rect.left);
    top = Math.min(top, rect.top);
    right = Math.max(right, rect.right);
    bottom = Math.max(bottom, rect.bottom);
  }
  return { left, top, right, bottom };
}

/** By how much two rectangles lie beside each other at the same height; negative = by how much they miss each other. */
export const sharedHeight = (a: Rect, b: Rect): number => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);

/** By how much two rectangles lie above each other; negative = by how much they miss each other. */
export const sharedWidth = (a: Rect, b: Rect): number => Math.min(a.right, b.right) - Math.max(a.left, b.left);

export const middleY = (rect: Rect): number => (rect.top + rect.bottom) / 2;
export const centreX = (rect: Rect): number => (rect.left + rect.right) / 2;

/** The middle value, the lower of two; 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}

/** Things in bands of the page's height, for searches by height. */
export class Bands<T> {
  readonly #bandPt: number;
  readonly #bands = new Map<number, T[]>();

  /** @param things In the order in which each band keeps them. */
  constructor(things: readonly T[], yOf: (thing: T) => number, bandPt: number) {
    this.#bandPt = bandPt;
    for (const thing of things) {
      const band = Math.floor(yOf(thing) / bandPt);
      const kept = this.#bands.get(band);
      if (kept === undefined) this.#bands.set(band, [thing]);
      else kept.push(thing);
    }
  }

  /** The bands that hold something between two heights, each in its kept order; things next to the range are included. */
  *between(fromPt: number, toPt: number): Generator<readonly T[]> {
    const [first, last] = [Math.floor(fromPt / this.#bandPt), Math.floor(toPt / this.#bandPt)];
    if (last - first > this.#bands.size) {
      for (const [band, things] of this.#bands) if (band >= first && band <= last) yield things;
      return;
    }
    for (let band = first; band <= last; band++) {
      const things = this.#bands.get(band);
      if (things !== undefined) yield things;
    }
  }
}
