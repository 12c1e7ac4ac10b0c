/**
 * A lock between processes that the kernel releases when its holder dies.
 *
 * Pid files need a rule for stale ones, and every such rule has a race. SQLite's file lock has no such rule: it is an advisory lock of the
 * operating system, released when the process ends, also by kill -9. The file holds no data and may stay.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeckhandError } from '../../domain/errors.ts';

/** A lock that is held until `release()` or the end of the process. */
export interface FileLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/** Locks of this process. Without a reference the garbage collector would close the connection and release its lock. */
const held = new Set<DatabaseSync>();

/** Takes the lock; undefined if another process, or another holder in this process, has it. */
export function tryFileLock(path: string): FileLock | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw new DeckhandError('internal', `cannot lock ${path}: ${String(error)}`, {
      userMessage: `The file ${path} cannot be locked.`,
      hint: 'Use a data directory on a local disk that you may write to (DECKHAND_HOME).',
      cause: error,
    });
  }
  const connection = database;
  held.add(connection);
  return {
    release: (): void => {
      held.delete(connection);
      if (connection.isOpen) connection.close();
    },
  };
}

/** Waits for the lock. `onWait` is called once if another has it. */
export async function fileLock(path: string, onWait?: () => void): Promise<FileLock> {
  for (let attempt = 0; ; attempt += 1) {
    const lock = tryFileLock(path);
    if (lock !== undefined) return lock;
    if (attempt === 0) onWait?.();
    await sleep(100);
  }
}
