/**
 * A small cache of promises for values that do not change while they are in use (the context of an analysis, the text of a deck).
 */

/** Keeps the last `limit` values; concurrent callers of one key share one load, a failed load is forgotten. */
export class Memo<T> {
  readonly #limit: number;
  readonly #entries = new Map<string, Promise<T>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The next `get` loads it anew. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  /** The value of `key`, loaded on first use. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known;
    }
    const loading = load();
    this.#entries.set(key, loading);
    loading.catch(() => this.#entries.delete(key));
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#limit && oldest.done === false) this.#entries.delete(oldest.value);
    return loading;
  }
}
