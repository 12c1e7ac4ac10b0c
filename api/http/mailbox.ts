/** Events that wait for one listener: of each subject only the newest, so that a slow listener costs little and never falls far behind. */
export class Mailbox<Item> {
  readonly #waiting = new Map<string, Item>();
  #ended = false;
  #wake: (() => void) | undefined;

  /** Adds an item as the newest, in place of the one about the same subject that still waits. */
  put(subject: string, item: Item): void {
    this.#waiting.delete(subject);
    this.#waiting.set(subject, item);
    this.#wake?.();
  }

  /** Nothing comes any more; what waits is still given out. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Items in the order in which they were put, until the end. For one reader. */
  async *items(): AsyncGenerator<Item, void> {
    for (;;) {
      for (const [subject, item] of this.#waiting) {
        this.#waiting.delete(subject);
        yield item;
      }
      if (this.#ended) return;
      if (this.#waiting.size === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
