/** Status of encryption for operators: on or off, source and ids of the keys. Never contains a key. */
import { isKeyFileOpen, keyFilePath, readKeyFile } from './key-file.ts';
import { parseKeyEntries } from './key-ring.ts';
import type { EncryptionConfig } from './payload-keys.ts';

/** One key, without its secret. */
export interface KeyStatus {
  readonly id: string;
  /** ISO time; null if it was not recorded. */
  readonly createdAt: string | null;
}

/** Encryption of one data directory. */
export interface EncryptionStatus {
  readonly encryption: 'on' | 'off';
  /** Source of the keys: the variable, or the file (which may not exist yet). */
  readonly source: 'DECKHAND_PAYLOAD_KEYS' | 'file';
  /** Path of the key file; null if the variable is set. */
  readonly file: string | null;
  /** Newest first: the first encrypts, all decrypt. Empty before the first use. */
  readonly keys: readonly KeyStatus[];
  /** True if others than the owner may read the key file. */
  readonly readableByOthers: boolean;
}

/** The status. @throws DeckhandError `usage` for keys that are not valid */
export function encryptionStatus(config: EncryptionConfig): EncryptionStatus {
  const { encryption, home, payloadKeys } = config;
  const given = payloadKeys !== undefined;
  const ring = given ? parseKeyEntries(payloadKeys) : (readKeyFile(home) ?? []);
  return {
    encryption,
    source: given ? 'DECKHAND_PAYLOAD_KEYS' : 'file',
    file: given ? null : keyFilePath(home),
    keys: ring.map(({ id, createdAt }) => ({ id, createdAt })),
    readableByOthers: !given && ring.length > 0 && isKeyFileOpen(home),
  };
}
