/**
 * The text of a page in the order in which a person reads it, one printed line per line.
 *
 * PDF has no reading order: it has pieces of text at places, in the order in which the authoring program wrote them. Pieces that follow
 * each other on one baseline become a line, lines under each other become a block, and blocks are ordered by cutting the page along
 * its white space, first into rows and then into columns. The layer also holds text that the picture hides.
 */
import { MAX_PAGE_TEXT_LENGTH } from '../../../domain/decks/pdf.ts';
import type { PdfPage } from './pdfjs.ts';

/** A piece of text as it lies on the page as seen: x to the right, y downwards, in points. */
export interface TextPiece {
  readonly text: string;
  readonly x: number;
  /** The baseline. */
  readonly y: number;
  readonly width: number;
  /** Font size. */
  readonly height: number;
  /** True when the baseline does not run from left to right. */
  readonly turned: boolean;
  /** True when the PDF itself ends a line here. */
  readonly endsLine: boolean;
}

interface Line {
  text: string;
  left: number;
  right: number;
  baseline: number;
  height: number;
  turned: boolean;
}

interface Block {
  readonly lines: Line[];
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Above this many blocks a page is no slide, and cutting it would take too long: its own order is kept. */
const MAX_BLOCKS_TO_ORDER = 2000;

/** Text of a page: NFC, lines in reading order, at most {@link MAX_PAGE_TEXT_LENGTH} characters, empty for a scan. */
export async function pageText(page: PdfPage): Promise<string> {
  const [a, b, c, d, e, f] = page.getViewport({ scale: 1 }).transform as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const content = await page.getTextContent();
  const pieces: TextPiece[] = [];
  for (const item of content.items) {
    if (!('str' in item)) continue;
    const [ta, tb, tc, td, te, tf] = item.transform as [number, number, number, number, number, number];
    const unit = Math.hypot(a, b);
    pieces.push({
      text: item.str,
      x: a * te + c * tf + e,
      y: b * te + d * tf + f,
      width: item.width * unit,
      height: Math.hypot(tc, td) * unit,
      turned: Math.abs(b * ta + d * tb) > 0.05 * Math.hypot(ta, tb) * unit || a * ta + c * tb < 0,
      endsLine: item.hasEOL,
    });
  }
  return layOutText(pieces).slice(0, MAX_PAGE_TEXT_LENGTH).toWellFormed();
}

/** Orders pieces of text for reading; nothing is lost and nothing but white space is added. */
export function layOutText(pieces: readonly TextPiece[]): string {
  const blocks = toBlocks(toLines(pieces));
  const ordered = blocks.length > MAX_BLOCKS_TO_ORDER ? blocks : cutIntoRows(blocks);
  return ordered
    .flatMap((block) => block.lines)
    .map((line) => tidy(line.text))
    .filter((line) => line !== '')
    .join('\n');
}

function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (control) => (control === '\t' ? control : ' '))
    .replace(/[\p{Zs}]+/gu, ' ')
    .trim();
}

/** Joins pieces that continue each other on one baseline. */
function toLines(pieces: readonly TextPiece[]): Line[] {
  const lines: Line[] = [];
  let current: Line | null = null;
  for (const piece of pieces) {
    if (piece.text !== '') {
      if (current !== null && continues(current, piece)) append(current, piece);
      else lines.push((current = startLine(piece)));
    }
    if (piece.endsLine) current = null;
  }
  return lines;
}

function startLine(piece: TextPiece): Line {
  const { text, x, y, width, height, turned } = piece;
  return { text, left: x, right: turned ? x : x + width, baseline: y, height, turned };
}

function continues(line: Line, piece: TextPiece): boolean {
  const size = Math.max(line.height, piece.height);
  return !line.turned && !piece.turned && Math.abs(piece.y - line.baseline) < 0.5 * size && piece.x > line.right - size;
}

function append(line: Line, piece: TextPiece): void {
  const gap = piece.x - line.right;
  const size = Math.max(line.height, piece.height);
  const spaced = /\s$/.test(line.text) || /^\s/.test(piece.text);
  if (gap > 2 * size) line.text = `${line.text.trimEnd()}\t`;
  else if (gap > 0.15 * size && !spaced) line.text += ' ';
  line.text += piece.text;
  line.right = Math.max(line.right, piece.x + piece.width);
  line.height = Math.max(line.height, piece.height);
}

/** Joins lines that stand under each other and follow each other in the file. */
function toBlocks(lines: readonly Line[]): Block[] {
  const blocks: Block[] = [];
  let previous: Line | null = null;
  for (const line of lines) {
    const block = blocks.at(-1);
    if (block !== undefined && previous !== null && follows(previous, line)) {
      block.lines.push(line);
      block.left = Math.min(block.left, line.left);
      block.right = Math.max(block.right, line.right);
      block.bottom = Math.max(block.bottom, line.baseline + 0.2 * line.height);
    } else {
      blocks.push({
        lines: [line],
        left: line.left,
        right: line.right,
        top: line.baseline - 0.8 * line.height,
        bottom: line.baseline + 0.2 * line.height,
      });
    }
    previous = line;
  }
  return blocks;
}

function follows(upper: Line, lower: Line): boolean {
  const step = lower.baseline - upper.baseline;
  const size = Math.max(upper.height, lower.height);
  const overlap = Math.min(upper.right, lower.right) - Math.max(upper.left, lower.left);
  return !upper.turned && !lower.turned && step > 0 && step < 2 * size && overlap > 0;
}

/** Rows first: white space right across the page separates what is read first from what is read later. */
function cutIntoRows(blocks: readonly Block[]): Block[] {
  const rows = cut(
    blocks.toSorted((a, b) => a.top - b.top),
    (block) => [block.top, block.bottom],
  );
  if (rows.length === 1) return cutIntoColumns(blocks);
  return rows.flatMap((row) => (row.length === 1 ? row : cutIntoColumns(row)));
}

/** Columns within a row; where neither cut is possible, from top to bottom. */
function cutIntoColumns(blocks: readonly Block[]): Block[] {
  const columns = cut(
    blocks.toSorted((a, b) => a.left - b.left),
    (block) => [block.left, block.right],
  );
  if (columns.length === 1) return blocks.toSorted((a, b) => a.top - b.top || a.left - b.left);
  return columns.flatMap((column) => (column.length === 1 ? column : cutIntoRows(column)));
}

/** Cuts sorted blocks wherever none of them spans; blocks that touch stay together. */
function cut(sorted: readonly Block[], extent: (block: Block) => [number, number]): Block[][] {
  const groups: Block[][] = [];
  let end = -Infinity;
  for (const block of sorted) {
    const [from, to] = extent(block);
    const group = groups.at(-1);
    if (group !== undefined && from < end) group.push(block);
    else groups.push([block]);
    end = Math.max(end, to);
  }
  return groups;
}
