/** Pages as tests draw them: text at places, in points, as a PDF library would give its words. */
import { layOutPage } from '../../../domain/pages/layout.ts';
import type { PageLayout, PageWord } from '../../../domain/pages/page.ts';

/** Width of a letter in font sizes. */
const LETTER = 0.5;
const SPACE = 0.28;

export interface Drawn {
  readonly text: string;
  /** Left edge, or the middle where `centred`. */
  readonly x: number;
  /** Upper edge of the first line. */
  readonly y: number;
  readonly size?: number;
  readonly bold?: boolean;
  readonly centred?: boolean;
  readonly turn?: PageWord['turn'];
}

export const widthOf = (text: string, size: number): number =>
  Array.from(text).reduce((sum, letter) => sum + (letter === ' ' ? SPACE : LETTER) * size, 0);

/** Words of one line of text; `\n` begins another line 1.2 font sizes below. */
export function draw({ text, x, y, size = 12, bold = false, centred = false, turn = 0 }: Drawn): PageWord[] {
  return text.split('\n').flatMap((line, i) => {
    const top = y + i * 1.2 * size;
    let left = centred ? x - widthOf(line, size) / 2 : x;
    return line.split(' ').flatMap((word): PageWord[] => {
      const right = left + widthOf(word, size);
      const box: PageWord['box'] = [left, top, right, top + size];
      left = right + SPACE * size;
      return word === '' ? [] : [{ text: word, box, sizePt: size, turn, bold, confidence: null }];
    });
  });
}

/** A word in a place, as high as that is; recognised in a picture where it has a confidence. */
export const wordAt = (text: string, box: PageWord['box'], changes: Partial<PageWord> = {}): PageWord => ({
  text,
  box,
  sizePt: box[3] - box[1],
  turn: 0,
  bold: false,
  confidence: null,
  ...changes,
});

/** Size of a page, in points. */
export const PAGE = { widthPt: 960, heightPt: 540 };

/** The layout of a page of 960 × 540 points with this text on it. */
export function pageOf(...drawn: readonly Drawn[]): PageLayout {
  return layOut(drawn.flatMap(draw));
}

export function layOut(
  words: readonly PageWord[],
  changes: Partial<Parameters<typeof layOutPage>[0]> = {},
): PageLayout {
  return layOutPage({ words, hidden: [], ...PAGE, source: 'layer', blank: false, readableShare: 1, ...changes });
}

/** The blocks as text: lines by line breaks, cells by bars. */
export function blockTexts(layout: PageLayout): string[] {
  return layout.blocks.map((block) =>
    block.lines
      .map((line) => line.map((cell) => cell.map((index) => layout.words[index]?.text).join(' ')).join('|'))
      .join('\n'),
  );
}
