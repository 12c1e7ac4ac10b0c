/**
 * What is known of the text of one page: words with their boxes, and the blocks they form, in reading order.
 *
 * Coordinates are points (1/72 inch) from the upper left corner of the page as it is seen: turned, cropped, x to the right and y downwards.
 * Word boxes lie on the page. What is stored as JSON is a type, not an interface, so that the database client takes it. The blocks hold every visible word exactly once; words that cannot be seen are in no block.
 */
/** Raise when words are read or laid out differently: pages of an older version are read again before their text is used. */
export const PAGE_TEXT_VERSION = 8;

/** Most words kept of a page; a slide has a few hundred. The pages of a deck, at most 500, are in memory together: a million words take 400 MB. */
export const MAX_PAGE_WORDS = 5000;
/** Longest word kept, in UTF-16 units. */
export const MAX_WORD_LENGTH = 400;

/** A rectangle: left, top, right, bottom. */
export type Box = [left: number, top: number, right: number, bottom: number];

/**
 * Why a word cannot be seen on the drawn page: text render mode without paint, the colour of what is behind it, smaller than can be read,
 * covered by something drawn later, on a layer that is switched off, outside the page.
 */
export const HIDDEN_REASONS = ['no_paint', 'same_colour', 'tiny', 'covered', 'layer_off', 'off_page'] as const;
export type HiddenReason = (typeof HIDDEN_REASONS)[number];

/** A word as a person sees it: letters that stand apart for effect are one word. */
export type PageWord = {
  /** NFC, without white space. */
  text: string;
  box: Box;
  /** Height of the font in points, as seen. */
  sizePt: number;
  /** Degrees by which the line of the word is turned clockwise. */
  turn: 0 | 90 | 180 | 270;
  bold: boolean;
  /** Null for a word of the text layer; 0 to 100 for a word that was recognised in the picture. */
  confidence: number | null;
};

/** A word of the text layer that cannot be seen, and why. Its box may lie anywhere. */
export interface HiddenWord extends PageWord {
  readonly hidden: HiddenReason;
}

/**
 * Role of a block. `title`: the headline of the page; `heading`: stands over other blocks; `text`: sentences or list items that run on;
 * `label`: a few words that stand by themselves (a card's figure, a name, a caption); `table`: rows of cells; `margin`: at the upper or
 * lower edge, as headers, footers and page numbers are; `picture`: within a screenshot, a mock-up or a map, which states nothing.
 */
export const BLOCK_KINDS = ['title', 'heading', 'text', 'label', 'table', 'margin', 'picture'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** Words that belong together: a column, a box, a card, a table, a line that is turned. */
export type PageBlock = {
  kind: BlockKind;
  /** Lines in reading order; a line is its cells from left to right (one cell, except in a table); a cell is indices into the words. */
  lines: number[][][];
};

/** Where the words come from: the PDF's text layer, character recognition, or nowhere because the page has no text that can be read. */
export const TEXT_SOURCES = ['layer', 'ocr', 'none'] as const;
export type TextSource = (typeof TEXT_SOURCES)[number];

/** Character recognition in the picture of a page: not needed, done, or needed and not completed. */
export const OCR_STATES = ['none', 'done', 'failed'] as const;
export type OcrState = (typeof OCR_STATES)[number];

/** What is known of the text of a page, without its words. */
export type PageState = {
  widthPt: number;
  heightPt: number;
  source: TextSource;
  ocr: OcrState;
  /** Share of the words that can be read as language, 0 to 1; of those of the text layer where none were kept; null without any. */
  readableShare: number | null;
  /** True when nothing is drawn on the page. */
  blank: boolean;
  /** True when the page may show words that are not known: their font does not tell them, or they stand in pictures that were not looked at. */
  incomplete?: boolean | undefined;
};

/** Text of one page as it is stored with the slide. */
export type PageLayout = PageState & {
  version: number;
  words: PageWord[];
  /** In reading order. */
  blocks: PageBlock[];
  /** Places of rules, cells, cards and other simple shapes that may divide the words; absent where the renderer does not tell them. */
  shapes?: Box[] | undefined;
  /** Words that cannot be seen, as text, by reason; reported, and never part of prompts or evidence. */
  hidden: { reason: HiddenReason; text: string }[];
};

/** What a reader of the review should know of a page; null for one whose text layer says what is on it. */
export function pageNoteOf(page: PageState): 'blank' | 'recognised' | 'not_recognised' | 'no_text' | null {
  if (page.blank) return 'blank';
  if (page.ocr === 'failed') return 'not_recognised';
  switch (page.source) {
    case 'ocr':
      return 'recognised';
    case 'none':
      return 'no_text';
    case 'layer':
      return null;
  }
}
