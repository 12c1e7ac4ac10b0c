/**
 * Keeps a review as a self-contained HTML file, so that it can be read when nothing runs any more.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DeckhandClient } from '../../api/client.ts';
import type { AnalysisReport } from '../../domain/report.ts';

/** Writes the report below the data directory and returns the file's path. */
export async function saveHtmlReport(client: DeckhandClient, report: AnalysisReport, home: string): Promise<string> {
  const dir = path.join(home, 'reports');
  await mkdir(dir, { recursive: true });
  const stem = path
    .basename(report.deck.fileName, path.extname(report.deck.fileName))
    .replaceAll(/[^A-Za-z0-9_-]+/gu, '-')
    .slice(0, 60);
  const file = path.join(dir, `${stem}-${report.analysisId.slice(0, 8)}.html`);
  await writeFile(file, await client.reportText(report.analysisId, 'html'));
  return file;
}
