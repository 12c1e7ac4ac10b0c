/**
 * What a client finds for its job: a result or an error document, and when an error is the job's own.
 */
import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { assertNever } from '../errors.ts';
import { LANGUAGES, TASK_TYPES } from '../models/model-tasks.ts';
import { analysisReportSchema } from '../decks/report.ts';
import type { AnalysisReport, AnalysisStatus } from '../decks/report.ts';
import { sameChoices } from './job.ts';
import type { DropJob } from './job.ts';

const passedThrough = z.record(z.string(), z.unknown());

/** Content of `job_…_results.json`. */
export const resultFileSchema = z.object({
  job_id: z.string(),
  status: z.enum(['completed', 'completed_with_gaps']),
  analysis_id: z.string(),
  /** When the job file was dropped, by the file server. */
  dropped_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  /** When this file was written, by the file server. */
  timestamp: z.iso.datetime(),
  /** The choices that were made for the job, with the defaults. */
  choices: z.object({
    template: z.string().nullable(),
    language: z.enum(LANGUAGES),
    task_type: z.enum(TASK_TYPES).nullable(),
    priority: z.int(),
  }),
  /** The job file, with every field that the client put into it. */
  job: passedThrough,
  report: analysisReportSchema,
});
export type ResultFile = z.infer<typeof resultFileSchema>;

/** As much of a result file as tells which job it answers; also of files that another version wrote. */
export const earlierResultSchema = resultFileSchema
  .pick({ job_id: true, analysis_id: true, choices: true, job: true })
  .extend({ report: z.object({ deck: z.object({ sha256: z.string() }) }) });
export type EarlierResult = z.infer<typeof earlierResultSchema>;

/** Content of `job_…_error.json`. */
export const errorFileSchema = z.object({
  job_id: z.string(),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().nullable() }),
  timestamp: z.iso.datetime(),
  dropped_at: z.iso.datetime(),
  /** Null when the job was refused before an analysis was made. */
  analysis_id: z.string().nullable(),
  /** How often the job was tried: a job with an error that is dropped again is tried again. */
  attempt: z.int().min(1),
  job: passedThrough,
});
export type ErrorFile = z.infer<typeof errorFileSchema>;

/** What is remembered beside a claimed job once its analysis is started. */
export const startedFileSchema = z.object({
  analysis_id: z.string(),
  /** Tenant of the analysis: keys of other tenants do not find it. */
  tenant_id: z.string(),
  deck_sha256: z.string(),
  attempt: z.int().min(1),
  started_at: z.iso.datetime(),
});
export type StartedFile = z.infer<typeof startedFileSchema>;

/** Why a job failed. */
export interface JobFailure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** Everything a result or error document says beside its outcome. */
export interface OutcomeFrame {
  readonly jobId: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly droppedAtMs: number;
  readonly nowMs: number;
}

const iso = (atMs: number): string => new Date(atMs).toISOString();

/** The result document of a job. */
export function resultFileOf(frame: OutcomeFrame, job: DropJob, report: AnalysisReport): ResultFile {
  return {
    job_id: frame.jobId,
    status: report.status === 'completed_with_gaps' ? 'completed_with_gaps' : 'completed',
    analysis_id: report.analysisId,
    dropped_at: iso(frame.droppedAtMs),
    started_at: report.startedAt,
    finished_at: report.finishedAt,
    timestamp: iso(frame.nowMs),
    choices: {
      template: job.template,
      language: job.language,
      task_type: job.taskType,
      priority: job.priority,
    },
    job: frame.document,
    report,
  };
}

/** The error document of a job. */
export function errorFileOf(
  frame: OutcomeFrame,
  error: JobFailure,
  analysisId: string | null,
  attempt: number,
): ErrorFile {
  return {
    job_id: frame.jobId,
    error: { code: error.code, message: error.message, hint: error.hint },
    timestamp: iso(frame.nowMs),
    dropped_at: iso(frame.droppedAtMs),
    analysis_id: analysisId,
    attempt,
    job: frame.document,
  };
}

type JobEnd = { readonly kind: 'result' } | { readonly kind: 'error'; readonly error: JobFailure };

const failed = (code: string, message: string, hint: string): JobEnd => ({
  kind: 'error',
  error: { code, message, hint },
});

/** What the end of an analysis means for its job; null while it is not over. */
export function endOf(status: AnalysisStatus, failure: Pick<JobFailure, 'code' | 'message'> | null): JobEnd | null {
  switch (status) {
    case 'queued':
    case 'running':
      return null;
    case 'completed':
    case 'completed_with_gaps':
      return { kind: 'result' };
    case 'failed':
      return failed(
        failure?.code ?? 'internal',
        failure?.message ?? 'The analysis failed.',
        'When the cause is gone, move the job file from bad/ back into the queue.',
      );
    case 'cancelled':
      return failed(
        'cancelled',
        'The analysis was cancelled.',
        'Move the job file from bad/ back into the queue to start it again.',
      );
    default:
      return assertNever(status);
  }
}

/**
 * Whose fault an error of the API is. A job is refused only for what is wrong with its own PDF or its own choices; everything else, also a
 * key that is not valid or a request the API does not understand, is the installation's, and the job waits until it is put right.
 */
export function blameOf(code: ErrorCode): 'job' | 'installation' {
  switch (code) {
    case 'not_a_pdf':
    case 'pdf_encrypted':
    case 'pdf_damaged':
    case 'pdf_empty':
    case 'pdf_no_pages':
    case 'pdf_too_many_pages':
    case 'pdf_portfolio':
    case 'pdf_xfa_form':
    case 'pdf_too_large':
    case 'template_missing':
    case 'job_invalid':
      return 'job';
    default:
      return 'installation';
  }
}

/** What is known of a PDF that is dropped: its hash, or nothing when it cannot be read any more. */
export type DeckHash = string | null;

/**
 * Whether a job is the one that has this result already. Its PDF decides; where that is gone (clients tidy up once they have their result)
 * its path does.
 */
export function isSameJob(result: EarlierResult, job: DropJob, deckSha256: DeckHash): boolean {
  const { template, language, task_type: taskType } = result.choices;
  if (!sameChoices({ template, language, taskType }, job)) return false;
  return deckSha256 === null
    ? result.job['file_path'] === job.document['file_path']
    : result.report.deck.sha256 === deckSha256;
}

/**
 * Key under which the API starts a job's analysis once, however often and by however many watchers it is asked.
 *
 * @param dropId identity of the drop folder
 * @param attempt 1, and one more each time a job whose analysis failed is dropped again
 */
export const idempotencyKeyOf = (dropId: string, nameHash: string, attempt: number): string =>
  `drop-${dropId}-${nameHash.slice(0, 32)}${attempt === 1 ? '' : `-${attempt}`}`;

/**
 * Which attempt a job is on. An earlier error whose analysis this very claim had started is not an earlier attempt: its watcher was
 * killed between the error file and the end.
 */
export function attemptOf(earlier: ErrorFile | null, started: StartedFile | null): number {
  if (started !== null) return started.attempt;
  if (earlier === null) return 1;
  return earlier.analysis_id === null ? earlier.attempt : earlier.attempt + 1;
}
