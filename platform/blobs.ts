/**
 * Blobs: the bytes Deckhand keeps (PDFs, slide images) behind one interface, on a (shared) filesystem.
 *
 * The store holds bytes only; the database records what exists and what it means. Keys are made here, and a key that could leave the root is
 * refused. A blob is written under `!incoming` and renamed, so that a reader, also on another machine, never sees a part of it. Leftovers of
 * killed writers there are removed a day later.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { DeckhandError } from '../domain/errors.ts';
import { ifAbsent } from './absent.ts';
import { errnoOf, writeError } from './blobs/errors.ts';
import { BlobQuota } from './blobs/quota.ts';
import type { Config } from './config.ts';

// Keys consist of our own ids, hashes and numbers, never of a file name that a user chose.

/** `artefact`: the image for people; `model`: the smaller one for models. */
type SlideImageKind = 'artefact' | 'model';

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/**
 * The key unchanged if it is safe: segments of letters, digits, `.`, `_` and `-`, none of them starting with a dot.
 *
 * @throws DeckhandError `internal`: a key is made by our own code, so a bad one is a defect
 */
function checkedKey(key: string): string {
  if (key.length > 512 || !key.split('/').every((segment) => SEGMENT.test(segment))) {
    throw new DeckhandError('internal', `unsafe blob key ${JSON.stringify(key)}`);
  }
  return key;
}

const keyOf = (...segments: readonly (string | number)[]): string => checkedKey(segments.join('/'));

/** The PDF of a deck. */
export const deckPdfKey = (tenantId: string, sha256: string): string => keyOf(tenantId, 'decks', `${sha256}.pdf`);

/** Everything rendered of one deck. */
export const deckImagesPrefix = (tenantId: string, deckId: string): string => keyOf(tenantId, 'slides', deckId);

/** Everything rendered of one deck under one set of render parameters. */
export const slidesPrefix = (tenantId: string, deckId: string, renderKey: string): string =>
  keyOf(tenantId, 'slides', deckId, renderKey);

/**
 * One image of one slide.
 *
 * @param number 1-based page
 */
export const slideImageKey = (
  tenantId: string,
  deckId: string,
  renderKey: string,
  number: number,
  kind: SlideImageKind,
): string => keyOf(tenantId, 'slides', deckId, renderKey, `${number}-${kind}.jpg`);

/**
 * A smaller form of an image of a slide, beside it.
 *
 * @param imageKey made by `slideImageKey`
 * @param drawing names what was drawn: an image that is drawn again keeps its key
 */
export const smallerImageKey = (imageKey: string, drawing: string, widthPx: number): string =>
  checkedKey(imageKey.replace(/\.jpg$/u, `-${drawing}-w${widthPx}.jpg`));

/** Content of a new blob. A file is copied, not moved. */
export type BlobSource = Uint8Array | Readable | { readonly path: string };

/** Stores bytes under keys. A blob exists completely or not at all. */
export interface BlobStore {
  /**
   * Writes a blob, replacing an older one under the same key at once.
   *
   * @throws DeckhandError `storage_full` when there is no room left
   */
  put(key: string, source: BlobSource): Promise<void>;
  /** @throws DeckhandError `not_found` */
  get(key: string): Promise<Uint8Array>;
  /** @throws DeckhandError `not_found` */
  stream(key: string): Promise<Readable>;
  has(key: string): Promise<boolean>;
  /** Does nothing if there is no such blob. */
  delete(key: string): Promise<void>;
  /** Deletes every blob whose key starts with `<prefix>/`. */
  deletePrefix(prefix: string): Promise<void>;
  /** Path of the blob's file, if the store has files. Does not check that it exists. */
  localPath?(key: string): string;
}

/** Folder of unfinished writes; our keys have no `!`, so no blob has this name. */
const INCOMING = '!incoming';
/** A leftover of this age belongs to a writer that has ended. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000;
/** Decks are confidential and other users may have access to the store, so modes do not depend on the umask. */
const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const;

function readError(key: string, error: unknown): DeckhandError {
  if (errnoOf(error) === 'ENOENT') {
    return new DeckhandError('not_found', `no blob ${key}`, { userMessage: 'This file does not exist.', cause: error });
  }
  const detail = error instanceof Error ? error.message : String(error);
  return new DeckhandError('internal', `blob ${key} could not be read: ${detail}`, { cause: error });
}

/** Closes the file to others, and flushes it before the rename makes it visible, so that a power cut leaves no incomplete blob. */
async function flush(path: string): Promise<void> {
  await using handle = await open(path, 'r+');
  await handle.chmod(OWNER_ONLY.file);
  await handle.sync();
}

class FilesystemBlobs implements BlobStore {
  readonly #root: string;
  readonly #quota: BlobQuota;
  #leftovers: Promise<void> | undefined;

  constructor(root: string, quotaBytes: number | null) {
    this.#root = root;
    this.#quota = new BlobQuota(root, quotaBytes);
  }

  localPath(key: string): string {
    return join(this.#root, checkedKey(key));
  }

  async put(key: string, source: BlobSource): Promise<void> {
    const target = this.localPath(key);
    this.#leftovers ??= this.#removeLeftovers();
    await this.#leftovers;
    const path = join(this.#root, INCOMING, randomUUID());
    try {
      await this.#write(path, source);
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
      // Opened here, so that a missing blob is an error of this call and not of a later read.
      const handle = await open(path, 'r');
      return handle.createReadStream();
    } catch (error) {
      throw readError(key, error);
    }
  }

  async has(key: string): Promise<boolean> {
    const path = this.localPath(key);
    try {
      return (await stat(path).catch(ifAbsent(null)))?.isFile() ?? false;
    } catch (error) {
      throw readError(key, error);
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.localPath(key), { force: true });
  }

  async deletePrefix(prefix: string): Promise<void> {
    await rm(this.localPath(prefix), { recursive: true, force: true });
  }

  async #write(path: string, source: BlobSource): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY.folder });
    if (source instanceof Uint8Array || source instanceof Readable) {
      return writeFile(path, source, { flag: 'wx', mode: OWNER_ONLY.file });
    }
    // A copy-on-write clone where the filesystem can.
    return copyFile(source.path, path, constants.COPYFILE_FICLONE);
  }

  async #removeLeftovers(): Promise<void> {
    const folder = join(this.#root, INCOMING);
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder });
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      // Another process may have finished or removed it since it was listed.
      const found = await stat(path).catch(ifAbsent(null));
      if (found !== null && Date.now() - found.mtimeMs > LEFTOVER_AGE_MS) await rm(path, { force: true });
    }
  }
}

/** Opens the configured store; its directory is made at the first write. */
export function openBlobs(config: Pick<Config, 'blobDir'> & Partial<Pick<Config, 'blobQuotaBytes'>>): BlobStore {
  return new FilesystemBlobs(config.blobDir, config.blobQuotaBytes ?? null);
}
