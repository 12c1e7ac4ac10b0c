/** A picture of a page with some of its places alone, for recognition: it costs as much time as there is text in a picture. */
import type { Box } from '../../../domain/pages/page.ts';
import type { Raster } from './renderer.ts';
import { brightnessOf, pixelsOf } from './visibility.ts';

/** Around a place, in points: boxes of letters may end at the letter. */
const MARGIN_PT = 1.5;

/**
 * The picture of a page in which the given places are dark on white, whatever colours they have, and all else is white.
 *
 * @param boxes In points
 * @param scale Pixels per point
 */
export function onlyPlaces(raster: Raster, boxes: readonly Box[], scale: number): Raster {
  const rgb = new Uint8Array(raster.rgb.length).fill(255);
  for (const [left, top, right, bottom] of boxes) {
    const around: Box = [left - MARGIN_PT, top - MARGIN_PT, right + MARGIN_PT, bottom + MARGIN_PT];
    paint(raster, rgb, pixelsOf(around, scale, raster));
  }
  return { ...raster, rgb };
}

function paint(raster: Raster, into: Uint8Array, [left, top, right, bottom]: Box): void {
  const shades: number[] = [];
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) shades.push(shadeAt(raster, x, y));
  const ground = shades.toSorted((a, b) => a - b)[shades.length >> 1] ?? 255;
  // A large title has more pixels than a call takes arguments.
  const widest = shades.reduce((most, shade) => Math.max(most, Math.abs(shade - ground)), 1);
  let next = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const shade = 255 - Math.round((255 * Math.abs((shades[next++] ?? ground) - ground)) / widest);
      const at = (y * raster.widthPx + x) * 3;
      into.fill(Math.min(shade, into[at] ?? 255), at, at + 3);
    }
  }
}

function shadeAt({ rgb, widthPx }: Raster, x: number, y: number): number {
  const at = (y * widthPx + x) * 3;
  return Math.round(brightnessOf([rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0]));
}
