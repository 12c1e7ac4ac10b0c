import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeckhandError } from '../../../domain/errors.ts';
import { deckPdfKey, openBlobs, slideImageKey, slidesPrefix } from '../../../platform/blobs.ts';
import type { BlobStore } from '../../../platform/blobs.ts';
import { writeError } from '../../../platform/blobs/errors.ts';
import { forAll } from '../../../testing/property.ts';

let root: string;
let blobs: BlobStore;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'deckhand-blobs-'));
  blobs = openBlobs({ blobDir: join(root, 'store') });
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    return error instanceof DeckhandError ? error.code : String(error);
  }
  return 'no error';
};

describe('blobs', () => {
  it('gives back the bytes that were put, from memory, a stream or a file', async () => {
    const bytes = randomBytes(300_000);
    const path = join(root, 'source.bin');
    await writeFile(path, bytes);
    for (const source of [bytes, Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]), { path }]) {
      await blobs.put('t/decks/a.pdf', source);
      expect(Buffer.from(await blobs.get('t/decks/a.pdf')).equals(bytes)).toBe(true);
      await blobs.delete('t/decks/a.pdf');
    }
    expect((await stat(path)).size).toBe(bytes.length);
  });

  it('streams a blob', async () => {
    await blobs.put('t/decks/s.pdf', Buffer.from('streamed'));
    const chunks: Buffer[] = [];
    for await (const chunk of await blobs.stream('t/decks/s.pdf')) chunks.push(Buffer.from(chunk));
    expect(Buffer.concat(chunks).toString()).toBe('streamed');
  });

  it('says not_found for a blob that is not there', async () => {
    expect(await codeOf(blobs.get('t/decks/none.pdf'))).toBe('not_found');
    expect(await codeOf(blobs.stream('t/decks/none.pdf'))).toBe('not_found');
    expect(await blobs.has('t/decks/none.pdf')).toBe(false);
    await blobs.delete('t/decks/none.pdf');
  });

  it('leaves nothing behind when the source breaks off, and keeps the older blob', async () => {
    await blobs.put('t/decks/b.pdf', Buffer.from('old'));
    const broken = new Readable({
      read() {
        this.push('half');
        this.destroy(new Error('connection lost'));
      },
    });
    expect(await codeOf(blobs.put('t/decks/b.pdf', broken))).toBe('internal');
    expect(Buffer.from(await blobs.get('t/decks/b.pdf')).toString()).toBe('old');
    expect(await readdir(join(root, 'store', '!incoming'))).toEqual([]);
  });

  it('shows a reader either the old or the new bytes, never a mixture', async () => {
    const versions = Array.from({ length: 8 }, (_, n) => Buffer.alloc(200_000, n));
    const known = new Set(versions.map((v) => createHash('sha256').update(v).digest('hex')));
    await blobs.put('t/decks/c.pdf', versions[0] ?? Buffer.alloc(0));
    const reads = Array.from({ length: 40 }, async () =>
      createHash('sha256')
        .update(await blobs.get('t/decks/c.pdf'))
        .digest('hex'),
    );
    await Promise.all(versions.map((v) => blobs.put('t/decks/c.pdf', v)));
    for (const digest of await Promise.all(reads)) expect(known.has(digest)).toBe(true);
  });

  it('deletes what stands under a prefix and nothing beside it', async () => {
    const inside = slideImageKey('t', 'deck1', 'v1', 1, 'artefact');
    const beside = slideImageKey('t', 'deck10', 'v1', 1, 'artefact');
    await blobs.put(inside, Buffer.from('1'));
    await blobs.put(beside, Buffer.from('2'));
    await blobs.deletePrefix(slidesPrefix('t', 'deck1', 'v1'));
    expect(await blobs.has(inside)).toBe(false);
    expect(await blobs.has(beside)).toBe(true);
  });

  it('refuses every key that is not made of plain segments', async () => {
    for (const key of [
      '../x',
      'a/../../x',
      '/etc/passwd',
      'a//b',
      'a/',
      '',
      '!incoming/x',
      'a\0b',
      'a\\..\\b',
      'ä/b',
    ]) {
      expect(await codeOf(blobs.put(key, Buffer.from('x'))), key).toBe('internal');
      expect(await codeOf(blobs.get(key)), key).toBe('internal');
      expect(await codeOf(blobs.deletePrefix(key)), key).toBe('internal');
    }
  });

  it('keeps every accepted key inside its root', () =>
    forAll(
      [fc.array(fc.string({ maxLength: 6, unit: fc.constantFrom('a', '.', '/', '-', '\\', '\0', ' ') }))],
      (segments) => {
        try {
          const path = blobs.localPath?.(segments.join('/')) ?? '';
          expect(path.startsWith(join(root, 'store') + '/')).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(DeckhandError);
        }
      },
    ));

  it('names a full disk by its own code', () => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    expect(writeError('k', new Error('E_CANNOT_WRITE_FILE', { cause: full })).code).toBe('storage_full');
    expect(writeError('k', new Error('other')).code).toBe('internal');
  });

  it('names a deck by tenant and hash, never by its file name', () => {
    expect(deckPdfKey('t1', 'ab12')).toBe('t1/decks/ab12.pdf');
    expect(() => deckPdfKey('../t2', 'ab12')).toThrow(DeckhandError);
  });
});

it('who may read blobs is their owner alone, whatever the umask and the mode of the file that was copied', async () => {
  const folder = join(root, 'private');
  const path = join(root, 'open.pdf');
  await writeFile(path, '%PDF-1.7', { mode: 0o644 });
  const store = openBlobs({ blobDir: folder });
  for (const [index, source] of [Buffer.from('a'), Readable.from([Buffer.from('a')]), { path }].entries())
    await store.put(`tenant/decks/${index}.pdf`, source);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(entries.filter((entry) => entry.isFile())).toHaveLength(3);
  for (const entry of entries) {
    const { mode } = await stat(join(entry.parentPath, entry.name));
    expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isFile() ? 0o600 : 0o700]);
  }
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});
