/**
 * A small cache of promises: for values that do not change while they are in use (the context of an analysis, the text of a deck), and for
 * answers that may be used again for a while.
 */
import { DeckhandError } from '../domain/errors.ts';

/** Bounds of a cache. */
export interface MemoOptions {
  /** Values kept at most; the least recently used one goes first. */
  readonly limit?: number;
  /** Time after which a value is loaded again, ms. */
  readonly keptMs?: number;
  readonly now?: () => number;
}

/** Concurrent callers of one key share one load; a failed load is forgotten. */
export class Memo<T> {
  readonly #limit: number;
  readonly #keptMs: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, { readonly atMs: number; readonly value: Promise<T> }>();

  constructor({ limit = Infinity, keptMs = Infinity, now = Date.now }: MemoOptions) {
    this.#limit = limit;
    this.#keptMs = keptMs;
    this.#now = now;
  }

  /** The next `get` loads it anew. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  /** Forgets everything. Returns when the oldest value was asked for, ms since 1970; Infinity when there was none. */
  forgetAll(): number {
    const oldestMs = Math.min(...[...this.#entries.values()].map(({ atMs }) => atMs));
    this.#entries.clear();
    return oldestMs;
  }

  /** The value of `key`, loaded on first use. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const nowMs = this.#now();
    const known = this.#entries.get(key);
    // A clock that was set back ends no value late.
    const isFresh = known !== undefined && nowMs >= known.atMs && nowMs - known.atMs < this.#keptMs;
    const entry = isFresh ? known : { atMs: nowMs, value: load() };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#limit && oldest.done === false) this.#entries.delete(oldest.value);
    if (isFresh) return entry.value;
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.value;
  }
}

/**
 * The value of `key`, loaded once more where another caller gave up the load that was shared with it.
 *
 * @throws the signal's reason, and what the load throws
 */
export async function getShared<T>(
  memo: Memo<T>,
  key: string,
  signal: AbortSignal,
  load: () => Promise<T>,
): Promise<T> {
  const givenUp = Promise.withResolvers<never>();
  const giveUp = (): void => givenUp.reject(signal.reason as Error);
  signal.throwIfAborted();
  signal.addEventListener('abort', giveUp);
  try {
    for (;;) {
      let isOwn = false;
      const value = memo.get(key, () => {
        isOwn = true;
        return load();
      });
      try {
        return await Promise.race([value, givenUp.promise]);
      } catch (error) {
        signal.throwIfAborted();
        if (isOwn || error instanceof DeckhandError) throw error;
      }
    }
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
