/**
 * Housekeeping of a drop folder: old days of the archive, folders of watchers that are gone, unfinished writes of killed ones. Any number of
 * watchers may do it at the same time.
 */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expiredArchiveDays, isTemporaryName } from '../../domain/drop-folder/names.ts';
import { isGone, namesIn } from './files.ts';
import type { DropFolder } from './folder.ts';

/** An unfinished write of this age belongs to a watcher that is gone. */
const LEFTOVER_MS = 60 * 60 * 1000;

/** One round of housekeeping. */
export async function tidy(
  folder: DropFolder,
  {
    nowMs,
    retainDays,
    gone,
  }: { readonly nowMs: number; readonly retainDays: number; readonly gone: readonly string[] },
): Promise<void> {
  for (const day of expiredArchiveDays(await namesIn(folder.in('archive')), nowMs, retainDays)) {
    await rm(folder.in('archive', day), { recursive: true, force: true });
  }
  for (const watcherId of gone) await folder.removeWatcher(watcherId);
  for (const directory of [folder.path, folder.in('results'), folder.in('bad')]) {
    for (const name of (await namesIn(directory)).filter(isTemporaryName))
      await removeOld(join(directory, name), nowMs);
  }
}

async function removeOld(path: string, nowMs: number): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (nowMs - mtimeMs > LEFTOVER_MS) await rm(path, { force: true });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
