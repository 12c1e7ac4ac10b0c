/**
 * Whether rows of cells are a table. Cards, lists and columns of text stand in rows as well, so rows are taken for a table only where their
 * columns are alike from row to row: figures under figures, words under words, in one style.
 */
import { runsOn, type Block } from './blocks.ts';
import { around, median, middleY } from './geometry.ts';
import { isFigure, isFigureText, isListMark } from './lines.ts';
import { isPeriod } from './periods.ts';
import { isPersonName } from './person-names.ts';

/** Cells of a row by column; most hold one block, some none. */
export type Row = readonly (readonly Block[])[];

/** Distance of rows from which words in columns are cells and no stacked lines, in font sizes. */
export const LOOSE_PITCH = 1.9;
export const MIN_ROWS = 3;
/** Share of a column that is alike, and of the cells that hold something. */
const MIN_ALIKE = 0.75;
const FILLED = 0.6;
/** Share of the cells behind the first column that are figures, where that alone makes a table. */
const MIN_VALUES = 0.35;
/** Share of the width of a column that a line takes which runs on. */
const FULL_LINE = 0.6;
const FULL_LINE_WORDS = 3;
/** Words, share of the width and distance of a line that visibly wraps. */
const [WRAPPED_WORDS, WRAPPED_LINE, WRAP_PITCH] = [5, 0.85, 1.6];
/** Share of the lines of a column that run on from the line above. */
const FLOWING = 0.25;
/** Words of a cell, on average: without and with a row of headings. */
const MAX_CELL_WORDS = 5;
const MAX_HEADED_CELL_WORDS = 12;
const MAX_NAME_WORDS = 4;
const MAX_COMPARED_WORDS = 7;
const MIN_COMPARED = 0.2;
/** Share of the cells of a grid that are figures, with or without a unit in words. */
const MIN_MEASURES = 0.5;
const MEASURE = /^\S{0,2}\d[\d.,'’]*\s?\S{1,8}(?:\s\S{1,8})?$/u;
const MAX_LABEL_WORDS = 6;
/** Rows below the names of people. */
const MAX_PERSON_ROWS = 5;
const MAX_ROLE_WORDS = 5;
/** How much larger than roles names are, or how much further from them than the next line is. */
const [LARGER_NAMES, FURTHER_NAMES] = [1.1, 1.25];
const SHARE = /[%\p{Sc}]/u;

const VALUE =
  /^(?:[✓✔✗✘✕❌✅⚠](?: .*)?|[×xX●○–—-]|yes|no|ja|nein|n\/a|tbd|high|medium|low|none|hoch|mittel|niedrig|[$€£]{1,4}|\+{1,3})$/iu;

const textOf = (cell: Block): string => cell.lines.map((line) => line.text).join(' ');
const firstWord = (cell: Block): string => cell.lines[0]?.words[0]?.text ?? '';

/** True for a cell that is a figure, a tick, or a word for yes, no or a degree. */
export const isValue = (cell: Block): boolean =>
  (cell.lines.length === 1 && cell.lines.every(isFigure)) || VALUE.test(textOf(cell));

/** {@link isValue} for a cell of which only the text is known. */
export const isValueText = (text: string): boolean => isFigureText(text) || VALUE.test(text);

/**
 * Whether these rows are a table.
 * @param pitch Distance of the rows in font sizes
 */
export function isTable(rows: readonly Row[], pitch: number): boolean {
  const all = rows.flat(2);
  const columns = (rows[0] ?? []).map((_, i) => rows.flatMap((row) => row[i] ?? []));
  const filled = all.length >= FILLED * rows.length * columns.length && columns.every((column) => column.length > 2);
  if (!filled) return false;
  if (isComparison(rows)) return true;
  if (arePeople(rows)) return false;
  if (columns.some(isFlowing) || columns.slice(1).some(isList) || isNumbered(columns)) return false;
  if (columns.slice(1).every(isTicked)) return false;
  if (isForm(columns, pitch) || isTimeLine(columns)) return true;
  if (all.every((cell) => isValue(cell) || !/\p{L}{2}/u.test(textOf(cell)))) return false;
  const header = new Set(rows[0]?.flat());
  const body = columns.map((column) => column.filter((cell) => !header.has(cell)));
  const words = all.reduce((sum, cell) => sum + cell.words, 0) / all.length;
  // Cells of any words under a row of headings; figures; a few words: features of competitors, names and roles.
  if (pitch >= LOOSE_PITCH && words <= MAX_HEADED_CELL_WORDS && body.every(isOneStyle) && isHeaded(rows)) return true;
  if (isLegend(columns)) return true;
  if (words > MAX_CELL_WORDS) return false;
  const values = body.slice(1).flat();
  if (isGrid(body, values)) return true;
  if (!body.every(isOneSort)) return false;
  const share = values.filter(isValue).length / values.length;
  if (share >= MIN_ALIKE) return true;
  if (!body.every(isOneStyle)) return false;
  if (share >= MIN_VALUES) return true;
  const [first, second] = columns;
  return (
    columns.length === 2 &&
    rows.length > MIN_ROWS &&
    all.every((cell) => cell.words <= MAX_NAME_WORDS) &&
    first?.[0]?.bold !== second?.[0]?.bold
  );
}

/** Text that runs on from line to line stands in columns and not in rows. A line that it leaves is nearly as wide as its column. */
function isFlowing(column: readonly Block[]): boolean {
  const { left, right } = around(column);
  const runsOver = column.filter((cell, i) => {
    const [upper, lower] = [column[i - 1]?.lines.at(-1), cell.lines[0]];
    if (upper === undefined || lower === undefined || isValue(cell)) return false;
    const share = (upper.right - left) / (right - left);
    // In German a line may go on with a noun, which has a capital as the first word of a sentence has.
    const isWrapped =
      upper.words.length >= WRAPPED_WORDS &&
      share >= WRAPPED_LINE &&
      middleY(lower) - middleY(upper) <= WRAP_PITCH * upper.size;
    return (upper.words.length >= FULL_LINE_WORDS && share >= FULL_LINE && runsOn(upper, lower)) || isWrapped;
  });
  return runsOver.length > FLOWING * (column.length - 1);
}

const isList = (column: readonly Block[]): boolean =>
  column.some((cell) => {
    const mark = firstWord(cell);
    return cell.words > 1 && isListMark(mark) && (!VALUE.test(mark) || /^[–—-]$/u.test(mark));
  });

/** A list whose mark is a tick. */
const isTicked = (column: readonly Block[]): boolean =>
  column.filter((cell) => cell.words > 1 && isListMark(firstWord(cell))).length >= FILLED * column.length;

/**
 * Names of people over their roles: cards beside each other, of which a line across says nothing of anybody. Names are larger than what stands
 * below them or further from it; headings of a table are neither.
 */
function arePeople(rows: readonly Row[]): boolean {
  const [names = [], roles = [], ...lines] = rows;
  const isPerson = (cell: Block): boolean => isPersonName(textOf(cell));
  const below = [roles, ...lines].flat(2);
  const size = (row: Row): number => median(row.flat().map((cell) => cell.size));
  const [first = 0, second = 0, third = 0] = rows.map((row) => around(row.flat()).top);
  const isApart = size(names) >= LARGER_NAMES * size(roles) || second - first >= FURTHER_NAMES * (third - second);
  return (
    isApart &&
    names.every((cell) => cell.length > 0 && cell.every(isPerson)) &&
    roles.flat().every((cell) => cell.words <= MAX_ROLE_WORDS) &&
    lines.length < MAX_PERSON_ROWS &&
    !below.some(isValue) &&
    below.filter(isPerson).length < 0.5 * below.length
  );
}

/** Numbers or marks beside the items of a list. */
const isNumbered = ([first, ...others]: readonly (readonly Block[])[]): boolean =>
  others.length === 1 &&
  first !== undefined &&
  (first.every((cell) => isListMark(textOf(cell)) || VALUE.test(textOf(cell))) ||
    first.every((cell, i) => Number(textOf(cell)) - i === Number(textOf(first[0] ?? cell))));

/** Labels beside their shares or amounts: a column of words, and one of nothing but percentages or money. */
function isLegend(columns: readonly (readonly Block[])[]): boolean {
  const isShared = (column: readonly Block[]): boolean =>
    column.every((cell) => isValue(cell) && SHARE.test(textOf(cell)));
  const areLabels = (column: readonly Block[]): boolean =>
    column.every((cell) => cell.words <= MAX_LABEL_WORDS && /\p{L}{2}/u.test(textOf(cell)) && !isValue(cell));
  return columns.length === 2 && columns.some(isShared) && columns.some(areLabels);
}

/** Labels, each with what is filled in beside it: "Round size  USD 6.5 million". */
function isForm(columns: readonly (readonly Block[])[], pitch: number): boolean {
  const [labels = [], values = [], ...others] = columns;
  const isShort = (cell: Block): boolean => cell.words <= MAX_NAME_WORDS + 2 && !/[.!?]$/u.test(textOf(cell));
  return (
    others.length === 0 &&
    pitch >= LOOSE_PITCH &&
    labels.length === values.length &&
    labels.every((cell) => isName(cell) && cell.words <= MAX_NAME_WORDS && !/\d/u.test(textOf(cell))) &&
    values.every(isShort) &&
    values.some((cell) => /\d/u.test(textOf(cell))) &&
    [labels, values].every(isOneEdge)
  );
}

/** Times, each with what happens then. */
const isTimeLine = ([times = [], events = [], ...others]: readonly (readonly Block[])[]): boolean =>
  others.length === 0 &&
  times.filter((cell) => isPeriod(textOf(cell))).length >= MIN_ALIKE * times.length &&
  events.filter(isName).length >= MIN_ALIKE * events.length &&
  isOneEdge(events);

/** Cells that begin at the same place. */
const isOneEdge = (column: readonly Block[]): boolean => {
  const { left } = around(column);
  return column.every((cell) => cell.left - left <= cell.size / 2);
};

/** True for a value, and for a number with a unit in words: "41 days", "0.4 litres". */
export const isMeasureText = (text: string): boolean => isValueText(text) || MEASURE.test(text);
const isMeasure = (cell: Block): boolean => isMeasureText(textOf(cell));
const isName = (cell: Block): boolean => /\p{L}{2}/u.test(textOf(cell)) && !isValue(cell);

/**
 * Names over columns and labels before rows, with nothing where both meet: a table whatever its cells hold, because cards and columns of text
 * leave no such corner.
 */
export function isComparison([header = [], ...rows]: readonly Row[]): boolean {
  const [corner = [], ...names] = header;
  const labels = rows.filter(([label = []]) => label.length > 0 && label.every(isName));
  const cells = rows.flat(2);
  return (
    corner.length === 0 &&
    names.length > 1 &&
    names.every((name) => name.length > 0 && name.every((cell) => isName(cell) && cell.words <= MAX_NAME_WORDS)) &&
    rows.length >= MIN_ROWS &&
    labels.length >= MIN_ALIKE * rows.length &&
    cells.reduce((sum, cell) => sum + cell.words, 0) <= MAX_COMPARED_WORDS * cells.length &&
    // Labels in a grid may leave a corner out by chance.
    (cells.filter(isMeasure).length >= MIN_COMPARED * cells.length || isHeaded([header, ...rows]))
  );
}

/** Rows of three columns and more in which words stand among figures: "20 days", "unknown". Cards change their style from row to row. */
const isGrid = ([labels = [], ...columns]: readonly (readonly Block[])[], values: readonly Block[]): boolean =>
  columns.length > 1 &&
  labels.length > MIN_ROWS &&
  labels.filter(isName).length >= MIN_ALIKE * labels.length &&
  [labels, ...columns].every(isOneStyle) &&
  values.filter(isMeasure).length >= MIN_MEASURES * values.length;

/** The largest part of a column that is the same in one respect, as a share of it. */
const alike = (column: readonly Block[], respect: (cell: Block) => unknown): number =>
  Math.max(0, ...[...Map.groupBy(column, respect).values()].map((cells) => cells.length)) / Math.max(1, column.length);

const isOneStyle = (column: readonly Block[]): boolean =>
  alike(column, (cell) => Math.round(cell.size)) >= MIN_ALIKE && alike(column, (cell) => cell.bold) >= MIN_ALIKE;

const isOneSort = (column: readonly Block[]): boolean => alike(column, isValue) >= MIN_ALIKE;

/** The first row looks unlike the rows below it. */
function isHeaded(rows: readonly Row[]): boolean {
  const style = (cell: Block): string => `${Math.round(cell.size)} ${cell.bold}`;
  const header = new Set(rows[0]?.flat().map(style));
  const body = rows.slice(1).flatMap((row) => row.slice(1).flat().map(style));
  return header.size === 1 && body.filter((one) => header.has(one)).length <= (1 - MIN_ALIKE) * body.length;
}

/** Whether a column holds mostly figures. */
export const areValues = (column: readonly Block[]): boolean =>
  column.filter(isValue).length > MIN_ALIKE * column.length;
