/** Reads CSV files as spreadsheets and Python write them: quoted fields, doubled quotes, line breaks within quotes. */

/** The rows by column name. Rows of another length than the head are an error of the file. @throws RangeError for such a file */
export function readCsv(text: string): Record<string, string>[] {
  const [head, ...rows] = lines(text);
  if (head === undefined) return [];
  return rows.map((row, index) => {
    if (row.length !== head.length) {
      throw new RangeError(`row ${index + 2} has ${row.length} fields, the head has ${head.length}`);
    }
    return Object.fromEntries(head.map((name, column) => [name, row[column] ?? '']));
  });
}

/** One field and what ends it. */
const FIELD = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/guy;

function lines(text: string): string[][] {
  const all: string[][] = [];
  let row: string[] = [];
  let end = 0;
  for (const match of text.matchAll(FIELD)) {
    const [whole, field = '', separator] = match;
    // The empty match behind the last line break.
    if (whole === '' && row.length === 0) break;
    end = match.index + whole.length;
    row.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (separator === ',') continue;
    all.push(row);
    row = [];
  }
  if (end < text.length) throw new RangeError(`a quote in line ${all.length + 1} is not closed`);
  return all;
}
