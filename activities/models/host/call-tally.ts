/**
 * Counts of the model calls on one machine, over every connection to it within one attachment, and whether they make progress: a wedged
 * runner takes calls and generates nothing, while its server still answers. A broken one may also answer nothing that can be used.
 */
import { DeckhandError, type ErrorCode } from '../../../domain/errors.ts';
import type { CallPhase } from '../client/generate.ts';

/** Counts that the next gateway of the same attachment continues from. */
export interface TallyStart {
  readonly finished: number;
  readonly lastCallAt: Date | null;
  readonly lastProgressAt?: Date | null;
  readonly stalledInARow?: number;
}

/** One call from its begin to its end. */
export interface TalliedCall {
  /** It has a slot of the machine now. */
  tookSlot(): void;
  /** It asks for an answer of this kind. */
  asks(task: string): void;
  /** It made progress: called with every phase and token. */
  followed(phase: Pick<CallPhase, 'phase' | 'silenceMs'>): void;
  /** @param error what it failed with; absent = it ended by itself */
  ended(error?: unknown): void;
}

/** Counts of the calls so far. */
export class CallTally {
  readonly #running = new Set<RunningCall>();
  #finished: number;
  #lastCallAt: Date | null;
  #lastProgressAt: Date | null;
  #stalledInARow: number;
  #unusable = 0;
  readonly #unusableTasks = new Set<string>();
  readonly #answeredTasks = new Set<string>();
  /** Earliest time by which a call that has ended in silence was to say something; null = a call made progress since. */
  #missedAtMs: number | null = null;

  constructor(start: TallyStart = { finished: 0, lastCallAt: null }) {
    this.#finished = start.finished;
    this.#lastCallAt = start.lastCallAt;
    this.#lastProgressAt = start.lastProgressAt ?? null;
    this.#stalledInARow = start.stalledInARow ?? 0;
  }

  /** Calls that have a slot and are asked, or may be: those that wait because the server said that it is busy are none. */
  get inSlot(): number {
    return [...this.#running].filter(({ slotSinceMs }) => slotSinceMs !== null).length;
  }

  /** Calls answered to the end. */
  get finished(): number {
    return this.#finished;
  }

  /** Last time a call began or ended. */
  get lastCallAt(): Date | null {
    return this.#lastCallAt;
  }

  /**
   * Last time a call generated a token, had its model loaded or ended with an answer. Now, while a model is being loaded: a load reports
   * nothing before it ends, and has its own limit.
   */
  get lastProgressAt(): Date | null {
    return [...this.#running].some((call) => call.loading) ? new Date() : this.#lastProgressAt;
  }

  /** Calls in a row that ended as stalled. */
  get stalledInARow(): number {
    return this.#stalledInARow;
  }

  /**
   * Calls in a row none of whose answers could be used. One kind of answer alone may be beyond the model: they count when they are of several
   * kinds, or of one that it has given before.
   */
  get unusableInARow(): number {
    const tasks = this.#unusableTasks;
    return tasks.size > 1 || !tasks.isDisjointFrom(this.#answeredTasks) ? this.#unusable : 0;
  }

  /** When the call that has had its slot longest got it; null when none has one. */
  get oldestCallAt(): Date | null {
    const times = [...this.#running].map((call) => call.slotSinceMs).filter((ms) => ms !== null);
    return times.length === 0 ? null : new Date(Math.min(...times));
  }

  /**
   * Until when it is expected that a call in flight says nothing: it reads its prompt. Null when none is in flight or nothing is known. A call
   * that is sent again after a silence, or others after it, do not put it off.
   */
  get overdueAt(): Date | null {
    const running = [...this.#running].filter((call) => call.slotSinceMs !== null);
    if (running.length === 0) return null;
    const times = [this.#missedAtMs, ...running.map((call) => call.silentUntilMs)].filter((ms) => ms !== null);
    return times.length === 0 ? null : new Date(Math.min(...times));
  }

  began(): TalliedCall {
    const call: RunningCall = {
      slotSinceMs: null,
      silentUntilMs: null,
      isSilent: false,
      loading: false,
      asked: false,
      task: null,
    };
    this.#running.add(call);
    this.#lastCallAt = new Date();
    return {
      tookSlot: () => {
        call.slotSinceMs = Date.now();
      },
      asks: (task) => {
        call.task = task;
      },
      followed: ({ phase, silenceMs }) => {
        const isProgress = call.loading || phase === 'generating';
        if (isProgress) this.#progressed();
        // Sent again without a token in between, it is as overdue as before.
        if (isProgress || !call.isSilent) call.silentUntilMs = silenceMs === undefined ? null : Date.now() + silenceMs;
        call.isSilent = phase === 'prompting';
        call.asked = true;
        call.loading = phase === 'loading';
      },
      ended: (error) => this.#ended(call, error),
    };
  }

  #progressed(): void {
    this.#lastProgressAt = new Date();
    this.#missedAtMs = null;
  }

  #ended(call: RunningCall, error: unknown): void {
    this.#running.delete(call);
    this.#lastCallAt = new Date();
    if (error === undefined) {
      this.#finished++;
      // A call with a stored answer, or one that was taken back, says nothing about the model.
      if (!call.asked) return;
      this.#progressed();
      this.#stalledInARow = 0;
      this.#unusable = 0;
      this.#unusableTasks.clear();
      if (call.task !== null) this.#answeredTasks.add(call.task);
      return;
    }
    const code = codeOf(error);
    if (code === 'model_stalled') this.#stalledInARow++;
    if (code === 'model_stalled' || code === 'model_too_slow')
      this.#missedAtMs = Math.min(this.#missedAtMs ?? Infinity, call.silentUntilMs ?? Infinity, Date.now());
    if (code !== 'model_output_unparseable' || call.task === null) return;
    this.#unusable++;
    this.#unusableTasks.add(call.task);
  }
}

/** The failure on this machine, also where it was the last time that the call was sent. */
function codeOf(error: unknown): ErrorCode | null {
  if (!(error instanceof DeckhandError)) return null;
  return error.code === 'model_sends_exhausted' ? codeOf(error.cause) : error.code;
}

interface RunningCall {
  slotSinceMs: number | null;
  silentUntilMs: number | null;
  /** It has been sent and has said nothing since. */
  isSilent: boolean;
  loading: boolean;
  asked: boolean;
  task: string | null;
}
