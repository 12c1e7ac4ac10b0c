/**
 * How documents are opened with pdfjs: nothing evaluated, no XFA, no fonts or colour profiles from anywhere but its own package.
 *
 * pdfjs keeps its parser in a global, so two versions of it in one process break each other: the pinned pdfjs-dist must be the one that
 * pdf-to-img depends on.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DeckhandError } from '../../../domain/errors.ts';
import { refusedDocument } from './renderer.ts';

export type PdfDocument = pdfjs.PDFDocumentProxy;
export type PdfPage = pdfjs.PDFPageProxy;
/** Information of a document, and its XMP packet. */
export type DocumentMetadata = Awaited<ReturnType<PdfDocument['getMetadata']>>;

const pdfjsFile = createRequire(import.meta.url).resolve('pdfjs-dist/legacy/build/pdf.mjs');
const pdfjsFolder = path.resolve(path.dirname(pdfjsFile), '../..');
/** Resolves modules as pdfjs does; the canvas is found through it. */
export const requireAsPdfjs = createRequire(pdfjsFile);

/** Settings for every document. */
export const SAFE_PDFJS_OPTIONS = {
  isEvalSupported: false,
  enableXfa: false,
  useSystemFonts: false,
  // Errors come as exceptions; warnings would only fill a pipe that is not read.
  verbosity: 0,
  standardFontDataUrl: `${pdfjsFolder}/standard_fonts/`,
  cMapUrl: `${pdfjsFolder}/cmaps/`,
  cMapPacked: true,
  wasmUrl: `${pdfjsFolder}/wasm/`,
  iccUrl: `${pdfjsFolder}/iccs/`,
} as const;

/** Loads the parser, which pdfjs would otherwise load with the first document. */
export async function preloadPdfjs(): Promise<void> {
  // By URL, because the package has no types for this file.
  await import(new URL('pdf.worker.mjs', pathToFileURL(pdfjsFile)).href);
}

/**
 * Opens a document.
 *
 * @throws DeckhandError `pdf_encrypted` (it wants a password), `pdf_damaged` (no document can be made of it), `pdf_no_pages`
 */
export async function openPdf(bytes: Uint8Array): Promise<PdfDocument> {
  // pdfjs takes its buffer away from the caller, so it gets a copy.
  const task = pdfjs.getDocument({ ...SAFE_PDFJS_OPTIONS, data: Uint8Array.from(bytes) });
  let document: PdfDocument;
  try {
    document = await task.promise;
  } catch (error) {
    throw openingError(error);
  }
  if (document.numPages < 1) throw refusedDocument('pdf_no_pages', 'the page tree is empty');
  return document;
}

/** Names what kept pdfjs from opening a document. */
function openingError(error: unknown): DeckhandError {
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return refusedDocument(/PasswordException|encrypt/i.test(detail) ? 'pdf_encrypted' : 'pdf_damaged', detail, error);
}
