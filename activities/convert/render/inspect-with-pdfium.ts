/** The first look at a deck that pdfjs cannot open and PDFium can: it repairs more of a damaged structure, and tells less of what is in it. */
import { DeckhandError } from '../../../domain/errors.ts';
import { alternativeTextsOfPage, infoOf, textsOfInfo, textsOfPageAnnotations } from './beside-pages-with-pdfium.ts';
import { openWithPdfium, type PdfiumDocument } from './pdfium.ts';
import type { Inspection } from './child-message.ts';
import { HazardNotes } from './hazards.ts';
import { coverOf, type Cover } from './covers.ts';

const FORM_TYPES_XFA = [2, 3];
const NOT_ENCRYPTED = -1;

/** What is known of a deck without its limits being checked. */
export type DeckFacts = Pick<Inspection, 'pageCount' | 'pages' | 'hazards' | 'besidePages'> & {
  readonly title: string;
  /** Reads the pages for text. */
  readonly hasText: () => boolean | Promise<boolean>;
  /** The kind of content that the document is a cover for. */
  readonly cover: () => Promise<Cover>;
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
  const hazards = new HazardNotes();
  await noteDocument(hazards, opened, bytes);
  let hasTextLayer = false;
  let hasContent = false;
  for (let number = 1; number <= Math.min(pageCount, maxPages); number++) {
    const page = pdfium.FPDF_LoadPage(document, number - 1);
    if (page === 0) continue;
    pages.push({ number, widthPt: pdfium.FPDF_GetPageWidthF(page), heightPt: pdfium.FPDF_GetPageHeightF(page) });
    hasContent ||= pdfium.FPDFPage_CountObjects(page) > 0;
    hasTextLayer ||= countCharacters(opened, page) > 0;
    await hazards.collect('annotation', () => textsOfPageAnnotations(pdfium, page));
    await hazards.collect('alternative_text', () => alternativeTextsOfPage(pdfium, page));
    pdfium.FPDF_ClosePage(page);
  }
  if (pages.length === 0) throw new DeckhandError('pdf_damaged', 'PDFium can load no page');
  return {
    pageCount,
    pages,
    ...hazards.all(),
    hasText: () => hasTextLayer,
    cover: () =>
      coverOf({
        bytes,
        pageCount,
        isCollection: /\/Collection\s*(?:<<|\d+ \d+ R)/u.test(bytes.toString('latin1')),
        hasAttachments: hazards.has('attachments'),
        hasXfa: hazards.has('xfa_form'),
        // PDFium takes the place of pdfjs for damaged files alone.
        firstText: () => '',
      }),
    title: infoOf(opened, 'Title'),
    hasContent,
  };
}

function countCharacters({ pdfium }: PdfiumDocument, page: number): number {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return 0;
  const count = pdfium.FPDFText_CountChars(text);
  pdfium.FPDFText_ClosePage(text);
  return count;
}

async function noteDocument(hazards: HazardNotes, opened: PdfiumDocument, bytes: Buffer): Promise<void> {
  const { pdfium, document } = opened;
  await hazards.note('repaired_structure', () => true);
  await hazards.note(
    'javascript',
    () => bytes.includes('/JavaScript') || pdfium.FPDFDoc_GetJavaScriptActionCount(document) > 0,
  );
  await hazards.note('launch_action', () => bytes.includes('/Launch'));
  await hazards.note(
    'attachments',
    () => bytes.includes('/EmbeddedFile') || pdfium.FPDFDoc_GetAttachmentCount(document) > 0,
  );
  await hazards.note('owner_password', () => pdfium.FPDF_GetSecurityHandlerRevision(document) !== NOT_ENCRYPTED);
  await hazards.note('xfa_form', () => FORM_TYPES_XFA.includes(pdfium.FPDF_GetFormType(document)));
  await hazards.collect('metadata', () => textsOfInfo(opened));
}
