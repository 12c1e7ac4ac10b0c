/**
 * Opens documents with one of the two renderers, and takes a fresh process through everything once. Called in render processes only: it
 * loads the libraries, and no more than one of them.
 */
import type { Renderer, RendererName } from './renderer.ts';
import { readLayout } from './read-layout.ts';
import { encodePageImages } from './page-images.ts';

/**
 * Opens a document with the renderer of a given name.
 *
 * @throws DeckhandError `pdf_encrypted`, `pdf_damaged`, `pdf_no_pages`
 */
export async function openRenderer(name: RendererName, bytes: Uint8Array, maxPixels: number): Promise<Renderer> {
  if (name === 'pdfium') {
    const { openPdfiumRenderer } = await import('./pdfium-renderer.ts');
    return openPdfiumRenderer(bytes);
  }
  const { openPdfToImg } = await import('./pdf-to-img-renderer.ts');
  return openPdfToImg(bytes, maxPixels);
}

/** A page with a line of text, a filled box and a curve. Readers find the objects without a table of their places. */
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
  const renderer = await openRenderer(name, Buffer.from(TINY_DECK), 200_000);
  const page = await renderer.read(1, 200_000);
  readLayout(page);
  await encodePageImages(page.raster);
}
