/** Files on a shared file system: written whole or not at all, moved by rename, read with what another machine wrote last. */
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { lstat, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asDeckhandError, DeckhandError } from '../domain/errors.ts';
import { errnoOf } from '../platform/blobs/errors.ts';

/** A small file and its facts. */
export interface SmallFile {
  /** Empty for what is no file to be read. */
  readonly bytes: Buffer;
  /** `other`: a link, a folder and the like; `denied`: we may not read it. */
  readonly kind: 'file' | 'other' | 'denied';
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

const GONE = new Set(['ENOENT', 'ESTALE']);
/** File systems that cannot flush a directory say so like this; there is nothing more that could be done. */
const CANNOT_FLUSH = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** True for a file that is not there, also one that another machine removed while it was looked at. */
export const isGone = (error: unknown): boolean => GONE.has(errnoOf(error) ?? '');

/** True where the file system's permissions are in the way. */
export const isDenied = (error: unknown): boolean => errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM';

/** Makes the names of a directory durable. */
export async function flushDirectory(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!CANNOT_FLUSH.has(errnoOf(error) ?? '')) throw error;
  }
}

/**
 * Puts a file in its place: beside it first, flushed, then renamed, so that a reader finds the old file, the new one or none.
 *
 * @param temporary name of the unfinished file in the same directory
 */
export async function writeWhole(directory: string, name: string, text: string, temporary: string): Promise<void> {
  const path = join(directory, temporary);
  try {
    // Exclusive: a link that was put there first is not followed.
    {
      await using handle = await open(path, 'wx', 0o644);
      await handle.writeFile(text);
      await handle.sync();
    }
    await rename(path, join(directory, name));
  } catch (error) {
    try {
      await rm(path, { force: true });
    } catch (second) {
      // The error of the write is thrown; an error of removing its draft would add nothing.
      if (errnoOf(second) === undefined) throw second;
    }
    throw error;
  }
  await flushDirectory(directory);
}

/**
 * Moves a file by rename.
 *
 * @returns false when it is not there (any more). A rename whose answer was lost says so too: look at the target.
 */
export async function move(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/**
 * Reads a small regular file as it is on the server: opening it is what makes a network file system look there. A link is not followed.
 *
 * @param maxBytes of a longer file only so many are read
 * @returns null when it is not there
 */
export async function readSmall(path: string, maxBytes: number): Promise<SmallFile | null> {
  try {
    await using handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = await handle.stat();
    const { mtimeMs, ctimeMs, size } = stat;
    if (!stat.isFile()) return unread('other', stat);
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return { bytes: buffer.subarray(0, bytesRead), kind: 'file', sizeBytes: size, mtimeMs, ctimeMs };
  } catch (error) {
    if (isGone(error)) return null;
    if (errnoOf(error) === 'ELOOP') return unread('other', await statIfThere(path));
    if (isDenied(error)) return unread('denied', await statIfThere(path));
    throw error;
  }
}

/** Another one may have moved it since it could not be opened. */
async function statIfThere(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function unread(kind: SmallFile['kind'], stat: Stats | null): SmallFile | null {
  if (stat === null) return null;
  const { mtimeMs, ctimeMs } = stat;
  return { bytes: Buffer.alloc(0), kind, sizeBytes: 0, mtimeMs, ctimeMs };
}

/** Real path with links resolved; null when nothing is there. @throws DeckhandError for what is there and cannot be reached */
export async function realPathOf(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isGone(error)) return null;
    throw folderError(error);
  }
}

/** Names in a directory; none when it is not there. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** Anything thrown, with errors of the file system named for people. */
export function folderError(error: unknown): DeckhandError {
  const errno = error instanceof DeckhandError ? undefined : errnoOf(error);
  if (errno === undefined) return asDeckhandError(error);
  const detail = error instanceof Error ? error.message : String(error);
  if (errno === 'ENOSPC' || errno === 'EDQUOT') {
    return new DeckhandError('storage_full', detail, {
      userMessage: 'There is no room left on a disk that the watcher writes to; nothing is lost.',
      hint: 'Free some space. The watcher then continues.',
      cause: error,
    });
  }
  return new DeckhandError('internal', detail, { userMessage: detail, cause: error });
}
