/**
 * The body of an upload that may be refused before all of it was sent.
 *
 * A client that is still sending would only see its connection break, and never the reason. So the rest of a refused body is read and
 * discarded, within limits, before the answer is sent.
 */

/** Bytes that are discarded at most. */
const MAX_DISCARD_BYTES = 1024 * 1024 * 1024;
/** Time that discarding may take: 200 MB on a line of 20 Mbit/s. */
const MAX_DISCARD_MS = 80_000;

/** A body that can still be read after its reader gave up. */
export class RequestBody implements AsyncIterable<Uint8Array> {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #done = false;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /** Has no `return`: leaving a loop early must not close the stream. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() };
  }

  /** Reads what is left; gives up at the limits or when the client goes away. */
  async discard(): Promise<void> {
    const deadline = Promise.withResolvers<null>();
    const timer = setTimeout(() => deadline.resolve(null), MAX_DISCARD_MS);
    try {
      for (let bytes = 0; !this.#done && bytes < MAX_DISCARD_BYTES;) {
        const next = await Promise.race([this.#nextUnlessBroken(), deadline.promise]);
        if (next === null || next.done === true) return;
        bytes += next.value.length;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** The next chunk to discard; null when the client has closed the connection and would not get an answer. */
  async #nextUnlessBroken(): Promise<IteratorResult<Uint8Array> | null> {
    try {
      return await this.#next();
    } catch {
      return null;
    }
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    const result = await this.#chunks.next();
    this.#done = result.done === true;
    return result;
  }
}
