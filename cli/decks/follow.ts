/**
 * Uploads decks, follows their analyses with progress, and returns the reports.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type {
  AnalysisStatusDocument,
  AnalysisSummary,
  DeckDocument,
  DeckhandClient,
  ReplayBatch,
  StartOptions,
} from '../../api/client.ts';
import { patiently } from '../../api/client/patience.ts';
import { aboutText, longDeckText } from '../../domain/decks/expected-time.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { DeckhandError, ERROR_KINDS, isErrorCode } from '../../domain/errors.ts';
import { counted } from '../../domain/text/words.ts';
import { reportFile } from '../../platform/report-files.ts';
import type { Progress } from '../terminal/progress.ts';

const count = (name: string, c: { done: number; failed: number; total: number }): string | null =>
  c.total === 0 ? null : `${name} ${c.done + c.failed}/${c.total}`;

/** One line about where an analysis stands: stage, what it waits for, slides and questions done, what was lost. */
export function progressLine(
  fileName: string,
  { stage, status, progress, sends, expected }: AnalysisStatusDocument,
): string {
  const parts = [
    `${fileName}: ${stage ?? status}`,
    // Before the counts: a narrow terminal cuts the line.
    progress.waitingFor === null ? null : `waiting for ${progress.waitingFor}`,
    expected === null ? null : aboutText(expected.seconds),
    count('rendered', progress.rendered),
    count('slides', progress.slides),
    count('values', progress.extractions),
    count('questions', progress.answers),
    count('scores', progress.scores),
    count('specialised', progress.specialised),
    progress.gaps === 0 ? null : counted(progress.gaps, 'gap'),
    sends.lost === 0 ? null : counted(sends.lost, 'lost send'),
    progress.paused ? 'paused' : null,
  ];
  return parts.filter((p) => p !== null).join(' · ');
}

/** What waits for an API that is away for a while, and tells so. */
function patience(fileName: string, progress: Progress, signal: AbortSignal) {
  const onAway = (error: DeckhandError): void => progress.update(`${fileName}: waiting. ${error.userMessage}`);
  return { onAway, signal };
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
  const { deck, analysis } = await startReview(client, file, options, progress, signal);
  const report = await followAnalysis(client, analysis.analysisId, deck.fileName, progress, signal);
  // The same PDF may be known by the name of an earlier upload.
  return { ...report, deck: { ...report.deck, fileName: deck.fileName } };
}

/** Uploads a deck and starts an analysis of it. @throws DeckhandError where the file is refused, by its own code */
export async function startReview(
  client: DeckhandClient,
  file: string,
  options: StartOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ readonly deck: DeckDocument; readonly analysis: AnalysisSummary }> {
  const name = path.basename(file);
  const waits = patience(name, progress, signal);
  progress.update(`${name}: uploading`);
  const deck = await patiently(() => client.uploadDeck(file, signal), { ...waits, answeredBefore: false });
  // The same key starts one analysis, however often it is sent.
  const idempotencyKey = options.idempotencyKey ?? randomUUID();
  const analysis = await patiently(() => client.startAnalysis(deck.id, { ...options, idempotencyKey }, signal), {
    ...waits,
    answeredBefore: true,
  });
  return { deck, analysis };
}

/**
 * Follows an analysis to its end. When the signal fires, it is cancelled before the error is thrown.
 *
 * @throws DeckhandError `cancelled` when the signal fires
 */
export async function followAnalysis(
  client: DeckhandClient,
  analysisId: string,
  fileName: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<AnalysisReport> {
  let isWarned = false;
  try {
    for await (const event of client.events(analysisId, signal)) {
      if (event.type !== 'progress' && event.type !== 'finished') continue;
      const { expected } = event.data;
      const warning: string | null = expected === null || isWarned ? null : longDeckText(expected);
      if (warning !== null) progress.note(`${fileName}: ${warning}`);
      isWarned ||= warning !== null;
      progress.update(progressLine(fileName, event.data));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    await client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
    throw new DeckhandError('cancelled', `analysis ${analysisId} was cancelled`, {
      userMessage: 'Cancelled.',
      cause: error,
    });
  }
  return patiently(() => client.report(analysisId), { ...patience(fileName, progress, signal), answeredBefore: true });
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
