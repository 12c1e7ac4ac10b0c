/** Runs work for the same key one after the other: later work waits and then finds the result of the earlier. */

/** Queues of work per key. Keys do not wait for each other. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Runs the work after all earlier work of the same key has ended, with or without an error.
   *
   * @throws the signal's reason when it fires while this waits; what the work throws
   */
  async take<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const own = Promise.withResolvers<void>();
    const last = before === undefined ? own.promise : before.then(() => own.promise);
    this.#last.set(key, last);
    try {
      if (before !== undefined) await unlessAborted(before, signal);
      return await work();
    } finally {
      own.resolve();
      if (this.#last.get(key) === last) this.#last.delete(key);
    }
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
