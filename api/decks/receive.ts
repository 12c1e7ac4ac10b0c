/**
 * Receives the PDF of an upload: to a file, hashed on the way, refused by content and by size before more of it is taken in.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DeckhandError } from '../../domain/errors.ts';
import { hasPdfHeader, PDF_HEADER_SEARCH_BYTES } from '../../domain/decks/pdf.ts';
import type { Config } from '../../platform/config.ts';
import { writeError } from '../../platform/blobs/errors.ts';
import { withScratchFolder } from '../../platform/scratch.ts';
import { readMultipart } from './multipart.ts';

/** Form field that holds the file. */
const FILE_FIELD = 'file';
/** Room for the other parts and the headers of an upload, beyond the file itself. */
const MULTIPART_OVERHEAD_BYTES = 64 * 1024;
const MAX_NAME_CHARS = 200;

/** A complete upload. */
export interface ReceivedFile {
  readonly path: string;
  readonly fileName: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A name to show: the last segment, without control characters and direction marks. It is never part of a path. */
export function displayName(given: string | null): string {
  const last = (given ?? '').normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const clean = last.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim();
  return clean === '' || /^\.+$/.test(clean) ? 'deck.pdf' : clean.slice(0, MAX_NAME_CHARS).toWellFormed();
}

/** The refusal of a file that is too large. */
export const tooLarge = (maxBytes: number): DeckhandError =>
  new DeckhandError('pdf_too_large', `upload exceeds ${maxBytes} bytes`, {
    userMessage: `This file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB.`,
    hint: 'Export the deck with smaller pictures, or raise DECKHAND_MAX_UPLOAD_BYTES.',
  });

/** Refuses a body whose announced length is more than the largest file needs. @throws DeckhandError `pdf_too_large` */
export function refuseAnnouncedSize(contentLength: string | undefined, maxFileBytes: number): void {
  if (Number(contentLength ?? 0) > maxFileBytes + MULTIPART_OVERHEAD_BYTES) throw tooLarge(maxFileBytes);
}

/** The same for a body of unknown length, as it arrives. Parts before the file count, too. */
async function* withinSize(body: AsyncIterable<Uint8Array>, maxFileBytes: number): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxFileBytes + MULTIPART_OVERHEAD_BYTES) throw tooLarge(maxFileBytes);
    yield chunk;
  }
}

function checkHeader(head: Uint8Array): void {
  if (head.length === 0) {
    throw new DeckhandError('pdf_empty', 'upload of 0 bytes', { userMessage: 'This file is empty.' });
  }
  if (!hasPdfHeader(head)) {
    throw new DeckhandError('not_a_pdf', 'no %PDF- header', {
      userMessage: 'This file is not a PDF.',
      hint: 'Export the deck as PDF and upload it again.',
    });
  }
}

async function receive(
  content: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  try {
    let sizeBytes = 0;
    let head: Buffer | null = Buffer.alloc(0);
    for await (const chunk of content) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      if (head !== null) {
        head = Buffer.concat([head, chunk.subarray(0, PDF_HEADER_SEARCH_BYTES - head.length)]);
        if (head.length >= PDF_HEADER_SEARCH_BYTES) {
          checkHeader(head);
          head = null;
        }
      }
      hash.update(chunk);
      await writeAll(file, chunk);
    }
    if (head !== null) checkHeader(head);
    return { sha256: hash.digest('hex'), sizeBytes };
  } finally {
    await file.close();
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, chunk: Uint8Array): Promise<void> {
  try {
    await file.writeFile(chunk);
  } catch (error) {
    throw writeError('the upload', error);
  }
}

/** The bytes of a file in one piece. */
async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(bytes);
}

/** Takes a PDF that is in memory as an upload is taken. @throws DeckhandError as {@link withReceivedFile}, but `invalid_request` */
export async function withGivenFile<T>(
  bytes: Uint8Array,
  fileName: string,
  { maxUploadBytes, home }: Pick<Config, 'maxUploadBytes' | 'home'>,
  use: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  return withScratchFolder(home, 'upload', async (folder) => {
    const path = join(folder, 'upload.pdf');
    return use({ path, fileName: displayName(fileName), ...(await receive(inOnePiece(bytes), path, maxUploadBytes)) });
  });
}

/**
 * Receives the file of a multipart body and hands it to `use`; afterwards its temporary copy is gone.
 *
 * @param config `maxUploadBytes`: size of the file, without the rest of the body; `home`: the data directory, where it arrives
 * @throws DeckhandError `not_a_pdf`, `pdf_empty`, `pdf_too_large`, `invalid_request`, `storage_full`
 */
export async function withReceivedFile<T>(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  { maxUploadBytes, home }: Pick<Config, 'maxUploadBytes' | 'home'>,
  use: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  return withScratchFolder(home, 'upload', async (folder) => {
    for await (const part of readMultipart(withinSize(body, maxUploadBytes), boundary)) {
      if (part.name !== FILE_FIELD) continue;
      const path = join(folder, 'upload.pdf');
      const received = await receive(part.content, path, maxUploadBytes);
      return await use({ path, fileName: displayName(part.fileName), ...received });
    }
    throw new DeckhandError('invalid_request', 'no part called file', {
      userMessage: 'The upload has no part called "file".',
      hint: 'For example: curl -F file=@deck.pdf http://127.0.0.1:8420/api/v1/decks',
    });
  });
}
