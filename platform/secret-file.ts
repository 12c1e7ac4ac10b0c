/**
 * Secrets that a data directory keeps in files, readable by their owner alone.
 *
 * A file is written to the disk under another name first, so that no process reads a part of a secret or one that a power cut could lose.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Writes the file unless it exists. If two processes do so at the same time, one wins. */
export function makeSecretFile(path: string, content: string): void {
  publish(path, content, (draft) => {
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });
}

/** Writes the file, replacing an existing one. */
export const replaceSecretFile = (path: string, content: string): void =>
  publish(path, content, (draft) => renameSync(draft, path));

function publish(path: string, content: string, giveName: (draft: string) => void): void {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  // No process id: processes of two containers may have the same one.
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    giveName(draft);
    flushDirectory(directory);
  } finally {
    rmSync(draft, { force: true });
  }
}

function flushDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
