/**
 * Reads a multipart/form-data body as it arrives, with npm @fastify/busboy: its parts in order, each with its name, its file name and its bytes.
 * The platform's own `formData()` would hold the whole body in memory.
 */
import { on } from 'node:events';
import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { DeckhandError } from '../../domain/errors.ts';

/** Headers of one part; browsers send two. */
const MAX_HEADERS = 20;

/** One part of the body. Its content has to be read before the next part is asked for; what is left unread is skipped. */
export interface Part {
  readonly name: string;
  readonly fileName: string | null;
  readonly content: AsyncIterable<Uint8Array>;
}

const malformed = (cause: unknown): DeckhandError =>
  new DeckhandError('invalid_request', `malformed multipart body: ${String(cause)}`, {
    userMessage: 'The upload is not a complete multipart/form-data body.',
    cause,
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

/**
 * The parts of a body, one after the other.
 *
 * @throws DeckhandError `invalid_request` when the body is malformed or ends early; the error of the body itself
 */
export async function* readMultipart(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part, void> {
  const source = Readable.from(body);
  const parser = new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    // Every part is a stream: nothing is collected in memory.
    isPartAFile: () => true,
    preservePath: true,
    limits: { headerPairs: MAX_HEADERS },
  });
  let open: Readable | undefined;
  let sourceError: unknown;
  source.on('error', (error) => {
    sourceError = error;
    open?.destroy(error);
    parser.destroy(error);
  });
  // A part that ends early says so when it is parsed, which may be before it is read.
  const cutShort = new WeakMap<Readable, unknown>();
  parser.on('file', (_name, content: Readable) => content.on('error', (error) => cutShort.set(content, error)));
  // Errors are thrown to the reader below; without a listener they would end the process after the last part was read.
  parser.on('error', ignore);
  const thrown = (error: unknown): unknown => sourceError ?? malformed(error);
  /** The bytes of a part; a reader that stops early leaves it open. */
  async function* readAll(content: Readable): AsyncGenerator<Uint8Array, void> {
    try {
      yield* content.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw thrown(error);
    }
    if (cutShort.has(content)) throw thrown(cutShort.get(content));
  }
  source.pipe(parser);
  try {
    for await (const [name, content, fileName] of on(parser, 'file', { close: ['finish'] }) as AsyncIterable<
      [string, Readable, string | undefined]
    >) {
      open = content;
      // Browsers write `"` as `%22`.
      yield { name, fileName: fileName?.replaceAll('%22', '"') ?? null, content: readAll(content) };
      content.resume();
    }
  } catch (error) {
    throw thrown(error);
  } finally {
    source.unpipe(parser);
    source.destroy();
  }
}

const ignore = (): void => undefined;
