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
