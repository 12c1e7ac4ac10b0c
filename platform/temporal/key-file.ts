/**
 * The key file of a data directory, `<home>/keys/payload-keys.json`: made by its first user, changed by rotation only. A ring that was used
 * must never get lost.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DeckhandError } from '../../domain/errors.ts';
import { fileLock } from '../processes/file-lock.ts';
import { makeSecretFile, replaceSecretFile } from '../secret-file.ts';
import { formatKeyFile, makePayloadKey, parseKeyFile, type KeyRing, type PayloadKey } from './key-ring.ts';

/** Where the ring of a data directory is. */
export const keyFilePath = (home: string): string => join(home, 'keys', 'payload-keys.json');

/** The ring of a data directory; undefined if there is none. @throws DeckhandError `usage` for a file that is not valid */
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

/** True if others than the owner may read the key file. */
export function isKeyFileOpen(home: string): boolean {
  return (statSync(keyFilePath(home)).mode & 0o077) !== 0;
}

/** The ring of a data directory; if there is none, a new one with one key. Concurrent processes get the same ring. */
export function readOrMakeKeyFile(home: string): KeyRing {
  return readKeyFile(home) ?? makeKeyFile(home, makePayloadKey());
}

/** Makes the file with one key. Processes that make it at the same time all get the ring of the first one. */
function makeKeyFile(home: string, key: PayloadKey): KeyRing {
  write(home, [key], makeSecretFile);
  const made = readKeyFile(home);
  if (made === undefined) throw new DeckhandError('internal', `${keyFilePath(home)} was removed`);
  return made;
}

/**
 * Adds a new key to the front of the ring; the older ones stay for decryption.
 *
 * @returns the new key
 */
export async function rotateKeyFile(home: string, now: Date = new Date()): Promise<PayloadKey> {
  // Two rotations at the same time must not lose a key that was in use between them.
  const lock = await fileLock(join(dirname(keyFilePath(home)), 'rotation.lock'));
  try {
    const key = makePayloadKey(now);
    // Without a file, its first user may be making it at this moment, and that key must not get lost either.
    const present = readKeyFile(home) ?? makeKeyFile(home, key);
    if (!present.some(({ id }) => id === key.id)) write(home, [key, ...present], replaceSecretFile);
    return key;
  } finally {
    lock.release();
  }
}

function write(home: string, ring: KeyRing, put: (path: string, content: string) => void): void {
  const path = keyFilePath(home);
  try {
    put(path, formatKeyFile(ring));
  } catch (error) {
    throw unusable(path, error);
  }
}

const unusable = (path: string, error: unknown): DeckhandError =>
  new DeckhandError('usage', `${path}: ${String(error)}`, {
    userMessage: `The payload keys in ${path} cannot be read or written.`,
    hint: 'Make the directory writable for this user, or set DECKHAND_PAYLOAD_KEYS.',
    cause: error,
  });
