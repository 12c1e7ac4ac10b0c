/**
 * Folders for temporary files: uploads in progress, pages being rendered. They hold parts of confidential decks, so they are below the data
 * directory and belong to one process each. The next process that starts removes the folders of killed processes.
 *
 * A process owns its folder by a file lock beside it, which the kernel releases when the process ends. Process ids would not do: they are
 * reused and differ between containers.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ifAbsent } from './absent.ts';
import { tryFileLock } from './processes/file-lock.ts';

const OWNER_ONLY = 0o700;

/** Folder of this process, by data directory. */
const own = new Map<string, string>();

/** Where the scratch folders of an installation lie. */
export const scratchDir = (home: string): string => join(home, 'scratch');

const lockOf = (folder: string): string => `${folder}.lock`;

/** The folder of this process, made and locked at its first use. */
function ownFolder(home: string): string {
  const known = own.get(home);
  if (known !== undefined) return known;
  mkdirSync(scratchDir(home), { recursive: true, mode: OWNER_ONLY });
  const folder = join(scratchDir(home), `process-${process.pid}-${randomUUID()}`);
  // The lock comes first: a folder without one has no owner.
  tryFileLock(lockOf(folder));
  mkdirSync(folder, { mode: OWNER_ONLY });
  if (own.size === 0) process.once('exit', removeOwn);
  own.set(home, folder);
  return folder;
}

/** Removes the folders of this process at its end, which also releases the locks. */
function removeOwn(): void {
  for (const folder of own.values())
    for (const path of [folder, lockOf(folder)]) rmSync(path, { recursive: true, force: true });
}

/**
 * Runs `use` with an empty folder, which is removed afterwards.
 *
 * @param subject owner of the files: the id of a deck, or `upload`; never a name that a user chose
 */
export async function withScratchFolder<T>(
  home: string,
  subject: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const parent = ownFolder(home);
  await mkdir(parent, { recursive: true, mode: OWNER_ONLY });
  const folder = await mkdtemp(join(parent, `${subject}-`));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of processes that have ended. */
export async function sweepScratch(home: string): Promise<void> {
  for (const folder of await processFolders(home)) {
    if (folder === own.get(home)) continue;
    const lock = tryFileLock(lockOf(folder));
    if (lock === undefined) continue;
    await rm(folder, { recursive: true, force: true });
    await rm(lockOf(folder), { force: true });
    lock.release();
  }
}

/** Removes the files of a deck, whichever process made them. */
export async function removeScratchOf(home: string, deckId: string): Promise<void> {
  for (const folder of await processFolders(home)) {
    const subjects = (await namesIn(folder)).filter((name) => name.startsWith(`${deckId}-`));
    for (const name of subjects) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function processFolders(home: string): Promise<string[]> {
  const names = await namesIn(scratchDir(home));
  return names
    .filter((name) => name.startsWith('process-') && !/\.lock(?:-\w+)?$/u.test(name))
    .map((name) => join(scratchDir(home), name));
}

/** Empty if nothing was worked on yet, or if the folder's owner has just ended. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(ifAbsent([]));
