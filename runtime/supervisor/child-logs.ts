/** Log files of children: opened for append, turned over by size before a child starts and while it runs, and read back when one fails to. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';

const ROTATE_AT_BYTES = 8 * 1024 * 1024;
const KEPT_FILES = 3;
const TAIL_BYTES = 8 * 1024;

/** Path of a child's log. */
export function logPath(logDir: string, name: string): string {
  return join(logDir, `${name}.log`);
}

/** Opens a log for append and returns its file descriptor; a large one is put aside first. */
export function openLog(logDir: string, name: string): number {
  mkdirSync(logDir, { recursive: true, mode: 0o700 });
  const path = logPath(logDir, name);
  if (existsSync(path)) turnOver(path);
  return openSync(path, 'a', 0o600);
}

/** Puts aside what every large log of a folder holds, also of a log that is being written. */
export function turnOverLogs(logDir: string): void {
  for (const name of readdirSync(logDir)) if (name.endsWith('.log')) turnOver(join(logDir, name));
}

/**
 * Puts aside what a log holds once it is large (`name.log.1` is the newest of those).
 *
 * Its writer keeps the file, which is copied and emptied: the writer continues at its new end. A line that is written between the two
 * is lost. Nothing is emptied that could not be copied.
 */
function turnOver(path: string): void {
  if (statSync(path).size <= ROTATE_AT_BYTES) return;
  const aside = `${path}.new`;
  try {
    copyFileSync(path, aside);
    truncateSync(path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
  for (let index = KEPT_FILES - 1; index >= 1; index -= 1) {
    if (existsSync(`${path}.${index}`)) renameSync(`${path}.${index}`, `${path}.${index + 1}`);
  }
  renameSync(aside, `${path}.1`);
}

/** The last lines of a log from a place on, for an error message; an empty list if there is none. */
export function lastLogLines(logDir: string, name: string, count: number, fromByte = 0): string[] {
  const path = logPath(logDir, name);
  if (!existsSync(path)) return [];
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(Math.max(0, size - fromByte), TAIL_BYTES));
    readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    return buffer
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-count);
  } finally {
    closeSync(fd);
  }
}
