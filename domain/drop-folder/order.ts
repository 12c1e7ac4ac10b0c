/**
 * The order in which jobs are claimed: urgent ones first; waiting raises the priority, so no job waits without end.
 */
import { DEFAULT_SLA_MS, priorityAfterWaiting } from '../decks/priority.ts';

/** What the order is made from. */
export interface Waiting {
  readonly name: string;
  /** 1 (critical) … 5 (batch). */
  readonly priority: number;
  /** By the file server. */
  readonly droppedAtMs: number;
}

/** The jobs in the order in which they are to be taken: by priority with the time waited counted in, then by age; the same on every watcher. */
export function claimOrder<T extends Waiting>(jobs: readonly T[], nowMs: number): T[] {
  const keyed = jobs.map((job) => ({
    job,
    priority: priorityAfterWaiting(job.priority, nowMs - job.droppedAtMs, DEFAULT_SLA_MS),
  }));
  keyed.sort(
    (a, b) =>
      a.priority - b.priority ||
      a.job.droppedAtMs - b.job.droppedAtMs ||
      (a.job.name < b.job.name ? -1 : a.job.name > b.job.name ? 1 : 0),
  );
  return keyed.map(({ job }) => job);
}
