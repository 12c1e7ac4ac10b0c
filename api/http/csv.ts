/**
 * Tables as CSV (RFC 4180): for spreadsheets, so a text that one would take for a formula is marked as text.
 *
 * Where the comma separates decimals, a spreadsheet takes the semicolon for the separator, and a quote within such a cell for a character
 * of it. So text after a semicolon, a tab or a line end begins a cell, too.
 */

/** A value of a table. */
export type Cell = string | number | null;

/** Content type of CSV answers. */
export const CSV = { 'content-type': 'text/csv; charset=utf-8' } as const;

/** Beginnings that make a spreadsheet compute, of this cell or of one that it would be cut into. */
const FORMULA = /^(?=[=+\-@\t\r])|(?<=[;\t\r\n]"*)(?=[=+\-@])/gu;
const NUMBER = /^-?\d+(?:\.\d+)?$/u;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = NUMBER.test(text) ? text : text.replaceAll(FORMULA, "'");
  return /[",;\t\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows of a table, each with its line end. */
export const csvRows = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');

/** A whole table with its header. */
export const csvOf = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  csvRows([columns, ...rows]);
