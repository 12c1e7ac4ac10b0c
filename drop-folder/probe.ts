/** Small experiments on a drop folder: can it be written, do renames work between its sub-folders, what time is it on the file server. */
import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeckhandError } from '../domain/errors.ts';
import { FOLDERS, temporaryName } from '../domain/drop-folder/names.ts';
import type { Folder } from '../domain/drop-folder/names.ts';
import { errnoOf } from '../platform/blobs/errors.ts';
import type { DropFolder } from './folder.ts';

const probeName = (): string => temporaryName('probe', randomBytes(4).readUInt32BE());

/** Writes a file and reads it back. @returns the time of the file server when it was written */
export async function probeWrite(directory: string): Promise<number> {
  const path = join(directory, probeName());
  const text = randomBytes(16).toString('hex');
  try {
    await using handle = await open(path, 'wx', 0o644);
    await handle.writeFile(text);
    await handle.sync();
    const { mtimeMs } = await handle.stat();
    if ((await readFile(path, 'utf8')) !== text) throw new Error(`${path} does not hold what was written`);
    return mtimeMs;
  } finally {
    await rm(path, { force: true });
  }
}

/** Renames a file through every sub-folder, over one that is there already. @throws DeckhandError naming the sub-folder that is elsewhere */
export async function probeRenames(folder: DropFolder): Promise<void> {
  const name = probeName();
  const folders = Object.keys(FOLDERS) as Folder[];
  let path = folder.in('queue', name);
  await writeFile(path, 'probe');
  try {
    for (const each of folders.slice(1)) {
      const target = folder.in(each, name);
      await writeFile(target, 'to be replaced');
      try {
        await rename(path, target);
      } catch (error) {
        await rm(target, { force: true });
        if (errnoOf(error) !== 'EXDEV') throw error;
        throw new DeckhandError('usage', `${target} is on another file system`, {
          hint: 'Queue, claimed, results, archive and bad have to be folders of one file system: unmount what is mounted there.',
          cause: error,
        });
      }
      path = target;
      if ((await readFile(path, 'utf8')) !== 'probe') throw new Error(`${path} does not hold what was renamed`);
    }
  } finally {
    await rm(path, { force: true });
  }
}

/** Time of the file server; this machine's where the folder cannot be written (`watch --check` says why), which is good enough to show ages. */
export async function serverTimeMs(folder: DropFolder): Promise<number> {
  return probeWrite(folder.path).catch(() => Date.now());
}
