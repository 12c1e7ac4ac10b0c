/**
 * From what character recognition saw in a picture of a page to words of the page.
 */
import { MAX_PAGE_WORDS, MAX_WORD_LENGTH, type Box, type PageWord } from './page.ts';

/** A word in the picture. */
export interface RecognisedWord {
  readonly text: string;
  /** 0 to 100. */
  readonly confidence: number;
  /** In pixels, from the upper left corner. */
  readonly box: Box;
}

/** A line as it is read. */
export interface RecognisedLine {
  readonly words: readonly RecognisedWord[];
  /** From the ascenders to the descenders, in pixels, across the line. */
  readonly heightPx: number;
}

/** The picture of a page that was read. */
export interface ReadPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pixels per point. */
  readonly scale: number;
  /** True when the picture was turned by 180 degrees before it was read; boxes are those of the turned picture. */
  readonly upsideDown: boolean;
}

/**
 * Words below this are left out. Measured on pages whose text is known: of the words between 60 and 70 a third is right, of those between
 * 70 and 85 six of ten, of those above 90 nineteen of twenty.
 */
export const MIN_CONFIDENCE = 70;
/** For figures, where a wrong digit does more harm than a missing number, and for single letters, which are often the edge of a picture. */
const MIN_CONFIDENCE_FIGURE = 85;
/** A box that is so many times as high as it is wide belongs to a turned line; letters are at most 2.5 times as high as wide. */
const TURNED_RATIO = 1.2;
/** The height of a line counts for its words while their own letters are of this size compared with it. */
const [SMALLEST_OF_LINE, LARGEST_OF_LINE] = [0.6, 1.5];

/** Heights in font sizes: of small letters, and what ascenders and descenders add. */
const X_HEIGHT = 0.53;
const ASCENDER = 0.21;
const DESCENDER = 0.21;

/** The words that can be relied on, in the order of the lines. Their boxes lie on the page. */
export function toPageWords(lines: readonly RecognisedLine[], picture: ReadPicture): PageWord[] {
  const words = lines.flatMap((line) => {
    const turn = turnOf(line, lines);
    return line.words.flatMap((word): PageWord[] => {
      const text = cleaned(word.text);
      if (!isReliable(text, word.confidence)) return [];
      const box = onPage(picture.upsideDown ? turnedBack(word.box, picture) : word.box, picture);
      if (box[0] === box[2] || box[1] === box[3]) return [];
      const sizePt = toHundredth(sizePx(text, word, line, turn) / picture.scale);
      const seenTurn = picture.upsideDown ? OPPOSITE[turn] : turn;
      return [{ text, box, sizePt, turn: seenTurn, bold: false, confidence: clamped(word.confidence, 100) }];
    });
  });
  return words.slice(0, MAX_PAGE_WORDS);
}

