/** Rows in columns, as every command prints them. */
import { pad, paint, type TerminalStyle, widthOf } from './style.ts';

/** How a table is drawn. */
interface TableOptions {
  /** Titles of the columns, printed dim. */
  readonly head?: readonly string[];
  /** Columns, from 0, whose cells stand at the right: figures. */
  readonly right?: readonly number[];
  /** Printed before each row. */
  readonly indent?: string;
  /** Least columns of each cell, for tables that are printed in pieces. */
  readonly least?: readonly number[];
  readonly style?: TerminalStyle;
}

const GAP = '  ';
const PLAIN: TerminalStyle = { colours: false, width: Number.POSITIVE_INFINITY };

/** A line per row, the head first, without blanks at the end. Cells may be coloured. */
export function tableLines(
  rows: readonly (readonly string[])[],
  { head, right = [], indent = '', least = [], style = PLAIN }: TableOptions = {},
): string[] {
  const all = head === undefined ? rows : [head, ...rows];
  const widths = all.reduce<number[]>(
    (known, row) => row.map((cell, i) => Math.max(known[i] ?? least[i] ?? 0, widthOf(cell))),
    [],
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => pad(cell, widths[i] ?? 0, right.includes(i) ? 'left' : 'right'))
      .join(GAP)
      .trimEnd();
  const [first, ...others] = all.map((row) => indent + line(row));
  if (first === undefined) return [];
  return [head === undefined ? first : paint(first, 'dim', style), ...others];
}

/** The table as one text. */
export const table = (rows: readonly (readonly string[])[], options?: TableOptions): string =>
  tableLines(rows, options).join('\n');
