/**
 * One pass of a tiny deck through everything that a real page goes through, before there is a real page.
 *
 * The first page in a fresh process otherwise takes about three times as long as the next, because code is compiled when first run.
 */
import { rasterSize } from '../../../domain/decks/pdf.ts';
import { openRenderer } from './open-renderer.ts';
import { encodePageImages } from './page-images.ts';
import { openPdf } from './pdfjs.ts';
import type { RendererName } from './renderer.ts';
import { pageText } from './text-layer.ts';

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

/** Draws the tiny deck once, small, and throws the result away. */
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
