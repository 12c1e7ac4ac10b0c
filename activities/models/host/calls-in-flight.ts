/**
 * The model calls going on on one machine, so that they can be cut when their time is over and counted when they are.
 */
import type { CallTally, TalliedCall } from './call-tally.ts';

/** Runs calls and can end all of them. */
export class CallsInFlight {
  readonly #running = new Set<AbortController>();
  readonly #tally: CallTally;
  /** Fires at the cut. */
  readonly #ended = new AbortController();
  #cut: { readonly reason: Error } | null = null;

  constructor(tally: CallTally) {
    this.#tally = tally;
  }

  /** Runs a call; the signal it gets fires with the caller's reason, or with that of {@link cut}. */
  async run<T>(signal: AbortSignal, work: (signal: AbortSignal, call: TalliedCall) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#cut !== null) throw this.#cut.reason;
    const own = new AbortController();
    const pass = (): void => own.abort(signal.reason);
    signal.addEventListener('abort', pass, { once: true });
    this.#running.add(own);
    const call = this.#tally.began();
    let failure: unknown = new Error('it did not end');
    try {
      const result = await work(own.signal, call);
      failure = undefined;
      return result;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      signal.removeEventListener('abort', pass);
      this.#running.delete(own);
      call.ended(failure);
    }
  }

  /** Runs what is no call: cut like one, and counted nowhere. */
  async runUncounted<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#cut !== null) throw this.#cut.reason;
    return work(AbortSignal.any([signal, this.#ended.signal]));
  }

  /** Ends every call with this reason, those that come later too. Returns how many were going on. */
  cut(reason: Error): number {
    this.#cut = { reason };
    const cut = this.#running.size;
    for (const call of this.#running) call.abort(reason);
    this.#ended.abort(reason);
    return cut;
  }
}

/**
 * Bounds the calls in flight on one model host to its OLLAMA_NUM_PARALLEL, over all queues it serves. Taken inside the activity after it
 * started: a slot supplier shared by workers would let the pollers of an idle queue hold every slot.
 */

/** A counting semaphore whose waiters are served in order and can give up. */
export class Slots {
  readonly #limit: number;
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
      const next = this.#waiting.shift();
      if (next === undefined) this.#inUse--;
      else next.take();
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
