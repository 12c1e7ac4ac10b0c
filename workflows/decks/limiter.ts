/**
 * Bounds how many activities a deck has scheduled at once, whatever the number of GPUs, so that priority and fairness still decide.
 */
import { condition } from '@temporalio/workflow';

/** A deterministic limiter: those who wait go on in the order they came. */
export class Limiter {
  readonly #limit: number;
  #inUse = 0;
  #nextTicket = 0;
  #served = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs `work` when a place is free. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const ticket = this.#nextTicket++;
    try {
      if (this.#inUse >= this.#limit || ticket > this.#served) {
        await condition(() => ticket === this.#served && this.#inUse < this.#limit);
      }
      this.#inUse++;
    } finally {
      this.#served++;
    }
    try {
      return await work();
    } finally {
      this.#inUse--;
    }
  }
}
