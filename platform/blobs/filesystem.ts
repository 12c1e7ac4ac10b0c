/**
 * The blob store on a (shared) filesystem, through npm flydrive.
 *
 * flydrive writes in place; here a blob is written beside its place and renamed, so that a reader, also one on another machine, never
 * sees half of it and a killed writer leaves nothing but a file under `!incoming`. Old leftovers there are removed at the next opening.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { DeckhandError } from '../../domain/errors.ts';
import type { BlobSource, BlobStore } from '../blobs.ts';
import { checkedKey } from './keys.ts';
import { errnoOf, writeError } from './errors.ts';
import { BlobQuota } from './quota.ts';

/** Folder of unfinished writes; our keys have no `!`, so no blob lives there. */
const INCOMING = '!incoming';
/** A leftover of this age belongs to a writer that is gone. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000;
/** Decks are confidential, and the store may lie where others have a look: the umask decides nothing. */
const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const;

function readError(key: string, error: unknown): DeckhandError {
  if (errnoOf(error) === 'ENOENT') {
    return new DeckhandError('not_found', `no blob ${key}`, { userMessage: 'This file is not there.', cause: error });
  }
  const detail = error instanceof Error ? error.message : String(error);
  return new DeckhandError('internal', `blob ${key} could not be read: ${detail}`, { cause: error });
}

/** Closes the file to others, and puts the bytes on the disk before the rename makes them visible: after a power cut a blob is whole or not there. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.chmod(OWNER_ONLY.file);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

class FilesystemBlobs implements BlobStore {
  readonly #root: string;
  readonly #disk: Disk;
  readonly #quota: BlobQuota;
  #leftovers: Promise<void> | undefined;

  constructor(root: string, quotaBytes: number | null) {
    this.#root = root;
    this.#quota = new BlobQuota(root, quotaBytes);
    this.#disk = new Disk(new FSDriver({ location: root, visibility: 'private' }));
  }

  localPath(key: string): string {
    return join(this.#root, checkedKey(key));
  }

  async put(key: string, source: BlobSource): Promise<void> {
    const target = this.localPath(key);
    this.#leftovers ??= this.#removeLeftovers();
    await this.#leftovers;
    const incoming = `${INCOMING}/${randomUUID()}`;
    const path = join(this.#root, incoming);
    try {
      await this.#write(incoming, path, source);
      await this.#quota.take(path);
      await flush(path);
      await mkdir(dirname(target), { recursive: true, mode: OWNER_ONLY.folder });
      await rename(path, target);
    } catch (error) {
      await rm(path, { force: true });
      throw writeError(`blob ${key}`, error);
    }
  }

  async get(key: string): Promise<Uint8Array> {
    const path = this.localPath(key);
    try {
      return await readFile(path);
    } catch (error) {
      throw readError(key, error);
    }
  }

  async stream(key: string): Promise<Readable> {
    const path = this.localPath(key);
    try {
      // Opened here, so that a missing blob is an error of this call and not of some later read.
      const handle = await open(path, 'r');
      return handle.createReadStream();
    } catch (error) {
      throw readError(key, error);
    }
  }

  async has(key: string): Promise<boolean> {
    try {
      return await this.#disk.exists(checkedKey(key));
    } catch (error) {
      throw readError(key, error);
    }
  }

  async delete(key: string): Promise<void> {
    await this.#disk.delete(checkedKey(key));
  }

  async deletePrefix(prefix: string): Promise<void> {
    await this.#disk.deleteAll(checkedKey(prefix));
  }

  async #write(incoming: string, path: string, source: BlobSource): Promise<void> {
    if (source instanceof Uint8Array) return this.#disk.put(incoming, source);
    if (source instanceof Readable) return this.#disk.putStream(incoming, source);
    await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY.folder });
    // A copy-on-write clone where the filesystem can.
    return copyFile(source.path, path, constants.COPYFILE_FICLONE);
  }

  async #removeLeftovers(): Promise<void> {
    const folder = join(this.#root, INCOMING);
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder });
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const found = await stat(path).catch(goneMeanwhile);
      if (found !== null && Date.now() - found.mtimeMs > LEFTOVER_AGE_MS) await rm(path, { force: true });
    }
  }
}

/** Another process may have finished or removed it since it was listed; every other error is one. */
function goneMeanwhile(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/**
 * Opens the store in a directory; made at the first write.
 *
 * @param quotaBytes most bytes that all blobs may take together; null = what the disk holds
 */
export function openFilesystemBlobs(root: string, quotaBytes: number | null = null): BlobStore {
  return new FilesystemBlobs(root, quotaBytes);
}
