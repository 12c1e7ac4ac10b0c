/**
 * Reads a multipart/form-data body as it arrives (RFC 7578), never holding more than one chunk and a delimiter of it.
 *
 * Only what an upload needs: parts in order, each with its name, its file name and its bytes. The platform's own `formData()` would hold
 * the whole body in memory.
 */
import { DeckhandError } from '../../domain/errors.ts';

/** Headers of one part are refused beyond this. */
const MAX_HEADER_BYTES = 16 * 1024;

/** One part of the body. Its content has to be read before the next part is asked for; what is left unread is skipped. */
export interface Part {
  readonly name: string;
  readonly fileName: string | null;
  readonly content: AsyncIterable<Uint8Array>;
}

const malformed = (what: string): DeckhandError =>
  new DeckhandError('invalid_request', `malformed multipart body: ${what}`, {
    userMessage: `The upload is not a complete multipart/form-data body: ${what}.`,
  });

/** The boundary named by a content type. @throws DeckhandError `invalid_request` */
export function boundaryOf(contentType: string | undefined): string {
  const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
    contentType ?? '',
  );
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) {
    throw new DeckhandError('invalid_request', `content type ${contentType ?? 'none'} is not multipart/form-data`, {
      userMessage: 'Send the file as multipart/form-data in a part called "file".',
      hint: 'For example: curl -F file=@deck.pdf http://127.0.0.1:8420/api/v1/decks',
    });
  }
  return boundary;
}

/** Parameter of a Content-Disposition header; browsers write `"` as `%22` and other characters as UTF-8 bytes. */
function dispositionParameter(headers: string, name: string): string | null {
  const line = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(headers)?.[1];
  const match = new RegExp(`(?:^|;)\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, 'i').exec(line ?? '');
  const value = match?.[1] ?? match?.[2];
  return value === undefined ? null : value.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"');
}

/** Bytes of the body with the possibility to look for a mark. */
class Source {
  #buffer: Buffer = Buffer.alloc(0);
  #ended = false;
  readonly #chunks: AsyncIterator<Uint8Array>;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /** Reads one more chunk; false at the end. */
  async #more(): Promise<boolean> {
    if (this.#ended) return false;
    const next = await this.#chunks.next();
    if (next.done === true) {
      this.#ended = true;
      return false;
    }
    this.#buffer = this.#buffer.length === 0 ? Buffer.from(next.value) : Buffer.concat([this.#buffer, next.value]);
    return true;
  }

  /** Yields everything up to a mark and consumes the mark. */
  async *until(mark: Buffer): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const at = this.#buffer.indexOf(mark);
      if (at !== -1) {
        const head = this.#buffer.subarray(0, at);
        this.#buffer = this.#buffer.subarray(at + mark.length);
        if (head.length > 0) yield head;
        return;
      }
      // The end of what is here may be the beginning of the mark.
      const safe = this.#buffer.length - mark.length + 1;
      if (safe > 0) {
        const head = this.#buffer.subarray(0, safe);
        this.#buffer = this.#buffer.subarray(safe);
        yield head;
      }
      if (!(await this.#more())) throw malformed('it ends too early');
    }
  }

  /** The bytes up to a mark, at most `limit` of them. */
  async take(mark: Buffer, limit: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.until(mark)) {
      size += chunk.length;
      if (size > limit) throw malformed('the headers of a part are too long');
      parts.push(chunk);
    }
    return Buffer.concat(parts);
  }

  async exactly(length: number): Promise<Buffer> {
    while (this.#buffer.length < length) if (!(await this.#more())) throw malformed('it ends too early');
    const head = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    return head;
  }
}

/**
 * The parts of a body, one after the other.
 *
 * @throws DeckhandError `invalid_request` when the body is malformed or ends early
 */
export async function* readMultipart(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part, void> {
  const source = new Source(body);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // What stands before the first delimiter is a preamble; the body usually starts with the delimiter itself.
  await source.take(delimiter.subarray(2), MAX_HEADER_BYTES);
  for (;;) {
    const end = await source.exactly(2);
    if (end.toString('latin1') === '--') return;
    if (end.toString('latin1') !== '\r\n') throw malformed('a delimiter is broken');
    const headers = (await source.take(Buffer.from('\r\n\r\n'), MAX_HEADER_BYTES)).toString('utf8');
    const name = dispositionParameter(headers, 'name');
    if (name === null) throw malformed('a part has no name');
    const content = source.until(delimiter);
    yield { name, fileName: dispositionParameter(headers, 'filename'), content };
    // Whatever the reader left of this part.
    for (;;) if ((await content.next()).done === true) break;
  }
}
