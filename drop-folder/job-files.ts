/** Looks at one job: its file, its PDF, and whether both can be worked on now. */
import { MAX_JOB_BYTES, parseJob } from '../domain/drop-folder/job.ts';
import type { DropJob, ParsedJob } from '../domain/drop-folder/job.ts';
import { fileReadiness, jobReadiness, unchangedForMs } from '../domain/drop-folder/readiness.ts';
import type { JobLook, Patience, Readiness } from '../domain/drop-folder/readiness.ts';
import { FileMemory, lookAtFile } from './deck-file.ts';
import type { Roots } from './deck-file.ts';
import type { SmallFile } from './files.ts';

/** What a watcher remembers of a job between two looks. */
export class JobMemory {
  readonly jobFile = new FileMemory();
  readonly deckFile = new FileMemory();
}

/** A job file as read: the job, or as much as can be said of it. */
export interface ReadJob {
  readonly job: DropJob | null;
  /** What the client wrote, as far as it is an object. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly look: JobLook;
  readonly droppedAtMs: number;
}

/**
 * Reads a job file.
 *
 * @param claimed its change time is then that of the claim and says nothing about its writer
 */
export function readJob(
  name: string,
  file: SmallFile,
  memory: JobMemory,
  { nowMs, claimed }: { readonly nowMs: number; readonly claimed: boolean },
): ReadJob {
  const { mtimeMs, sizeBytes } = file;
  const read = { job: null, document: {}, droppedAtMs: mtimeMs };
  const refused = (reason: string): ReadJob => ({ ...read, look: { kind: 'refused', reason } });
  if (file.kind === 'other') return refused('the job file is not a regular file');
  if (sizeBytes > MAX_JOB_BYTES) return refused(`the job file is larger than ${MAX_JOB_BYTES} bytes`);
  const parsed: ParsedJob =
    file.kind === 'denied'
      ? { kind: 'unreadable', reason: 'the watcher may not read it' }
      : parseJob(name, file.bytes.toString('utf8'));
  switch (parsed.kind) {
    case 'job':
      return { ...read, job: parsed.job, document: parsed.job.document, look: { kind: 'readable' } };
    case 'invalid':
      return { ...refused(parsed.reason), document: parsed.document };
    case 'unreadable': {
      const times = { mtimeMs, ctimeMs: claimed ? mtimeMs : file.ctimeMs };
      const sameForMs = memory.jobFile.same(`${sizeBytes}/${times.mtimeMs}/${times.ctimeMs}`, nowMs);
      return {
        ...read,
        look: { kind: 'unreadable', reason: parsed.reason, unchangedMs: unchangedForMs(times, nowMs, sameForMs) },
      };
    }
  }
}

/** Whether a job that was read can be worked on: its file first, then its PDF. */
export async function readinessOf(
  read: ReadJob,
  roots: Roots,
  memory: JobMemory,
  patience: Patience,
  nowMs: number,
): Promise<Readiness> {
  const readiness = jobReadiness(read.look, patience);
  if (readiness.kind !== 'ready' || read.job === null) return readiness;
  return fileReadiness(await lookAtFile(roots, read.job.filePath, memory.deckFile, nowMs), patience);
}
