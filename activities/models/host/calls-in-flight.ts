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
  readonly #waiting: { readonly take: () => void }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Calls that hold a slot now. */
  get inUse(): number {
    return this.#inUse;
  }

  /** Runs `work` while holding a slot. Rejects with the signal's reason when cancelled while waiting. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#acquire(signal);
    try {
      return await work();
    } finally {
      this.#inUse--;
      this.#serve();
    }
  }

  /** Changes how many calls hold a slot at a time. Those that hold one keep it. */
  setLimit(limit: number): void {
    this.#limit = limit;
    this.#serve();
  }

  #serve(): void {
    while (this.#inUse < this.#limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#inUse++;
      next.take();
    }
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#inUse < this.#limit) {
      this.#inUse++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const waiter = {
        take: (): void => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = (): void => {
        const at = this.#waiting.indexOf(waiter);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiter);
    });
  }
}
