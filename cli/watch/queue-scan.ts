/**
 * Finds the jobs that can be taken: those in the queue, and those of watchers whose lease is over. A job that was looked at is not read again
 * until it is taken; one that waits for its PDF is looked at less and less often.
 */
import { claimOrder } from '../../domain/drop-folder/order.ts';
import { nextLookMs } from '../../domain/drop-folder/readiness.ts';
import type { Patience } from '../../domain/drop-folder/readiness.ts';
import { errnoOf } from '../../platform/blobs/errors.ts';
import type { Roots } from './deck-file.ts';
import type { Tell } from './events.ts';
import type { SmallFile } from './files.ts';
import type { DropFolder } from './folder.ts';
import { JobMemory, readinessOf, readJob } from './job-files.ts';

/** Files looked at, at the same time. */
const LOOKS_AT_ONCE = 16;

/** A job that can be taken. */
export interface Candidate {
  readonly name: string;
  /** The watcher whose lease is over; null: from the queue. */
  readonly from: string | null;
  readonly priority: number;
  readonly droppedAtMs: number;
  readonly memory: JobMemory;
  /** It will get an error file, which takes no analysis. */
  readonly refused: boolean;
}

interface Look {
  readonly memory: JobMemory;
  readonly firstLookMs: number;
  /** Undefined while it has to wait. */
  candidate: Candidate | undefined;
  nextLookAtMs: number;
  told: string | undefined;
}

export interface ScanDeps {
  readonly folder: DropFolder;
  readonly roots: Roots;
  readonly patience: Patience;
  readonly now: () => number;
  readonly tell: Tell;
}

/** A file that may not be read says no more than one that is not complete. */
function unreadableFile(error: unknown): SmallFile {
  if (errnoOf(error) !== 'EACCES' && errnoOf(error) !== 'EPERM') throw error;
  return { bytes: Buffer.alloc(0), regular: false, sizeBytes: 0, mtimeMs: 0, ctimeMs: 0 };
}

/** Scans again and again and remembers what it saw. */
export class QueueScan {
  readonly #deps: ScanDeps;
  readonly #looks = new Map<string, Look>();

  constructor(deps: ScanDeps) {
    this.#deps = deps;
  }

  /** The jobs that can be taken now, in the order in which they are to be taken. */
  async candidates(names: readonly string[], expired: readonly string[]): Promise<Candidate[]> {
    const { folder, now } = this.#deps;
    const held = await Promise.all(
      expired.map(async (from) => (await folder.heldBy(from)).map((name) => ({ name, from }))),
    );
    const seen = [...names.map((name) => ({ name, from: null })), ...held.flat()];
    const keys = new Set(seen.map(keyOf));
    for (const key of this.#looks.keys()) if (!keys.has(key)) this.#looks.delete(key);
    const due = seen.filter((each) => {
      const look = this.#looks.get(keyOf(each));
      return look === undefined || (look.candidate === undefined && look.nextLookAtMs <= now());
    });
    for (let i = 0; i < due.length; i += LOOKS_AT_ONCE) {
      await Promise.all(due.slice(i, i + LOOKS_AT_ONCE).map((each) => this.#look(each)));
    }
    const found = [...this.#looks.values()].map((look) => look.candidate).filter((c) => c !== undefined);
    return claimOrder(found, now());
  }

  /** Forgets a job, so that it is read again. */
  forget({ name, from }: Pick<Candidate, 'name' | 'from'>): void {
    this.#looks.delete(keyOf({ name, from }));
  }

  async #look(each: { readonly name: string; readonly from: string | null }): Promise<void> {
    const { folder, roots, patience, now, tell } = this.#deps;
    const { name, from } = each;
    const key = keyOf(each);
    const file = await (from === null ? folder.readQueued(name) : folder.readHeld(name, from)).catch(unreadableFile);
    if (file === null) {
      this.#looks.delete(key);
      return;
    }
    const nowMs = now();
    const look = this.#looks.get(key) ?? {
      memory: new JobMemory(),
      firstLookMs: nowMs,
      candidate: undefined,
      nextLookAtMs: 0,
      told: undefined,
    };
    this.#looks.set(key, look);
    const read = readJob(name, file, look.memory, { nowMs, claimed: from !== null });
    const candidate = (refused: boolean): Candidate => ({
      name,
      from,
      priority: read.job?.priority ?? 3,
      droppedAtMs: read.droppedAtMs,
      memory: look.memory,
      refused,
    });
    // What another watcher had claimed is looked at once it is ours: an analysis may be running for it.
    if (from !== null) {
      look.candidate = candidate(false);
      return;
    }
    const readiness = await readinessOf(read, roots, look.memory, patience, nowMs);
    if (readiness.kind !== 'wait') {
      look.candidate = candidate(readiness.kind === 'refuse');
      return;
    }
    look.nextLookAtMs = nowMs + nextLookMs(nowMs - look.firstLookMs);
    if (look.told !== readiness.reason) tell({ event: 'waiting', job: name, reason: readiness.reason });
    look.told = readiness.reason;
  }
}

const keyOf = ({ name, from }: { readonly name: string; readonly from: string | null }): string =>
  `${from ?? ''}/${name}`;
