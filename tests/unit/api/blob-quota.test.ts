import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBlobs, type BlobStore } from '../../../platform/blobs.ts';
import { until } from '../../../testing/until.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'deckhand-quota-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const bytes = (size: number): Buffer => Buffer.alloc(size, 7);
const refused = { code: 'storage_full', hint: expect.stringMatching(/quota/u) as unknown };
const incoming = () => readdir(join(root, '!incoming'));

it.each([
  ['bytes', () => Promise.resolve(bytes(60))],
  ['a stream', () => Promise.resolve(Readable.from([bytes(30), bytes(30)]))],
  [
    'a file',
    async () => {
      const path = join(root, 'source');
      await writeFile(path, bytes(60));
      return { path };
    },
  ],
])('refuses %s beyond the quota as on a full disk, and leaves nothing behind', async (_, source) => {
  const blobs = openBlobs({ blobDir: join(root, 'store'), blobQuotaBytes: 100 });
  await blobs.put('t/a', bytes(60));
  await expect(blobs.put('t/b', await source())).rejects.toMatchObject(refused);
  expect(await blobs.has('t/b')).toBe(false);
  expect(await readdir(join(root, 'store', '!incoming'))).toEqual([]);
  await blobs.put('t/c', bytes(40));
});

it('takes blobs again when the quota file is raised, and goes by the configuration when it is removed', async () => {
  const blobs = openBlobs({ blobDir: root });
  await writeFile(join(root, '!quota'), '0\n');
  await expect(blobs.put('t/a', bytes(60))).rejects.toMatchObject(refused);
  await writeFile(join(root, '!quota'), '1000\n');
  await blobs.put('t/a', bytes(60));
  await rm(join(root, '!quota'));
  await blobs.put('t/b', bytes(2000));
  expect(await incoming()).toEqual([]);
});

it('sees that room was made by another process', async () => {
  const blobs = openBlobs({ blobDir: root, blobQuotaBytes: 100 });
  const other: BlobStore = openBlobs({ blobDir: root, blobQuotaBytes: 100 });
  await blobs.put('t/a', bytes(60));
  await expect(blobs.put('t/b', bytes(60))).rejects.toMatchObject(refused);
  await other.delete('t/a');
  await until(() =>
    blobs.put('t/b', bytes(60)).then(
      () => true,
      () => false,
    ),
  ).is(true);
});

it('counts a store from which decks are deleted at the same time', async () => {
  for (let round = 0; round < 5; round += 1) {
    const folders = Array.from({ length: 100 }, (_, i) => join(root, 't', 'slides', `deck-${i}`, 'r1'));
    for (const folder of folders) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, '1-model.jpg'), bytes(10));
    }
    // One that was just opened counts at its first write.
    const blobs = openBlobs({ blobDir: root, blobQuotaBytes: 1e6 });
    await Promise.all([
      blobs.put('t/a', bytes(60)),
      ...folders.map((folder) => rm(join(folder, '..'), { recursive: true })),
    ]);
  }
});

it('says which file is wrong when the quota is no number', async () => {
  const blobs = openBlobs({ blobDir: root });
  await writeFile(join(root, '!quota'), 'much');
  await expect(blobs.put('t/a', bytes(1))).rejects.toThrowError(/!quota holds "much"/u);
});
