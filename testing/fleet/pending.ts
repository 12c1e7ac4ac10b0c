/** What happens later on a virtual clock, in order of time; at the same time in the order in which it was added. */

/** One of them. */
export interface Pending<Event> {
  readonly atMs: number;
  /** Of the world outside the process: a crash does not end it. */
  readonly outside: boolean;
  /** Null = there is nothing to tell the process. */
  readonly deliver: () => Promise<Event | null>;
}

/** See the file's header. */
export class PendingEvents<Event> {
  /** In order. */
  #pending: Pending<Event>[] = [];

  add(event: Pending<Event>): void {
    const at = this.#pending.findLastIndex(({ atMs }) => atMs <= event.atMs) + 1;
    this.#pending.splice(at, 0, event);
  }

  /** Takes the next one, if it happens by then. */
  takeUntil(latestMs: number): Pending<Event> | undefined {
    const [next] = this.#pending;
    return next !== undefined && next.atMs <= latestMs ? this.#pending.shift() : undefined;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  /** The process ends, and with it what was under way inside. */
  loseInside(): void {
    this.#pending = this.#pending.filter((one) => one.outside);
  }
}
