/**
 * Decides whether the text of a page has to be recognised in its picture. Recognition takes seconds where reading a text layer takes
 * milliseconds, so a page whose text layer says what is on it is left alone.
 */
import { MIN_READABLE_SHARE } from './readable.ts';

/** What is known of a page before anything is recognised. */
export interface PageEvidence {
  /** Letters and digits of the text layer that can be seen. */
  readonly letters: number;
  /** Share of the text layer that can be read as language, 0 to 1; null without a text layer. */
  readonly readableShare: number | null;
  /** Words of the text layer that can be seen and whose letters the file does not tell; they are not counted above. */
  readonly doubtfulWords: number;
  /** Share of the page that pictures cover, 0 to 1. */
  readonly pictureShare: number;
  /** Number of drawn shapes: lines, areas, and letters that were turned into shapes. */
  readonly paths: number;
  readonly isFirstPage: boolean;
  /** True when nothing is drawn on the page. */
  readonly blank: boolean;
}

/**
 * `none`: the text layer is the text of the page. `add`: words that were recognised stand beside those of the text layer. `replace`: the
 * text layer says nothing, what was recognised is the text of the page. `places`: nothing but the places of doubtful words is recognised.
 */
export type OcrNeed = 'none' | 'add' | 'replace' | 'places';

/** A page with fewer letters has a page number, a footer or a short title in its text layer. */
export const FEW_LETTERS = 30;
/** A picture of this share of the page may be the page itself. */
const FULL_PICTURE_SHARE = 0.6;
/** Twenty words drawn as shapes; a drawing without words seldom has as many. */
const MANY_PATHS = 100;
/** A logo: a picture of a hundredth of the page, or a few shapes. */
const LOGO_PICTURE_SHARE = 0.003;
const LOGO_PATHS = 4;

/**
 * A cover has fewer letters: of 57 decks the fullest cover has 213, the next first page 479. A first page with more says in its text who
 * presents, and to recognise all of it takes two seconds.
 */
export const COVER_LETTERS = 240;

/** Whether to recognise the text of a page. */
export function needsOcr(page: PageEvidence): OcrNeed {
  const { letters, readableShare, doubtfulWords, pictureShare, paths } = page;
  if (page.blank) return 'none';
  const hasUnknown = pictureShare > 0 || paths > 0 || doubtfulWords > 0;
  if (letters === 0) return hasUnknown ? 'replace' : 'none';
  if (readableShare !== null && readableShare < MIN_READABLE_SHARE) return 'replace';
  const isCover = page.isFirstPage && letters < COVER_LETTERS;
  if (isCover && (pictureShare >= LOGO_PICTURE_SHARE || paths >= LOGO_PATHS)) return 'add';
  const isFull = pictureShare >= FULL_PICTURE_SHARE || paths >= MANY_PATHS;
  if (letters < FEW_LETTERS && isFull) return 'add';
  return doubtfulWords > 0 ? 'places' : 'none';
}
