/**
 * Draws pages with pdf-to-img (pdfjs on a Skia canvas): the named default renderer.
 *
 * pdf-to-img has one scale for a whole document and returns encoded images only. Both are met from outside: the scale is a getter that
 * it reads for each page, and the canvas it draws on comes from our factory, which hands out raw pixels (encoding a PNG only to decode
 * it again takes longer than drawing) and refuses canvases beyond the pixel limit.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import type { RasterSize } from '../../../domain/decks/pdf.ts';
import { requireAsPdfjs, SAFE_PDFJS_OPTIONS } from './pdfjs.ts';
import type { Raster, Renderer } from './renderer.ts';

/** As much of a Skia canvas as is used here. */
interface Canvas {
  width: number;
  height: number;
  getContext(kind: '2d'): object;
  /** The pixels as they lie in memory: red, green, blue, alpha. */
  data(): Buffer;
}

/** A canvas and its context, as pdfjs passes them around. */
interface CanvasAndContext {
  canvas: Canvas | null;
  context: object | null;
}

interface CanvasModule {
  readonly createCanvas: (width: number, height: number) => Canvas;
}

/** Intermediate canvases (soft masks, patterns) may be somewhat larger than the page. */
const INTERMEDIATE_FACTOR = 4;

/** Opens a document with pdf-to-img. `maxPixels` bounds a page's own canvas; intermediate ones may have a few times as much. */
export async function openPdfToImg(bytes: Uint8Array, maxPixels: number): Promise<Renderer> {
  const { pdf } = await import('pdf-to-img');
  let scale = 1;
  const document = await pdf(bytes, {
    get scale() {
      return scale;
    },
    format: 'png',
    docInitParams: { ...SAFE_PDFJS_OPTIONS, CanvasFactory: rawCanvasFactory(maxPixels * INTERMEDIATE_FACTOR) },
  });
  return {
    name: 'pdf-to-img',
    async draw(pageNumber: number, size: RasterSize): Promise<Raster> {
      scale = size.scale;
      const rgba = await document.getPage(pageNumber);
      const widthPx = size.widthPx;
      const heightPx = rgba.length / 4 / widthPx;
      if (!Number.isInteger(heightPx)) {
        throw new DeckhandError(
          'page_render_failed',
          `pdf-to-img drew ${rgba.length} bytes, which is no multiple of ${widthPx} pixels`,
        );
      }
      return { widthPx, heightPx, rgba };
    },
  };
}

/** A canvas factory for pdfjs whose canvases give raw pixels where pdf-to-img asks for an encoded image. */
function rawCanvasFactory(maxPixels: number): new () => object {
  const { createCanvas } = requireAsPdfjs('@napi-rs/canvas') as CanvasModule;
  const sized = (width: number, height: number): [number, number] => {
    const size: [number, number] = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))];
    if (!(size[0] * size[1] <= maxPixels)) {
      throw new DeckhandError(
        'page_too_large',
        `a canvas of ${size[0]}×${size[1]} pixels was asked for; the limit is ${maxPixels} pixels`,
      );
    }
    return size;
  };
  return class RawCanvasFactory {
    create(width: number, height: number): CanvasAndContext {
      const canvas = createCanvas(...sized(width, height));
      Object.defineProperty(canvas, 'toBuffer', { value: () => canvas.data() });
      return { canvas, context: canvas.getContext('2d') };
    }

    reset(target: CanvasAndContext, width: number, height: number): void {
      if (target.canvas !== null) [target.canvas.width, target.canvas.height] = sized(width, height);
    }

    destroy(target: CanvasAndContext): void {
      // A canvas keeps its pixels until it is collected, so shrink it now.
      if (target.canvas !== null) target.canvas.width = target.canvas.height = 1;
      target.canvas = null;
      target.context = null;
    }
  };
}
