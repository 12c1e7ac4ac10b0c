/**
 * Tables as they are drawn: rules or filled rows that go across the same width under each other. What stands between two of them is one row,
 * in however many lines its cells are set. Cards, gridlines of charts and the rules of headers and footers are drawn alike and are told by what
 * stands between them.
 */
import { toBlock, type Block } from './blocks.ts';
import { around, centreX, median, middleY, sharedHeight, sharedWidth, type Rect } from './geometry.ts';
import type { Row } from './is-table.ts';
import { isListMark, toLine, toLines, type Line, type PlacedWord } from './lines.ts';

/** A shape of a smaller height is a rule, in points. */
const MAX_RULE_PT = 3.5;
/** A shorter shape is a list mark, a tick or a dash. */
const MIN_RULE_PT = 40;
/** The largest mark in a cell, in points. */
const MAX_MARK_PT = 30;
/** Edges at so nearly the same place are the same, in points. */
const NEAR_PT = 4;
/** A row takes at most this share of the page. */
const MAX_ROW_SHARE = 0.3;
/** Rows of a table, with the row of headings. */
const MIN_ROWS = 3;
/** Share of the rows that have words in two columns and more. */
const MIN_FILLED = 0.6;
/** Share of the height in which a column is divided from the next by something drawn. */
const MIN_DIVIDED = 0.6;
/** Share of the lines that a rule may cross: gridlines of a chart cross many. */
const MAX_CROSSED = 0.1;
/** Lines of a cell differ in size by no more; a figure over its caption does. */
const MAX_SIZES = 1.35;
/** Share of the cells that may do so; with more of them they are cards. */
const MAX_CARDS = 0.2;
/** Words of a heading that stands over one column alone; a title has more. */
const MAX_HEADING_WORDS = 3;
/** White space that runs down between columns, in font sizes. */
const MIN_GAP = 0.5;
/** Distance of the lines of a cell, in font sizes. */
const LINE_PITCH = 1.6;
/** Height of a row beyond the first or last rule, in usual rows. */
const MAX_ROW_OUTSIDE = 3;
/** Most rules that are looked at; only a hostile page has more. */
const MAX_RULES = 200;

