/**
 * PDFium, compiled to WebAssembly: what is called of it, and documents opened with it.
 *
 * The package's own wrapper closes a page when it is drawn and knows no positions of characters, so the module is called directly. A
 * document is opened once and never closed, because the process ends with it; pages are closed, so memory does not grow with their number.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PDFiumModule } from '@hyzyla/pdfium';
import type { RasterSize } from '../../../domain/decks/pdf.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { refusedDocument, type Raster } from './renderer.ts';

type Pointer = number;

/** The functions in use. Pointers are addresses in the module's memory; 0 is none. Yes and no are 1 and 0. */
export interface PdfiumFunctions {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): Pointer;
  free(at: Pointer): void;
  FPDF_InitLibrary(): void;
  FPDF_LoadMemDocument(data: Pointer, bytes: number, password: Pointer): Pointer;
  FPDF_GetLastError(): number;
  FPDF_DocumentHasValidCrossReferenceTable(document: Pointer): number;
  FPDF_GetSecurityHandlerRevision(document: Pointer): number;
  FPDF_GetFormType(document: Pointer): number;
  FPDF_GetMetaText(document: Pointer, tag: Pointer, buffer: Pointer, bytes: number): number;
  FPDF_GetPageCount(document: Pointer): number;
  FPDF_GetPageSizeByIndexF(document: Pointer, index: number, size: Pointer): number;
  FPDFDoc_GetJavaScriptActionCount(document: Pointer): number;
  FPDFDoc_GetAttachmentCount(document: Pointer): number;
  FPDFDOC_InitFormFillEnvironment(document: Pointer, callbacks: Pointer): Pointer;
  FORM_OnAfterLoadPage(page: Pointer, form: Pointer): void;
  FORM_OnBeforeClosePage(page: Pointer, form: Pointer): void;
  FPDF_FFLDraw(
    form: Pointer,
    bitmap: Pointer,
    page: Pointer,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
  FPDF_LoadPage(document: Pointer, index: number): Pointer;
  FPDF_ClosePage(page: Pointer): void;
  FPDF_GetPageWidthF(page: Pointer): number;
  FPDF_GetPageHeightF(page: Pointer): number;
  FPDF_GetPageBoundingBox(page: Pointer, box: Pointer): number;
  FPDFPage_GetRotation(page: Pointer): number;
  FPDFPage_GetAnnotCount(page: Pointer): number;
  FPDFPage_GetAnnot(page: Pointer, index: number): Pointer;
  FPDFPage_CloseAnnot(annotation: Pointer): void;
  FPDFPage_Flatten(page: Pointer, usage: number): number;
  FPDFAnnot_GetSubtype(annotation: Pointer): number;
  FPDFAnnot_HasKey(annotation: Pointer, key: Pointer): number;
  FPDFAnnot_GetFlags(annotation: Pointer): number;
  FPDFAnnot_SetFlags(annotation: Pointer, flags: number): number;
  FPDFAnnot_GetStringValue(annotation: Pointer, key: Pointer, buffer: Pointer, bytes: number): number;
  FPDF_StructTree_GetForPage(page: Pointer): Pointer;
  FPDF_StructTree_Close(tree: Pointer): void;
  FPDF_StructTree_CountChildren(tree: Pointer): number;
  FPDF_StructTree_GetChildAtIndex(tree: Pointer, index: number): Pointer;
  FPDF_StructElement_GetAltText(element: Pointer, buffer: Pointer, bytes: number): number;
  FPDF_StructElement_CountChildren(element: Pointer): number;
  FPDF_StructElement_GetChildAtIndex(element: Pointer, index: number): Pointer;
  FPDFBitmap_CreateEx(width: number, height: number, format: number, pixels: Pointer, bytesPerRow: number): Pointer;
  FPDFBitmap_FillRect(bitmap: Pointer, left: number, top: number, width: number, height: number, argb: number): number;
  FPDFBitmap_Destroy(bitmap: Pointer): void;
  FPDF_RenderPageBitmap(
    bitmap: Pointer,
    page: Pointer,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
  FPDFText_LoadPage(page: Pointer): Pointer;
  FPDFText_ClosePage(text: Pointer): void;
  FPDFText_CountChars(text: Pointer): number;
  FPDFText_GetUnicode(text: Pointer, index: number): number;
  FPDFText_IsGenerated(text: Pointer, index: number): number;
  FPDFText_IsHyphen(text: Pointer, index: number): number;
  FPDFText_HasUnicodeMapError(text: Pointer, index: number): number;
  FPDFText_GetFontSize(text: Pointer, index: number): number;
  FPDFText_GetFontInfo(text: Pointer, index: number, name: Pointer, bytes: number, flags: Pointer): number;
  FPDFText_GetFontWeight(text: Pointer, index: number): number;
  FPDFText_GetMatrix(text: Pointer, index: number, matrix: Pointer): number;
  FPDFText_GetLooseCharBox(text: Pointer, index: number, box: Pointer): number;
  FPDFText_GetCharBox(
    text: Pointer,
    index: number,
    left: Pointer,
    right: Pointer,
    bottom: Pointer,
    top: Pointer,
  ): number;
  FPDFText_GetTextObject(text: Pointer, index: number): Pointer;
  FPDFTextObj_GetFont(object: Pointer): Pointer;
  FPDFTextObj_GetTextRenderMode(object: Pointer): number;
  FPDFFont_GetIsEmbedded(font: Pointer): number;
  FPDFPage_CountObjects(page: Pointer): number;
  FPDFPage_GetObject(page: Pointer, index: number): Pointer;
  FPDFFormObj_CountObjects(form: Pointer): number;
  FPDFFormObj_GetObject(form: Pointer, index: number): Pointer;
  FPDFPageObj_GetType(object: Pointer): number;
  FPDFPageObj_GetBounds(object: Pointer, left: Pointer, bottom: Pointer, right: Pointer, top: Pointer): number;
  FPDFPageObj_GetMatrix(object: Pointer, matrix: Pointer): number;
  FPDFPageObj_GetFillColor(object: Pointer, red: Pointer, green: Pointer, blue: Pointer, alpha: Pointer): number;
  FPDFPageObj_GetStrokeColor(object: Pointer, red: Pointer, green: Pointer, blue: Pointer, alpha: Pointer): number;
  FPDFPageObj_CountMarks(object: Pointer): number;
  FPDFPageObj_GetMark(object: Pointer, index: number): Pointer;
  FPDFPageObjMark_GetName(mark: Pointer, name: Pointer, bytes: number, length: Pointer): number;
  FPDFPageObj_SetIsActive(object: Pointer, active: number): number;
  FPDFPath_CountSegments(path: Pointer): number;
  FPDFPath_GetDrawMode(path: Pointer, fillMode: Pointer, stroke: Pointer): number;
}

/** Why PDFium could not open a document. */
const PASSWORD_ERROR = 4;

let loading: Promise<PdfiumFunctions> | undefined;

/** The module, loaded once in a process. */
export function loadPdfium(): Promise<PdfiumFunctions> {
  loading ??= (async () => {
    const wasm = await readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm'));
    const { wasmExports } = await PDFiumModule({
      wasmBinary: Uint8Array.from(wasm).buffer,
      // Never called, because the binary is given; without it the module would look for its file.
      locateFile: () => '',
    });
    // The package's types name two of the functions.
    const pdfium = wasmExports as unknown as PdfiumFunctions;
    pdfium.FPDF_InitLibrary();
    return pdfium;
  })();
  return loading;
}

/** A document that PDFium has opened. */
export interface PdfiumDocument {
  readonly pdfium: PdfiumFunctions;
  readonly document: Pointer;
  readonly pageCount: number;
}

/**
 * Opens a document.
 *
 * @throws DeckhandError `pdf_encrypted` (it wants a password), `pdf_damaged` (no document can be made of it), `pdf_no_pages`,
 *   `page_render_memory`
 */
export async function openWithPdfium(bytes: Uint8Array): Promise<PdfiumDocument> {
  const pdfium = await loadPdfium();
  const data = pdfium.malloc(bytes.length);
  if (data === 0) throw new DeckhandError('page_render_memory', `no memory for ${bytes.length} bytes of a document`);
  new Uint8Array(pdfium.memory.buffer, data, bytes.length).set(bytes);
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, 0);
  if (document === 0) {
    pdfium.free(data);
    throw openingError(pdfium.FPDF_GetLastError());
  }
  const pageCount = pdfium.FPDF_GetPageCount(document);
  if (pageCount < 1) throw refusedDocument('pdf_no_pages', 'the page tree is empty');
  return { pdfium, document, pageCount };
}

const openingError = (code: number): DeckhandError =>
  code === PASSWORD_ERROR
    ? refusedDocument('pdf_encrypted', 'PDFium asks for a password')
    : refusedDocument('pdf_damaged', `PDFium cannot open the document: error ${code}`);

/** A part of a drawn page, in pixels. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A loaded page and how it is drawn. */
export interface PdfiumPage {
  readonly pdfium: PdfiumFunctions;
  readonly page: number;
  readonly widthPt: number;
  readonly heightPt: number;
  readonly size: RasterSize;
  /** Draws the page, or a part of it, as it is now. */
  draw(region?: Region): Raster;
}
