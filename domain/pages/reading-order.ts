/**
 * The order in which a person reads: the page is cut again and again along its widest white space, between rows from top to bottom,
 * between columns from left to right.
 */
import { byRows, type Rect } from './geometry.ts';

/** Something to be read; `style` says what it looks like. */
export interface Readable extends Rect {
  readonly style: string;
}

/** White space between columns counts so much more than white space between rows. */
const COLUMN_WEIGHT = 1.3;
/** Gaps that are at least so wide, as a share of the widest, separate things of one kind: they are cut at once. */
const SAME_GAP = 0.7;
/** Share of the cells of a grid that hold something. */
const FILLED = 0.6;
/** Rows that are so much closer than columns are parts of the columns. */
const CLOSE_ROWS = 4;
/** Parts within parts, rows looked at for common columns, things cut at all; only a hostile page has more. */
const MAX_DEPTH = 30;
const MAX_BANDS = 40;
const MAX_THINGS = 600;

/** Orders things for reading; total, and the same whatever the order in which they come. */
export function inReadingOrder<T extends Readable>(things: readonly T[]): T[] {
  return things.length > MAX_THINGS ? things.toSorted(byRows) : cutToPieces(things, 0);
}

function cutToPieces<T extends Readable>(things: readonly T[], depth: number): T[] {
  if (things.length < 2) return [...things];
  const parts = depth > MAX_DEPTH ? null : (byColumns(things) ?? byBands(things) ?? atWidest(rowsOf(things)));
  return parts === null ? things.toSorted(byRows) : parts.flatMap((part) => cutToPieces(part, depth + 1));
}

/** Columns that are read one after the other; null where there are none, or where rows are read first. */
function byColumns<T extends Readable>(things: readonly T[]): T[][] | null {
  const columns = columnsOf(things);
  if (columns.length < 2) return null;
  const rows = rowsOf(things);
  if (rows.length > 1 && !areColumnsFirst(rows, columns)) return null;
  return atWidest(columns);
}

function areColumnsFirst<T extends Readable>(rows: Parts<T>, columns: Parts<T>): boolean {
  const columnOf = new Map(columns.flatMap(({ things }, i) => things.map((thing) => [thing, i] as const)));
  const columnsOfRows = rows.map(({ things }) => new Set(things.map((thing) => columnOf.get(thing))).size);
  if (rows.some((row, i) => isHeadingOf(row.things, rows[i + 1]?.things ?? []))) return false;
  // Nothing stands beside anything else.
  if (Math.max(...columnsOfRows) < 2) return false;
  const filled = columnsOfRows.reduce((sum, count) => sum + count, 0);
  const least = Math.min(...rows.slice(1).map((row) => row.gapPt));
  if (filled >= FILLED * rows.length * columns.length && widest(columns) < CLOSE_ROWS * least) {
    // A row of headings over a row of texts is read by columns, a grid of cards or of labels and texts by rows.
    const stylesOfRows = rows.map(({ things }) => new Set(things.map((thing) => thing.style)));
    return (
      stylesOfRows.every((styles) => styles.size === 1) &&
      new Set(stylesOfRows.map((styles) => [...styles][0])).size > 1
    );
  }
  return widest(columns) * COLUMN_WEIGHT > widest(rows);
}

/** One thing over a row of alike things that look different is the heading of all of them. */
function isHeadingOf<T extends Readable>(row: readonly T[], below: readonly T[]): boolean {
  const styles = new Set(below.map((thing) => thing.style));
  return row.length === 1 && below.length > 1 && styles.size === 1 && !styles.has(row[0]?.style ?? '');
}

/** The rows above those that share columns, those, and the rows below; null where no rows share columns. */
function byBands<T extends Readable>(things: readonly T[]): T[][] | null {
  const bands = rowsOf(things).map((band) => band.things);
  if (bands.length < 3 || bands.length > MAX_BANDS) return null;
  for (let length = bands.length - 1; length >= 2; length--) {
    for (let from = 0; from + length <= bands.length; from++) {
      const inside = bands.slice(from, from + length).flat();
      const isCut = isHeadingOf(bands[from + length - 1] ?? [], bands[from + length] ?? []);
      if (isCut || byColumns(inside) === null) continue;
      return [bands.slice(0, from).flat(), inside, bands.slice(from + length).flat()].filter((part) => part.length > 0);
    }
  }
  return null;
}

/** Parts in order, each with the white space before it. */
type Parts<T> = readonly { readonly things: T[]; readonly gapPt: number }[];

const widest = <T>(parts: Parts<T>): number => Math.max(0, ...parts.slice(1).map((part) => part.gapPt));

const rowsOf = <T extends Rect>(things: readonly T[]): Parts<T> => partsOf(things, 'top', 'bottom');
const columnsOf = <T extends Rect>(things: readonly T[]): Parts<T> => partsOf(things, 'left', 'right');

/** Parts between which white space runs right across. */
function partsOf<T extends Rect>(things: readonly T[], from: 'left' | 'top', to: 'right' | 'bottom'): Parts<T> {
  const parts: { things: T[]; gapPt: number }[] = [];
  let end = -Infinity;
  for (const thing of things.toSorted((a, b) => a[from] - b[from])) {
    const last = parts.at(-1);
    if (last === undefined || thing[from] > end) parts.push({ things: [thing], gapPt: thing[from] - end });
    else last.things.push(thing);
    end = Math.max(end, thing[to]);
  }
  return parts;
}

/** Joins parts again whose gap is narrower than the widest; null where there is one part only. */
function atWidest<T>(parts: Parts<T>): T[][] | null {
  const limit = SAME_GAP * widest(parts);
  const joined: T[][] = [];
  for (const { things, gapPt } of parts) {
    const last = joined.at(-1);
    if (last === undefined || gapPt >= limit) joined.push([...things]);
    else last.push(...things);
  }
  return joined.length < 2 ? null : joined;
}
