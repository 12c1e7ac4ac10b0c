/** Geometry of the slide viewer: sizes in CSS pixels, scales in CSS pixels per point of the page. */
import type { Box } from '../../../domain/pages/page.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** 100 %: a point is 1/72 inch and a CSS pixel 1/96 inch. */
export const ACTUAL_SCALE = 96 / 72;
/** Each step of the zoom. */
const STEP = 1.25;
const LIMITS = { smallest: 0.1, largest: 8 } as const;

/** The scale at which a page fits into a view. */
export const fitScale = (page: Size, view: Size): number =>
  view.width <= 0 || view.height <= 0
    ? LIMITS.smallest
    : Math.max(LIMITS.smallest, Math.min(view.width / page.width, view.height / page.height));

/** Keeps a scale within what can be shown. */
export const limitedScale = (scale: number): number => Math.min(LIMITS.largest, Math.max(LIMITS.smallest, scale));

/** A step in or out. */
export const stepScale = (scale: number, direction: 'in' | 'out'): number =>
  limitedScale(direction === 'in' ? scale * STEP : scale / STEP);

/**
 * Where to scroll after a change of the scale, so that what was under a point of the view stays there. One direction.
 *
 * @param scroll how far the content was scrolled
 * @param at distance of the point from the edge of the view
 * @param factor new scale by old scale
 */
export const scrollKeeping = (scroll: number, at: number, factor: number): number =>
  Math.max(0, (scroll + at) * factor - at);

/** Where to scroll so that a box of the page is in the middle of the view. */
export function scrollToBox(
  [left, top, right, bottom]: Readonly<Box>,
  scale: number,
  view: Size,
): {
  readonly left: number;
  readonly top: number;
} {
  return {
    left: Math.max(0, ((left + right) / 2) * scale - view.width / 2),
    top: Math.max(0, ((top + bottom) / 2) * scale - view.height / 2),
  };
}
