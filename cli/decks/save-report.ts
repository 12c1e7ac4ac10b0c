/**
 * Keeps a review as a self-contained HTML file, so that it can be read when nothing runs any more.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DeckhandClient } from '../../api/client.ts';
import { patiently } from '../../api/client/patience.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { reportFile } from '../../platform/report-files.ts';

/** Writes the report below the data directory and returns the file's path. */
export async function saveHtmlReport(client: DeckhandClient, report: AnalysisReport, home: string): Promise<string> {
  const html = await patiently(() => client.reportText(report.analysisId, 'html'), { answeredBefore: true });
  const file = reportFile(home, report.deck.fileName, report.analysisId);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, html);
  return file;
}
