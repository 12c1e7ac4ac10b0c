/**
 * What a watcher does with one claimed job: start its analysis, publish its result, or refuse it. Every step may be repeated, by this watcher
 * or by another one that takes the job over: the analysis is started under a key made from the job's name, and files are replaced whole.
 */
import type { AnalysisSummary, DeckhandClient } from '../api/client.ts';
import { asDeckhandError, DeckhandError } from '../domain/errors.ts';
import { conflictName, refusedName } from '../domain/drop-folder/names.ts';
import type { DropJob } from '../domain/drop-folder/job.ts';
import {
  attemptOf,
  blameOf,
  endOf,
  errorFileOf,
  idempotencyKeyOf,
  isSameJob,
  resultFileOf,
} from '../domain/drop-folder/outcome.ts';
import type { JobFailure, OutcomeFrame } from '../domain/drop-folder/outcome.ts';
import type { Patience } from '../domain/drop-folder/readiness.ts';
import { sha256Hex } from '../platform/hash.ts';
import { snapshot } from './deck-file.ts';
import type { Roots, Snapshot } from './deck-file.ts';
import type { Tell } from './events.ts';
import type { SmallFile } from './files.ts';
import type { DropFolder } from './folder.ts';
import { JobMemory, readinessOf, readJob } from './job-files.ts';
import type { ReadJob } from './job-files.ts';

export interface WorkDeps {
  readonly folder: DropFolder;
  /** Identity of the drop folder. */
  readonly dropId: string;
  readonly roots: Roots;
  readonly patience: Patience;
  readonly maxUploadBytes: number;
  readonly client: () => DeckhandClient;
  /** Of the client's key; undefined while the API is away. */
  readonly tenantId: () => string | undefined;
  /** Time of the file server. */
  readonly now: () => number;
  readonly tell: Tell;
  /** Ends what is under way when the watcher stops. */
  readonly signal: AbortSignal;
}

/** Outcome of a step. */
export type StepOutcome =
  /** An analysis runs for it. */
  | { readonly kind: 'started'; readonly analysisId: string; readonly tenantId: string }
  /** Something is not there yet. */
  | { readonly kind: 'wait'; readonly reason: string }
  /** The job has its result or error file. */
  | { readonly kind: 'over' }
  /** Another watcher took it over. */
  | { readonly kind: 'lost' };

const STATE_WORDS = { changing: 'still being written', missing: 'not there yet' } as const;

const CONFLICT: JobFailure = {
  code: 'conflict',
  message: 'A job of this name was dropped before, with another PDF or other choices. Its result stays.',
  hint: 'Use a new job_id and rename the file to match.',
};

const CHANGED: JobFailure = {
  code: 'job_invalid',
  message: 'The job file was changed while its analysis ran, and is no job any more.',
  hint: 'Correct the job file and move it from bad/ back into the queue.',
};

/** Why a job is refused, and whether its name belongs to another job. */
interface Refusal {
  readonly file: SmallFile;
  readonly read: ReadJob;
  readonly failure: JobFailure;
  readonly analysisId: string | null;
  readonly nameTaken?: boolean;
}

/** Works on the jobs that one watcher holds. */
export class JobWork {
  readonly #deps: WorkDeps;

  constructor(deps: WorkDeps) {
    this.#deps = deps;
  }

