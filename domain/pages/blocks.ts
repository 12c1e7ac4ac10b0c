/**
 * Lines → blocks. A line continues the one above it where both look alike, stand under each other and nothing else lies between;
 * sentences that wrap and items of a list so become one block, columns, boxes and cards stay apart.
 */
import { around, Bands, byRows, centreX, middleY, sharedWidth, type Rect } from './geometry.ts';
import { isBullet, isFigure, isListMark, type Line } from './lines.ts';

/** Lines that follow each other. */
export interface Block extends Rect {
  readonly lines: readonly Line[];
  /** Font size of its first line. */
  readonly size: number;
  readonly bold: boolean;
  readonly words: number;
  /** Rows of cells, for a table. */
  readonly rows?: readonly (readonly (readonly Line[])[])[];
}

/** Distance of two lines in font sizes up to which one continues the other. */
const PITCH = 1.85;
/** The same for a sentence that visibly runs on, and for the next item of a list. */
const WIDE_PITCH = 2.6;
/** Lines of a block are this evenly spaced. */
const EVEN_PITCH = 1.3;
const WIDE_STEP = 1.8;
/** Edges within so many font sizes are the same edge. */
export const SAME_EDGE = 0.6;
/** Lines of one sentence may be set in by so much. */
const SET_IN = 2;
const SAME_SIZE = 1.18;
/** Words of one sentence differ by no more. */
const EMPHASIS = 1.6;
/** Above this many lines a page is no slide: each line stands by itself. */
const MAX_LINES = 2000;

export function toBlock(lines: readonly Line[]): Block {
  return {
    ...around(lines),
    lines,
    size: lines[0]?.size ?? 1,
    bold: lines[0]?.weight === 'all',
    words: lines.reduce((sum, line) => sum + line.words.length, 0),
  };
}

/** Blocks of lines of one turn, in the order of their first lines. */
export function toBlocks(unsorted: readonly Line[]): Block[] {
  const lines = unsorted.toSorted(byRows);
  if (lines.length > MAX_LINES) return lines.map((line) => toBlock([line]));
  const below = nearestBelow(lines);
  const above = new Map([...below].map(([upper, lower]) => [lower, upper]));
  const blocks: Block[] = [];
  for (const line of lines) {
    if (above.has(line)) continue;
    const chain: Line[] = [];
    for (let next: Line | undefined = line; next !== undefined; next = below.get(next)) chain.push(next);
    blocks.push(...splitUneven(chain).flatMap(splitPairs).map(toBlock));
  }
  return blocks;
}

/** The line that continues each line: its nearest below, if it is the nearest above of that one. */
function nearestBelow(lines: readonly Line[]): Map<Line, Line> {
  const tallest = Math.max(1, ...lines.map((line) => line.size));
  const bands = new Bands(lines, middleY, Math.max(1, tallest / 2));
  const below = new Map<Line, Line[]>();
  const above = new Map<Line, Line[]>();
  for (const line of lines) {
    for (const band of bands.between(middleY(line), middleY(line) + WIDE_PITCH * line.size * SAME_SIZE)) {
      for (const other of band) {
        if (other === line || middleY(other) <= middleY(line) || !areStacked(line, other)) continue;
        keepNearest(below, line, other, (candidate) => middleY(candidate) - middleY(line));
        keepNearest(above, other, line, (candidate) => middleY(other) - middleY(candidate));
      }
    }
  }
  const next = new Map<Line, Line>();
  for (const [line, [other, ...more]] of below) {
    if (other === undefined || more.length > 0) continue;
    const [upper, ...others] = above.get(other) ?? [];
    if (upper === line && others.length === 0 && continues(line, other)) next.set(line, other);
  }
  return next;
}

/** Keeps those at the least distance; of several at about the same height two are kept, which says that none is the next. */
function keepNearest(map: Map<Line, Line[]>, key: Line, candidate: Line, distance: (line: Line) => number): void {
  const kept = map.get(key) ?? [];
  const best = kept[0] === undefined ? Infinity : distance(kept[0]);
  const same = 0.4 * Math.min(candidate.size, key.size);
  if (distance(candidate) < best - same) map.set(key, [candidate]);
  else if (distance(candidate) <= best + same)
    map.set(key, [...kept, candidate].toSorted((a, b) => distance(a) - distance(b)).slice(0, 2));
}