/** The words of a picture; none where all of them are single letters and pairs: patterns and noise are read so. */
export function wordsOrNoise(words: readonly PageWord[]): PageWord[] {
  return words.some(({ text }) => (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_LETTERS_OF_TEXT) ? [...words] : [];
}

const MIN_LETTERS_OF_TEXT = 3;

/** A small picture shows nothing of smaller text, so what is read there is a guess; of the others one in thirty is wrong from here on. */
const [LEAST_LARGE_PX, MIN_CONFIDENCE_LARGE] = [12, 85];
/** A word of letters; frames and dots beside it are read as other signs. */
const LARGE_WORD = /^\p{L}[\p{L}\p{N}.&'’+-]{2,}\p{L}$/u;

/** The words of large glyphs in a small picture of a page. */
export const largeWords = (words: readonly PageWord[], { scale }: Pick<ReadPicture, 'scale'>): PageWord[] =>
  words.filter(
    ({ text, sizePt, confidence }) =>
      sizePt * scale >= LEAST_LARGE_PX && (confidence ?? 0) >= MIN_CONFIDENCE_LARGE && LARGE_WORD.test(text),
  );

/**
 * True when a picture looks as if it was read upside down: there are lines, and what they say is doubtful. Text that stands on its head
 * is read as a guess at every letter.
 */
export function looksUpsideDown(lines: readonly RecognisedLine[]): boolean {
  const words = lines.flatMap((line) => line.words).filter(({ text }) => /[\p{L}\p{N}]{3}/u.test(text));
  const doubtful = words.filter(({ confidence }) => confidence < MIN_CONFIDENCE);
  return words.length >= MIN_DOUBTFUL_WORDS && doubtful.length > MAX_DOUBTFUL_SHARE * words.length;
}

const MIN_DOUBTFUL_WORDS = 5;
const MAX_DOUBTFUL_SHARE = 0.8;

const OPPOSITE = { 0: 180, 90: 270, 180: 0, 270: 90 } as const;

/** Direction of a line. A turned line of one word runs as the other turned lines do; upwards, like the label of an axis, if there is none. */
function turnOf(line: RecognisedLine, lines: readonly RecognisedLine[]): 0 | 90 | 270 {
  if (!isTurned(line)) return 0;
  const own = direction(line);
  if (own !== 0) return own > 0 ? 90 : 270;
  const others = lines.filter(isTurned).reduce((sum, other) => sum + direction(other), 0);
  return others > 0 ? 90 : 270;
}

/** True when the letters stand one above the other: the longest word is higher than wide. */
function isTurned({ words }: RecognisedLine): boolean {
  const longest = words.toSorted((a, b) => b.text.length - a.text.length)[0];
  if (longest === undefined || longest.text.length < 3) return false;
  const [left, top, right, bottom] = longest.box;
  return bottom - top > TURNED_RATIO * (right - left);
}

/** How far the last word of a line stands below the first; 0 for a single word. */
function direction({ words }: RecognisedLine): number {
  const [first, last] = [words[0], words.at(-1)];
  return first === undefined || last === undefined ? 0 : Math.sign(last.box[1] - first.box[1]);
}

function cleaned(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{C}\s]+/gu, '')
    .slice(0, MAX_WORD_LENGTH)
    .toWellFormed();
}

/** Words that say something: with a letter or a figure, or a sign that stands for a word. Frames and dots are read as other signs. */
function isReliable(text: string, confidence: number): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters === 0) return /^[&+%€$£¥₹]$/u.test(text) && confidence >= MIN_CONFIDENCE_FIGURE;
  return confidence >= (letters === 1 || /\p{N}/u.test(text) ? MIN_CONFIDENCE_FIGURE : MIN_CONFIDENCE);
}

/** Font size: that of the line, unless the word itself is clearly larger or smaller. */
function sizePx(text: string, { box }: RecognisedWord, { heightPx }: RecognisedLine, turn: 0 | 90 | 270): number {
  const [left, top, right, bottom] = box;
  const height = turn === 0 ? bottom - top : right - left;
  const tall = /[\p{Lu}\p{N}bdfhklßtäöüij&%$€£]/u.test(text) ? ASCENDER : 0;
  const deep = /[gjpqyQ$,;]/u.test(text) ? DESCENDER : 0;
  const own = height / (X_HEIGHT + tall + deep);
  return own >= SMALLEST_OF_LINE * heightPx && own <= LARGEST_OF_LINE * heightPx ? heightPx : own;
}

function turnedBack([left, top, right, bottom]: Box, { widthPx, heightPx }: ReadPicture): Box {
  return [widthPx - right, heightPx - bottom, widthPx - left, heightPx - top];
}

function onPage([left, top, right, bottom]: Box, { widthPx, heightPx, scale }: ReadPicture): Box {
  const place = (px: number, most: number): number => toHundredth(clamped(px, most) / scale);
  return [place(left, widthPx), place(top, heightPx), place(right, widthPx), place(bottom, heightPx)];
}

const clamped = (value: number, most: number): number => Math.min(Math.max(0, value), most);
/** A hundredth of a point is less than a tenth of a pixel; rounded down, so that nothing leaves the page. */
const toHundredth = (value: number): number => Math.floor(value * 100) / 100;
