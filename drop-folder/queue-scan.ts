/**
 * Finds the jobs that can be taken: those in the queue, and those of watchers whose lease is over. A job that was looked at is not read again
 * until it is taken; one that waits for its PDF is looked at less and less often.
 */
import { claimOrder } from '../domain/drop-folder/order.ts';
import { nextLookMs } from '../domain/drop-folder/readiness.ts';
import type { Patience } from '../domain/drop-folder/readiness.ts';
import type { Roots } from './deck-file.ts';
import type { Tell } from './events.ts';
import { folderError } from './files.ts';
import type { DropFolder } from './folder.ts';
import { JobMemory, readinessOf, readJob } from './job-files.ts';

/** Files looked at, at the same time. */
const LOOKS_AT_ONCE = 16;
const POSTPONED_MS = 30_000;

/** Where a job is. */
interface Place {
  readonly name: string;
  /** The watcher whose lease is over; null: in the queue. */
  readonly from: string | null;
}

/** A job that can be taken. */
export interface Candidate extends Place {
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
  forget(place: Place): void {
    this.#looks.delete(keyOf(place));
  }

  /** Leaves a job alone for a while that could not be taken. */
  postpone(place: Place, reason: string): void {
    const look = this.#looks.get(keyOf(place));
    if (look === undefined) return;
    look.candidate = undefined;
    look.nextLookAtMs = this.#deps.now() + POSTPONED_MS;
    if (look.told !== reason) this.#deps.tell({ event: 'waiting', job: place.name, reason });
    look.told = reason;
  }

  async #look(each: Place): Promise<void> {
    const { now, tell } = this.#deps;
    const key = keyOf(each);
    const nowMs = now();
    const look = this.#looks.get(key) ?? {
      memory: new JobMemory(),
      firstLookMs: nowMs,
      candidate: undefined,
      nextLookAtMs: 0,
      told: undefined,
    };
    this.#looks.set(key, look);
    // One file that cannot be looked at is no reason not to look at the others.
    const found = await this.#judge(each, look.memory).catch((error: unknown) => folderError(error).userMessage);
    if (found === null) {
      this.#looks.delete(key);
      return;
    }
    if (typeof found !== 'string') {
      look.candidate = found;
      return;
    }
    look.nextLookAtMs = nowMs + nextLookMs(nowMs - look.firstLookMs);
    if (look.told !== found) tell({ event: 'waiting', job: each.name, reason: found });
    look.told = found;
  }

  /** The candidate, why it has to wait, or null when it is gone. */
  async #judge({ name, from }: Place, memory: JobMemory): Promise<Candidate | string | null> {
    const { folder, roots, patience, now } = this.#deps;
    const file = await (from === null ? folder.readQueued(name) : folder.readHeld(name, from));
    if (file === null) return null;
    const read = readJob(name, file, memory, { nowMs: now(), claimed: from !== null });
    const candidate = { name, from, priority: read.job?.priority ?? 3, droppedAtMs: read.droppedAtMs, memory };
    // What another watcher had claimed is looked at once it is ours: an analysis may be running for it.
    if (from !== null) return { ...candidate, refused: false };
    const readiness = await readinessOf(read, roots, memory, patience, now());
    return readiness.kind === 'wait' ? readiness.reason : { ...candidate, refused: readiness.kind === 'refuse' };
  }
}

const keyOf = ({ name, from }: Place): string => `${from ?? ''}/${name}`;
