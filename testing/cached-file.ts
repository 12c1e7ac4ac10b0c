/**
 * Files that tests need, made into the per-user cache, once each.
 *
 * A lock makes a second process wait for the first, and the finished file is renamed into place, so one that exists is whole.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadConfig } from '../platform/config.ts';
import { fileLock } from '../platform/processes/file-lock.ts';

/** Receives one line per step. */
export type Progress = (line: string) => void;

/** The file that is made. */
export interface CachedFile {
  /** Name of the file, and with the version of its folder in the cache. */
  readonly name: string;
  /** For people, such as `Docker Compose`. */
  readonly title: string;
  readonly version: string;
  /** How long it takes on two cores, in words. */
  readonly takes: string;
}

const pathOf = ({ name, version }: CachedFile): string => join(loadConfig().cacheDir, `${name}-${version}`, name);

/** True for a file that is in the cache. */
export const isCached = (file: CachedFile): boolean => existsSync(pathOf(file));

/**
 * Makes a file into the cache for a script that is run by itself, and prints its path. With `--cached`, nothing is made: the script fails where
 * the file is not there.
 */
export async function runAlone(file: CachedFile, ensure: (progress: Progress) => Promise<string>): Promise<void> {
  if (process.argv.includes('--cached') && !isCached(file)) {
    process.exitCode = 1;
    return;
  }
  process.stdout.write(`${await ensure((line) => void process.stderr.write(`${line}\n`))}\n`);
}

/**
 * Path of a file in the cache, made first if it is not there.
 * @param make writes the file under its name into the folder it is given, which is removed afterwards
 * @throws what `make` throws
 */
export async function cachedFile(
  wanted: CachedFile,
  onProgress: Progress,
  make: (work: string) => Promise<void>,
): Promise<string> {
  const { name, title, version, takes } = wanted;
  const file = pathOf(wanted);
  const dir = dirname(file);
  if (isCached(wanted)) return file;
  await mkdir(dir, { recursive: true });
  const lock = await fileLock(join(dir, 'build.lock'), () => onProgress(`another process is making ${title}; waiting`));
  const work = await mkdtemp(join(dir, 'building-'));
  try {
    if (existsSync(file)) return file;
    onProgress(`making ${title} ${version} (once, ${takes})`);
    await make(work);
    await rename(join(work, name), file);
    return file;
  } finally {
    await rm(work, { recursive: true, force: true });
    lock.release();
  }
}
