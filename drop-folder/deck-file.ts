/**
 * The PDF of a job: checked until it is complete, then copied to this machine and hashed. Jobs may come from any user who can write into
 * the drop folder, so the file has to be a regular one inside an allowed root, links resolved, at the moment it is open.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdtemp, open, readlink, realpath, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { DeckhandError } from '../domain/errors.ts';
import { isInside, locateFile } from '../domain/drop-folder/paths.ts';
import { unchangedForMs } from '../domain/drop-folder/readiness.ts';
import type { FileLook } from '../domain/drop-folder/readiness.ts';
import { errnoOf } from '../platform/blobs/errors.ts';
import { isDenied, isGone, namesIn, realPathOf } from './files.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Where PDF readers look for the header and for the end. */
const HEAD_BYTES = 1024;
const TAIL_BYTES = 2048;
const MEBIBYTE = 1024 * 1024;

/** Folders of copies begin like this. */
const SNAPSHOT_PREFIX = 'deckhand-snapshot-';
/** No upload takes so long: a copy of this age was left by a watcher that was killed. */
const LEFTOVER_MS = 6 * 60 * 60 * 1000;

/** A private copy of a PDF. */
export interface Snapshot {
  /** Path of the copy; its last part is the file's own name. */
  readonly path: string;
  readonly sha256: string;
  remove(): Promise<void>;
}

/** Where PDFs may be; every path absolute. */
export interface Roots {
  /** The drop folder: relative paths start there. */
  readonly dropDir: string;
  /** The allowed roots as people write them. */
  readonly named: readonly string[];
  /** The same with links resolved: what counts for what is opened. */
  readonly real: readonly string[];
}

/** The drop folder and further roots. @throws DeckhandError `not_found` for a root that is no directory */
export async function makeRoots(dropDir: string, folderPath: string, further: readonly string[]): Promise<Roots> {
  const named = further.map((root) => resolve(root));
  const real = await Promise.all(
    named.map(async (root) => {
      const path = await realPathOf(root);
      if (path !== null) return path;
      throw new DeckhandError('not_found', `${root} is no directory`, { hint: 'Make it, or leave out --root.' });
    }),
  );
  return { dropDir: folderPath, named: [resolve(dropDir), folderPath, ...named, ...real], real: [folderPath, ...real] };
}

/** An open file inside a root, or why there is none. */
type Opened =
  | { readonly kind: 'open'; readonly handle: FileHandle; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly reason: string };

const OUTSIDE = 'file_path: leads out of the drop folder';

