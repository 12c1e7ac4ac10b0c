/**
 * Which jobs are taken next: urgent ones first, and none is overtaken for ever.
 */

/** What the order is made from. */
export interface Waiting {
  readonly name: string;
  /** 1 (critical) … 5 (batch). */
  readonly priority: number;
  /** By the file server. */
  readonly droppedAtMs: number;
}

/** A job gains one step of priority for each such time that it waits, so that urgent ones that keep coming do not starve it. */
export const STEP_MS = 30 * 60 * 1000;

/** Priority with the time waited counted in, 1 at best. */
export function effectivePriority(job: Waiting, nowMs: number): number {
  const waitedMs = Math.max(0, nowMs - job.droppedAtMs);
  return Math.max(1, job.priority - Math.floor(waitedMs / STEP_MS));
}

/** The jobs in the order in which they are to be taken; the same order on every watcher. */
export function claimOrder<T extends Waiting>(jobs: readonly T[], nowMs: number): T[] {
  const keyed = jobs.map((job) => ({ job, priority: effectivePriority(job, nowMs) }));
  keyed.sort(
    (a, b) =>
      a.priority - b.priority ||
      a.job.droppedAtMs - b.job.droppedAtMs ||
      (a.job.name < b.job.name ? -1 : a.job.name > b.job.name ? 1 : 0),
  );
  return keyed.map(({ job }) => job);
}