  /**
   * Starts the analysis of a held job, or finds that it needs none.
   *
   * @throws DeckhandError what the job cannot be blamed for; it is tried again later
   */
  async start(name: string, memory: JobMemory): Promise<StepOutcome> {
    const { folder, roots, patience, now } = this.#deps;
    const file = await folder.readHeld(name);
    if (file === null) return { kind: 'lost' };
    const read = readJob(name, file, memory, { nowMs: now(), claimed: true });
    const { job } = read;
    try {
      const earlier = job === null ? 'none' : await this.#earlierResult(job);
      if (earlier === 'unclear') return { kind: 'wait', reason: `the PDF is ${STATE_WORDS.changing}` };
      if (earlier === 'of another job') return await this.#refuseName(name, file, read);
      if (earlier === 'its own') {
        // The job goes last: a watcher that is killed in between leaves it to the next one.
        await folder.dropError(name);
        await folder.archiveHeld(name, now());
        return { kind: 'over' };
      }
      const readiness = await readinessOf(read, roots, memory, patience, now());
      if (readiness.kind === 'wait') return readiness;
      if (readiness.kind === 'refuse') {
        const { code, reason, hint } = readiness;
        return await this.#refuse(name, { file, read, failure: { code, message: reason, hint }, analysisId: null });
      }
      // A job that is ready was readable.
      if (job === null) throw new DeckhandError('internal', `${name} is ready and no job`);
      const taken = await snapshot(roots, job.filePath, this.#deps.maxUploadBytes);
      // A file that disappeared since the check is waited for like a late one.
      if (taken === 'changing' || taken === 'missing')
        return { kind: 'wait', reason: `the PDF is ${STATE_WORDS[taken]}` };
      try {
        const started = await this.#startAnalysis(job, taken);
        return started ?? (await this.#refuseName(name, file, read));
      } finally {
        await taken.remove();
      }
    } catch (thrown) {
      const error = asDeckhandError(thrown);
      if (blameOf(error.code) !== 'job') throw thrown;
      const failure = { code: error.code, message: error.userMessage, hint: error.hint ?? null };
      return this.#refuse(name, { file, read, failure, analysisId: null });
    }
  }

  /** Publishes the end of a held job's analysis. */
  async finish(name: string, summary: AnalysisSummary): Promise<StepOutcome> {
    const { folder, now, signal, tell } = this.#deps;
    const { analysisId, status } = summary;
    const file = await folder.readHeld(name);
    if (file === null) return { kind: 'lost' };
    const read = this.#readAgain(name, file);
    const end = endOf(status, summary.failure);
    if (end === null) throw new DeckhandError('internal', `analysis ${analysisId} is not over`);
    if (end.kind === 'error' || read.job === null) {
      const failure = end.kind === 'error' ? end.error : CHANGED;
      return this.#refuse(name, { file, read, failure, analysisId });
    }
    const report = await this.#deps.client().report(analysisId, signal);
    await folder.publishResult(name, resultFileOf(this.#frame(name, read), read.job, report));
    await folder.archiveHeld(name, now());
    tell({ event: 'done', job: name, analysisId, status, score: report.overall.score });
    return { kind: 'over' };
  }

  /** Refuses a held job whose analysis does not exist any more. */
  async refuseDeleted(name: string, analysisId: string): Promise<StepOutcome> {
    const file = await this.#deps.folder.readHeld(name);
    if (file === null) return { kind: 'lost' };
    const failure = {
      code: 'not_found',
      message: 'The analysis was deleted before it was finished.',
      hint: 'Move the job file from bad/ back into the queue to start it again.',
    };
    return this.#refuse(name, { file, read: this.#readAgain(name, file), failure, analysisId });
  }

  /** Refuses a file in the queue whose name no job can have. */
  async refuseUnusable(fileName: string): Promise<void> {
    const { folder, now, tell } = this.#deps;
    const name = refusedName(sha256Hex(fileName));
    const failure: JobFailure = {
      code: 'job_invalid',
      message: `The name of the job file ${JSON.stringify(fileName)} is too long or holds a character that it may not.`,
      hint: 'Call it job_….json, with letters, digits, dots, dashes and underscores.',
    };
    const frame = { jobId: fileName, document: {}, droppedAtMs: now(), nowMs: now() };
    await folder.publishError(name, errorFileOf(frame, failure, null, 1));
    if (await folder.setAsideUnusable(fileName, name)) {
      tell({ event: 'refused', job: name, code: failure.code, message: failure.message });
    }
  }

  /** @returns null when the name belongs to another job */
  async #startAnalysis(job: DropJob, taken: Snapshot): Promise<StepOutcome | null> {
    const { folder, now, tell, tenantId } = this.#deps;
    const { name } = job;
    const tenant = tenantId();
    if (tenant === undefined) throw new DeckhandError('service_unavailable', 'the API went away before the start');
    const attempt = attemptOf(await folder.readError(name), await folder.readStarted(name));
    const analysisId = await this.#startOnce(job, taken.path, attempt);
    if (analysisId === null) return null;
    await folder.writeStarted(name, {
      analysis_id: analysisId,
      tenant_id: tenant,
      deck_sha256: taken.sha256,
      attempt,
      started_at: new Date(now()).toISOString(),
    });
    tell({ event: 'started', job: name, analysisId });
    return { kind: 'started', analysisId, tenantId: tenant };
  }

  /** Id of the analysis, null when the job's key started another one. */
  async #startOnce(job: DropJob, path: string, attempt: number): Promise<string | null> {
    const { dropId, client, signal } = this.#deps;
    const { name, language, template, taskType, priority } = job;
    const deck = await client().uploadDeck(path, signal);
    const options = {
      language,
      priority,
      idempotencyKey: idempotencyKeyOf(dropId, sha256Hex(name), attempt),
      template,
      taskType: taskType ?? undefined,
    };
    try {
      return (await client().startAnalysis(deck.id, options, signal)).analysisId;
    } catch (error) {
      if (!(error instanceof DeckhandError) || error.code !== 'conflict') throw error;
      // The deck may have been deleted in between; then there is no conflict, and the upload is refused until the deletion is done.
      await client().uploadDeck(path, signal);
      return null;
    }
  }

  /**
   * Whether a job of this name was answered before: dropped twice, or its watcher was killed after it wrote the result. `unclear`: its PDF
   * changed while it was read.
   */
  async #earlierResult(job: DropJob): Promise<'none' | 'its own' | 'of another job' | 'unclear'> {
    const { folder, roots, maxUploadBytes, tell } = this.#deps;
    const result = await folder.readResult(job.name);
    if (result === null) return 'none';
    const started = await folder.readStarted(job.name);
    const taken = started === null ? await snapshot(roots, job.filePath, maxUploadBytes) : 'missing';
    if (taken === 'changing') return 'unclear';
    if (taken !== 'missing') await taken.remove();
    const sha256 = taken === 'missing' ? null : taken.sha256;
    if (!isSameJob(result, job, started?.deck_sha256 ?? sha256)) return 'of another job';
    tell({ event: 'already_done', job: job.name, analysisId: result.analysis_id });
    return 'its own';
  }

  #refuseName(name: string, file: SmallFile, read: ReadJob): Promise<StepOutcome> {
    return this.#refuse(name, { file, read, failure: CONFLICT, analysisId: null, nameTaken: true });
  }

  async #refuse(name: string, refusal: Refusal): Promise<StepOutcome> {
    const { folder, tell } = this.#deps;
    const { file, read, failure, analysisId, nameTaken = false } = refusal;
    const attempt = attemptOf(await folder.readError(name), await folder.readStarted(name));
    const document = errorFileOf(this.#frame(name, read), failure, analysisId, attempt);
    let as = name;
    if (nameTaken || !(await folder.publishError(name, document))) {
      // The name belongs to the job that was there first.
      as = conflictName(name, sha256Hex(file.bytes));
      await folder.publishError(as, document);
    }
    await folder.setAsideHeld(name, as);
    tell({ event: 'refused', job: as, code: failure.code, message: failure.message });
    return { kind: 'over' };
  }

  #frame(name: string, read: ReadJob): OutcomeFrame {
    const { document, droppedAtMs } = read;
    const given = document['job_id'];
    return {
      jobId: read.job?.jobId ?? (typeof given === 'string' && given !== '' ? given : name),
      document,
      droppedAtMs,
      nowMs: this.#deps.now(),
    };
  }

  #readAgain(name: string, file: SmallFile): ReadJob {
    return readJob(name, file, new JobMemory(), { nowMs: this.#deps.now(), claimed: true });
  }
}
