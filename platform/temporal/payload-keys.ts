/** The payload keys of a process while other processes may rotate them: the file is read again for an unknown id, and regularly when encrypting. */
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../config.ts';
import { keyFilePath, readKeyFile, readOrMakeKeyFile } from './key-file.ts';
import { parseKeyEntries, type KeyRing, type PayloadKey } from './key-ring.ts';

/** Settings that decide on encryption. */
export type EncryptionConfig = Pick<Config, 'home' | 'encryption' | 'payloadKeys'>;

/** Keys to encrypt and decrypt with. */
export interface PayloadKeys {
  /** The key that encrypts now. @throws DeckhandError `payload_key_missing` if the key file was removed */
  newest(): PayloadKey;
  /** The key of an id; undefined if there is none. */
  find(id: string): PayloadKey | undefined;
}

/** A key that another process made is used after this time at the latest. */
const REREAD_MS = 2000;

/** The configured keys. The file is made when a payload is encrypted for the first time. @throws DeckhandError `usage` */
export function openPayloadKeys({ home, payloadKeys }: EncryptionConfig): PayloadKeys {
  return payloadKeys === undefined ? new FileKeys(home) : new GivenKeys(parseKeyEntries(payloadKeys));
}

/** Keys of DECKHAND_PAYLOAD_KEYS, which only a restart changes. */
class GivenKeys implements PayloadKeys {
  readonly #ring: KeyRing;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  newest(): PayloadKey {
    return this.#ring[0];
  }

  find(id: string): PayloadKey | undefined {
    return this.#ring.find((key) => key.id === id);
  }
}

/** Keys of the data directory. Reading is synchronous: the file is small and read at most every two seconds. */
class FileKeys implements PayloadKeys {
  readonly #home: string;
  #ring: KeyRing | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(home: string) {
    this.#home = home;
  }

  newest(): PayloadKey {
    if (this.#ring === undefined) return this.#keep(readOrMakeKeyFile(this.#home))[0];
    if (performance.now() - this.#readAtMs < REREAD_MS) return this.#ring[0];
    const ring = readKeyFile(this.#home);
    if (ring !== undefined) return this.#keep(ring)[0];
    // Payloads of a key that is in no file could not be decrypted after the next start.
    throw new DeckhandError('payload_key_missing', `${keyFilePath(this.#home)} has gone`, {
      hint: 'Restore it from a backup. Data encrypted with its keys cannot be read without it.',
    });
  }

  find(id: string): PayloadKey | undefined {
    const known = this.#ring?.find((key) => key.id === id);
    if (known !== undefined) return known;
    const ring = readKeyFile(this.#home);
    return ring === undefined ? undefined : this.#keep(ring).find((key) => key.id === id);
  }

  #keep(ring: KeyRing): KeyRing {
    this.#ring = ring;
    this.#readAtMs = performance.now();
    return ring;
  }
}
