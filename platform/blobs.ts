/**
 * Blobs: the bytes Deckhand keeps (PDFs, slide images) behind one interface, on a shared filesystem.
 *
 * Never a signal channel, only bytes: what exists and what it means stands in the database. Keys are made by `blobs/keys.ts`; a store
 * refuses every key that could leave its root. The filesystem store is npm flydrive, whose S3 driver fits behind the same interface.
 */
import type { Readable } from 'node:stream';
import type { Config } from './config.ts';
import { openFilesystemBlobs } from './blobs/filesystem.ts';

export { deckImagesPrefix, deckPdfKey, slideImageKey, slidesPrefix } from './blobs/keys.ts';

/** Where the bytes of a blob come from. A file is copied, never moved. */
export type BlobSource = Uint8Array | Readable | { readonly path: string };

/** Keeps bytes under keys. A blob is there completely or not at all. */
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
  /** Does nothing when there is no such blob. */
  delete(key: string): Promise<void>;
  /** Deletes every blob whose key starts with `<prefix>/`. */
  deletePrefix(prefix: string): Promise<void>;
  /** Path of the blob's file where the store has files; whether it exists is not checked. */
  localPath?(key: string): string;
}

/** Opens the store that the configuration names. */
export function openBlobs(config: Pick<Config, 'blobDir'> & Partial<Pick<Config, 'blobQuotaBytes'>>): BlobStore {
  return openFilesystemBlobs(config.blobDir, config.blobQuotaBytes ?? null);
}
