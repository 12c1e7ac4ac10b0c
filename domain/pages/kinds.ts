/**
 * What role a block of a page plays, by its font size, its place and its words.
 */
import { runsOn, type Block } from './blocks.ts';
import { isFigure, isListMark } from './lines.ts';
import type { BlockKind } from './page.ts';

/** Edge of the page, as a share of its height, that holds headers and footers. */
const MARGIN_SHARE = 0.085;
/** Part of the page in which its title stands. */
const TITLE_SHARE = 0.45;
/** A title is larger than so many of the words. */
const SMALL_SHARE = 0.3;
const MAX_TITLE_WORDS = 30;
const MAX_HEADING_WORDS = 14;
/** Words from which a block is text and no label. */
const TEXT_WORDS = 9;
/** Words up to which lines in several styles are a card. */
const MAX_CARD_WORDS = 30;

/** Above this many blocks a page is no slide and has no headings. */
const MAX_BLOCKS = 1000;

/** Kinds of blocks, in the same order. */
export function kindsOf(blocks: readonly Block[], heightPt: number): BlockKind[] {
  const body = sizeAt(blocks, 0.5);
  const kinds = blocks.map((block): BlockKind => {
    if (block.rows !== undefined) return 'table';
    if (isMargin(block, body, heightPt)) return 'margin';
    return isText(block) ? 'text' : 'label';
  });
  const title = titleOf(blocks, kinds, heightPt);
  return kinds.map((kind, i) => {
    const block = blocks[i];
    if (block === undefined || kind === 'margin' || kind === 'table') return kind;
    if (i === title) return 'title';
    return isHeading(block, blocks, body) ? 'heading' : kind;
  });
}

/** Font size below which this share of the words is. */
function sizeAt(blocks: readonly Block[], share: number): number {
  const sizes = blocks.flatMap((block) => block.lines.flatMap((line) => line.words.map((word) => word.size)));
  return sizes.toSorted((a, b) => a - b)[Math.floor(share * (sizes.length - 1))] ?? 0;
}

function isMargin(block: Block, body: number, heightPt: number): boolean {
  if (block.lines.length > 3 || block.size > 1.15 * body) return false;
  return block.bottom < MARGIN_SHARE * heightPt || block.top > (1 - MARGIN_SHARE) * heightPt;
}

function isText(block: Block): boolean {
  if (block.lines.some((line) => line.words.length > 1 && isListMark(line.words[0]?.text ?? ''))) return true;
  if (isCard(block)) return false;
  return block.words >= TEXT_WORDS || (block.words > 4 && /[.!?]$/u.test(block.lines.at(-1)?.text ?? ''));
}

/** A name and a role, a short heading and what it says: lines in several styles that do not run on. */
function isCard({ lines, words }: Block): boolean {
  const [first, ...others] = lines;
  if (first === undefined || isFigure(first) || words > MAX_CARD_WORDS) return false;
  const other = others.findIndex(
    (line) => line.size < 0.95 * first.size || (first.weight === 'all' && line.weight === 'none'),
  );
  const [upper, lower] = [lines[other], others[other]];
  return upper !== undefined && lower !== undefined && !runsOn(upper, lower);
}

/** Index of the title: the largest words of the upper part, the uppermost of them. */
function titleOf(blocks: readonly Block[], kinds: readonly BlockKind[], heightPt: number): number {
  const small = sizeAt(blocks, SMALL_SHARE);
  let best = -1;
  let bestScore = 0;
  blocks.forEach((block, i) => {
    if (
      kinds[i] === 'margin' ||
      kinds[i] === 'table' ||
      block.top > TITLE_SHARE * heightPt ||
      block.words > MAX_TITLE_WORDS
    )
      return;
    if (!/\p{L}{2}/u.test(block.lines.map((line) => line.text).join(' '))) return;
    if (block.size < 1.15 * small && !(block.bold && blocks.length > 1)) return;
    const score = block.size * (1 - block.top / heightPt);
    if (score > bestScore || (score === bestScore && block.left < (blocks[best]?.left ?? 0)))
      [best, bestScore] = [i, score];
  });
  return best;
}

function isHeading(block: Block, blocks: readonly Block[], body: number): boolean {
  if (blocks.length > MAX_BLOCKS) return false;
  if (block.words > MAX_HEADING_WORDS || !/\p{L}{2}/u.test(block.lines[0]?.text ?? '') || block.lines.length > 3)
    return false;
  if (isListMark(block.lines[0]?.words[0]?.text ?? '')) return false;
  if (/[.;,]$/u.test(block.lines.at(-1)?.text ?? '')) return false;
  const stands = blocks.some(
    (other) =>
      other !== block &&
      other.top >= block.bottom - 0.5 * block.size &&
      other.top - block.bottom < 2 * block.size &&
      other.left < block.right &&
      other.right > block.left &&
      (other.size < 0.92 * block.size || (block.bold && !other.bold && other.size < 1.05 * block.size)) &&
      other.words > block.words / 2,
  );
  return stands && (block.size > 1.1 * body || block.bold);
}
