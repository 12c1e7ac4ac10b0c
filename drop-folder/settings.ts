/** Settings of a watcher, with their defaults. */
import type { Patience } from '../domain/drop-folder/readiness.ts';

export interface WatchSettings {
  /** Open analyses at the same time. */
  readonly concurrency: number;
  readonly leaseSeconds: number;
  readonly pollMs: number;
  readonly retainDays: number;
  /** Folders beside the drop folder in which PDFs may be. */
  readonly roots: readonly string[];
  readonly patience: Patience;
  /** Largest PDF that is taken, in bytes. */
  readonly maxUploadBytes: number;
}

/** What applies where nothing else is said. */
export const WATCH_DEFAULTS = {
  concurrency: 16,
  leaseSeconds: 60,
  pollSeconds: 1,
  retainDays: 30,
  settleSeconds: 2,
  jobWaitSeconds: 10,
  fileWaitSeconds: 300,
} as const;
