/**
 * Draws pages with PDFium (compiled to WebAssembly): about three times as fast as pdf-to-img and lighter, and careful with huge images.
 *
 * It draws nothing, without saying so, where a Chinese, Japanese or Korean font is not embedded; the text layer, which comes from
 * pdfjs, still has that text.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { DeckhandError } from '../../../domain/errors.ts';
import { rasterSize, type RasterSize } from '../../../domain/decks/pdf.ts';
import type { Raster, Renderer, RendererName } from './renderer.ts';
import { encodePageImages } from './page-images.ts';
import { openPdf } from './pdfjs.ts';
import { pageText } from './text-layer.ts';
import { openPdfToImg } from './pdf-to-img-renderer.ts';

let loading: Promise<PDFiumLibrary> | undefined;

async function loadLibrary(): Promise<PDFiumLibrary> {
  const wasm = await readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm'));
  return PDFiumLibrary.init({ wasmBinary: Uint8Array.from(wasm).buffer });
}

/** Opens a document with PDFium. */
async function openPdfium(bytes: Uint8Array): Promise<Renderer> {
  loading ??= loadLibrary();
  const library = await loading;
  const document = await library.loadDocument(bytes);
  return {
    name: 'pdfium',
    async draw(pageNumber: number, size: RasterSize): Promise<Raster> {
      if (pageNumber > document.getPageCount()) {
        throw new DeckhandError('page_render_failed', `PDFium finds only ${document.getPageCount()} pages`);
      }
      // Drawing closes the page inside PDFium, so a page object is never kept.
      const drawn = await document.getPage(pageNumber - 1).render({
        width: size.widthPx,
        height: size.heightPx,
        render: 'bitmap',
        renderFormFields: true,
      });
      return { widthPx: drawn.width, heightPx: drawn.height, rgba: drawn.data };
    },
  };
}

/** Opens a document with the renderer of a given name. Called in render processes only: it loads the libraries. */
export function openRenderer(name: RendererName, bytes: Uint8Array, maxPixels: number): Promise<Renderer> {
  return name === 'pdfium' ? openPdfium(bytes) : openPdfToImg(bytes, maxPixels);
}

/** A page with a line of text, a filled box and a curve. pdfjs finds the objects without a table of their places. */
const TINY_DECK = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 96 54]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 88>>stream
.8 .9 1 rg 9 9 30 30 re f 0 g 9 9 m 20 40 60 40 80 9 c S BT /F 9 Tf 9 40 Td(Deckhand)Tj ET 
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

/**
 * Takes a tiny deck through everything that a real page goes through. The first page in a fresh process otherwise takes about three times as
 * long as the next, because code is compiled when first run.
 */
export async function warmUp(name: RendererName): Promise<void> {
  const bytes = Buffer.from(TINY_DECK);
  const document = await openPdf(bytes);
  const page = await document.getPage(1);
  const size = rasterSize({ widthPt: 96, heightPt: 54 }, 200_000);
  if (size === null) return;
  const renderer = await openRenderer(name, bytes, 200_000);
  await pageText(page);
  await encodePageImages(await renderer.draw(1, size));
  await document.loadingTask.destroy();
}
