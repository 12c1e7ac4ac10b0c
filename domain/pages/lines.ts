/**
 * Words → lines. A line is words that stand beside each other as one reads them: it ends where a gap is wider than the space between
 * words, so that columns, boxes and cells at the same height are lines of their own.
 */
import { inReadingDirection } from './direction.ts';
import { Bands, around, median, middleY, sharedHeight, type Rect } from './geometry.ts';

/** A word in the frame of its turn. */
export interface PlacedWord extends Rect {
  /** Index into the words of the page. */
  readonly index: number;
  readonly text: string;
  /** Font size in points, never 0. */
  readonly size: number;
  readonly bold: boolean;
}

export interface Line extends Rect {
  readonly words: readonly PlacedWord[];
  /** Font size of most of its letters. */
  readonly size: number;
  readonly weight: Weight;
  readonly text: string;
}

/** How many of the letters are bold. */
export type Weight = 'none' | 'some' | 'all';

/** Gap in font sizes up to which words always belong together. */
const WORD_GAP = 0.7;
/** The same where the weight of the letters changes; in East Asian scripts nothing but a new cell makes a gap there. */
const WEIGHT_GAP = 0.9;
const EAST_ASIAN_GAP = 0.35;
/** Gap in font sizes from which they never do. */
const COLUMN_GAP = 1.7;
/** A gap between the two is a gap between words where the others of its row are as wide, divided by this. */
const EVEN_GAPS = 1.5;
/** Width of letters and of capitals, at most, in font sizes. */
const LETTER = 0.62;
const WIDE_LETTER = 0.75;
/** A list mark may stand this far from its text. */
const MARK_GAP = 3.5;
/** Words that overlap by more are not beside each other. */
const OVERLAP = 0.5;
/** Sizes that differ by more are no neighbours on a line, unless one is a unit or raised. */
const SAME_SIZE = 1.5;
/** Share of its height by which a unit or a raised sign is beside its word. */
const RAISED = 0.6;
/** A word with the number of a footnote. */
const RAISED_SIGN = /\p{L}[.,;:!?)”“]*\d{1,2}[.,;:]?$/u;
/** A word that is higher than most of its line by so much has a raised sign. */
const RAISED_HEIGHT = 1.2;
/** Neighbours looked at in one band; only a hostile page has more that overlap. */
const MAX_LOOKED_AT = 40;

/** Signs of lists, arrows, shapes and dingbats; letters of symbol fonts. */
const BULLET = /^[•·‣⁃∙◦»–—*\u2190-\u21FF\u25A0-\u27BF\u2B00-\u2BFF\uE000-\uF8FF-]\uFE0F?$/u;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const NUMBERING = /^\(?(?:\d{1,2}|[a-z])[.)]$/iu;

const AMOUNT = /^[^\p{L}\d]{0,2}\d{1,3}[.,]\d/u;

/** True for a word that marks an item of a list. */
export const isBullet = (text: string): boolean => BULLET.test(text);
/** True for a bullet or a number of a list. */
export const isListMark = (text: string): boolean => BULLET.test(text) || NUMBERING.test(text);

const MAX_FIGURE_WORDS = 4;
/** Words of a number, and a currency, which are no label of it. */
const MULTIPLIER =
  /(?<=\d[\s-]?)(?:thousand|millions?|billions?|trillions?|Tausend|Tsd|Million(?:en)?|Milliarden?|Mio|Mrd)(?!\p{L})|(?<!\p{L})(?:EUR|USD|CHF|GBP|INR|Euro|Dollar)(?!\p{L})/giu;
/** True for a text of few words that is nothing but a figure. */
export const isFigureText = (text: string): boolean =>
  text.split(/\s+/u).length <= MAX_FIGURE_WORDS &&
  /\d/u.test(text) &&
  (text.replaceAll(MULTIPLIER, '').match(/\p{L}/gu)?.length ?? 0) <=
    Math.max(3, (text.match(/\d/gu)?.length ?? 0) * 1.5);

/** True for a line that is nothing but a figure: `43%`, `€ 2.7 B`, `1 in 3`. */
export const isFigure = (line: Line): boolean => isFigureText(line.text);

