/**
 * A page made of its text alone, for pages whose words have no known places: the words stand on a grid, a blank line ends a block, and the
 * marks of page text (`# ` title, `## ` heading, `> ` picture, `| cell | cell |` row of a table) give the kinds.
 */
import { type BlockKind, type Box, PAGE_TEXT_VERSION, type PageBlock, type PageLayout, type PageWord } from './page.ts';

const SIZE_PT = 12;
const CHARACTER_PT = 6;
const LINE_PT = 16;
/** Columns of a table on the grid, in characters. */
const COLUMN_CHARACTERS = 40;

/** The page of a text, on a grid of 6 by 16 points. */
export function pageOfText(text: string): PageLayout {
  const words: PageWord[] = [];
  const blocks: PageBlock[] = [];
  let row = 0;
  /** Adds the words of a cell and gives their indices. */
  const place = (cell: string, column: number): number[] => {
    let at = column;
    return (cell.match(/\S+/gu) ?? []).map((word) => {
      const left = at * CHARACTER_PT;
      const box: Box = [left, row * LINE_PT, left + word.length * CHARACTER_PT, row * LINE_PT + SIZE_PT];
      at += word.length + 1;
      return words.push({ text: word, box, sizePt: SIZE_PT, turn: 0, bold: false, confidence: null }) - 1;
    });
  };
  for (const lines of text
    .split(/\n[^\S\n]*\n/u)
    .map((block) => block.split('\n').filter((line) => /\S/u.test(line)))) {
    if (lines.length === 0) continue;
    const kind = kindOf(lines);
    blocks.push({
      kind,
      lines: lines.map((line) => {
        row += 1;
        if (kind !== 'table') return [place(line.replace(/^(?:#{1,2}|>) /u, ''), 0)];
        return line
          .replaceAll(/^\s*\||\|\s*$/gu, '')
          .split('|')
          .map((cell, column) => place(cell, column * COLUMN_CHARACTERS));
      }),
    });
    row += 1;
  }
  return {
    version: PAGE_TEXT_VERSION,
    widthPt: Math.max(720, ...words.map(({ box }) => box[2])),
    heightPt: Math.max(540, (row + 1) * LINE_PT),
    source: words.length === 0 ? 'none' : 'layer',
    ocr: 'none',
    readableShare: words.length === 0 ? null : 1,
    // The picture of this page was not examined.
    blank: false,
    words,
    blocks,
    hidden: [],
  };
}

function kindOf(lines: readonly string[]): BlockKind {
  const [first = ''] = lines;
  if (first.startsWith('# ')) return 'title';
  if (first.startsWith('## ')) return 'heading';
  if (lines.every((line) => line.startsWith('> '))) return 'picture';
  return lines.every((line) => line.trimStart().startsWith('|')) ? 'table' : 'text';
}
