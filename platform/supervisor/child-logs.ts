/**
 * Log files of children: opened for append, turned over by size when a child starts, and read back when one fails to.
 */
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROTATE_AT_BYTES = 8 * 1024 * 1024;
const KEPT_FILES = 3;
const TAIL_BYTES = 8 * 1024;

/** Path of a child's log. */
export function logPath(logDir: string, name: string): string {
  return join(logDir, `${name}.log`);
}

/** Opens a log for append and returns its file descriptor; a large one is put aside first (`name.log.1` is the newest of those). */
export function openLog(logDir: string, name: string): number {
  mkdirSync(logDir, { recursive: true, mode: 0o700 });
  const path = logPath(logDir, name);
  if (existsSync(path) && statSync(path).size > ROTATE_AT_BYTES) {
    for (let index = KEPT_FILES - 1; index >= 1; index -= 1) {
      if (existsSync(`${path}.${index}`)) renameSync(`${path}.${index}`, `${path}.${index + 1}`);
    }
    renameSync(path, `${path}.1`);
  }
  return openSync(path, 'a', 0o600);
}

/** The last lines of a log, for an error message; an empty list if there is none. */
export function lastLogLines(logDir: string, name: string, count: number): string[] {
  const path = logPath(logDir, name);
  if (!existsSync(path)) return [];
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
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
