/**
 * Lays out the words of a page: words → lines → blocks, what role each block plays, and in which order a person reads them.
 */
import { toBlock, toBlocks, type Block } from './blocks.ts';
import { toGroups } from './cards.ts';
import { around, toFrame, type Rect, type Turn } from './geometry.ts';
import { kindsOf } from './kinds.ts';
import { toLines, type Line, type PlacedWord } from './lines.ts';
import {
  PAGE_TEXT_VERSION,
  type BlockKind,
  type Box,
  type HiddenWord,
  type OcrState,
  type PageBlock,
  type PageLayout,
  type PageWord,
  type TextSource,
} from './page.ts';
import { picturedWords, wordsInPictures } from './pictured-words.ts';
import type { Group } from './sibling-cards.ts';
import type { Row } from './is-table.ts';
import { inReadingOrder, type Readable } from './reading-order.ts';
import { ruledTables } from './ruled-tables.ts';
import { dividingShapes } from './shapes.ts';
import { toTableBlock, withTables } from './tables.ts';
import { toCells } from './wrapped-cells.ts';

/** What was read of a page. */
export interface PageWords {
  /** Words that can be seen, in any order. */
  readonly words: readonly PageWord[];
  readonly hidden: readonly HiddenWord[];
  readonly widthPt: number;
  readonly heightPt: number;
  readonly source: TextSource;
  readonly ocr?: OcrState;
  readonly blank: boolean;
  readonly incomplete?: boolean;
  /** 0 to 1; null without words. */
  readonly readableShare: number | null;
  /** Places of pictures, in points; none where they are not known. */
  readonly pictures?: readonly Box[];
  /** Places of rules, rectangles and other simple shapes, in points; none where they are not known. */
  readonly shapes?: readonly Box[];
}

const TURNS: readonly Turn[] = [0, 90, 180, 270];

/**
 * The layout of a page. Its words come in reading order, each in exactly one block; the same words give the same layout in whatever order
 * they are given.
 */
export function layOutPage(page: PageWords): PageLayout {
  const { words, widthPt, heightPt, source, ocr = 'none', blank, readableShare, pictures = [] } = page;
  const shapes = dividingShapes(page.shapes ?? [], page);
  const pictured = picturedWords(words, { pictures, widthPt, heightPt });
  const laidOut = layOutParts(words, pictured, { widthPt, heightPt, shapes });
  return {
    version: PAGE_TEXT_VERSION,
    widthPt,
    heightPt,
    source,
    ocr,
    readableShare,
    blank,
    ...(page.incomplete === true ? { incomplete: true } : {}),
    ...laidOut,
    ...(shapes.length > 0 ? { shapes } : {}),
    hidden: hiddenText(page),
  };
}

/** The layout that a page has without some of its words, which are given by index. */
export function layOutWithout(layout: PageLayout, words: ReadonlySet<number>): PageLayout {
  const left = layout.words.flatMap((word, index) => (words.has(index) ? [] : [{ word, index }]));
  const inPictures = wordsInPictures(layout);
  const pictured = new Set(left.flatMap(({ index }, at) => (inPictures.has(index) ? [at] : [])));
  return {
    ...layout,
    ...layOutParts(
      left.map(({ word }) => word),
      pictured,
      layout,
    ),
  };
}

/** Words within pictures, given by index, are laid out by themselves, after the others. */
function layOutParts(
  words: readonly PageWord[],
  pictured: ReadonlySet<number>,
  page: Sheet,
): Pick<PageLayout, 'words' | 'blocks'> {
  const text = layOutWords(
    words.filter((_, index) => !pictured.has(index)),
    page,
  );
  if (pictured.size === 0) return text;
  const within = layOutWords(
    words.filter((_, index) => pictured.has(index)),
    page,
  );
  const first = text.words.length;
  return {
    words: [...text.words, ...within.words],
    blocks: [
      ...text.blocks,
      ...within.blocks.map(({ lines }): PageBlock => ({
        kind: 'picture',
        lines: lines.map((line) => [line.flat().map((index) => first + index)]),
      })),
    ],
  };
}

/** Size of a page in points, and what divides its words. */
type Sheet = Pick<PageLayout, 'widthPt' | 'heightPt' | 'shapes'>;

interface Region extends Readable {
  readonly blocks: readonly Block[];
  readonly kinds: readonly BlockKind[];
}

