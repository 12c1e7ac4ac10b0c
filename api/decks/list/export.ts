/** The deck list as a file: CSV, written page by page, or a workbook for spreadsheets. */
import writeExcelFile, { type Cell as ExcelCell, type SheetData } from 'write-excel-file/node';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { EXPORT_COLUMNS, type ExportValue } from '../../../domain/decks/list/export-columns.ts';
import type { AnsweringSettings } from '../../../domain/evidence/answering-settings.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { csvRows } from '../../http/csv.ts';
import { readPage } from './page.ts';
import type { ExportQuery } from './schemas.ts';

/** Decks that are read at once. */
const PAGE = 200;
/** What a cell of a spreadsheet holds at most. */
const MOST_CELL_TEXT = 32_767;
/** Characters that no XML document may hold. */
// oxlint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/gu;

/** Every deck that fits, page by page. */
async function* pagesOf(
  db: PrismaClient,
  tenantId: string,
  query: ExportQuery,
  settings: AnsweringSettings,
): AsyncGenerator<readonly DeckEntry[]> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await readPage(db, tenantId, { ...query, limit: PAGE, cursor }, settings);
    yield page.items;
    cursor = page.nextCursor;
  }
}

const csvValue = (value: ExportValue): string | number | null => (value instanceof Date ? value.toISOString() : value);

const namesIn = (language: Language): string[] => EXPORT_COLUMNS.map(({ name }) => name[language]);

/** The list as CSV, a piece for each page. */
export async function* exportCsv(
  db: PrismaClient,
  tenantId: string,
  query: ExportQuery,
  settings: AnsweringSettings,
): AsyncGenerator<string> {
  yield csvRows([namesIn(query.language)]);
  for await (const entries of pagesOf(db, tenantId, query, settings)) {
    yield csvRows(entries.map((entry) => EXPORT_COLUMNS.map(({ value }) => csvValue(value(entry)))));
  }
}

/** A cell with its type, so that no text is taken for a formula or a number. */
function excelCell(value: ExportValue): ExcelCell {
  if (value === null || value === '') return null;
  if (value instanceof Date) return { type: Date, value, format: 'yyyy-mm-dd hh:mm' };
  if (typeof value === 'number') return { type: Number, value };
  return { type: String, value: value.toWellFormed().replaceAll(NOT_IN_XML, '').slice(0, MOST_CELL_TEXT) };
}

/** The list as a workbook with one sheet, whose first row stays in sight. */
export async function exportExcel(
  db: PrismaClient,
  tenantId: string,
  query: ExportQuery,
  settings: AnsweringSettings,
): Promise<Buffer> {
  const rows: SheetData = [namesIn(query.language).map((value) => ({ type: String, value, fontWeight: 'bold' }))];
  for await (const entries of pagesOf(db, tenantId, query, settings)) {
    for (const entry of entries) rows.push(EXPORT_COLUMNS.map(({ value }) => excelCell(value(entry))));
  }
  const columns = EXPORT_COLUMNS.map(({ width }) => ({ width }));
  return writeExcelFile(rows, { sheet: 'Decks', columns, stickyRowsCount: 1 }).toBuffer();
}
