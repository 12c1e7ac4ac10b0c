/**
 * Whether a dropped job can be worked on: what still changes, or is not there yet, is waited for; what stays away or broken is refused.
 */

/** How long a watcher waits. */
export interface Patience {
  /** A file is whole when it was not changed for so long. */
  readonly settleMs: number;
  /** An unreadable job file of this age is a bad one. */
  readonly unreadableMs: number;
  /** A PDF that is missing, or has no end, for so long is refused. */
  readonly fileMs: number;
}

/** The times of a file, by the file server. */
export interface FileTimes {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/**
 * For how long a file has been as it is. Its change time counts, because a copy that keeps the modification time sets it to any value; on
 * file systems without change times the modification time stands in. What was seen to stay the same counts too, whatever the times say.
 *
 * @param nowMs by the file server
 * @param seenSameForMs how long this watcher has seen the same size and times; 0 when they changed since its last look; null at its first
 */
export function unchangedForMs(times: FileTimes, nowMs: number, seenSameForMs: number | null): number {
  const changedAtMs = times.mtimeMs <= nowMs ? Math.max(times.mtimeMs, times.ctimeMs) : times.ctimeMs;
  return Math.max(0, nowMs - changedAtMs, seenSameForMs ?? 0);
}

/** What a look at the job file showed. */
export type JobLook =
  | { readonly kind: 'readable' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly unchangedMs: number };

/** What was seen of the PDF. Beginning and end distinguish a file that is being copied from one that is no PDF. */
export type FileLook =
  /** `missingMs`: since this watcher first looked for it. */
  | { readonly kind: 'missing'; readonly missingMs: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'there';
      readonly unchangedMs: number;
      readonly sizeBytes: number;
      /** `%PDF-` is near the beginning; `blank`: the beginning is empty or zeros, as in a file whose room was only reserved. */
      readonly start: 'pdf' | 'blank' | 'other';
      /** `%%EOF` is near the end. */
      readonly hasEnd: boolean;
    };

/** What to do with the job now. */
export type Readiness = { readonly kind: 'ready' } | { readonly kind: 'wait'; readonly reason: string } | Refusal;

interface Refusal {
  readonly kind: 'refuse';
  readonly code: 'job_invalid' | 'not_found';
  readonly reason: string;
  readonly hint: string;
}

const READY: Readiness = { kind: 'ready' };
const wait = (reason: string): Readiness => ({ kind: 'wait', reason });
const refuse = (code: Refusal['code'], reason: string, hint: string): Readiness => ({
  kind: 'refuse',
  code,
  reason,
  hint,
});

/** Judges a job file. */
export function jobReadiness(look: JobLook, patience: Patience): Readiness {
  switch (look.kind) {
    case 'readable':
      return READY;
    case 'refused':
      return refuse('job_invalid', look.reason, 'Correct the job file and move it back into the queue.');
    case 'unreadable':
      if (look.unchangedMs < patience.unreadableMs) return wait(`the job file is not complete: ${look.reason}`);
      return refuse(
        'job_invalid',
        look.reason,
        'Write the job file under another name and rename it to job_….json when it is complete.',
      );
  }
}

/** Judges the PDF of a job. Whether it is a good PDF is not asked here: the API says so by name. */
export function fileReadiness(look: FileLook, patience: Patience): Readiness {
  switch (look.kind) {
    case 'refused':
      return refuse(
        'job_invalid',
        look.reason,
        'Name a file below the drop folder, or start the watcher with --root for the folder of the PDFs.',
      );
    case 'missing':
      if (look.missingMs < patience.fileMs) return wait('the PDF is not there yet');
      return refuse(
        'not_found',
        'The file that file_path names is not there.',
        'Copy the PDF to its place and move the job file from bad/ back into the queue.',
      );
    case 'there': {
      if (look.unchangedMs < patience.settleMs) return wait('the PDF is still being written');
      const looksHalf = look.sizeBytes === 0 || look.start === 'blank' || (look.start === 'pdf' && !look.hasEnd);
      if (looksHalf && look.unchangedMs < patience.fileMs) return wait('the PDF has no end yet');
      return READY;
    }
  }
}

/** Time until a job that waits is looked at again: soon at first, seldom for one that has waited for long. */
export function nextLookMs(waitedMs: number): number {
  return Math.min(15_000, Math.max(500, waitedMs / 4));
}
