/**
 * Stores pages while the next ones are drawn: a few at a time, because each batch costs a transaction, a signal and a plan.
 *
 * The first page goes alone, so that a model can start on it; then pages collect until there are enough or the oldest has waited.
 */

const PAGES_PER_BATCH = 4;
/** A page is not held back for longer than this, in milliseconds. */
const LONGEST_WAIT_MS = 500;

/** One window's pages on their way into the store. */
export class PageBatches<T> {
  readonly #write: (pages: readonly T[]) => Promise<void>;
  readonly #giveUp: AbortController;
  #waiting: T[] = [];
  #timer: NodeJS.Timeout | undefined;
  #first = true;
  #writing = false;
  #closed = false;
  #writes: Promise<void> = Promise.resolve();

  /**
   * @param write Stores one batch; batches never overlap
   * @param giveUp Aborted with the error of the first write that fails
   */
  constructor(write: (pages: readonly T[]) => Promise<void>, giveUp: AbortController) {
    this.#write = write;
    this.#giveUp = giveUp;
  }

  /** Takes a page. */
  add(page: T): void {
    this.#waiting.push(page);
    this.#consider();
  }

  /** Stores what is left, and `more` with it. @throws what a write threw */
  async finish(more: readonly T[]): Promise<void> {
    this.#waiting.push(...more);
    await this.settled();
    this.#giveUp.signal.throwIfAborted();
    const last = this.#waiting.splice(0);
    if (last.length > 0) await this.#write(last);
  }

  /** Resolves when no write is under way and none will start by itself; never rejects. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closed = true;
    await this.#writes;
  }

  #consider(): void {
    if (this.#writing || this.#closed || this.#waiting.length === 0) return;
    if (this.#first || this.#waiting.length >= PAGES_PER_BATCH) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), LONGEST_WAIT_MS);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#first = false;
    this.#writing = true;
    const batch = this.#waiting.splice(0);
    this.#writes = this.#write(batch).then(
      () => {
        this.#writing = false;
        this.#consider();
      },
      (error: unknown) => this.#giveUp.abort(error),
    );
  }
}
