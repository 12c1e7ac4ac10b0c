import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryOf, readMultipart } from '../../../api/decks/multipart.ts';
import { displayName } from '../../../api/decks/receive.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { forAll } from '../../../testing/property.ts';

/** The body in chunks of the given sizes, over and over. */
async function* inChunks(body: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, n = 0; at < body.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1;
    yield body.subarray(at, at + size);
    at += size;
  }
}

async function read(body: Buffer, boundary: string, sizes: readonly number[] = [7]) {
  const parts: { name: string; fileName: string | null; content: string }[] = [];
  for await (const part of readMultipart(inChunks(body, sizes), boundary)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of part.content) chunks.push(chunk);
    parts.push({ name: part.name, fileName: part.fileName, content: Buffer.concat(chunks).toString('latin1') });
  }
  return parts;
}

const bodyOf = (boundary: string, parts: readonly { head: string; content: string }[]): Buffer =>
  Buffer.from(
    `${parts.map((p) => `--${boundary}\r\n${p.head}\r\n\r\n${p.content}\r\n`).join('')}--${boundary}--\r\n`,
    'latin1',
  );

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return error instanceof DeckhandError ? error.code : String(error);
  }
};

describe('multipart body', () => {
  it('gives the same parts however it is cut into chunks', async () => {
    const tricky = fc.string({ unit: fc.constantFrom('\r', '\n', '-', 'B', 'x', '\0'), maxLength: 60 });
    await forAll(
      [tricky, tricky, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 })],
      async (a, b, sizes) => {
        // A body must not contain its own delimiter; the sender chooses the boundary so that it does not.
        fc.pre(![a, b].some((text) => `\r\n${text}`.includes('\r\n--B')));
        const body = bodyOf('B', [
          { head: 'Content-Disposition: form-data; name="note"', content: a },
          {
            head: 'Content-Disposition: form-data; name="file"; filename="d.pdf"\r\nContent-Type: application/pdf',
            content: b,
          },
        ]);
        expect(await read(body, 'B', sizes)).toEqual([
          { name: 'note', fileName: null, content: a },
          { name: 'file', fileName: 'd.pdf', content: b },
        ]);
      },
    );
  });

  it('reads what the platform itself writes', async () => {
    const form = new FormData();
    form.set('file', new Blob(['%PDF-1.7 bytes']), 'Präsentation "final".pdf');
    const request = new Request('http://x', { method: 'POST', body: form });
    const boundary = boundaryOf(request.headers.get('content-type') ?? undefined);
    const [part] = await read(Buffer.from(await request.arrayBuffer()), boundary, [3]);
    expect(part).toEqual({ name: 'file', fileName: 'Präsentation "final".pdf', content: '%PDF-1.7 bytes' });
  });

  it('skips what a reader leaves of a part', async () => {
    const body = bodyOf('B', [
      { head: 'Content-Disposition: form-data; name="a"', content: 'unread '.repeat(50) },
      { head: 'Content-Disposition: form-data; name="b"', content: 'read' },
    ]);
    const names: string[] = [];
    for await (const part of readMultipart(inChunks(body, [11]), 'B')) names.push(part.name);
    expect(names).toEqual(['a', 'b']);
  });

  it('refuses a body that ends early, wherever it is cut', async () => {
    const body = bodyOf('B', [{ head: 'Content-Disposition: form-data; name="file"', content: 'content' }]);
    for (let length = 0; length < body.length - 4; length += 1)
      expect(await codeOf(read(body.subarray(0, length), 'B')), `cut at ${length}`).toBe('invalid_request');
  });

  it('refuses headers without end', async () => {
    const body = Buffer.from(`--B\r\nContent-Disposition: ${'x'.repeat(100_000)}`);
    expect(await codeOf(read(body, 'B', [4096]))).toBe('invalid_request');
  });

  it('names a content type that is not multipart', () => {
    expect(() => boundaryOf('application/pdf')).toThrow(DeckhandError);
    expect(() => boundaryOf(undefined)).toThrow(DeckhandError);
    expect(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"')).toBe('a b');
  });
});

it('file name to show keeps the last segment and drops what could deceive', () => {
  expect(displayName('../../etc/passwd')).toBe('passwd');
  expect(displayName('C:\\decks\\Deck.pdf')).toBe('Deck.pdf');
  expect(displayName('deck\u202Efdp.exe\u0000')).toBe('deckfdp.exe');
  for (const empty of [null, '', '..', '/', ' ']) expect(displayName(empty)).toBe('deck.pdf');
  expect(displayName('x'.repeat(500))).toHaveLength(200);
});
