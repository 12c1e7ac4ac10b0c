/** The clock of a simulated cloud: the real one, or a virtual one that moves only when a test advances it. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  readonly kind: 'real' | 'virtual';
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Resolves after `ms` on this clock. */
  sleep(ms: number): Promise<void>;
}

/** The system clock. */
export class RealClock implements Clock {
  readonly kind = 'real';

  nowMs(): number {
    return Date.now();
  }

  async sleep(ms: number): Promise<void> {
    await delay(ms);
  }
}

/** 2026-10-05T08:00:00Z, a Monday: the default start of virtual time. */
const VIRTUAL_START_MS = Date.UTC(2026, 9, 5, 8);

/** Time that stands still until it is advanced. */
export class VirtualClock implements Clock {
  readonly kind = 'virtual';
  #nowMs: number;
  #sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];

  constructor(startMs: number = VIRTUAL_START_MS) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** Moves the clock forward. @throws RangeError when `ms` is negative */
  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError(`a clock cannot be advanced by ${ms} ms`);
    this.advanceTo(this.#nowMs + ms);
  }

  /** Moves the clock to a time; a time in the past changes nothing. */
  advanceTo(atMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, atMs);
    const due = this.#sleepers.filter((s) => s.atMs <= this.#nowMs);
    this.#sleepers = this.#sleepers.filter((s) => s.atMs > this.#nowMs);
    for (const sleeper of due) sleeper.wake();
  }

  async sleep(ms: number): Promise<void> {
    if (ms <= 0) return;
    const atMs = this.#nowMs + ms;
    await new Promise<void>((wake) => {
      this.#sleepers.push({ atMs, wake });
    });
  }
}
