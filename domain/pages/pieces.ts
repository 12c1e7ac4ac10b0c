/**
 * Pieces of a page in which attempts to steer a score are looked for: sentences and lines.
 */
import type { PageBlock, PageLayout } from './page.ts';
import { paragraphsOf } from './paragraphs.ts';

/** Words that are read together: a sentence, a line, a cell of a table. */
export interface Piece {
  readonly text: string;
  readonly words: readonly number[];
}

/** Sentences of paragraphs, and cells of tables. */
export function sentencesOf(layout: PageLayout): Piece[] {
  return layout.blocks
    .flatMap((block) => paragraphWords(layout, block))
    .flatMap((words) => sentences(layout, words))
    .map((words) => ({ text: textOf(layout, words), words }));
}

/** Lines of blocks, a cell of a table as one. */
export const linesOf = (layout: PageLayout): Piece[] =>
  layout.blocks.flatMap((block) => block.lines.flat()).map((words) => ({ text: textOf(layout, words), words }));

/** Words of each paragraph of a block, of each cell of a table. */
function paragraphWords(layout: PageLayout, block: PageBlock): (readonly number[])[] {
  if (block.kind === 'table') return block.lines.flat();
  if (block.kind === 'title' || block.kind === 'heading') return [block.lines.flat(2)];
  return paragraphsOf(layout, block).map(({ words }) => words);
}

/** A sentence ends where a word ends with its mark. */
function sentences(layout: PageLayout, words: readonly number[]): number[][] {
  const found: number[][] = [];
  let open: number[] | null = null;
  for (const word of words) {
    if (open === null) found.push((open = [word]));
    else open.push(word);
    if (/\p{L}{2}[.!?]["'”’)]*$/u.test(layout.words[word]?.text ?? '')) open = null;
  }
  return found;
}

const textOf = (layout: PageLayout, words: readonly number[]): string =>
  words.map((word) => layout.words[word]?.text ?? '').join(' ');

/** Left edge and top of the first word as shares of the page. */
export function placeOf(layout: PageLayout, { words }: Piece): [left: number, top: number] {
  const [left = 0, top = 0] = layout.words[words[0] ?? -1]?.box ?? [];
  return [left / (layout.widthPt || 1), top / (layout.heightPt || 1)];
}
