/**
 * Cuts the lines of a quote out of the picture of a page and prepares them for recognition: upright, dark on white, at the size that
 * recognition reads best, with nothing of the lines above and below.
 */
import sharp from 'sharp';
import type { QuoteLine } from '../../../domain/evidence/quote-lines.ts';
import type { GreyPicture } from './flatten.ts';
import type { Preparation } from './messages.ts';
import type { Raster } from './renderer.ts';
import { brightnessOf } from './visibility.ts';

/** Height of the prepared line in pixels, without its frame. */
const HEIGHT_PX: Readonly<Record<Preparation, number>> = { difference: 48, shade: 40, large: 64 };
/** Margin read above and below a box, in heights of the line: boxes of recognised words end with their letters. */
const MARGIN = 0.08;
/** Margin read beside a box, in heights of the line. */
const MARGIN_ALONG: Readonly<Record<Preparation, number>> = { difference: 0.12, shade: 0.12, large: 0.5 };
/** White around a prepared line, in pixels. */
const FRAME_PX = 14;
/** Longest prepared line in pixels; a line of 300 letters has about 7000. */
const MAX_WIDTH_PX = 8000;
/** Shades per channel in which the ground of a line is looked for. */
const SHADES = 32;
/** A line whose pixels differ less from their ground shows nothing. */
const MIN_CONTRAST = 12;

/** The place of a line in the picture, with its margin; null where it lies outside. */
function placeOf({ widthPx, heightPx }: Raster, { box: [left, top, right, bottom], turn }: QuoteLine, along: number) {
  const isUpright = turn === 0 || turn === 180;
  const height = isUpright ? bottom - top : right - left;
  const [beside, above] = isUpright ? [along, MARGIN] : [MARGIN, along];
  const [marginX, marginY] = [Math.max(1, beside * height), Math.max(1, above * height)];
  const x = Math.max(0, Math.floor(left - marginX));
  const y = Math.max(0, Math.floor(top - marginY));
  const width = Math.min(widthPx, Math.ceil(right + marginX)) - x;
  const tall = Math.min(heightPx, Math.ceil(bottom + marginY)) - y;
  return width > 0 && tall > 0 ? { left: x, top: y, width, height: tall } : null;
}

/** True when a line lies in the picture, at least in part. */
export const isInPicture = (picture: Raster, line: QuoteLine): boolean => placeOf(picture, line, 0) !== null;

/** The line as a picture dark on white; null where nothing is drawn in its place. */
export async function prepareLine(
  picture: Raster,
  line: QuoteLine,
  preparation: Preparation,
): Promise<GreyPicture | null> {
  const place = placeOf(picture, line, MARGIN_ALONG[preparation]);
  if (place === null) return null;
  const { widthPx, heightPx, rgb } = picture;
  const { data, info } = await sharp(rgb, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .extract(place)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const upright = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .rotate((360 - line.turn) % 360)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const dark = darkOnWhite(upright.data, preparation);
  if (dark === null) return null;
  const scale = HEIGHT_PX[preparation] / upright.info.height;
  const width = Math.max(1, Math.min(MAX_WIDTH_PX, Math.round(upright.info.width * scale)));
  const frame = { left: FRAME_PX, right: FRAME_PX, top: FRAME_PX, bottom: FRAME_PX, background: 'white' };
  const framed = await sharp(dark, { raw: { width: upright.info.width, height: upright.info.height, channels: 1 } })
    .resize(width, HEIGHT_PX[preparation], { fit: 'fill', kernel: 'cubic' })
    .extend(frame)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { widthPx: framed.info.width, heightPx: framed.info.height, grey: framed.data };
}

/** The pixels dark on white; null where all of them are alike. */
function darkOnWhite(rgb: Uint8Array, preparation: Preparation): Uint8Array | null {
  const ground = [0, 1, 2].map((channel) => mostFrequent(rgb, channel));
  const shades = Float32Array.from({ length: rgb.length / 3 }, (_, at) => {
    const pixel = [0, 1, 2].map((channel) => rgb[3 * at + channel] ?? 0);
    if (preparation === 'shade') return brightnessOf(pixel);
    return -Math.max(...pixel.map((value, channel) => Math.abs(value - (ground[channel] ?? 0))));
  });
  let [darkest, brightest] = [Infinity, -Infinity];
  for (const shade of shades) [darkest, brightest] = [Math.min(darkest, shade), Math.max(brightest, shade)];
  const contrast = brightest - darkest;
  if (contrast < MIN_CONTRAST) return null;
  const isLightOnDark = preparation === 'shade' && brightnessOf(ground) < (darkest + brightest) / 2;
  return Uint8Array.from(shades, (shade) => {
    const light = (255 * (shade - darkest)) / contrast;
    return isLightOnDark ? 255 - light : light;
  });
}

/** The shade of a channel that most pixels have. */
function mostFrequent(rgb: Uint8Array, channel: number): number {
  const counts = new Uint32Array(SHADES);
  const sums = new Float64Array(SHADES);
  for (let at = channel; at < rgb.length; at += 3) {
    const shade = Math.floor(((rgb[at] ?? 0) * SHADES) / 256);
    counts[shade] = (counts[shade] ?? 0) + 1;
    sums[shade] = (sums[shade] ?? 0) + (rgb[at] ?? 0);
  }
  const best = counts.indexOf(Math.max(...counts));
  return (sums[best] ?? 0) / (counts[best] ?? 1);
}
