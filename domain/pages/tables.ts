/**
 * Blocks → tables: rows of cells that stand in the same columns, under each other.
 */
import { SAME_EDGE, toBlock, type Block } from './blocks.ts';
import { around, centreX, median, middleY, sharedWidth, type Rect } from './geometry.ts';
import { areValues, isTable, isValue, LOOSE_PITCH, MIN_ROWS, type Row } from './is-table.ts';

/** Cells at so nearly the same height are one row, in font sizes. */
const SAME_ROW = 0.4;
/** Distance of two rows, in font sizes. */
const MAX_ROW_PITCH = 5;
/** {@link MAX_ROW_PITCH} of rows of many columns, of which one may have a cell of several lines. */
const MAX_TALL_ROW = 8;
/** Font sizes of neighbouring rows differ by no more. */
const SAME_SIZE = 1.5;
/** Distance of the lines of one cell, in font sizes. */
const WRAP_PITCH = 1.6;
/** Distance of the lines of one cell where all are set closely, and by how much rows are further apart than those. */
const LINE_PITCH = 1.45;
const FURTHER_ROWS = 1.25;
/** Lines of the last cell are this much closer than rows. */
const FURTHER_LINES = 0.8;
/** Rows of a table are at most so much further apart than most of them. */
const EVEN_ROWS = 2.6;
/** Columns that say of rows far apart that they belong together. */
const MANY_COLUMNS = 4;
/** Tables beside each other. */
const OPEN_RUNS = 4;
/** Times that rows are divided to find a table beside other things. */
const MAX_DEPTH = 4;
/** Above this many cells a page is no slide. */
const MAX_CELLS = 1500;

/**
 * The blocks with those that are cells of a table joined to one block per table.
 * @param accepts Which of the tables that are found are wanted
 */
export function withTables(cells: readonly Block[], accepts: (table: readonly Row[]) => boolean = () => true): Block[] {
  if (cells.length > MAX_CELLS) return [...cells];
  const tables = tablesIn(cells, 0).filter(accepts);
  const taken = new Set(tables.flat(3));
  return [...cells.filter((cell) => !taken.has(cell)), ...tables.map(toTableBlock)];
}

/** One block of the cells of a table. */
export function toTableBlock(table: readonly Row[]): Block {
  const rows = table.map((row) => row.map((cell) => cell.flatMap((block) => block.lines)));
  return { ...toBlock(rows.flat(2)), rows };
}

/** Tables of cells; each cell is in one at most. */
function tablesIn(all: readonly Block[], depth: number): (readonly Row[])[] {
  const taken = new Set<Block>();
  const found: (readonly Row[])[] = [];
  for (const rows of runsOfRows(rowsOf(all), all)) {
    const cells = all.filter((cell) => !taken.has(cell));
    for (const table of tablesOfRows(rows, cells, depth)) {
      found.push(table);
      for (const cell of table.flat(2)) taken.add(cell);
    }
  }
  return found;
}

/** Rows that make no table are looked at again without what lies beside them. */
function tablesOfRows(all: readonly Block[][], cells: readonly Block[], depth: number): (readonly Row[])[] {
  const free = new Set(cells);
  const rows = all.map((row) => row.filter((cell) => free.has(cell))).filter((row) => row.length > 0);
  if (rows.length < MIN_ROWS) return [];
  const rect = around(rows.flat());
  const inside = cells.filter((cell) => isInside(cell, rect));
  const columns = columnsOf(inside);
  const second = secondTable(columns, inside);
  const table = second === undefined ? toTable(rows, columns, inside, cells) : null;
  if (table !== null) return [table];
  const widest = Math.max(0, ...columns.slice(1).map((column) => column.gapPt));
  const at = second ?? columns.slice(1).find((column) => column.gapPt === widest)?.left;
  if (at === undefined || depth >= MAX_DEPTH) return [];
  const [left, right] = [inside.filter((cell) => cell.left < at), inside.filter((cell) => cell.left >= at)];
  return [...tablesIn(left, depth + 1), ...tablesIn(right, depth + 1)];
}

/** Cells at the same height, from left to right; rows from top to bottom. */
function rowsOf(cells: readonly Block[]): Block[][] {
  const rows: Block[][] = [];
  for (const cell of cells.toSorted((a, b) => middleY(a) - middleY(b) || a.left - b.left || a.right - b.right)) {
    const row = rows.findLast(([first]) => first !== undefined && isSameRow(first, cell));
    if (row === undefined) rows.push([cell]);
    else row.push(cell);
  }
  return rows.map((row) => row.toSorted((a, b) => a.left - b.left || a.right - b.right));
}

/** Cells of a row have their middle or their first line at one height. */
function isSameRow(a: Block, b: Block): boolean {
  const near = (one: Rect, other: Rect): boolean =>
    Math.abs(middleY(one) - middleY(other)) <= SAME_ROW * Math.min(a.size, b.size);
  return near(a, b) || near(a.lines[0] ?? a, b.lines[0] ?? b);
}

