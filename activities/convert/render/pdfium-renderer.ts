/**
 * Reads and draws pages with PDFium: about three times as fast as pdf-to-img and lighter, and careful with huge images.
 *
 * It draws nothing, without saying so, where a Chinese, Japanese or Korean font is not embedded; the text of such a page is read all the
 * same.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import { rasterSize, type RasterSize } from '../../../domain/decks/pdf.ts';
import { openWithPdfium, type PdfiumDocument, type PdfiumFunctions, type PdfiumPage, type Region } from './pdfium.ts';
import { loadPage } from './pdfium-annotations.ts';
import { pageObjects } from './pdfium-objects.ts';
import { readCharacters } from './pdfium-text.ts';
import type { Raster, ReadPage, Renderer } from './renderer.ts';
import { toPageWords } from './page-words.ts';
import { judgeCharacters } from './pdfium-visibility.ts';

/** Red, green and blue, a byte each; the page is opaque, and three bytes are drawn faster than four. */
const BITMAP_BGR = 2;
const BYTES_PER_PIXEL = 3;
const WHITE = 0xffffffff;
/** Notes and stamps that are no contents of the page are drawn. */
const RENDER_ANNOTATIONS = 0x01;
/** Red comes first. */
const RENDER_REVERSED_BYTES = 0x10;
/** PDFium wants 140 bytes for the table of callbacks, of which none is used. */
const FORM_CALLBACKS_BYTES = 256;
const FORM_CALLBACKS_VERSION = 2;

/** Opens a document with PDFium. @throws DeckhandError as {@link openWithPdfium} */
export async function openPdfiumRenderer(bytes: Uint8Array): Promise<Renderer> {
  const document = await openWithPdfium(bytes);
  const form = openForm(document);
  return {
    name: 'pdfium',
    pageCount: document.pageCount,
    read: async (pageNumber, maxPixels) => readPage(document, form, pageNumber, maxPixels),
  };
}

/** The environment in which form fields are drawn; 0 in a document without any. */
function openForm({ pdfium, document }: PdfiumDocument): number {
  if (pdfium.FPDF_GetFormType(document) === 0) return 0;
  const callbacks = pdfium.malloc(FORM_CALLBACKS_BYTES);
  new Uint8Array(pdfium.memory.buffer, callbacks, FORM_CALLBACKS_BYTES).fill(0);
  new DataView(pdfium.memory.buffer).setUint32(callbacks, FORM_CALLBACKS_VERSION, true);
  return pdfium.FPDFDOC_InitFormFillEnvironment(document, callbacks);
}

function readPage(opened: PdfiumDocument, form: number, pageNumber: number, maxPixels: number): ReadPage {
  const { pdfium, pageCount } = opened;
  if (pageNumber > pageCount) throw new DeckhandError('page_render_failed', `PDFium finds only ${pageCount} pages`);
  const page = loadPage(opened, form, pageNumber - 1);
  if (page === 0) throw new DeckhandError('page_render_failed', 'PDFium cannot load the page');
  try {
    if (form !== 0) pdfium.FORM_OnAfterLoadPage(page, form);
    const widthPt = pdfium.FPDF_GetPageWidthF(page);
    const heightPt = pdfium.FPDF_GetPageHeightF(page);
    const size = rasterSize({ widthPt, heightPt }, maxPixels);
    if (size === null)
      throw new DeckhandError('page_too_large', `a page of ${widthPt}×${heightPt} points cannot be shown`);
    const draw = (region: Region = { left: 0, top: 0, ...size }): Raster =>
      drawRegion(pdfium, page, form, size, region);
    const raster = draw();
    const loaded: PdfiumPage = { pdfium, page, widthPt, heightPt, size, draw };
    const { texts, drawing } = pageObjects(loaded);
    const judged = judgeCharacters(loaded, readCharacters(pdfium, page), { raster, texts });
    return { widthPt, heightPt, raster, drawing, ...toPageWords(judged, loaded) };
  } finally {
    if (form !== 0) pdfium.FORM_OnBeforeClosePage(page, form);
    pdfium.FPDF_ClosePage(page);
  }
}

function drawRegion(
  pdfium: PdfiumFunctions,
  page: number,
  form: number,
  size: RasterSize,
  { left, top, widthPx, heightPx }: Region,
): Raster {
  const length = widthPx * heightPx * BYTES_PER_PIXEL;
  const pixels = pdfium.malloc(length);
  if (pixels === 0) throw new DeckhandError('page_render_memory', `no memory for ${length} bytes of pixels`);
  try {
    const bitmap = pdfium.FPDFBitmap_CreateEx(widthPx, heightPx, BITMAP_BGR, pixels, widthPx * BYTES_PER_PIXEL);
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, widthPx, heightPx, WHITE);
    const place = [-left, -top, size.widthPx, size.heightPx, 0] as const;
    pdfium.FPDF_RenderPageBitmap(bitmap, page, ...place, RENDER_ANNOTATIONS | RENDER_REVERSED_BYTES);
    if (form !== 0) pdfium.FPDF_FFLDraw(form, bitmap, page, ...place, RENDER_REVERSED_BYTES);
    pdfium.FPDFBitmap_Destroy(bitmap);
    return { widthPx, heightPx, rgb: new Uint8Array(pdfium.memory.buffer, pixels, length).slice() };
  } finally {
    pdfium.free(pixels);
  }
}
