/**
 * PDFs whose pages are nothing but a cover for something that only some viewers show: other files (a portfolio), or a form that is drawn by a
 * program of its own (XFA).
 */
import { DeckhandError } from '../../../domain/errors.ts';

/** Kind of content that a PDF is a cover for; null for one whose pages are its content. */
export type Cover = 'portfolio' | 'xfa_form' | null;

/** Known facts of a document, and its text. */
export interface CoverEvidence {
  readonly bytes: Buffer;
  readonly pageCount: number;
  readonly isCollection: boolean;
  readonly hasAttachments: boolean;
  readonly hasXfa: boolean;
  /** Text of the first page. */
  readonly firstText: () => string | Promise<string>;
}

/** A portfolio has a cover of a page or two. */
const MAX_COVER_PAGES = 2;
/** The cover of a form names the viewer that is needed, and says little more. */
const NAMES_A_VIEWER = /adobe|acrobat|pdf[- ]?(?:viewer|reader|betrachter|anzeige)|visionneuse|visor de pdf/iu;
/** The usual page has about 100 words, with the owners of trade marks. */
const MAX_COVER_WORDS = 150;

/** Decides whether a PDF is a cover, and for which content. */
export async function coverOf(seen: CoverEvidence): Promise<Cover> {
  const { bytes, pageCount, isCollection, hasAttachments, hasXfa } = seen;
  if (isCollection && hasAttachments && pageCount <= MAX_COVER_PAGES) return 'portfolio';
  if (!hasXfa || pageCount > 1) return null;
  if (/\/NeedsRendering\s+true/u.test(bytes.toString('latin1'))) return 'xfa_form';
  const text = await seen.firstText();
  const hasFewWords = (text.match(/\S+/gu)?.length ?? 0) <= MAX_COVER_WORDS;
  return hasFewWords && NAMES_A_VIEWER.test(text) ? 'xfa_form' : null;
}

/** The refusal of such a PDF, with what to do about it. */
export function refusedCover(cover: NonNullable<Cover>): DeckhandError {
  switch (cover) {
    case 'portfolio':
      return new DeckhandError('pdf_portfolio', 'the document is a collection of files with a cover', {
        userMessage: 'This PDF is a portfolio: a cover with other files inside.',
        hint: 'Open it in Acrobat, save the deck that is inside as a PDF of its own, and upload that.',
      });
    case 'xfa_form':
      return new DeckhandError('pdf_xfa_form', 'the page is the cover of an XFA form', {
        userMessage: 'This PDF is an XFA form, which only Adobe Acrobat shows; for others it has no content.',
        hint: 'Open it in Acrobat, print it to a new PDF, and upload that.',
      });
  }
}