/** Rows under each other that share at least two columns; rows of what lies beside may stand between them. */
function runsOfRows(rows: readonly Block[][], all: readonly Block[]): Block[][][] {
  const runs: Block[][][] = [];
  for (const row of rows.filter((one) => one.length > 1)) {
    const run = runs.slice(-OPEN_RUNS).findLast((one) => goesOn(one, row));
    if (run === undefined) runs.push([row]);
    else run.push(row);
  }
  return runs
    .map(withoutFurtherLines)
    .flatMap(splitAtYears)
    .flatMap((run) => splitUneven(run, all))
    .filter((run) => run.length >= MIN_ROWS);
}

/** Rows without those that are further lines of the cells of the row above: words right under its cells, closer than other rows are. */
function withoutFurtherLines(rows: Block[][]): Block[][] {
  const steps = rows.map((row, i) => stepOf(rows[i - 1], row));
  const widest = Math.max(...steps.slice(1));
  return rows.filter((row, i) => {
    const above = rows[i - 1];
    const step = steps[i] ?? 0;
    if (above === undefined || step > LINE_PITCH || step * FURTHER_ROWS > widest) return true;
    return !row.every((cell) => !isValue(cell) && above.some((upper) => isUnder(upper, cell)));
  });
}

/** A row of years heads the rows under it: what stands above, in the same columns by chance, is something else. */
function splitAtYears(rows: Block[][]): Block[][][] {
  const at = rows.findIndex((row, i) => i > 1 && areYears(row));
  return at < 0 ? [rows] : [rows.slice(0, at), ...splitAtYears(rows.slice(at))];
}

const YEAR = /^(?:(?:FY|GJ|H[12]|Q[1-4])\s?)?(?:19|20)\d\d\p{L}?$/iu;
const MIN_YEARS = 3;

function areYears([first, ...others]: readonly Block[]): boolean {
  const isYear = (cell: Block): boolean => cell.lines.length === 1 && YEAR.test(cell.lines[0]?.text ?? '');
  const years = others.filter(isYear).length;
  return years === others.length && years + (first !== undefined && isYear(first) ? 1 : 0) >= MIN_YEARS;
}

/** Distance of two rows in font sizes. */
function stepOf(upper: readonly Block[] | undefined, lower: readonly Block[]): number {
  const [above, below] = [upper?.[0], lower[0]];
  return above === undefined || below === undefined
    ? 0
    : (middleY(below) - middleY(above)) / Math.max(above.size, below.size);
}

function goesOn(run: readonly Block[][], row: readonly Block[]): boolean {
  const [last, first] = [run.at(-1)?.[0], row[0]];
  if (last === undefined || first === undefined) return false;
  const size = Math.max(first.size, last.size);
  if (size > SAME_SIZE * Math.min(first.size, last.size)) return false;
  const shared = sharedColumns(run.slice(-3), row);
  return shared >= 2 && middleY(first) - middleY(last) <= (shared < 3 ? MAX_ROW_PITCH : MAX_TALL_ROW) * size;
}

const sharedColumns = (rows: readonly Block[][], row: readonly Block[]): number =>
  row.filter((cell) => rows.flat().some((above) => isUnder(above, cell))).length;

/** Whether two cells have an edge or their centre in common. */
function isUnder(upper: Block, lower: Block): boolean {
  const near = SAME_EDGE * Math.max(upper.size, lower.size);
  return (
    sharedWidth(upper, lower) > 0 &&
    (Math.abs(upper.left - lower.left) < near ||
      Math.abs(upper.right - lower.right) < near ||
      Math.abs(centreX(upper) - centreX(lower)) < near)
  );
}

/** Cuts rows where they are much further apart than most, unless their many columns say that they belong together. */
function splitUneven(rows: Block[][], all: readonly Block[]): Block[][][] {
  const inRows = new Set(rows.flat());
  const others = all.filter((cell) => !inRows.has(cell));
  const steps = rows.slice(1).map((row, i) => {
    const [first, last] = [row[0], rows[i]?.[0]];
    return first === undefined || last === undefined
      ? 0
      : middleY(first) - Math.max(middleY(last), lastLine(rows[i] ?? [], others));
  });
  const limit = EVEN_ROWS * median(steps);
  const parts: Block[][][] = [];
  for (const [i, row] of rows.entries()) {
    const part = parts.at(-1);
    const isFar = (steps[i - 1] ?? 0) > limit && sharedColumns(rows.slice(i - 1, i), row) < MANY_COLUMNS;
    if (part === undefined || isFar) parts.push([row]);
    else part.push(row);
  }
  return parts;
}

/** Height of the last line of the cells of a row, which may have several. */
function lastLine(row: readonly Block[], others: readonly Block[]): number {
  const ends = row.map((cell) => {
    let last = cell;
    for (let next: Block | undefined = cell; next !== undefined;) {
      const above = last;
      next = others.find((other) => {
        const step = middleY(other) - middleY(above);
        return step > 0 && step < LINE_PITCH * above.size && isUnder(above, other);
      });
      last = next ?? last;
    }
    return middleY(last);
  });
  return Math.max(...ends);
}

