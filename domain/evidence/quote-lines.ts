/**
 * Where the lines of a quote lie in the picture of its page, and whether they can be read there.
 */
import type { Box, PageLayout, PageWord } from '../pages/page.ts';
import { boxAround } from '../pages/words.ts';
import { isLatin, RAISED_DIGITS } from './reread-judgement.ts';

/** A line of a quote, in pixels of the picture of its page. */
export interface QuoteLine {
  readonly box: Box;
  /** Degrees by which the line is turned clockwise. */
  readonly turn: PageWord['turn'];
}

/** Lower lines, in pixels of the picture that people see, are not read again: recognition guesses at them. */
export const MIN_LINE_PX = 12;

/** A quote and its lines. */
export interface PlacedQuote {
  /** With the raised digits that the slide has and the quote leaves out: they are in the picture. */
  readonly shown: string;
  readonly lines: readonly QuoteLine[];
}

/**
 * The lines of a verified quote in the picture of its page, in the order of the quote.
 *
 * @param boxes In points of the page, a box per line
 * @param widthPx Width of the picture
 * @returns or why it cannot be read again, for people
 */
export function quoteLines(
  { quote, boxes }: { readonly quote: string; readonly boxes: readonly Box[] | null },
  layout: Pick<PageLayout, 'widthPt' | 'words'> | null,
  widthPx: number | null,
): PlacedQuote | { readonly reason: string } {
  if (!isLatin(quote)) return { reason: 'there is no data to recognise its script' };
  if (layout === null || widthPx === null) return { reason: 'there is no picture of its slide' };
  if (boxes === null || boxes.length === 0) return { reason: 'its place on the slide is not known' };
  const scale = widthPx / layout.widthPt;
  const lines = boxes.flatMap((box) => {
    const words = layout.words.filter((word) => liesIn(word.box, box));
    const turn = words[0]?.turn ?? 0;
    const isUpright = turn === 0 || turn === 180;
    return linesOf(words, isUpright, box).map((line) => {
      // The box of a recognised word ends with its letters, which may all be small ones.
      const heightPt = Math.max(isUpright ? line.box[3] - line.box[1] : line.box[2] - line.box[0], line.sizePt);
      return { box: line.box.map((side) => side * scale) as Box, turn, heightPx: heightPt * scale };
    });
  });
  if (lines.some(({ heightPx }) => heightPx < MIN_LINE_PX))
    return { reason: `its letters are too small: a line is less than ${MIN_LINE_PX} pixels high` };
  const words = layout.words.filter((word) => boxes.some((box) => liesIn(word.box, box)));
  return { shown: asDrawn(quote, words), lines: lines.map(({ box, turn }) => ({ box, turn })) };
}

function asDrawn(quote: string, words: readonly PageWord[]): string {
  let shown = quote;
  for (const { text } of words) {
    const bare = text.replaceAll(RAISED_DIGITS, '');
    if (bare !== text && bare !== '' && !shown.includes(text)) shown = shown.replace(bare, () => text);
  }
  return shown;
}

interface WordLine {
  readonly box: Box;
  /** Of its largest word. */
  readonly sizePt: number;
}

/** The lines of a box, in the order of their words: the cell of a table may have several. The box itself where no word is known. */
function linesOf(words: readonly PageWord[], isUpright: boolean, box: Box): WordLine[] {
  const across = ({ box: [left, top, right, bottom] }: PageWord): readonly [number, number] =>
    isUpright ? [top, bottom] : [left, right];
  const lines: PageWord[][] = [];
  for (const word of words) {
    const [from, to] = across(word);
    const line = lines.find((others) =>
      others.some((other) => {
        const [start, end] = across(other);
        return Math.min(to, end) - Math.max(from, start) > MIN_OVERLAP * Math.min(to - from, end - start);
      }),
    );
    if (line === undefined) lines.push([word]);
    else line.push(word);
  }
  if (lines.length <= 1) return [{ box, sizePt: Math.max(0, ...words.map(({ sizePt }) => sizePt)) }];
  return lines.map((line) => ({
    box: boxAround(line.map((word) => word.box)),
    sizePt: Math.max(...line.map(({ sizePt }) => sizePt)),
  }));
}

/** Words of one line have at least this share of the smaller one's height in common. */
const MIN_OVERLAP = 0.5;

/** True when the middle of one box lies in another. */
function liesIn([left, top, right, bottom]: Box, outer: Box): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return x >= outer[0] && x <= outer[2] && y >= outer[1] && y <= outer[3];
}
