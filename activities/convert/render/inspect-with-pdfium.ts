/**
 * The first look at a deck that pdfjs cannot open and PDFium can: it repairs more of a damaged structure, and tells less of what is in it.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import { openWithPdfium, type PdfiumDocument } from './pdfium.ts';
import type { DeckProbe } from './child-message.ts';
import type { Hazard, KnownHazard } from './messages.ts';

const FORM_TYPES_XFA = [2, 3];
const NOT_ENCRYPTED = -1;
const TITLE_BYTES = 4096;

/** What is known of a deck without its limits being checked. */
export type DeckFacts = Pick<DeckProbe, 'pageCount' | 'pages' | 'hazards' | 'hasTextLayer'> & {
  readonly title: string;
  /** False when no page has anything on it. */
  readonly hasContent: boolean;
};

/**
 * Looks at a deck.
 *
 * @param maxPages Of a document with more, only the number is told
 * @throws DeckhandError `pdf_encrypted`, `pdf_damaged`, `pdf_no_pages`
 */
export async function inspectWithPdfium(bytes: Buffer, maxPages: number): Promise<DeckFacts> {
  const opened = await openWithPdfium(bytes);
  const { pdfium, document, pageCount } = opened;
  const pages: DeckFacts['pages'] = [];
  let hasTextLayer = false;
  let hasContent = false;
  for (let number = 1; number <= Math.min(pageCount, maxPages); number++) {
    const page = pdfium.FPDF_LoadPage(document, number - 1);
    if (page === 0) continue;
    pages.push({ number, widthPt: pdfium.FPDF_GetPageWidthF(page), heightPt: pdfium.FPDF_GetPageHeightF(page) });
    hasContent ||= pdfium.FPDFPage_CountObjects(page) > 0;
    hasTextLayer ||= countCharacters(opened, page) > 0;
    pdfium.FPDF_ClosePage(page);
  }
  if (pages.length === 0) throw new DeckhandError('pdf_damaged', 'PDFium can load no page');
  return { pageCount, pages, hazards: hazardsOf(opened, bytes), hasTextLayer, title: titleOf(opened), hasContent };
}

function countCharacters({ pdfium }: PdfiumDocument, page: number): number {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return 0;
  const count = pdfium.FPDFText_CountChars(text);
  pdfium.FPDFText_ClosePage(text);
  return count;
}

function hazardsOf({ pdfium, document }: PdfiumDocument, bytes: Buffer): Hazard[] {
  const found: Readonly<Record<KnownHazard, boolean>> = {
    repaired_structure: true,
    javascript: bytes.includes('/JavaScript') || pdfium.FPDFDoc_GetJavaScriptActionCount(document) > 0,
    launch_action: bytes.includes('/Launch'),
    attachments: bytes.includes('/EmbeddedFile') || pdfium.FPDFDoc_GetAttachmentCount(document) > 0,
    owner_password: pdfium.FPDF_GetSecurityHandlerRevision(document) !== NOT_ENCRYPTED,
    xfa_form: FORM_TYPES_XFA.includes(pdfium.FPDF_GetFormType(document)),
  };
  return Object.entries(found).flatMap(([hazard, isThere]) => (isThere ? [hazard as KnownHazard] : []));
}

function titleOf({ pdfium, document }: PdfiumDocument): string {
  const tag = Buffer.from('Title\0');
  const at = pdfium.malloc(tag.length + TITLE_BYTES);
  try {
    new Uint8Array(pdfium.memory.buffer, at, tag.length).set(tag);
    const bytes = pdfium.FPDF_GetMetaText(document, at, at + tag.length, TITLE_BYTES);
    if (bytes > TITLE_BYTES) return '';
    return Buffer.from(pdfium.memory.buffer, at + tag.length, bytes)
      .toString('utf16le')
      .replace(/\0$/, '');
  } finally {
    pdfium.free(at);
  }
}
