/**
 * Reads pages with pdfjs and draws them with pdf-to-img (pdfjs on a Skia canvas): for pages that PDFium cannot show.
 *
 * pdf-to-img has one scale for a whole document and returns encoded images only. Both are met from outside: the scale is a getter that
 * it reads for each page, and the canvas it draws on comes from our factory, which hands out raw pixels (encoding a PNG only to decode
 * it again takes longer than drawing) and refuses canvases beyond the pixel limit.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import { rasterSize, type RasterSize } from '../../../domain/decks/pdf.ts';
import { joinCharacters, type PageCharacter } from '../../../domain/pages/words.ts';
import { WITHOUT_FONT } from './page-space.ts';
import { toPageWords, type JudgedCharacter } from './page-words.ts';
import { openPdf, requireAsPdfjs, SAFE_PDFJS_OPTIONS } from './pdfjs.ts';
import { readPdfjsCharacters } from './pdfjs-text.ts';
import type { Raster, ReadPage, Renderer } from './renderer.ts';
import { drawnShare, hiddenByPlace, isUniform, pixelsOf } from './visibility.ts';

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

/**
 * Opens a document with pdfjs and pdf-to-img. A page's own canvas has at most `maxPixels`; intermediate ones may have a few times as much.
 *
 * @throws DeckhandError as {@link openPdf}
 */
export async function openPdfToImg(bytes: Uint8Array, maxPixels: number): Promise<Renderer> {
  const text = await openPdf(bytes);
  const draw = await openForDrawing(bytes, maxPixels);
  return {
    name: 'pdf-to-img',
    pageCount: text.numPages,
    async read(pageNumber: number, maxPixels: number): Promise<ReadPage> {
      const page = await text.getPage(pageNumber);
      const { width: widthPt, height: heightPt } = page.getViewport({ scale: 1 });
      const size = rasterSize({ widthPt, heightPt }, maxPixels);
      if (size === null)
        throw new DeckhandError('page_too_large', `a page of ${widthPt}×${heightPt} points cannot be shown`);
      const characters = await readPdfjsCharacters(page);
      page.cleanup();
      const raster = await draw(pageNumber, size);
      const judged = judgeByPixels(characters, raster, { widthPt, heightPt, scale: size.scale });
      const read = toPageWords(judged, { widthPt, heightPt });
      // pdfjs does not tell what is drawn either; the pixels beside the text do.
      const drawing = { pictureShare: drawnShare(raster, read.words, size.scale), pictures: [], shapes: [], paths: 0 };
      return { widthPt, heightPt, raster, drawing, ...read };
    },
  };
}

/** pdfjs does not tell colours of text, so text is taken for hidden only where nothing at all can be seen in its place. */
function judgeByPixels(
  characters: readonly PageCharacter[],
  raster: Raster,
  page: { readonly widthPt: number; readonly heightPt: number; readonly scale: number },
): JudgedCharacter[] {
  const { scale } = page;
  return joinCharacters(characters).flatMap(({ word, characters: own }) => {
    const isEmpty = !WITHOUT_FONT.test(word.text) && isUniform(raster, pixelsOf(word.box, scale, raster));
    const hidden = hiddenByPlace(word.box, word.sizePt * scale, page) ?? (isEmpty ? 'same_colour' : null);
    // A word ends here, whatever follows.
    const space: PageCharacter = { text: ' ', box: word.box, sizePt: word.sizePt, turn: word.turn, bold: false };
    return [...own, space].map((character) => ({ character, hidden }));
  });
}

/** The drawing function of a document. */
async function openForDrawing(
  bytes: Uint8Array,
  maxPixels: number,
): Promise<(pageNumber: number, size: RasterSize) => Promise<Raster>> {
  const { pdf } = await import('pdf-to-img');
  let scale = 1;
  const document = await pdf(bytes, {
    get scale() {
      return scale;
    },
    format: 'png',
    docInitParams: { ...SAFE_PDFJS_OPTIONS, CanvasFactory: rawCanvasFactory(maxPixels * INTERMEDIATE_FACTOR) },
  });
  return async (pageNumber, size) => {
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
    return { widthPx, heightPx, rgb: withoutAlpha(rgba) };
  };
}

/** Pages are opaque. */
function withoutAlpha(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
    rgb[to] = rgba[from] ?? 0;
    rgb[to + 1] = rgba[from + 1] ?? 0;
    rgb[to + 2] = rgba[from + 2] ?? 0;
  }
  return rgb;
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
