/**
 * The key file of a data directory, `<home>/keys/payload-keys.json`: made by whichever process comes first, changed by rotation only.
 *
 * A ring that was used must never get lost, so it reaches the disk before any process can read it, and two processes end with one ring: a link to
 * a finished file either makes the name or finds that it is there.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DeckhandError } from '../../domain/errors.ts';
import { fileLock } from '../processes/file-lock.ts';
import { formatKeyFile, makePayloadKey, parseKeyFile, type KeyRing, type PayloadKey } from './key-ring.ts';

/** Where the ring of a data directory is. */
export const keyFilePath = (home: string): string => join(home, 'keys', 'payload-keys.json');

/** The ring of a data directory; undefined where none was made yet. @throws DeckhandError `usage` for a file that is not valid */
export function readKeyFile(home: string): KeyRing | undefined {
  const path = keyFilePath(home);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
  return parseKeyFile(text, path);
}

/** True when others than the owner may read the key file. */
export function isKeyFileOpen(home: string): boolean {
  return (statSync(keyFilePath(home)).mode & 0o077) !== 0;
}

/** The ring of a data directory, with one new key where there was none. Several processes at once get the same ring. */
export function readOrMakeKeyFile(home: string): KeyRing {
  return readKeyFile(home) ?? makeKeyFile(home, makePayloadKey());
}

/** Makes the file with one key. Processes that make it at the same moment all get the ring that was there first. */
function makeKeyFile(home: string, key: PayloadKey): KeyRing {
  publish(home, [key], (draft, path) => {
    try {
      linkSync(draft, path);
    } catch (error) {
      // Somebody else was first: theirs counts.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });
  const made = readKeyFile(home);
  if (made === undefined) throw new DeckhandError('internal', `${keyFilePath(home)} vanished`);
  return made;
}

/**
 * Puts a new key in front of the ring; the older ones stay, to decrypt.
 *
 * @returns the new key
 */
export async function rotateKeyFile(home: string, now: Date = new Date()): Promise<PayloadKey> {
  // Two rotations at once must not lose a key that was in use between them.
  const lock = await fileLock(join(keyDirectory(home), 'rotation.lock'));
  try {
    const key = makePayloadKey(now);
    // Where there is no file yet, a first use may be making it at this moment, and its key must not get lost either.
    const present = readKeyFile(home) ?? makeKeyFile(home, key);
    if (!present.some(({ id }) => id === key.id)) publish(home, [key, ...present], renameSync);
    return key;
  } finally {
    lock.release();
  }
}

function keyDirectory(home: string): string {
  const directory = dirname(keyFilePath(home));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  return directory;
}

/** Writes the ring to a file of its own, brings it to the disk, and gives it its name by `put`. */
function publish(home: string, ring: KeyRing, put: (draft: string, path: string) => void): void {
  const path = keyFilePath(home);
  const draft = `${path}.${randomUUID()}`;
  try {
    const directory = keyDirectory(home);
    writeToDisk(draft, formatKeyFile(ring));
    put(draft, path);
    syncToDisk(directory);
  } catch (error) {
    throw unusable(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeToDisk(path: string, content: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const unusable = (path: string, error: unknown): DeckhandError =>
  new DeckhandError('usage', `${path}: ${String(error)}`, {
    userMessage: `The payload keys in ${path} cannot be read or written.`,
    hint: 'Make the directory writable for this user, or set DECKHAND_PAYLOAD_KEYS.',
    cause: error,
  });