/** Order in which words are looked at: whatever the order in which they came. */
export function byPlace(a: PlacedWord, b: PlacedWord): number {
  return (
    a.left - b.left ||
    a.top - b.top ||
    a.right - b.right ||
    a.bottom - b.bottom ||
    (a.text < b.text ? -1 : a.text > b.text ? 1 : 0) ||
    a.size - b.size ||
    Number(a.bold) - Number(b.bold)
  );
}

/** Lines of words of one turn. */
export function toLines(words: readonly PlacedWord[]): Line[] {
  const rows = toRows(words.toSorted(byPlace));
  return rows.flatMap((row) => splitRow(row)).map(toLine);
}

/** @param row Words from left to right */
export function toLine(row: readonly PlacedWord[]): Line {
  const words = inReadingDirection(row);
  const letters = new Map<number, number>();
  let bold = 0;
  let all = 0;
  for (const word of words) {
    letters.set(word.size, (letters.get(word.size) ?? 0) + word.text.length);
    all += word.text.length;
    if (word.bold) bold += word.text.length;
  }
  const size = [...letters].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 1;
  const weight = bold === 0 ? 'none' : bold === all ? 'all' : 'some';
  const text = words.map((word) => word.text).join(' ');
  return { ...around(words), ...heightOf(words, size), words, size, weight, text };
}

/** Upper and lower edge of a line: a word with a raised digit reaches higher than its letters do, and moves no line. */
function heightOf(words: readonly PlacedWord[], size: number): Pick<Rect, 'top' | 'bottom'> {
  const usual = median(words.map(({ top, bottom }) => bottom - top));
  const isRaised = (word: PlacedWord): boolean =>
    RAISED_SIGN.test(word.text) && word.size <= size && word.bottom - word.top > RAISED_HEIGHT * usual;
  const { top, bottom } = around(words.filter((word) => !isRaised(word)));
  return { top, bottom };
}

/** Chains of words that are each other's nearest neighbour to the right and to the left. */
function toRows(words: readonly PlacedWord[]): PlacedWord[][] {
  const band = Math.max(1, median(words.map((word) => word.size)));
  const bands = new Bands(words, middleY, band);
  const right = new Map<PlacedWord, PlacedWord>();
  const left = new Map<PlacedWord, PlacedWord>();
  const offer = (a: PlacedWord, b: PlacedWord): void => {
    const after = right.get(a);
    if (after === undefined || nearer(a, b, after)) right.set(a, b);
    const before = left.get(b);
    if (before === undefined || nearer(b, a, before)) left.set(b, a);
  };
  for (const word of words) {
    for (const things of bands.between(word.top, word.bottom)) {
      for (const other of neighbours(things, word)) {
        if (areBeside(word, other)) offer(word, other);
        else if (areBeside(other, word)) offer(other, word);
      }
    }
  }
  const rows: PlacedWord[][] = [];
  const taken = new Set<PlacedWord>();
  for (const word of words) {
    const before = left.get(word);
    if (taken.has(word) || (before !== undefined && right.get(before) === word && !taken.has(before))) continue;
    const row: PlacedWord[] = [];
    for (let next: PlacedWord | undefined = word; next !== undefined && !taken.has(next);) {
      row.push(next);
      taken.add(next);
      const after = right.get(next);
      next = after !== undefined && left.get(after) === next ? after : undefined;
    }
    rows.push(row);
  }
  // A circle of neighbours has no first word.
  for (const word of words) if (!taken.has(word)) rows.push([word]);
  return rows;
}

/** Whether `b` is nearer to `a` than `c` is; all three are on a line. */
function nearer(a: PlacedWord, b: PlacedWord, c: PlacedWord): boolean {
  const distance = (x: PlacedWord): number => Math.max(0, Math.max(x.left - a.right, a.left - x.right));
  return distance(b) - distance(c) < 0 || (distance(b) === distance(c) && sharedHeight(a, b) > sharedHeight(a, c));
}

