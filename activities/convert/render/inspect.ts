/**
 * The first look at a deck, inside a render process: page count and sizes, text or scan, title, and what in it could do harm
 * elsewhere. Nothing is drawn and nothing is executed.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import { rasterSize } from '../../../domain/decks/pdf.ts';
import { HazardNotes, noteDocument, notePage } from './hazards.ts';
import type { DeckFacts } from './inspect-with-pdfium.ts';
import type { Inspection } from './child-message.ts';
import type { Job } from './messages.ts';
import { refusedCover, coverOf } from './covers.ts';
import { openPdf, type DocumentMetadata, type PdfDocument } from './pdfjs.ts';

/** Longest title that is kept. */
const MAX_TITLE_LENGTH = 500;

/** What a deck may have at most. */
type InspectionLimits = Pick<Job & { type: 'probe' }, 'maxPages' | 'maxPixels'>;

/**
 * Looks at a deck. Whatever the parser throws is a fault of the file.
 *
 * @param bytes The whole file
 * @yields first what is known before a page's content is read, which a single page can make endless; then the same with `hasTextLayer`
 * @throws DeckhandError by name: pdf_encrypted, pdf_damaged, pdf_no_pages, pdf_too_many_pages, pdf_portfolio, pdf_xfa_form, page_too_large
 */
export async function* inspectDeck(bytes: Buffer, limits: InspectionLimits): AsyncGenerator<Inspection> {
  try {
    yield* inspect(bytes, limits);
  } catch (error) {
    if (error instanceof DeckhandError) throw error;
    throw new DeckhandError('pdf_damaged', `the document cannot be examined: ${String(error)}`, {
      userMessage: 'This PDF is damaged and cannot be read.',
      hint: 'Export the deck as PDF again and check that it opens in a viewer.',
      cause: error,
    });
  }
}

async function* inspect(bytes: Buffer, job: InspectionLimits): AsyncGenerator<Inspection> {
  const facts = await factsOf(bytes, job.maxPages);
  const { pageCount, pages, hazards, title, besidePages } = facts;
  if (pageCount > job.maxPages) {
    throw new DeckhandError('pdf_too_many_pages', `${pageCount} pages; the limit is ${job.maxPages}`, {
      userMessage: `This PDF has ${pageCount} pages; at most ${job.maxPages} can be read.`,
      hint: 'Upload the part of it that is the pitch deck.',
    });
  }
  const cover = await facts.cover();
  if (cover !== null) throw refusedCover(cover);
  if (!facts.hasContent) {
    throw new DeckhandError('pdf_no_pages', 'there is no page, only what the parser made up for a broken page tree', {
      userMessage: 'This PDF has no pages with anything on them.',
      hint: 'Export the deck as PDF again and check that it opens in a viewer.',
    });
  }
  if (pages.every((page) => rasterSize(page, job.maxPixels) === null)) {
    throw new DeckhandError(
      'page_too_large',
      `no page has a size that can be drawn; the first is ${pages[0]?.widthPt}×${pages[0]?.heightPt} points`,
      {
        userMessage: 'The pages of this PDF have a size or shape that cannot be shown legibly.',
        hint: 'Export the deck with a usual slide size.',
      },
    );
  }
  const seen = { pageCount, pages, hazards, hasTextLayer: null, title: oneLine(title) || null, besidePages };
  yield seen;
  yield { ...seen, hasTextLayer: await facts.hasText() };
}

/** What pdfjs tells; of a document that it refuses, what PDFium tells. Refused by both, it is refused for pdfjs's reason. */
async function factsOf(bytes: Buffer, maxPages: number): Promise<DeckFacts> {
  try {
    return await factsOfPdfjs(bytes, maxPages);
  } catch (error) {
    if (!(error instanceof DeckhandError) || error.code === 'pdf_encrypted') throw error;
    try {
      const { inspectWithPdfium } = await import('./inspect-with-pdfium.ts');
      const facts = await inspectWithPdfium(bytes, maxPages);
      if (facts.hasContent) return facts;
    } catch {
      // PDFium's reason would be a number.
    }
    throw error;
  }
}

async function factsOfPdfjs(bytes: Buffer, maxPages: number): Promise<DeckFacts> {
  const document = await openPdf(bytes);
  const pages: Inspection['pages'] = [];
  const metadata = await metadataOf(document);
  const hazards = new HazardNotes();
  await noteDocument(hazards, document, bytes, metadata);
  let firstError: unknown;
  for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
    try {
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      pages.push({ number, widthPt: width, heightPt: height });
      await notePage(hazards, page);
      page.cleanup();
    } catch (error) {
      // One broken page is a gap of the review; only if none can be read is the deck refused, with this reason.
      firstError ??= error;
    }
  }
  if (pages.length === 0) {
    throw new DeckhandError(
      'pdf_damaged',
      `no page can be read: ${firstError instanceof Error ? firstError.message : String(firstError)}`,
      {
        userMessage: 'None of the pages of this PDF can be read.',
        hint: 'Export the deck as PDF again and check that it opens in a viewer.',
      },
    );
  }
  const hasText = (): Promise<boolean> => someHasText(document, pages);
  return {
    pageCount: document.numPages,
    pages,
    ...hazards.all(),
    hasText,
    cover: async () => {
      const {
        IsCollectionPresent,
        IsXFAPresent,
      }: { readonly IsCollectionPresent?: unknown; readonly IsXFAPresent?: unknown } = metadata?.info ?? {};
      return coverOf({
        bytes,
        pageCount: document.numPages,
        isCollection: IsCollectionPresent === true,
        hasAttachments: hazards.has('attachments'),
        hasXfa: IsXFAPresent === true,
        firstText: () => firstTextOf(document),
      });
    },
    title: titleOf(metadata),
    hasContent: document.numPages > 1 || !holdsNothing(bytes) || (await hasText()),
  };
}

/**
 * True when no page can have anything on it. For a page tree that leads nowhere (one that contains itself, for instance) pdfjs makes up one
 * empty page; objects in compressed streams cannot be seen here, so then the page is believed.
 */
function holdsNothing(bytes: Buffer): boolean {
  return !['/Contents', '/Annots', '/ObjStm'].some((name) => bytes.includes(name));
}

/** Reads the pages up to the first one with text. One that cannot be read is a gap of the review, not of this look. */
async function someHasText(document: PdfDocument, pages: Inspection['pages']): Promise<boolean> {
  for (const { number } of pages) {
    try {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      page.cleanup();
      if (items.some((item) => 'str' in item && item.str.trim() !== '')) return true;
    } catch {
      // Rendering names what is wrong with it.
    }
  }
  return false;
}

/** Empty when it cannot be read. */
async function firstTextOf(document: PdfDocument): Promise<string> {
  try {
    const page = await document.getPage(1);
    const { items } = await page.getTextContent();
    page.cleanup();
    return items.map((item) => ('str' in item ? item.str : '')).join(' ');
  } catch {
    return '';
  }
}

/** Null when it cannot be read. */
async function metadataOf(document: PdfDocument): Promise<DocumentMetadata | null> {
  try {
    return await document.getMetadata();
  } catch {
    return null;
  }
}

/** Empty for a document without a title. */
function titleOf(metadata: DocumentMetadata | null): string {
  const { Title: title }: { readonly Title?: unknown } = metadata?.info ?? {};
  return typeof title === 'string' ? title : '';
}

function oneLine(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH)
    .toWellFormed();
}
