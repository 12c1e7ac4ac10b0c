/**
 * Form fields and notes of a page become part of its contents, so that their words are read, judged and drawn as all others are.
 */
import type { PdfiumDocument, PdfiumFunctions } from './pdfium.ts';

/** Kinds of annotations that can show words: FreeText, Stamp, Widget (a form field), Watermark. */
const WITH_WORDS = new Set([3, 12, 20, 24]);
const FLAG_HIDDEN = 1 << 1;
const FLAG_NO_VIEW = 1 << 5;
/** As on a screen, not as printed. */
const FLATTEN_FOR_DISPLAY = 0;

/** Loads a page (numbered from 0) with its fields and notes as contents; 0 when it cannot be loaded. */
export function loadPage(opened: PdfiumDocument, form: number, index: number): number {
  const { pdfium, document } = opened;
  const page = pdfium.FPDF_LoadPage(document, index);
  if (page === 0 || !hasWordsInAnnotations(pdfium, page)) return page;
  // Fields without a drawn form get one from their value.
  if (form !== 0) pdfium.FORM_OnAfterLoadPage(page, form);
  if (form !== 0) pdfium.FORM_OnBeforeClosePage(page, form);
  pdfium.FPDFPage_Flatten(page, FLATTEN_FOR_DISPLAY);
  pdfium.FPDF_ClosePage(page);
  return pdfium.FPDF_LoadPage(document, index);
}

/**
 * True when some annotation can show words, and none belongs to a layer, which contents would lose. Those that are not to be viewed are
 * hidden, because contents always show.
 */
function hasWordsInAnnotations(pdfium: PdfiumFunctions, page: number): boolean {
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  if (count <= 0) return false;
  const key = pdfium.malloc(4);
  new Uint8Array(pdfium.memory.buffer, key, 3).set(Buffer.from('OC\0'));
  let withWords = false;
  let withLayer = false;
  for (let index = 0; index < count; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    withWords ||= WITH_WORDS.has(pdfium.FPDFAnnot_GetSubtype(annotation));
    withLayer ||= pdfium.FPDFAnnot_HasKey(annotation, key) === 1;
    const flags = pdfium.FPDFAnnot_GetFlags(annotation);
    if ((flags & FLAG_NO_VIEW) !== 0) pdfium.FPDFAnnot_SetFlags(annotation, flags | FLAG_HIDDEN);
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
  pdfium.free(key);
  return withWords && !withLayer;
}
