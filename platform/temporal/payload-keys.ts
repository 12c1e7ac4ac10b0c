/**
 * The payload keys of a process while others may rotate them: an unknown id has the file read again, and so does, now and then, encrypting.
 */
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../config.ts';
import { keyFilePath, readKeyFile, readOrMakeKeyFile } from './key-file.ts';
import { parseKeyEntries, type KeyRing, type PayloadKey } from './key-ring.ts';

/** Settings that decide on encryption. */
export type EncryptionConfig = Pick<Config, 'home' | 'encryption' | 'payloadKeys'>;

/** Keys to encrypt and decrypt with. */
export interface PayloadKeys {
  /** The key that encrypts now. @throws DeckhandError `payload_key_missing` when the keys that were in use have gone */
  newest(): PayloadKey;
  /** The key of an id; undefined when there is none. */
  find(id: string): PayloadKey | undefined;
}

/** A key that another process made is used after this at the latest. */
const REREAD_MS = 2000;

/** The keys of a configuration. The file is made when something is encrypted for the first time. @throws DeckhandError `usage` */
export function openPayloadKeys({ home, payloadKeys }: EncryptionConfig): PayloadKeys {
  return payloadKeys === undefined ? new FileKeys(home) : new GivenKeys(parseKeyEntries(payloadKeys));
}

/** Keys of DECKHAND_PAYLOAD_KEYS: changed by a restart. */
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

/** Keys of the data directory. Reading is synchronous: the file is small, and is read every other second at most. */
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
    // What a key encrypts that no file holds could not be read after the next start.
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
