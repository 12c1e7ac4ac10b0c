/** The model calls in flight on one machine, so that they can be cut and counted. */
import type { CallTally, TalliedCall } from './call-tally.ts';

/** Runs calls and can end all of them. */
export class CallsInFlight {
  readonly #tally: CallTally;
  /** Aborted with the reason of the cut. */
  readonly #cut = new AbortController();
  #running = 0;

  constructor(tally: CallTally) {
    this.#tally = tally;
  }

  /** Runs a call; the signal it gets fires with the caller's reason, or with that of {@link cut}. */
  async run<T>(signal: AbortSignal, work: (signal: AbortSignal, call: TalliedCall) => Promise<T>): Promise<T> {
    const own = this.#signal(signal);
    const call = this.#tally.began();
    let failure: unknown = new Error('it did not end');
    this.#running += 1;
    try {
      const result = await work(own, call);
      failure = undefined;
      return result;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      this.#running -= 1;
      call.ended(failure);
    }
  }

  /** Runs something that is not a call: it is cut like one, and not counted. */
  async runUncounted<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return work(this.#signal(signal));
  }

  /** Ends every call with this reason, later ones too. Returns how many were in flight. */
  cut(reason: Error): number {
    this.#cut.abort(reason);
    return this.#running;
  }

  #signal(signal: AbortSignal): AbortSignal {
    const either = AbortSignal.any([signal, this.#cut.signal]);
    either.throwIfAborted();
    return either;
  }
}

/**
 * A counting semaphore whose waiters are served in order and can give up. It bounds the calls in flight on one model host to its
 * OLLAMA_NUM_PARALLEL, over all queues it serves. Taken inside the activity after it started: a slot supplier shared by workers would let the
 * pollers of an idle queue hold every slot.
 */
export class Slots {
  #limit: number;
  #inUse = 0;
  #isExclusive = false;
  readonly #waiting: Waiter[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Calls that may hold a slot at a time. */
  get limit(): number {
    return this.#limit;
  }

  /** Calls that hold a slot now. */
  get inUse(): number {
    return this.#inUse;
  }

  /**
   * Runs `work` while holding a slot; with `alone` while no other slot is held. Rejects with the signal's reason when cancelled while waiting.
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>, { alone } = { alone: false }): Promise<T> {
    await this.#acquire(signal, alone);
    try {
      return await work();
    } finally {
      this.#inUse--;
      this.#isExclusive = false;
      this.#serve();
    }
  }

  /** Changes how many calls hold a slot at a time. Those that hold one keep it. */
  setLimit(limit: number): void {
    this.#limit = limit;
    this.#serve();
  }

  #hasRoomFor(alone: boolean): boolean {
    return !this.#isExclusive && this.#inUse < (alone ? 1 : this.#limit);
  }

  #take(alone: boolean): void {
    this.#inUse++;
    this.#isExclusive = alone;
  }

  /** In order: one that has to be alone is not overtaken. */
  #serve(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#hasRoomFor(next.alone); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#take(next.alone);
      next.go();
    }
  }

  async #acquire(signal: AbortSignal, alone: boolean): Promise<void> {
    signal.throwIfAborted();
    if (this.#waiting.length === 0 && this.#hasRoomFor(alone)) {
      this.#take(alone);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        alone,
        go: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        // Calls behind it may have waited for it alone.
        this.#serve();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiter);
    });
  }
}

interface Waiter {
  readonly alone: boolean;
  readonly go: () => void;
}
