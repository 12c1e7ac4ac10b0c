/** The sign of the rupee, told from digits by its shape. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { GreyPicture } from '../../../activities/convert/render/flatten.ts';
import { looksLikeRupee } from '../../../activities/convert/render/rupee.ts';

/** Outlines in a box of 70 by 100. */
const RUPEE = 'M5 5H65M5 28H65M14 5C54 5 54 51 14 51H6M10 51L52 98';
const DIGITS = {
  0: 'M35 5C0 5 0 95 35 95C70 95 70 5 35 5',
  2: 'M6 25C10 0 60 0 62 28C62 50 20 70 6 95H65',
  3: 'M6 15C20 0 60 0 60 27C60 48 40 48 28 48C45 48 64 52 64 72C64 100 20 100 5 88',
  5: 'M60 5H16L12 45C30 34 64 40 64 68C64 100 20 100 6 88',
  6: 'M58 10C10 0 6 60 8 70C12 100 64 100 64 68C64 38 14 38 8 68',
  7: 'M5 5H65L28 95',
  8: 'M35 5C10 5 10 47 35 47C60 47 60 5 35 5M35 47C0 47 0 95 35 95C70 95 70 47 35 47',
  9: 'M62 32C60 60 8 62 8 32C8 0 62 0 62 32C64 80 40 96 14 90',
};

async function picture(path: string, strokePx: number, heightPx: number, dark = false): Promise<GreyPicture> {
  const [ground, ink] = dark ? ['#203040', '#fff'] : ['#fff', '#222'];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 -5 80 110" width="${0.8 * heightPx}" height="${1.1 * heightPx}">
    <rect x="-5" y="-5" width="80" height="110" fill="${ground}"/>
    <path d="${path}" fill="none" stroke="${ink}" stroke-width="${strokePx}"/></svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .greyscale()
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { widthPx: info.width, heightPx: info.height, grey: data };
}

/** Whether the sign is seen in a picture of one glyph. */
async function isSeen(path: string, strokePx: number, heightPx: number, dark?: boolean): Promise<boolean> {
  const drawn = await picture(path, strokePx, heightPx, dark);
  const scale = drawn.heightPx / 110;
  return looksLikeRupee(drawn, [
    Math.round(6 * scale),
    Math.round(5 * scale),
    Math.round(74 * scale),
    Math.round(104 * scale),
  ]);
}

it.each([6, 9, 11])(
  'the sign is seen with strokes of %i hundredths of its height, in any size, light or dark',
  async (stroke) => {
    for (const height of [24, 40, 90]) {
      expect(await isSeen(RUPEE, stroke, height)).toBe(true);
      expect(await isSeen(RUPEE, stroke, height, true)).toBe(true);
    }
  },
);

it('a sign over most of a slide is looked at as well', async () => {
  expect(await isSeen(RUPEE, 9, 1000)).toBe(true);
});

it.each(Object.entries(DIGITS))('%s is not taken for the sign', async (_, path) => {
  for (const stroke of [6, 9, 13])
    for (const height of [24, 40, 90]) expect(await isSeen(path, stroke, height)).toBe(false);
});
