/**
 * Counts of the model calls made on one machine, over every connection to it within one attachment.
 */

/** What became of the calls so far. */
export class CallTally {
  #finished = 0;
  #lastCallAt: Date | null = null;

  constructor(
    start: { readonly finished: number; readonly lastCallAt: Date | null } = { finished: 0, lastCallAt: null },
  ) {
    this.#finished = start.finished;
    this.#lastCallAt = start.lastCallAt;
  }

  /** Calls answered to the end. */
  get finished(): number {
    return this.#finished;
  }

  /** Last time a call began or ended. */
  get lastCallAt(): Date | null {
    return this.#lastCallAt;
  }

  began(): void {
    this.#lastCallAt = new Date();
  }

  ended(outcome: 'finished' | 'failed'): void {
    this.#lastCallAt = new Date();
    if (outcome === 'finished') this.#finished++;
  }
}
