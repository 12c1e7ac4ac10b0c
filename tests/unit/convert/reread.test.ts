/** Which places of a picture show nothing, and which cannot be read. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { rereadQuote } from '../../../activities/convert/render/reread.ts';
import type { LineOcr } from '../../../activities/convert/render/ocr.ts';
import type { Raster } from '../../../activities/convert/render/renderer.ts';
import type { Box } from '../../../domain/pages/page.ts';

const BOX: Box = [20, 20, 180, 60];
/** As bright as each other. */
const [RED, GREEN] = ['rgb(255,43,0)', 'rgb(0,173,0)'];

/** A picture with one bar in the place of {@link BOX}. */
async function picture(ink: string, ground: string): Promise<Raster> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">
    <rect width="200" height="100" fill="${ground}"/><rect x="40" y="30" width="60" height="20" fill="${ink}"/></svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { widthPx: info.width, heightPx: info.height, rgb: data };
}

/** Recognition that reads the same in every line. */
const reads = (text: string): LineOcr => ({
  readLine: ({ widthPx, heightPx }) =>
    Promise.resolve({
      widthPx,
      heightPx,
      upsideDown: false,
      lines: [{ words: [{ text, confidence: 60, box: [0, 0, 9, 9] }], heightPx: 9 }],
    }),
});
const LIMITS = { cpuMs: 1000, wallMs: 1000, onProgress: () => undefined };
const reread = (pixels: Raster, box: Box = BOX) =>
  rereadQuote(reads('Hardly read'), pixels, { quote: 'Six people', lines: [{ box, turn: 0 }] }, LIMITS);

describe('a place of a quote', () => {
  it('shows something where letters differ from their ground by their colour alone', async () => {
    const { blank, readings } = await reread(await picture(RED, GREEN));
    expect({ blank, readings: readings.length }).toEqual({ blank: false, readings: 2 });
  });

  it('shows nothing where no preparation draws anything', async () => {
    expect(await reread(await picture(GREEN, GREEN))).toEqual({ readings: [], blank: true, fault: null });
  });

  it('cannot be read where it is outside the picture', async () => {
    const { blank, fault } = await reread(await picture(RED, GREEN), [300, 20, 400, 60]);
    expect({ blank, fault }).toEqual({ blank: false, fault: 'its place is outside the picture of its slide' });
  });
});