/** Whether nothing but distance keeps two lines from being read one after the other. */
function areStacked(upper: Line, lower: Line): boolean {
  const size = Math.min(upper.size, lower.size);
  return sharedWidth(upper, lower) > 0 || Math.abs(upper.left - lower.left) < size;
}

/** Whether the lower line reads on from the upper one. */
function continues(upper: Line, lower: Line): boolean {
  const size = Math.max(upper.size, lower.size);
  const ratio = size / Math.min(upper.size, lower.size);
  const pitch = (middleY(lower) - middleY(upper)) / size;
  if (pitch < 0.5 || (isFigure(upper) && isFigure(lower)) || !areAligned(upper, lower, size)) return false;
  const running = runsOn(upper, lower) || mayRunOn(upper, lower);
  // Words of a sentence that are set larger, or bold.
  if (ratio > SAME_SIZE) return running && ratio <= EMPHASIS && pitch <= EVEN_PITCH && upper.words.length > 2;
  if (upper.weight !== lower.weight && upper.weight !== 'some' && lower.weight !== 'some' && !running) return false;
  const listed = isListMark(lower.words[0]?.text ?? '') || hangs(upper, lower);
  return pitch <= (running || listed ? WIDE_PITCH : PITCH);
}

/** A sentence that did not end on the upper line goes on with a small letter. */
export function runsOn(upper: Line, lower: Line): boolean {
  return /^\p{Ll}/u.test(lower.text) && isOpen(upper) && upper.words.length > 1;
}

/** The same with a figure: after a line of several words that is about as wide. */
const mayRunOn = (upper: Line, lower: Line): boolean =>
  /^[(“"]?\p{Sc}?\d/u.test(lower.text) &&
  isOpen(upper) &&
  !isFigure(upper) &&
  !isFigure(lower) &&
  upper.words.length > 3 &&
  upper.right > lower.right - 2 * lower.size;

/** True for a line that does not end a sentence. */
const isOpen = (line: Line): boolean => !/[.!?:;]["'”’)]*$/u.test(line.text);

/** A further line of an item of a list stands under its text. */
const hangs = (upper: Line, lower: Line): boolean =>
  textLeft(upper) !== upper.left && Math.abs(textLeft(upper) - lower.left) <= SAME_EDGE * upper.size;

/** Where the text of a line begins behind its list mark. */
const textLeft = (line: Line): number =>
  line.words.length > 1 && isListMark(line.words[0]?.text ?? '') ? (line.words[1]?.left ?? line.left) : line.left;

function areAligned(upper: Line, lower: Line, size: number): boolean {
  if (runsOn(upper, lower) && Math.abs(upper.left - lower.left) <= SET_IN * size) return true;
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_EDGE * size;
  if (near(upper.left, lower.left) || near(textLeft(upper), lower.left) || near(textLeft(upper), textLeft(lower)))
    return true;
  if (near(centreX(upper), centreX(lower)) || near(upper.right, lower.right)) return true;
  // An item of a list that wraps, or one on another level; the first line of a paragraph that is set in.
  if (isBullet(lower.words[0]?.text ?? '')) return Math.abs(upper.left - lower.left) < 4 * size;
  return false;
}

/** Cuts a chain of lines where the distance grows. */
function splitUneven(chain: readonly Line[]): Line[][] {
  const steps = chain.slice(1).map((line, i) => middleY(line) - middleY(chain[i] ?? line));
  const least = Math.min(...steps);
  const parts: Line[][] = [];
  chain.forEach((line, i) => {
    const part = parts.at(-1);
    const before = chain[i - 1];
    const step = steps[i - 1] ?? 0;
    const listed = isListMark(line.words[0]?.text ?? '');
    const wide = before !== undefined && (runsOn(before, line) || listed || hangs(before, line));
    if (part === undefined || step > (wide ? WIDE_STEP : EVEN_PITCH) * least) parts.push([line]);
    else part.push(line);
  });
  return parts;
}

/** Cuts figures and their labels that follow each other into pairs. */
function splitPairs(lines: Line[]): Line[][] {
  const figures = lines.map(isFigure);
  const alternate = figures.every((figure, i) => i === 0 || figure !== figures[i - 1]);
  if (!alternate || lines.length < 4) return [lines];
  return lines.flatMap((_, i) => (i % 2 === 0 ? [lines.slice(i, i + 2)] : []));
}
