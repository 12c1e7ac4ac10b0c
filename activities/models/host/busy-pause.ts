/**
 * Holds calls back after a server has said that it is busy: one at a time asks again, after a longer and longer pause, until one is taken. A
 * refusal is one of the few sends that a call has, so they are not to be spent on a server that is loading a model.
 */
import { pause } from '../../../platform/pause.ts';
import { Turns } from '../turns.ts';

interface BusyPauseOptions {
  /** Pause after the first refusal, and the longest; each refusal in a row doubles it. */
  readonly firstMs: number;
  readonly longestMs: number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export class BusyPause {
  readonly #options: BusyPauseOptions;
  readonly #turns = new Turns();
  #refusals = 0;
  #untilMs = 0;

  constructor(options: BusyPauseOptions) {
    this.#options = options;
  }

  /** The server took a call. */
  taken(): void {
    this.#refusals = 0;
  }

  /** The server refused a call because it is busy. @param retryAfterMs for which it asks not to be asked; 0 = it does not say */
  refused(retryAfterMs = 0): void {
    const askedMs = Date.now() + retryAfterMs;
    // It was sent before the pause began, together with the call whose refusal began it.
    if (Date.now() < this.#untilMs) {
      this.#untilMs = Math.max(this.#untilMs, askedMs);
      return;
    }
    const { firstMs, longestMs } = this.#options;
    this.#untilMs = Math.max(askedMs, Date.now() + Math.min(firstMs * 2 ** this.#refusals, longestMs));
    this.#refusals++;
  }

  /** Runs work at once where the server takes calls; else after the pause, alone. @throws the signal's reason, and what the work throws */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#refusals === 0) return work();
    const { wait = pause } = this.#options;
    return this.#turns.take('busy', signal, async () => {
      if (this.#refusals > 0) await wait(Math.max(0, this.#untilMs - Date.now()), signal);
      this.#untilMs = 0;
      signal.throwIfAborted();
      return work();
    });
  }
}
