/**
 * Turns one drawn page into the two JPEG images that are kept: the artefact for people and the smaller image for models.
 *
 * Both come from the same raster: a page is drawn once.
 */
import sharp, { type Sharp } from 'sharp';
import { JPEG_QUALITY, modelCanvas, modelWidthPx } from '../../../domain/decks/pdf.ts';
import type { Raster } from './renderer.ts';

// One page at a time in each process; the other cores belong to other processes. A cache would only cost memory.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Full colour resolution keeps the edges of coloured text sharp. Optimised Huffman tables would make the files 6 % smaller and the
 * encoding almost three times as long.
 */
const JPEG = { quality: JPEG_QUALITY, chromaSubsampling: '4:4:4', optimiseCoding: false } as const;

/** Both images of a page as JPEG. */
export async function encodePageImages(raster: Raster): Promise<{ artefact: Buffer; model: Buffer }> {
  const { widthPx, heightPx, rgb } = raster;
  // Not a clone of one another: that would copy the pixels.
  const page = () => sharp(rgb, { raw: { width: widthPx, height: heightPx, channels: 3 } });
  const [artefact, model] = await Promise.all([page().jpeg(JPEG).toBuffer(), modelImage(page(), raster)]);
  return { artefact, model };
}

/** With white around it where a model needs more of a narrow page; never stretched. */
async function modelImage(page: Sharp, { widthPx, heightPx }: Raster): Promise<Buffer> {
  const width = modelWidthPx(widthPx);
  const height = Math.max(1, Math.round((heightPx * width) / widthPx));
  const canvas = modelCanvas({ widthPx: width, heightPx: height });
  const [wider, higher] = [canvas.widthPx - width, canvas.heightPx - height];
  if (wider + higher === 0) return page.resize(width).jpeg(JPEG).toBuffer();
  const [left, top] = [Math.floor(wider / 2), Math.floor(higher / 2)];
  return page
    .resize(width, height, { fit: 'fill' })
    .extend({ left, right: wider - left, top, bottom: higher - top, background: 'white' })
    .jpeg(JPEG)
    .toBuffer();
}