function layOutWords(
  words: readonly PageWord[],
  { widthPt, heightPt, shapes = [] }: Sheet,
): Pick<PageLayout, 'words' | 'blocks'> {
  const main = mainTurn(words);
  const height = main === 0 || main === 180 ? heightPt : widthPt;
  const regions = TURNS.flatMap((turn) => {
    const groups = groupsOf(
      placed(words, turn, widthPt, heightPt),
      shapes.map((box) => toFrame(box, turn, widthPt, heightPt)),
      turn === 0 || turn === 180 ? heightPt : widthPt,
    );
    const blocks = groups.flatMap((group) => group.blocks);
    const kinds = new Map(turn === main ? kindsOf(blocks, height).map((kind, i) => [blocks[i], kind]) : []);
    return groups.map((group): Region => {
      const boxes = wordsOf(group).flatMap(({ index }) => (words[index] === undefined ? [] : [words[index].box]));
      return {
        ...around(boxes.map((box) => toFrame(box, main, widthPt, heightPt))),
        style: styleOf(group),
        blocks: group.blocks,
        kinds: group.blocks.map((block) => kinds.get(block) ?? 'label'),
      };
    });
  });
  const kept: PageWord[] = [];
  const keep = (lines: readonly Line[]): number[] =>
    lines.flatMap((line) =>
      line.words.flatMap(({ index }) => (words[index] === undefined ? [] : kept.push(words[index]) - 1)),
    );
  const blocks = inOrder(regions, height).flatMap((region) =>
    region.blocks.map((block, i): PageBlock => ({
      kind: region.kinds[i] ?? 'label',
      lines: (block.rows ?? block.lines.map((line) => [[line]])).map((row) => row.map(keep)),
    })),
  );
  return { words: kept, blocks };
}

/** The page is read in the direction of most of its letters. */
function mainTurn(words: readonly PageWord[]): Turn {
  const letters = TURNS.map((turn) =>
    words.reduce((sum, word) => (word.turn === turn ? sum + word.text.length : sum), 0),
  );
  return TURNS[letters.indexOf(Math.max(...letters))] ?? 0;
}

/** Headers first, footers last. */
function inOrder(regions: readonly Region[], height: number): Region[] {
  const isMargin = (region: Region): boolean => region.kinds.every((kind) => kind === 'margin');
  const margins = regions.filter(isMargin);
  return [
    ...inReadingOrder(margins.filter((region) => region.top < height / 2)),
    ...inReadingOrder(regions.filter((region) => !isMargin(region))),
    ...inReadingOrder(margins.filter((region) => region.top >= height / 2)),
  ];
}

/**
 * Tables that are drawn are told by their rules. Others are looked for among cells of a few close lines, where some cells have several; among lines, which are the cells of most; and among
 * blocks, for cells that are whole texts.
 */
function groupsOf(words: readonly PlacedWord[], shapes: readonly Rect[], heightPt: number): Group[] {
  const { tables, rest } = ruledTables(words, shapes, heightPt);
  const wrapped = withTables(toCells(toLines(rest)), hasWrappedCells);
  const lines = withTables(linesOf(wrapped).map((line) => toBlock([line])));
  return toGroups([
    ...tables.map(toTableBlock),
    ...tablesOf(wrapped),
    ...tablesOf(lines),
    ...withTables(toBlocks(linesOf(lines))),
  ]);
}

const MIN_WRAPPED_COLUMNS = 2;
const hasWrappedCells = (table: readonly Row[]): boolean =>
  (table[0]?.length ?? 0) >= MIN_WRAPPED_COLUMNS && table.flat(2).some((cell) => cell.lines.length > 1);

const tablesOf = (blocks: readonly Block[]): Block[] => blocks.filter(({ rows }) => rows !== undefined);
const linesOf = (blocks: readonly Block[]): Line[] =>
  blocks.flatMap(({ rows, lines }) => (rows === undefined ? lines : []));

const wordsOf = (group: Group): PlacedWord[] =>
  group.blocks.flatMap((block) => block.lines.flatMap((line) => line.words));

/** What a group looks like: sizes and weights of its blocks. */
const styleOf = ({ blocks }: Group): string =>
  blocks.map((block) => `${Math.round(block.size)}${block.bold ? 'b' : ''}`).join(' ');

/** The words of one turn in the frame of that turn. */
function placed(words: readonly PageWord[], turn: Turn, widthPt: number, heightPt: number): PlacedWord[] {
  return words.flatMap((word, index) => {
    if (word.turn !== turn) return [];
    const rect = toFrame(word.box, turn, widthPt, heightPt);
    const size = word.sizePt > 0 ? word.sizePt : Math.max(rect.bottom - rect.top, 1);
    return [{ ...rect, index, text: word.text, size, bold: word.bold }];
  });
}

/** Hidden words as text, one entry for words that stand together and are hidden for the same reason. */
function hiddenText({ hidden, widthPt, heightPt }: PageWords): PageLayout['hidden'] {
  const reasons = [...new Set(hidden.map((word) => word.hidden))].toSorted();
  return reasons.flatMap((reason) => {
    const { words, blocks } = layOutWords(
      hidden.filter((word) => word.hidden === reason),
      { widthPt, heightPt },
    );
    return blocks.map((block) => ({
      reason,
      text: block.lines
        .map((line) =>
          line
            .flat()
            .map((index) => words[index]?.text)
            .join(' '),
        )
        .join(' '),
    }));
  });
}