/** Path of what is open, where the system tells; a link that was put in the way after the check shows here. */
async function pathOfOpen(handle: FileHandle, otherwise: string): Promise<string> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${handle.fd}`) : otherwise;
}

const isBelowOne = (roots: readonly string[], path: string): boolean => roots.some((root) => isInside(root, path));

async function openInside({ dropDir, named, real }: Roots, filePath: string): Promise<Opened> {
  const located = locateFile(dropDir, named, filePath);
  if (located.kind === 'refused') return located;
  let handle: FileHandle | undefined;
  try {
    const path = await realpath(located.path);
    if (!isBelowOne(real, path)) return { kind: 'refused', reason: OUTSIDE };
    if (!(await lstat(path)).isFile()) return { kind: 'refused', reason: 'file_path: is not a file' };
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!isBelowOne(real, await pathOfOpen(handle, path)) || !(await handle.stat()).isFile()) {
      await handle.close();
      return { kind: 'refused', reason: OUTSIDE };
    }
    return { kind: 'open', handle, path: located.path };
  } catch (error) {
    await handle?.close();
    if (isGone(error) || errnoOf(error) === 'ENOTDIR') return { kind: 'missing' };
    if (errnoOf(error) === 'ELOOP') return { kind: 'refused', reason: OUTSIDE };
    // No such file can ever come.
    if (errnoOf(error) === 'ENAMETOOLONG')
      return { kind: 'refused', reason: 'file_path: holds a name that is too long' };
    if (isDenied(error)) {
      return { kind: 'refused', reason: 'file_path: the watcher may not read this file' };
    }
    throw error;
  }
}

/** What a watcher remembers between two looks at one PDF. */
export class FileMemory {
  #seen: { readonly mark: string; readonly sinceMs: number } | undefined;
  #missingSinceMs: number | undefined;

  missing(nowMs: number): number {
    this.#missingSinceMs ??= nowMs;
    this.#seen = undefined;
    return nowMs - this.#missingSinceMs;
  }

  /** How long the mark has been the same; null when there was none before. */
  same(mark: string, nowMs: number): number | null {
    const before = this.#seen;
    this.#missingSinceMs = undefined;
    if (before?.mark === mark) return nowMs - before.sinceMs;
    this.#seen = { mark, sinceMs: nowMs };
    return before === undefined ? null : 0;
  }
}

async function readAt(handle: FileHandle, length: number, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function startOf(head: Buffer): 'pdf' | 'blank' | 'other' {
  if (head.includes('%PDF-')) return 'pdf';
  return head.every((byte) => byte === 0) ? 'blank' : 'other';
}

/** Looks whether the PDF of a job is there and whole. */
export async function lookAtFile(roots: Roots, filePath: string, memory: FileMemory, nowMs: number): Promise<FileLook> {
  const opened = await openInside(roots, filePath);
  if (opened.kind === 'missing') return { kind: 'missing', missingMs: memory.missing(nowMs) };
  if (opened.kind === 'refused') return opened;
  await using handle = opened.handle;
  const { size, mtimeMs, ctimeMs } = await handle.stat();
  const head = await readAt(handle, HEAD_BYTES, 0);
  const tail = await readAt(handle, TAIL_BYTES, Math.max(0, size - TAIL_BYTES));
  return {
    kind: 'there',
    sizeBytes: size,
    unchangedMs: unchangedForMs({ mtimeMs, ctimeMs }, nowMs, memory.same(`${size}/${mtimeMs}/${ctimeMs}`, nowMs)),
    start: startOf(head),
    hasEnd: tail.includes('%%EOF'),
  };
}

/**
 * Copies the PDF of a job, hashing it on the way.
 *
 * @returns `missing` when it is not there, `changing` when it was changed meanwhile: look again later
 * @throws DeckhandError `job_invalid` for a file that may not be read, `pdf_too_large`
 */
export async function snapshot(
  roots: Roots,
  filePath: string,
  maxBytes: number,
): Promise<Snapshot | 'missing' | 'changing'> {
  const opened = await openInside(roots, filePath);
  if (opened.kind === 'missing') return 'missing';
  if (opened.kind === 'refused') {
    throw new DeckhandError('job_invalid', opened.reason, {
      hint: 'Name a file below the drop folder, or start the watcher with --root for the folder of the PDFs.',
    });
  }
  await using handle = opened.handle;
  const folder = await mkdtemp(join(tmpdir(), SNAPSHOT_PREFIX));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const copy = join(folder, basename(opened.path));
  try {
    const before = await handle.stat();
    if (before.size > maxBytes) {
      throw new DeckhandError('pdf_too_large', `${before.size} bytes`, {
        userMessage: `The PDF is larger than ${Math.floor(maxBytes / MEBIBYTE)} MiB.`,
        hint: 'Raise DECKHAND_MAX_UPLOAD_BYTES for the API and the watcher, or make the file smaller.',
      });
    }
    const sha256 = await copyTo(handle, copy, before.size);
    const after = await handle.stat();
    const same = after.size === before.size && after.mtimeMs === before.mtimeMs && after.ctimeMs === before.ctimeMs;
    if (same) return { path: copy, sha256, remove };
    await remove();
    return 'changing';
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Copies what was there; of a file that grows not what comes, which might never end. */
async function copyTo(from: FileHandle, path: string, sizeBytes: number): Promise<string> {
  const hash = createHash('sha256');
  await using to = await open(path, 'wx', 0o600);
  for (let position = 0; position < sizeBytes;) {
    const chunk = await readAt(from, CHUNK_BYTES, position);
    if (chunk.length === 0) break;
    hash.update(chunk);
    // A disk that gets full takes part of a chunk without an error; this one writes all of it or throws.
    await to.writeFile(chunk);
    position += chunk.length;
  }
  return hash.digest('hex');
}

/**
 * Removes the copies that killed watchers of this user left on this machine.
 *
 * @param nowMs by this machine's clock
 */
export async function removeOldSnapshots(nowMs: number): Promise<void> {
  const own = process.getuid?.();
  for (const name of (await namesIn(tmpdir())).filter((each) => each.startsWith(SNAPSHOT_PREFIX))) {
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch((error: unknown) => {
      // Another watcher was faster.
      if (isGone(error)) return null;
      throw error;
    });
    if (found?.isDirectory() !== true || found.uid !== own || nowMs - found.mtimeMs < LEFTOVER_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}
