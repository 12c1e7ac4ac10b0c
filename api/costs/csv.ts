/**
 * Tables as CSV (RFC 4180): for spreadsheets, so a text that one would take for a formula is marked as text.
 */

/** A value of a table. */
export type Cell = string | number | null;

/** Content type of CSV answers. */
export const CSV = { 'content-type': 'text/csv; charset=utf-8' } as const;

/** Beginnings that make a spreadsheet compute. */
const FORMULA = /^[=+\-@\t\r]/u;
const NUMBER = /^-?\d+(?:\.\d+)?$/u;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A whole table with its header. */
export function csvOf(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}