/** Words of a band around the ends of `word`; they are sorted by their left edge. */
function* neighbours(band: readonly PlacedWord[], word: PlacedWord): Generator<PlacedWord> {
  const at = firstFrom(band, word.right - OVERLAP * word.size);
  for (let i = at; i < band.length && i < at + MAX_LOOKED_AT; i++) {
    const other = band[i];
    if (other === undefined || other.left > word.right + MARK_GAP * Math.max(word.size, other.size)) break;
    if (other !== word) yield other;
  }
  const before = firstFrom(band, word.left + OVERLAP * word.size);
  for (let i = before - 1; i >= 0 && i >= before - MAX_LOOKED_AT; i--) {
    const other = band[i];
    if (other !== undefined && other !== word) yield other;
  }
}

/** Index of the first word whose left edge is at `x` or right of it. */
function firstFrom(sorted: readonly PlacedWord[], x: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.left ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether `b` stands to the right of `a` on one line. */
function areBeside(a: PlacedWord, b: PlacedWord): boolean {
  const size = Math.max(a.size, b.size);
  const gap = b.left - a.right;
  if (gap < -OVERLAP * Math.min(a.size, b.size) || gap > MARK_GAP * size || b.left <= a.left) return false;
  const height = Math.min(a.bottom - a.top, b.bottom - b.top);
  const shared = sharedHeight(a, b);
  const ratio = size / Math.min(a.size, b.size);
  if (ratio <= SAME_SIZE) return shared >= 0.5 * height && Math.abs(middleY(a) - middleY(b)) < 0.4 * size;
  if (shared < RAISED * height) return false;
  // Units, raised and lowered signs stand close to their word.
  const small = a.size < b.size ? a : b;
  const near = small === a ? 0.5 : 0.3;
  return (gap < near * size && small.text.length <= 4) || (isBullet(small.text) && gap < MARK_GAP * small.size);
}

/** Ends lines at gaps that are wider than the space between words. */
function splitRow(row: readonly PlacedWord[]): PlacedWord[][] {
  const gaps = row.slice(1).map((word, i) => {
    const before = row[i] ?? word;
    return (word.left - before.right) / Math.max(word.size, before.size);
  });
  const usual = median(gaps.filter((gap) => gap < COLUMN_GAP));
  const lines: PlacedWord[][] = [];
  row.forEach((word, i) => {
    const line = lines.at(-1);
    const before = row[i - 1];
    if (
      line === undefined ||
      before === undefined ||
      endsLine(gaps[i - 1] ?? 0, before, word, line, usual, gaps.length)
    ) {
      lines.push([word]);
    } else line.push(word);
  });
  return lines;
}

function endsLine(
  gap: number,
  before: PlacedWord,
  word: PlacedWord,
  line: readonly PlacedWord[],
  usual: number,
  count: number,
): boolean {
  if (isListMark(word.text) && gap > WORD_GAP + 0.3) return true;
  if (line.length === 1 && isListMark(before.text)) return gap > MARK_GAP;
  // Amounts in neighbouring cells stand close; digits of one amount that are grouped by spaces are short.
  if (AMOUNT.test(before.text) && AMOUNT.test(word.text) && gap > (/^\p{Sc}/u.test(word.text) ? 0 : 0.35)) return true;
  const eastAsian = EAST_ASIAN.test(before.text) && EAST_ASIAN.test(word.text);
  if (before.bold !== word.bold && gap > (eastAsian ? EAST_ASIAN_GAP : WEIGHT_GAP)) return true;
  // Letters that were set apart make the space between words wider as well.
  const spacing = Math.max(0, Math.min(tracking(before), tracking(word)));
  if (gap <= WORD_GAP + 3 * spacing) return false;
  if (gap > COLUMN_GAP + 3 * spacing) return true;
  return count < 4 || gap > EVEN_GAPS * usual;
}

/** By how much the letters of a word stand further apart than usual, in font sizes. */
function tracking({ text, left, right, size }: PlacedWord): number {
  if (text.length < 3 || EAST_ASIAN.test(text)) return 0;
  const usual = text === text.toUpperCase() ? WIDE_LETTER : LETTER;
  return (right - left) / size / text.length - usual;
}
