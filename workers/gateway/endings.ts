/**
 * The endings of an attachment: drained on request; superseded, because another gateway has it now; handed over quickly, because this
 * gateway ends or the settings of the server have changed.
 */

/** Collects the requests to end one attachment. */
export class Endings {
  readonly #first = new AbortController();
  readonly #hurry = new AbortController();
  #drained = false;
  #error: Error | null = null;

  /** Aborted at the first request. */
  get signal(): AbortSignal {
    return this.#first.signal;
  }

  /** Aborted when the attachment has to end within seconds. */
  get hurry(): AbortSignal {
    return this.#hurry.signal;
  }

  /** True when a drain was the first request: then the attachment has ended and no other gateway takes it over. */
  get drained(): boolean {
    return this.#drained;
  }

  /** Why it is handed over; null = it is not. */
  get error(): Error | null {
    return this.#error;
  }

  /** Takes no new calls; calls in progress are finished. */
  drain(): void {
    if (this.#first.signal.aborted) return;
    this.#drained = true;
    this.#first.abort();
  }

  /** Another gateway has the attachment now: no new calls; those in flight are finished. */
  supersede(error: Error): void {
    this.#error ??= error;
    this.#first.abort();
  }

  /** Ends within seconds, also during a drain. */
  handOver(error: Error): void {
    this.#error ??= error;
    this.#hurry.abort();
    this.#first.abort();
  }
}

/** Calls back when the signal fires, or now if it has. Returns how to stop listening. */
export function whenAborted(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}