/** A rule that goes across. */
interface Rule {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** The tables that are drawn, and the words that stand elsewhere. */
export function ruledTables(
  words: readonly PlacedWord[],
  shapes: readonly Rect[],
  heightPt: number,
): { readonly tables: readonly (readonly Row[])[]; readonly rest: readonly PlacedWord[] } {
  const tables: (readonly Row[])[] = [];
  let rest = words;
  const marks = shapes.filter(isMark);
  for (const stack of stacksOf(rulesOf(shapes), MAX_ROW_SHARE * heightPt).flatMap((one) => apart(one, words, shapes))) {
    const table = tableOf(stack, rest, uprightsOf(shapes, stack), marks);
    if (table === null) continue;
    tables.push(table);
    const taken = new Set(table.flat(2).flatMap((cell) => cell.lines.flatMap((line) => line.words)));
    rest = rest.filter((word) => !taken.has(word));
  }
  return { tables, rest };
}

/** Rules and the upper and lower edges of filled rows; pieces that meet are one. */
function rulesOf(shapes: readonly Rect[]): Rule[] {
  const edges = shapes
    .flatMap(({ left, top, right, bottom }): Rule[] =>
      bottom - top <= MAX_RULE_PT
        ? [{ left, right, y: (top + bottom) / 2 }]
        : [
            { left, right, y: top },
            { left, right, y: bottom },
          ],
    )
    .filter(({ left, right }) => right - left > MAX_RULE_PT)
    .toSorted((a, b) => a.y - b.y || a.left - b.left);
  const rows: Rule[][] = [];
  for (const edge of edges) {
    const row = rows.at(-1);
    if (row?.[0] !== undefined && edge.y - row[0].y <= NEAR_PT / 2) row.push(edge);
    else rows.push([edge]);
  }
  return rows
    .flatMap(joinedRules)
    .filter(({ left, right }) => right - left >= MIN_RULE_PT)
    .slice(0, MAX_RULES);
}

/** Rules at one height, those that meet end to end as one. Cells above and below a line draw it twice. */
function joinedRules(row: readonly Rule[]): Rule[] {
  const pieces: Rule[] = [];
  for (const rule of row.toSorted((a, b) => a.left - b.left || a.right - b.right))
    if (!pieces.some((other) => sameWidth(other, rule))) pieces.push(rule);
  const joined: Rule[] = [];
  for (const rule of pieces) {
    const at = joined.findIndex(({ right }) => Math.abs(rule.left - right) <= NEAR_PT / 2);
    const meets = joined[at];
    if (meets === undefined) joined.push(rule);
    else joined[at] = { ...meets, right: rule.right };
  }
  return joined;
}

/** Rules of one width under each other, no further apart than a row is high. */
function stacksOf(rules: readonly Rule[], maxRowPt: number): Rule[][] {
  const stacks: Rule[][] = [];
  for (const rule of rules) {
    const stack = stacks.findLast(([first]) => first !== undefined && sameWidth(first, rule));
    if (stack !== undefined && rule.y - (stack.at(-1)?.y ?? 0) <= maxRowPt) stack.push(rule);
    else stacks.push([rule]);
  }
  return stacks.filter((stack) => stack.length >= MIN_ROWS - 1).toSorted((a, b) => b.length - a.length);
}

/** Two tables of one width under each other, with a heading between them, are divided in other places. */
function apart(stack: readonly Rule[], words: readonly PlacedWord[], shapes: readonly Rect[]): (readonly Rule[])[] {
  for (let at = MIN_ROWS - 1; at < stack.length - MIN_ROWS; at++) {
    const [upper, lower] = [stack.slice(0, at + 1), stack.slice(at + 1)];
    const [from, to] = [stack[at]?.y ?? 0, stack[at + 1]?.y ?? 0];
    if (toLines(words.filter((word) => isIn(middleY(word), from, to))).length > 1) continue;
    const [a, b] = [uprightsOf(shapes, upper), uprightsOf(shapes, lower)];
    const isSame = a.length === b.length && a.every((x, i) => Math.abs(x - (b[i] ?? 0)) <= NEAR_PT);
    if (a.length > 0 && b.length > 0 && !isSame) return [upper, ...apart(lower, words, shapes)];
  }
  return [stack];
}

/** A tick, a cross or a dot that is drawn. */
const isMark = ({ left, top, right, bottom }: Rect): boolean =>
  Math.max(right - left, bottom - top) <= MAX_MARK_PT && Math.min(right - left, bottom - top) > MAX_RULE_PT;

const sameWidth = (a: Rule, b: Rule): boolean =>
  Math.abs(a.left - b.left) <= NEAR_PT && Math.abs(a.right - b.right) <= NEAR_PT;

/** Places at which most rows of a stack are divided by something drawn: rules that go down, and edges of filled cells. */
function uprightsOf(shapes: readonly Rect[], stack: readonly Rule[]): number[] {
  const [first, last] = [stack[0], stack.at(-1)];
  if (first === undefined || last === undefined) return [];
  const heightPt = last.y - first.y;
  const inside = shapes.filter(
    ({ left, top, right, bottom }) =>
      left >= first.left - NEAR_PT &&
      right <= first.right + NEAR_PT &&
      top >= first.y - NEAR_PT &&
      bottom <= last.y + NEAR_PT,
  );
  const rowPt = heightPt / Math.max(1, stack.length - 1);
  const edges = inside.flatMap(({ left, top, right, bottom }) => {
    // A piece of a rule is as wide as its column, and stands for the row above it.
    const part: Part = bottom - top <= MAX_RULE_PT ? [top - rowPt, top] : [top, bottom];
    return [
      { x: left, part },
      { x: right, part },
    ].filter(({ x }) => x > first.left + 2 * NEAR_PT && x < first.right - 2 * NEAR_PT);
  });
  const uprights: { x: number; parts: Part[] }[] = [];
  for (const edge of edges.toSorted((a, b) => a.x - b.x)) {
    const near = uprights.at(-1);
    if (near !== undefined && edge.x - near.x <= NEAR_PT) near.parts.push(edge.part);
    else uprights.push({ x: edge.x, parts: [edge.part] });
  }
  return uprights.filter(({ parts }) => covered(parts) >= MIN_DIVIDED * heightPt).map(({ x }) => x);
}

/** From top to bottom, in points. */
type Part = readonly [fromPt: number, toPt: number];

/** How much of the height these parts take together. */
function covered(parts: readonly Part[]): number {
  let [sum, end] = [0, -Infinity];
  for (const [from, to] of parts.toSorted((a, b) => a[0] - b[0])) {
    sum += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return sum;
}

/** The table that stands between these rules; null where they divide something else. */
function tableOf(
  stack: readonly Rule[],
  words: readonly PlacedWord[],
  uprights: readonly number[],
  marks: readonly Rect[],
): readonly Row[] | null {
  const [first] = stack;
  if (first === undefined) return null;
  const near = words.filter((word) => centreX(word) > first.left - NEAR_PT && centreX(word) < first.right + NEAR_PT);
  const bands = withoutTitle(bandsOf(stack, near, marks));
  const columns = columnsOf(
    bands.flatMap((band) => toLines(band)),
    uprights,
  );
  if (columns.length < 2) return null;
  const isBefore = (word: PlacedWord, left: number): boolean =>
    (uprights.length > 0 ? centreX(word) : word.left) < left;
  const table = bands.map((band): Row =>
    columns.map((left, i) => {
      const next = columns[i + 1] ?? Infinity;
      return blocksOf(toLines(band.filter((word) => (i === 0 || !isBefore(word, left)) && isBefore(word, next))));
    }),
  );
  const body = withoutNumbers(table);
  return isDrawnTable(body, stack, marks) ? body : null;
}

/** The rows without a first column that only counts them or marks them as a list. */
function withoutNumbers(rows: readonly Row[]): readonly Row[] {
  const texts = rows.flatMap(([first = []]) => first.map((cell) => cell.lines.map((line) => line.text).join(' ')));
  const counts = texts.every((text, i) => /^\d{1,2}\.?$/u.test(text) && Number.parseInt(text, 10) === i + 1);
  return texts.length > 1 && (counts || texts.every(isListMark)) ? rows.map((row) => row.slice(1)) : rows;
}

/** A title that stands within the first rules of a table is no row of it; the heading of one column stands over its cells. */
function withoutTitle(bands: readonly (readonly PlacedWord[])[]): readonly (readonly PlacedWord[])[] {
  const [[title, ...others] = [], below = []] = bands.slice(0, 2).map((band) => toLines(band));
  if (title === undefined || others.length > 0 || below.length < 2) return bands;
  const first = Math.min(...below.map(({ left }) => left));
  const isHeading =
    title.words.length <= MAX_HEADING_WORDS &&
    below.some((cell) => cell.left > first + cell.size && isAligned(cell, title, cell.size));
  return isHeading ? bands : bands.slice(1);
}

const isIn = (x: number, left: number, next: number | undefined): boolean =>
  x >= left && (next === undefined || x < next);
const blocksOf = (lines: readonly Line[]): Block[] =>
  lines.length === 0 ? [] : [toBlock(lines.toSorted((a, b) => a.top - b.top || a.left - b.left))];

/** The words of each row: between two rules, above the first one where headings stand there, and below the last. */
function bandsOf(stack: readonly Rule[], words: readonly PlacedWord[], marks: readonly Rect[]): PlacedWord[][] {
  const within = stack.slice(1).map((rule, i) => {
    const top = stack[i]?.y ?? 0;
    return words.filter((word) => middleY(word) > top && middleY(word) < rule.y);
  });
  const filled = within.filter((band) => band.length > 0);
  const heights = stack.slice(1).map((rule, i) => rule.y - (stack[i]?.y ?? 0));
  const usualPt = median(heights.filter((_, i) => (within[i]?.length ?? 0) > 0));
  const [first, last] = [stack[0]?.y ?? 0, stack.at(-1)?.y ?? 0];
  const cells = filled.map((band) => toLines(band));
  const inside = marks.filter((mark) => isIn(middleY(mark), first, last));
  const above = outside(words, cells, inside, (place) => first - middleY(place), usualPt);
  const below = outside(words, cells, inside, (place) => middleY(place) - last, usualPt);
  return [above, ...filled, below].filter((band) => band.length > 0);
}

/** Words beyond the first or last rule that stand in the columns of the table, as one more row does, in however many lines. */
function outside(
  words: readonly PlacedWord[],
  rows: readonly (readonly Line[])[],
  marks: readonly Rect[],
  distance: (place: Rect) => number,
  usualPt: number,
): PlacedWord[] {
  const cells = rows.flat();
  const size = median(cells.map((line) => line.size));
  const edges = [...cells, ...marks];
  // Two cells that it meets miss each other: it stands in two columns.
  const isAcross = (line: Line): boolean =>
    rows.filter((row) => {
      const met = row.filter((cell) => sharedWidth(cell, line) > 0);
      return Math.max(...met.map(({ left }) => left)) >= Math.min(...met.map(({ right }) => right));
    }).length >
    rows.length / 2;
  const fits = (line: Line): boolean =>
    line.size < MAX_SIZES * size &&
    line.size * MAX_SIZES > size &&
    edges.some((edge) => isAligned(edge, line, size)) &&
    !runsOf(line).some(isAcross);
  const row: Line[] = [];
  let limitPt = usualPt;
  const near = words.filter((word) => distance(word) > 0 && distance(word) < MAX_ROW_OUTSIDE * usualPt);
  for (const line of toLines(near).toSorted((a, b) => distance(a) - distance(b))) {
    if (distance(line) >= limitPt) break;
    if (!fits(line)) {
      if (row.some((other) => sharedHeight(other, line) > 0)) return [];
      break;
    }
    row.push(line);
    limitPt = Math.max(limitPt, distance(line) + LINE_PITCH * line.size);
  }
  return row.length >= 2 ? row.flatMap((line) => line.words) : [];
}

/** A line without the white space between columns. */
function runsOf(line: Line): Line[] {
  const runs: PlacedWord[][] = [];
  for (const word of line.words.toSorted((a, b) => a.left - b.left)) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || word.left - last.right > MIN_GAP * line.size) runs.push([word]);
    else run.push(word);
  }
  return runs.map(toLine);
}

