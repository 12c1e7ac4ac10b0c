/**
 * Which words are the text of a page: those of its text layer, those that were recognised in its picture, or both.
 */
import { MAX_PAGE_TEXT_LENGTH } from '../decks/pdf.ts';
import { isSymbol, NO_DOUBTFUL_WORDS, type DoubtfulWords } from './doubtful-words.ts';
import { lengthOf, mergeWords, overlap } from './merge-words.ts';
import type { OcrNeed } from './needs-ocr.ts';
import type { PageWords } from './layout.ts';
import { MAX_PAGE_WORDS, type OcrState, type PageWord } from './page.ts';
import { readableShare } from './readable.ts';

/** What character recognition made of a page. */
export interface Recognition {
  /** Why it was asked. */
  readonly need: OcrNeed;
  /** Words that can be seen on the page, in the order of their lines. */
  readonly words: readonly PageWord[];
  /** Why not all of the page was looked at; null if it was, or did not have to be. */
  readonly fault: string | null;
}

/** Of a page whose text layer says what is on it. */
export const NOT_RECOGNISED: Recognition = { need: 'none', words: [], fault: null };

/**
 * Settles the text of a page. A text layer that is no language is no text of the page, whether anything was recognised in its place or not,
 * unless the picture shows the same: then it is rare words.
 *
 * @param mapped Words of the text layer that can be seen and are not doubtful
 * @param doubtful What was recognised in their places takes the place of these words, unless it confirms their font
 */
export function settleWords(
  mapped: readonly PageWord[],
  { need, words: recognised, fault }: Recognition,
  { unmapped, unreadable }: DoubtfulWords = NO_DOUBTFUL_WORDS,
): Settled {
  const ocr: OcrState = need === 'none' ? 'none' : fault === null ? 'done' : 'failed';
  const isConfirmed = (font: readonly PageWord[]): boolean => confirmedShare(font, recognised) >= MIN_CONFIRMED_SHARE;
  const layer = [...mapped, ...unreadable.filter(isConfirmed).flat()];
  const lost = [...unmapped, ...unreadable.filter((font) => !isConfirmed(font)).flat()];
  const isUnread = (word: PageWord): boolean => !recognised.some((other) => overlap(word.box, other.box));
  const settled = settleLayer(layer, { need, words: recognised, fault }, ocr, lost);
  const symbols = settled.source === 'layer' ? lost.filter((word) => isSymbol(word) && isUnread(word)) : [];
  return {
    ...settled,
    words: [...settled.words, ...symbols.map((word): PageWord => ({ ...word, text: SYMBOL }))],
    incomplete: lost.some((word) => !isSymbol(word) && isUnread(word)),
  };
}

/** The text of a page; `incomplete` when the page shows words that are not known. */
type Settled = Pick<PageWords, 'words' | 'source' | 'readableShare' | 'ocr' | 'incomplete'>;

/** Of private use, as the list marks of symbol fonts are. */
const SYMBOL = '\uE000';

function settleLayer(
  layer: readonly PageWord[],
  { need, words: recognised }: Recognition,
  ocr: OcrState,
  lost: readonly PageWord[],
): Omit<Settled, 'incomplete'> {
  const layerShare = shareOf(layer);
  const confirmed = confirmedShare(layer, recognised);
  if (need === 'replace' && confirmed < MIN_CONFIRMED_SHARE) {
    return recognised.length > 0
      ? { words: recognised, source: 'ocr', readableShare: shareOf(recognised), ocr }
      : { words: [], source: 'none', readableShare: layerShare, ocr };
  }
  // The layer has at least a letter here, or there is nothing to recognise.
  const words = need === 'none' ? layer : withinPageLimits(mergeWords(layer, addedWords(recognised, lost)));
  const share = need === 'replace' ? Math.max(layerShare ?? 0, confirmed) : layerShare;
  return { words, source: words.length === 0 ? 'none' : 'layer', readableShare: share, ocr };
}

/** As many words, the first, as are kept of a page. */
export function withinPageLimits<W extends PageWord>(words: readonly W[]): W[] {
  let length = 0;
  return words.slice(0, MAX_PAGE_WORDS).filter((word) => (length += word.text.length) <= MAX_PAGE_TEXT_LENGTH);
}

/** From this share on the picture confirms the layer. A font without a usable map confirms next to nothing, and a word misread is common. */
const MIN_CONFIRMED_SHARE = 0.5;

/** A word with one letter for those that recognition takes for each other: `l`, `I`, `1`, `i`, `j` and `|`, and `0` and `O`. */
const withoutLookAlikes = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll(/[l1j|]/gu, 'i')
    .replaceAll('0', 'o');

/** Of what was recognised where the layer has words too, the share that the layer has letter by letter but for look-alikes, 0 to 1. */
function confirmedShare(layer: readonly PageWord[], recognised: readonly PageWord[]): number {
  const known = new Set(layer.map(({ text }) => withoutLookAlikes(text)));
  const shared = recognised.filter((word) => mergeWords(layer, [word]).length === layer.length);
  const same = shared.filter(({ text }) => known.has(withoutLookAlikes(text)));
  return shared.length === 0 ? 0 : lengthOf(same) / lengthOf(shared);
}

/** Least confidence in a word that stands beside a text layer, and letters or digits from which it may stand alone. */
const MIN_ADDED_CONFIDENCE = 80;
const MIN_LONE_LETTERS = 3;
/** Words of a line are no further apart, in font sizes. */
const MAX_WORD_SPACE = 1;

/** Without what is read into logos and photographs, as a rule single letters and pairs: what is missed of them is less than what they spoil. */
function surelyWords(words: readonly PageWord[]): PageWord[] {
  const sure = words.filter(({ confidence }) => (confidence ?? 0) >= MIN_ADDED_CONFIDENCE);
  const long = sure.filter(({ text }) => (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_LONE_LETTERS);
  return sure.filter((word) => long.some((other) => other === word || isNear(other, word)));
}

/** Words beside those of the text layer; in places whose words are lost anything is better than nothing. */
function addedWords(recognised: readonly PageWord[], lost: readonly PageWord[]): readonly PageWord[] {
  const sure = surelyWords(recognised);
  return recognised.filter((word) => sure.includes(word) || lost.some((other) => overlap(word.box, other.box)));
}

function isNear({ box: a, sizePt }: PageWord, { box: b }: PageWord): boolean {
  const [x, y] = [Math.max(a[0], b[0]) - Math.min(a[2], b[2]), Math.max(a[1], b[1]) - Math.min(a[3], b[3])];
  return Math.max(x, y) <= MAX_WORD_SPACE * sizePt && Math.min(x, y) < 0;
}

/** Share of words that can be read as language; null without words. */
export const shareOf = (words: readonly PageWord[]): number | null =>
  words.length === 0 ? null : readableShare(words.map((word) => word.text).join(' '));
