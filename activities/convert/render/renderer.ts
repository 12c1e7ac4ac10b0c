/**
 * The interface of PDF renderers, and their names.
 *
 * A renderer reads and draws pages of one open document; it runs inside a render process only, never in a worker. Each is one PDF library:
 * places of words and pixels of a page come from the same one. This file loads no renderer, so the parent may import it.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import type { DoubtfulWords } from '../../../domain/pages/doubtful-words.ts';
import type { Box, HiddenWord, PageWord } from '../../../domain/pages/page.ts';

export const RENDERER_NAMES = ['pdf-to-img', 'pdfium'] as const;
/** Which library reads and draws the pages. */
export type RendererName = (typeof RENDERER_NAMES)[number];

/** The renderer that gets a second try at a page. */
export function otherRenderer(name: RendererName): RendererName {
  return name === 'pdfium' ? 'pdf-to-img' : 'pdfium';
}

/** A drawn page: rows of opaque pixels, 3 bytes each (red, green, blue). */
export interface Raster {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgb: Uint8Array;
}

/** What is drawn on a page beside its text. */
export interface Drawing {
  /** Share of the page that pictures cover, 0 to 1. */
  readonly pictureShare: number;
  /** Places of pictures, in points; empty where the renderer does not tell them. */
  readonly pictures: readonly Box[];
  /** Places of rules, rectangles and other shapes of few segments, in points; empty where the renderer does not tell them. */
  readonly shapes: readonly Box[];
  /** Number of drawn shapes. */
  readonly paths: number;
}

/** A page as it is seen: right way up, cropped, on white. */
export interface ReadPage {
  readonly widthPt: number;
  readonly heightPt: number;
  readonly raster: Raster;
  readonly drawing: Drawing;
  /** Words of the text layer that can be seen, in the order of the file. Their boxes lie on the page. */
  readonly words: readonly PageWord[];
  readonly hidden: readonly HiddenWord[];
  /** Words of the text layer that can be seen and whose letters the file does not tell for certain. */
  readonly doubtful: DoubtfulWords;
}

/** A document opened for reading and drawing. */
export interface Renderer {
  readonly name: RendererName;
  readonly pageCount: number;
  /**
   * Reads and draws one page (numbered from 1).
   *
   * @throws DeckhandError `page_too_large` (it cannot be shown legibly within so many pixels), `page_render_failed`
   */
  read(pageNumber: number, maxPixels: number): Promise<ReadPage>;
}

const EXPORT_AGAIN = 'Export the deck as PDF again and check that it opens in a viewer.';
const REFUSALS = {
  pdf_encrypted: {
    userMessage: 'This PDF is protected with a password, so it cannot be read.',
    hint: 'Save a copy without a password and upload that.',
  },
  pdf_damaged: { userMessage: 'This PDF is damaged or cut off and cannot be opened.', hint: EXPORT_AGAIN },
  pdf_no_pages: { userMessage: 'This PDF has no pages.', hint: EXPORT_AGAIN },
} as const;

/** Why a document cannot be opened, in the same words whichever library says it. */
export const refusedDocument = (code: keyof typeof REFUSALS, detail: string, cause?: unknown): DeckhandError =>
  new DeckhandError(code, detail, { ...REFUSALS[code], cause });
