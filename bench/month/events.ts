/** Virtual time with a queue of events. */

interface Event {
  readonly atMs: number;
  /** Events of one instant happen in the order in which they were planned. */
  readonly order: number;
  readonly happen: () => void;
}

/** A clock that advances from event to event. */
export class VirtualTime {
  nowMs = 0;
  readonly #heap: Event[] = [];
  #planned = 0;

  /** Plans an event; a time in the past means now. */
  at(atMs: number, happen: () => void): void {
    this.#planned += 1;
    const event = { atMs: Math.max(atMs, this.nowMs), order: this.#planned, happen };
    const heap = this.#heap;
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(event, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = event;
  }

  /** Runs all events up to a time. */
  runUntil(endMs: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.atMs <= endMs; next = this.#heap[0]) {
      this.#removeFirst();
      this.nowMs = next.atMs;
      next.happen();
    }
    this.nowMs = endMs;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const left = heap[child];
      const right = heap[child + 1];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) child += 1;
      const smaller = heap[child];
      if (smaller === undefined || !isBefore(smaller, last)) break;
      heap[index] = smaller;
      index = child;
    }
    heap[index] = last;
  }
}

const isBefore = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
