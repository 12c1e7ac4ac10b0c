/**
 * Can a piece of text be seen on the drawn page? The pixels decide, before they are encoded.
 *
 * Text is told by its colour first: where enough of its place has that colour and enough has not, it is seen. A caller that knows more (what
 * is drawn above it, or the page without it) asks for that.
 */
import type { Box, HiddenReason } from '../../../domain/pages/page.ts';
import type { PageCharacter } from '../../../domain/pages/words.ts';
import type { Raster } from './renderer.ts';

/** Characters that are judged together: they follow each other and are drawn by one object. */
export interface Piece<C extends PageCharacter> {
  readonly characters: readonly C[];
  /** Where it is drawn, in points. */
  readonly ink: Box;
}

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** Brightness of a pixel, 0 to 255. */
export const brightnessOf = ([red = 0, green = 0, blue = 0]: readonly number[]): number =>
  0.3 * red + 0.59 * green + 0.11 * blue;

/** Letters lower than this on the kept image are too small to be read: 3 points on a slide of 960 points. */
export const TINY_PX = 4.2;
/** Least distance, in the channel that differs most, of a text's colour from what it stands on, where it is told by its colour. */
const MIN_CONTRAST = 20;
/** Least distance of two colours that can be told apart. */
const MIN_DIFFERENCE = 8;
/** Least share of a piece's place that is changed by the piece. */
const MIN_CHANGED_SHARE = 0.015;
/** Of the pixels in the place of a piece that is drawn over anything, so many have about its colour. */
const MIN_INK_SHARE = 0.02;
const MAX_INK_SHARE = 0.75;

/** Pixels of a box: left, top, right and bottom, the last two exclusive; at least one pixel, within the image. */
export function pixelsOf([left, top, right, bottom]: Box, scale: number, raster: Raster): Box {
  const { widthPx, heightPx } = raster;
  const x = Math.min(widthPx - 1, Math.max(0, Math.floor(left * scale)));
  const y = Math.min(heightPx - 1, Math.max(0, Math.floor(top * scale)));
  return [
    x,
    y,
    Math.max(x + 1, Math.min(widthPx, Math.ceil(right * scale))),
    Math.max(y + 1, Math.min(heightPx, Math.ceil(bottom * scale))),
  ];
}

/** The reason why text of this size and place cannot be seen, whatever is drawn; null where the pixels decide. */
export function hiddenByPlace(
  ink: Box,
  sizePx: number,
  page: { widthPt: number; heightPt: number },
): HiddenReason | null {
  const [left, top, right, bottom] = ink;
  const seenWidth = Math.min(right, page.widthPt) - Math.max(left, 0);
  const seenHeight = Math.min(bottom, page.heightPt) - Math.max(top, 0);
  if (!(seenWidth > 0 && seenHeight > 0 && seenWidth * seenHeight * 2 >= (right - left) * (bottom - top)))
    return 'off_page';
  return sizePx < TINY_PX ? 'tiny' : null;
}

/** True when a place has both pixels of about this colour and clearly other ones, as where text of the colour stands on something else. */
export function hasInk(raster: Raster, [left, top, right, bottom]: Box, colour: Colour): boolean {
  let least = 255;
  let most = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const distance = distanceTo(raster, x, y, colour);
      if (distance < least) least = distance;
      if (distance > most) most = distance;
    }
  }
  if (most - least < MIN_CONTRAST || least > most / 2) return false;
  const middle = (least + most) / 2;
  let near = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) if (distanceTo(raster, x, y, colour) < middle) near++;
  }
  const share = near / ((right - left) * (bottom - top));
  return share >= MIN_INK_SHARE && share <= MAX_INK_SHARE;
}

/** True when most of a place has clearly another colour. */
export function standsOut(raster: Raster, [left, top, right, bottom]: Box, colour: Colour): boolean {
  let other = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) if (distanceTo(raster, x, y, colour) >= MIN_DIFFERENCE) other++;
  }
  return other * 2 > (right - left) * (bottom - top);
}

/** True when nothing can be seen in a place: all its pixels have one colour. */
export function isUniform(raster: Raster, [left, top, right, bottom]: Box): boolean {
  const colour = colourAt(raster, left, top);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) if (distanceTo(raster, x, y, colour) >= MIN_DIFFERENCE) return false;
  }
  return true;
}

/** Side of the squares in which {@link drawnShare} looks, in pixels. */
const SQUARE_PX = 32;

/** Share of a page's squares in which something is drawn and no word of the text layer stands, 0 to 1. */
export function drawnShare(raster: Raster, words: readonly { readonly box: Box }[], scale: number): number {
  const { widthPx, heightPx } = raster;
  const covered = words.map(({ box }) => pixelsOf(box, scale, raster));
  let squares = 0;
  let drawn = 0;
  for (let y = 0; y < heightPx; y += SQUARE_PX) {
    for (let x = 0; x < widthPx; x += SQUARE_PX) {
      const square: Box = [x, y, Math.min(x + SQUARE_PX, widthPx), Math.min(y + SQUARE_PX, heightPx)];
      squares++;
      if (!isUniform(raster, square) && !covered.some((box) => touch(box, square))) drawn++;
    }
  }
  return drawn / squares;
}

/** True when two places share a part. */
export const touch = (a: Box, b: Box): boolean =>
  Math.min(a[2], b[2]) > Math.max(a[0], b[0]) && Math.min(a[3], b[3]) > Math.max(a[1], b[1]);

/**
 * True when a piece makes a difference that can be seen.
 *
 * @param without The same part of the page drawn without the piece; `left` and `top` say where it begins
 */
export function makesDifference(
  raster: Raster,
  without: { readonly raster: Raster; readonly left: number; readonly top: number },
  [left, top, right, bottom]: Box,
): boolean {
  let changed = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const colour = colourAt(without.raster, x - without.left, y - without.top);
      if (distanceTo(raster, x, y, colour) >= MIN_DIFFERENCE) changed++;
    }
  }
  return changed >= Math.max(1, MIN_CHANGED_SHARE * (right - left) * (bottom - top));
}

function colourAt({ rgb, widthPx }: Raster, x: number, y: number): Colour {
  const at = (y * widthPx + x) * 3;
  return [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0];
}

function distanceTo({ rgb, widthPx }: Raster, x: number, y: number, [red, green, blue]: Colour): number {
  const at = (y * widthPx + x) * 3;
  return Math.max(
    Math.abs((rgb[at] ?? 0) - red),
    Math.abs((rgb[at + 1] ?? 0) - green),
    Math.abs((rgb[at + 2] ?? 0) - blue),
  );
}
