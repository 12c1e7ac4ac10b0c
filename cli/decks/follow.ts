/**
 * Uploads decks, follows their analyses with progress, and returns the reports.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AnalysisStatusDocument, DeckhandClient, ReplayBatch, StartOptions } from '../../api/client.ts';
import { patiently } from '../../api/client/patience.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { DeckhandError, ERROR_KINDS, isErrorCode } from '../../domain/errors.ts';
import { counted } from '../../domain/text/words.ts';
import { reportFile } from '../../platform/report-files.ts';
import type { Progress } from '../terminal/progress.ts';

const count = (name: string, c: { done: number; failed: number; total: number }): string | null =>
  c.total === 0 ? null : `${name} ${c.done + c.failed}/${c.total}`;

/** One line about where an analysis stands: stage, slides and questions done. */
export function progressLine(fileName: string, { stage, status, progress }: AnalysisStatusDocument): string {
  const parts = [
    `${fileName}: ${stage ?? status}`,
    count('rendered', progress.rendered),
    count('slides', progress.slides),
    count('values', progress.extractions),
    count('questions', progress.answers),
    count('scores', progress.scores),
    count('specialised', progress.specialised),
    progress.gaps === 0 ? null : counted(progress.gaps, 'gap'),
    progress.paused ? 'paused' : null,
    progress.waitingFor === null ? null : `waiting for ${progress.waitingFor}`,
  ];
  return parts.filter((p) => p !== null).join(' · ');
}

/**
 * Reviews one deck, and waits where the API or its database is away for a while. When the signal fires, the analysis is cancelled before the error is thrown.
 *
 * @throws DeckhandError the failure of the deck, by its own code
 */
export async function reviewDeck(
  client: DeckhandClient,
  file: string,
  options: StartOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<AnalysisReport> {
  const name = path.basename(file);
  const onAway = (error: DeckhandError): void => progress.update(`${name}: waiting. ${error.userMessage}`);
  progress.update(`${name}: uploading`);
  const deck = await patiently(() => client.uploadDeck(file, signal), { signal, onAway, answeredBefore: false });
  // The same key starts one analysis, however often it is sent.
  const idempotencyKey = options.idempotencyKey ?? randomUUID();
  const { analysisId } = await patiently(() => client.startAnalysis(deck.id, { ...options, idempotencyKey }, signal), {
    signal,
    onAway,
    answeredBefore: true,
  });
  try {
    for await (const event of client.events(analysisId, signal)) {
      if (event.type === 'progress' || event.type === 'finished')
        progress.update(progressLine(deck.fileName, event.data));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    await client.cancel(analysisId);
    throw new DeckhandError('cancelled', `analysis ${analysisId} was cancelled`, {
      userMessage: 'Cancelled.',
      cause: error,
    });
  }
  const report = await patiently(() => client.report(analysisId), { signal, onAway, answeredBefore: true });
  // The same PDF may be known by the name of an earlier upload.
  return { ...report, deck: { ...report.deck, fileName: deck.fileName } };
}

/** The error a failed analysis stands for; null when it has a result. */
export function failureOf(report: AnalysisReport): DeckhandError | null {
  if (report.status === 'cancelled')
    return new DeckhandError('cancelled', `analysis ${report.analysisId} was cancelled`);
  if (report.status !== 'failed') return null;
  const code = report.failure?.code;
  return new DeckhandError(isErrorCode(code) ? code : 'internal', report.failure?.message ?? 'the analysis failed', {
    userMessage: `${report.deck.fileName}: ${report.failure?.message ?? 'the analysis failed'} (${code ?? 'internal'})`,
  });
}

/** Exit code of several outcomes: the gravest. */
export const worstExitCode = (failures: readonly (DeckhandError | null)[]): number =>
  Math.max(0, ...failures.map((f) => (f === null ? 0 : ERROR_KINDS[f.code].exitCode)));

/** Exit code of an error by its code; one that is not known counts as internal. */
export const exitCodeOfError = (code: string | undefined): number =>
  ERROR_KINDS[isErrorCode(code) ? code : 'internal'].exitCode;

/** 0 unless an analysis was refused: a caller that asked for several has to see that one is missing. */
export const exitCodeOfBatch = ({ items }: ReplayBatch): number =>
  Math.max(0, ...items.flatMap(({ refusal }) => (refusal === null ? [] : [exitCodeOfError(refusal.code)])));

/** Writes the report below the data directory and returns the file's path. */
export async function saveHtmlReport(client: DeckhandClient, report: AnalysisReport, home: string): Promise<string> {
  const html = await patiently(() => client.reportText(report.analysisId, 'html'), { answeredBefore: true });
  const file = reportFile(home, report.deck.fileName, report.analysisId);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, html);
  return file;
}
