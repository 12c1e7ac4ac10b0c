/**
 * Makes a picture of a page dark on white, whatever colours it has: text in coloured boxes and circles is not told from its ground by one
 * threshold for the whole page.
 */
import sharp from 'sharp';

/** A picture: rows from the top, one byte for each pixel. */
export interface GreyPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly grey: Uint8Array;
}

/** Squares of a hundredth of the page's width, each with its mean shade. */
const SQUARES_ACROSS = 112;
/** The ground of a place is the median of so many squares by as many: wide enough for large letters, narrower than most boxes. */
const MEDIAN_SQUARES = 9;
/** Light text on a light ground becomes grey. */
const CONTRAST = 1.5;

/** The difference of each pixel from the ground of its place, dark on white. */
export async function flattened(picture: GreyPicture): Promise<GreyPicture> {
  const { widthPx, heightPx, grey } = picture;
  const ground = await groundOf(picture);
  const flat = new Uint8ClampedArray(grey.length);
  for (let at = 0; at < flat.length; at++) flat[at] = 255 - CONTRAST * Math.abs((grey[at] ?? 0) - (ground[at] ?? 0));
  return { widthPx, heightPx, grey: new Uint8Array(flat.buffer) };
}

/** Near white: a white logo on a photograph is told from it by this alone. */
const NEAR_WHITE = 200;

/** Draws near-white parts in black on white. @param rgb three bytes for each pixel */
export function whiteAlone({
  widthPx,
  heightPx,
  rgb,
}: { readonly rgb: Uint8Array } & Omit<GreyPicture, 'grey'>): GreyPicture {
  const grey = new Uint8Array(widthPx * heightPx);
  for (let at = 0; at < grey.length; at++) {
    const darkest = Math.min(rgb[at * 3] ?? 0, rgb[at * 3 + 1] ?? 0, rgb[at * 3 + 2] ?? 0);
    grey[at] = darkest > NEAR_WHITE ? 0 : 255;
  }
  return { widthPx, heightPx, grey };
}

async function groundOf({ widthPx, heightPx, grey }: GreyPicture): Promise<Uint8Array> {
  const squarePx = widthPx / SQUARES_ACROSS;
  const [width, height] = [widthPx, heightPx].map((side) => Math.max(3, Math.round(side / squarePx))) as [
    number,
    number,
  ];
  const squares = await sharp(grey, raw(widthPx, heightPx))
    .resize(width, height, { fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const medians = await sharp(squares, raw(width, height)).median(MEDIAN_SQUARES).toColourspace('b-w').raw().toBuffer();
  return sharp(medians, raw(width, height))
    .resize(widthPx, heightPx, { fit: 'fill', kernel: 'linear' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
}

const raw = (width: number, height: number) => ({ raw: { width, height, channels: 1 } }) as const;
