/**
 * Lines → cells of several lines: lines set closely under each other in one column, of which a table has a few among its rows. In a page whose
 * rows are as close as the lines of a cell the two cannot be told apart; there each line is a cell, as in a list of figures.
 */
import { SAME_EDGE, toBlock, type Block } from './blocks.ts';
import { centreX, middleY, sharedWidth } from './geometry.ts';
import { isValue } from './is-table.ts';
import type { Line } from './lines.ts';

/** Distance of the lines of a cell, in font sizes. */
const MAX_PITCH = 1.45;
/** Most lines of a cell. */
const MAX_LINES = 3;
/** A line that its cell goes on after: "0 € bis", "47 min,". */
const UNFINISHED = /(?:[,–-]|(?<!\p{L})(?:bis|ab|von|je|und|oder|to|from|per|and|or))$/iu;
const SAME_SIZE = 1.3;
/** Above this many lines a page is no slide. */
const MAX_PAGE_LINES = 600;

/** The lines as cells, those that belong to one cell together. */
export function toCells(lines: readonly Line[]): Block[] {
  const single = lines.map((line) => toBlock([line]));
  if (lines.length > MAX_PAGE_LINES) return single;
  const chains: Line[][] = [];
  for (const line of lines.toSorted((a, b) => middleY(a) - middleY(b) || a.left - b.left)) {
    const chain = chains.findLast((one) => goesOn(one.at(-1), line));
    if (chain === undefined) chains.push([line]);
    else chain.push(line);
  }
  return chains.flatMap((chain) =>
    chain.length <= MAX_LINES ? [toBlock(chain)] : chain.map((line) => toBlock([line])),
  );
}

function goesOn(upper: Line | undefined, lower: Line): boolean {
  if (upper === undefined || sharedWidth(upper, lower) <= 0) return false;
  const [small, large] = [Math.min(upper.size, lower.size), Math.max(upper.size, lower.size)];
  const step = (middleY(lower) - middleY(upper)) / large;
  if (step < 0.5 || step > MAX_PITCH || large > SAME_SIZE * small) return false;
  // Two values under each other are two cells, unless the first one is not finished.
  if (!UNFINISHED.test(upper.text) && isValue(toBlock([upper])) && isValue(toBlock([lower]))) return false;
  const near = SAME_EDGE * large;
  return (
    Math.abs(upper.left - lower.left) < near ||
    Math.abs(upper.right - lower.right) < near ||
    Math.abs(centreX(upper) - centreX(lower)) < near
  );
}