/** The table that these rows make with the cells between them; null where they make none. */
function toTable(
  rows: readonly Block[][],
  columns: readonly Column[],
  inside: readonly Block[],
  cells: readonly Block[],
): Row[] | null {
  const inRows = new Set(rows.flat());
  const between = inside.filter((cell) => !inRows.has(cell));
  if (columns.length < 2) return null;
  const columnOf = (cell: Block): number => indexOf(columns, cell);
  const grid = rows.map((row) => columns.map((_, i) => row.filter((cell) => columnOf(cell) === i)));
  const pitch = pitchOf(rows);
  // Two blocks in one cell of a row: the columns are none.
  if (grid.flat().some((cell) => cell.length > 1) || !areApart(rows) || !isTable(grid, pitch)) return null;
  const table = withCellsBetween(grid, between, columnOf);
  return withLastLines(table, cells, pitch < LOOSE_PITCH ? FURTHER_LINES * pitch : WRAP_PITCH);
}

/** No cell reaches into the next row. */
const areApart = (rows: readonly Block[][]): boolean =>
  rows.slice(1).every((row, i) => {
    const above = rows[i] ?? [];
    return row.every((cell) => above.every((upper) => middleY(cell) > upper.bottom || upper.lines.length === 1));
  });

const isInside = (cell: Block, rect: Rect): boolean =>
  middleY(cell) > rect.top && middleY(cell) < rect.bottom && sharedWidth(cell, rect) > 0;

interface Column {
  readonly left: number;
  /** White space before it. */
  readonly gapPt: number;
}

const indexOf = (columns: readonly Column[], cell: Block): number =>
  columns.findLastIndex((column) => cell.left >= column.left);

/** Left edge of a second table beside the first: words with columns of figures behind them, after other columns of figures. */
function secondTable(columns: readonly Column[], cells: readonly Block[]): number | undefined {
  const byColumn = Map.groupBy(cells, (cell) => indexOf(columns, cell));
  const inColumns = columns.map((_, i) => byColumn.get(i) ?? []);
  const figures = inColumns.map(areValues);
  return columns.find((_, i) => i > 2 && !figures[i] && [i - 2, i - 1, i + 1, i + 2].every((other) => figures[other]))
    ?.left;
}

/** Columns: stretches of the width between which white space runs down. */
function columnsOf(cells: readonly Block[]): Column[] {
  const columns: Column[] = [];
  let end = -Infinity;
  for (const cell of cells.toSorted((a, b) => a.left - b.left)) {
    if (cell.left > end) columns.push({ left: cell.left, gapPt: cell.left - end });
    end = Math.max(end, cell.right);
  }
  return columns;
}

/** Least distance of the rows below the first, in font sizes: that of their last and first lines, where cells have several. */
const pitchOf = (rows: readonly Block[][]): number =>
  Math.min(
    ...rows.slice(2).map((row, i) => {
      const above = rows[i + 1] ?? [];
      const [cell] = row;
      if (cell === undefined || above[0] === undefined) return 0;
      if (![...row, ...above].some((each) => each.lines.length > 1))
        return (middleY(cell) - middleY(above[0])) / cell.size;
      const last = Math.max(...above.map((each) => middleY(each.lines.at(-1) ?? each)));
      const first = Math.min(...row.map((each) => middleY(each.lines[0] ?? each)));
      return (first - last) / cell.size;
    }),
  );

/** Puts what is between the rows to the cell above that it continues, or into rows of its own. */
function withCellsBetween(cells: readonly Row[], between: readonly Block[], columnOf: (cell: Block) => number): Row[] {
  const rows = cells.map((row) => row.map((cell) => [...cell]));
  for (const cell of between.toSorted((a, b) => middleY(a) - middleY(b) || a.left - b.left)) {
    const at = rows.findLastIndex((row) => row.flat().some((other) => middleY(other) <= middleY(cell)));
    const above = rows[at]?.[columnOf(cell)];
    const last = above?.at(-1);
    if (above !== undefined && last !== undefined && middleY(cell) - middleY(last) < WRAP_PITCH * cell.size)
      above.push(cell);
    else
      rows.splice(
        at + 1,
        0,
        (rows[0] ?? []).map((_, i) => (i === columnOf(cell) ? [cell] : [])),
      );
  }
  return rows;
}

/**
 * Puts the lines below a table that run on from a cell of its last row to that cell.
 * @param wrapPitch Distance of lines of one cell in font sizes
 */
function withLastLines(table: readonly Row[], cells: readonly Block[], wrapPitch: number): Row[] {
  const taken = new Set(table.flat(2));
  const below = cells.filter((cell) => !taken.has(cell)).toSorted((a, b) => a.top - b.top || a.left - b.left);
  const last = (table.at(-1) ?? []).map((cell) => {
    const whole = [...cell];
    for (const next of below) {
      const above = whole.at(-1);
      if (above === undefined || next.top <= above.top || next.bold !== above.bold) continue;
      if (isUnder(above, next) && middleY(next) - middleY(above) < wrapPitch * above.size && !isValue(next))
        whole.push(next);
    }
    return whole;
  });
  return [...table.slice(0, -1), last];
}
