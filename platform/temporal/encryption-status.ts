/** What an operator is told of encryption: whether it is on, where the keys are, which there are. Never a key itself. */
import { isKeyFileOpen, keyFilePath, readKeyFile } from './key-file.ts';
import { parseKeyEntries } from './key-ring.ts';
import type { EncryptionConfig } from './payload-keys.ts';

/** One key, without its secret. */
export interface KeyStatus {
  readonly id: string;
  /** ISO time; null where it was not recorded. */
  readonly createdAt: string | null;
}

/** Encryption of one data directory. */
export interface EncryptionStatus {
  readonly encryption: 'on' | 'off';
  /** Where the keys are: the variable, or the file that is there or will be. */
  readonly source: 'DECKHAND_PAYLOAD_KEYS' | 'file';
  /** Path of the key file; null where the variable is set. */
  readonly file: string | null;
  /** Newest first: the first encrypts, all decrypt. Empty before the first use. */
  readonly keys: readonly KeyStatus[];
  /** Others than the owner may read the key file. */
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