const isAligned = (a: Rect, b: Rect, nearPt: number): boolean =>
  Math.abs(a.left - b.left) <= nearPt ||
  Math.abs(a.right - b.right) <= nearPt ||
  Math.abs(centreX(a) - centreX(b)) <= nearPt;

/** Left edges of the columns: between what is drawn, else between white space that runs down. */
function columnsOf(lines: readonly Line[], uprights: readonly number[]): number[] {
  if (uprights.length > 0) return [-Infinity, ...uprights];
  const columns: number[] = [];
  const gapPt = MIN_GAP * median(lines.map((line) => line.size));
  let end = -Infinity;
  for (const word of lines.flatMap((line) => line.words).toSorted((a, b) => a.left - b.left)) {
    if (word.left > end + gapPt) columns.push(word.left);
    end = Math.max(end, word.right);
  }
  return columns;
}

function isDrawnTable(rows: readonly Row[], stack: readonly Rule[], marks: readonly Rect[]): boolean {
  const cells = rows.flat(2);
  const lines = cells.flatMap((cell) => cell.lines);
  const isCrossed = (line: Line): boolean => {
    const inset = (line.bottom - line.top) / 4;
    return stack.some(({ y }) => y > line.top + inset && y < line.bottom - inset);
  };
  const hasMark = (row: Row): boolean => {
    const { top, bottom, right } = around(row.flat());
    return marks.some((mark) => mark.left > right && sharedHeight(mark, { top, bottom, left: 0, right: 0 }) > 0);
  };
  const sizes = (cell: Block): number => {
    const all = cell.lines.map((line) => line.size);
    return Math.max(...all) / Math.min(...all);
  };
  return (
    rows.length >= MIN_ROWS &&
    (rows[0]?.length ?? 0) > 1 &&
    rows.filter((row) => row.filter((cell) => cell.length > 0).length > 1 || hasMark(row)).length >=
      MIN_FILLED * rows.length &&
    lines.filter(isCrossed).length <= MAX_CROSSED * lines.length &&
    cells.filter((cell) => sizes(cell) > MAX_SIZES).length <= MAX_CARDS * cells.length
  );
}
