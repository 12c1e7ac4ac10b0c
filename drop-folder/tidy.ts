/**
 * Housekeeping of a drop folder: old days of the archive, folders of watchers that are gone, unfinished writes of killed ones. Any number of
 * watchers may do it at the same time.
 */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expiredArchiveDays, isTemporaryName } from '../domain/drop-folder/names.ts';
import type { Folder } from '../domain/drop-folder/names.ts';
import { folderError, isDenied, isGone, namesIn } from './files.ts';
import type { DropFolder } from './folder.ts';

/** An unfinished write of this age belongs to a watcher that is gone. */
const LEFTOVER_MS = 60 * 60 * 1000;
/** Sub-folders in which only watchers write; drafts in the queue are the clients' business. */
const WRITTEN: readonly Folder[] = ['claimed', 'results', 'archive', 'bad'];

/**
 * One round of housekeeping.
 *
 * @returns what could not be removed, such as what another user made, in words for people; it keeps nothing else from being removed
 */
export async function tidy(
  folder: DropFolder,
  {
    nowMs,
    retainDays,
    gone,
  }: { readonly nowMs: number; readonly retainDays: number; readonly gone: readonly string[] },
): Promise<string[]> {
  const denied: string[] = [];
  const unlessDenied = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!isDenied(error)) throw error;
      denied.push(folderError(error).userMessage);
    }
  };
  for (const day of expiredArchiveDays(await namesIn(folder.in('archive')), nowMs, retainDays)) {
    await unlessDenied(() => rm(folder.in('archive', day), { recursive: true, force: true }));
  }
  for (const watcherId of gone) await unlessDenied(() => folder.removeWatcher(watcherId));
  for (const directory of [folder.path, ...WRITTEN.map((each) => folder.in(each))]) {
    for (const name of (await namesIn(directory)).filter(isTemporaryName)) {
      await unlessDenied(() => removeOld(join(directory, name), nowMs));
    }
  }
  return denied;
}

async function removeOld(path: string, nowMs: number): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (nowMs - mtimeMs > LEFTOVER_MS) await rm(path, { force: true });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
