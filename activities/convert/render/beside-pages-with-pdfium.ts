/** Words of a file that stand on no page, of a document that PDFium has opened. */
import type { PdfiumDocument, PdfiumFunctions } from './pdfium.ts';

const INFO_KEYS = ['Title', 'Author', 'Subject', 'Keywords', 'Creator', 'Producer'];
/** Words of an annotation, its author, its field's description and its field's value. */
const ANNOTATION_KEYS = ['Contents', 'T', 'TU', 'V'];
/** Elements of a page's structure that are looked at; a structure that contains itself has no end. */
const MAX_ELEMENTS = 10_000;

/** An entry of the information of a document; empty where there is none. */
export const infoOf = ({ pdfium, document }: PdfiumDocument, key: string): string =>
  withName(pdfium, key, (name) => textOf(pdfium, (at, bytes) => pdfium.FPDF_GetMetaText(document, name, at, bytes)));

/** Texts of the information of a document. */
export const textsOfInfo = (opened: PdfiumDocument): string[] => INFO_KEYS.map((key) => infoOf(opened, key));

/** Texts of the annotations of a loaded page. */
export function textsOfPageAnnotations(pdfium: PdfiumFunctions, page: number): string[] {
  return Array.from({ length: pdfium.FPDFPage_GetAnnotCount(page) }, (_, index) => {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) return [];
    const texts = ANNOTATION_KEYS.map((key) =>
      withName(pdfium, key, (name) =>
        textOf(pdfium, (at, bytes) => pdfium.FPDFAnnot_GetStringValue(annotation, name, at, bytes)),
      ),
    );
    pdfium.FPDFPage_CloseAnnot(annotation);
    return texts;
  }).flat();
}

/** Alternative texts of a loaded page. */
export function alternativeTextsOfPage(pdfium: PdfiumFunctions, page: number): string[] {
  const tree = pdfium.FPDF_StructTree_GetForPage(page);
  if (tree === 0) return [];
  const elements = Array.from({ length: pdfium.FPDF_StructTree_CountChildren(tree) }, (_, index) =>
    pdfium.FPDF_StructTree_GetChildAtIndex(tree, index),
  );
  const texts: string[] = [];
  for (let at = 0; at < Math.min(elements.length, MAX_ELEMENTS); at++) {
    const element = elements[at] ?? 0;
    if (element === 0) continue;
    texts.push(textOf(pdfium, (into, bytes) => pdfium.FPDF_StructElement_GetAltText(element, into, bytes)));
    const children = Math.min(MAX_ELEMENTS, pdfium.FPDF_StructElement_CountChildren(element));
    for (let child = 0; child < children; child++) {
      elements.push(pdfium.FPDF_StructElement_GetChildAtIndex(element, child));
    }
  }
  pdfium.FPDF_StructTree_Close(tree);
  return texts;
}

/** Passes a name as PDFium takes it. */
function withName<T>(pdfium: PdfiumFunctions, name: string, use: (at: number) => T): T {
  const bytes = Buffer.from(`${name}\0`);
  const at = pdfium.malloc(bytes.length);
  try {
    new Uint8Array(pdfium.memory.buffer, at, bytes.length).set(bytes);
    return use(at);
  } finally {
    pdfium.free(at);
  }
}

/** A text as PDFium gives it: asked without room it says how many bytes it has. */
function textOf(pdfium: PdfiumFunctions, read: (at: number, bytes: number) => number): string {
  const bytes = read(0, 0);
  if (bytes <= 2) return '';
  const at = pdfium.malloc(bytes);
  try {
    read(at, bytes);
    return Buffer.from(pdfium.memory.buffer, at, bytes).toString('utf16le').replace(/\0$/, '');
  } finally {
    pdfium.free(at);
  }
}
