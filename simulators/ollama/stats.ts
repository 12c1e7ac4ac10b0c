/** Counters of a reader, for tests. */
import { createHash } from 'node:crypto';

/** A copy of the counters. */
export interface ReaderStats {
  /** Generation calls accepted (chat and generate with content). */
  readonly calls: number;
  /** By task (title of the `format` schema; `plain` without format). */
  readonly callsByTask: Readonly<Record<string, number>>;
  readonly callsByModel: Readonly<Record<string, number>>;
  /** Calls answered to the end. */
  readonly completed: number;
  /** Calls that have a slot now, and the most at any time. */
  readonly inFlight: number;
  readonly maxInFlight: number;
  /** Accepted calls that have not ended (including waiting ones), and the most at any time. */
  readonly open: number;
  readonly maxOpen: number;
  /** Calls whose client disconnected before the end. */
  readonly cancelled: number;
  /** Calls refused because the load queue was full. */
  readonly busy: number;
  readonly loads: number;
  readonly loadsByModel: Readonly<Record<string, number>>;
  readonly unloads: number;
  /** Calls to which a scripted fault was applied. */
  readonly faults: number;
  /** Different inputs (model, format, messages), and calls with an input that was seen before. */
  readonly distinctInputs: number;
  readonly repeatedInputs: number;
}

const bump = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** Entry in a reader's journal: the start or the end of a call. */
export type JournalEntry =
  | {
      readonly event: 'accepted';
      readonly atMs: number;
      readonly call: number;
      readonly task: string;
      /** Hash of the input: model, format, messages. */
      readonly input: string;
    }
  | {
      readonly event: 'closed';
      readonly atMs: number;
      readonly call: number;
      readonly how: 'completed' | 'cancelled' | 'refused';
    };

/** Counts events of a reader. */
export class StatsKeeper {
  readonly #journal: (entry: JournalEntry) => void;
  readonly #byTask = new Map<string, number>();
  readonly #byModel = new Map<string, number>();
  readonly #loads = new Map<string, number>();
  readonly #inputs = new Set<string>();
  readonly #counts = {
    calls: 0,
    completed: 0,
    inFlight: 0,
    maxInFlight: 0,
    open: 0,
    maxOpen: 0,
    cancelled: 0,
    busy: 0,
    unloads: 0,
    faults: 0,
    repeatedInputs: 0,
  };

  /** @param journal is called at the start and end of each call */
  constructor(journal: (entry: JournalEntry) => void = () => undefined) {
    this.#journal = journal;
  }

  /** Counts an accepted call. `input` is everything that its answer depends on. Returns the number of the call. */
  accepted(task: string, model: string, input: string): number {
    const counts = this.#counts;
    counts.calls += 1;
    counts.open += 1;
    counts.maxOpen = Math.max(counts.maxOpen, counts.open);
    bump(this.#byTask, task);
    bump(this.#byModel, model);
    const key = createHash('sha256').update(input).digest('base64');
    if (this.#inputs.has(key)) counts.repeatedInputs += 1;
    this.#inputs.add(key);
    this.#journal({ event: 'accepted', atMs: Date.now(), call: counts.calls, task, input: key });
    return counts.calls;
  }

  /** Counts the end of a call. */
  closed(call: number, how: 'completed' | 'cancelled' | 'refused'): void {
    this.#journal({ event: 'closed', atMs: Date.now(), call, how });
    this.#counts.open -= 1;
    if (how !== 'refused') this.#counts[how] += 1;
  }

  slotTaken(): void {
    this.#counts.inFlight += 1;
    this.#counts.maxInFlight = Math.max(this.#counts.maxInFlight, this.#counts.inFlight);
  }

  slotGiven(): void {
    this.#counts.inFlight -= 1;
  }

  loaded(model: string): void {
    bump(this.#loads, model);
  }

  unloaded(): void {
    this.#counts.unloads += 1;
  }

  busy(): void {
    this.#counts.busy += 1;
  }

  faulted(): void {
    this.#counts.faults += 1;
  }

  snapshot(): ReaderStats {
    return {
      ...this.#counts,
      callsByTask: Object.fromEntries(this.#byTask),
      callsByModel: Object.fromEntries(this.#byModel),
      loads: [...this.#loads.values()].reduce((sum, n) => sum + n, 0),
      loadsByModel: Object.fromEntries(this.#loads),
      distinctInputs: this.#inputs.size,
    };
  }
}
