/**
 * Encrypts Temporal payloads: arguments, results, heartbeats, summaries, failures. AES-256-GCM with one random IV per payload; the key's id is
 * stored unencrypted beside it and authenticated.
 *
 * The plain text is the serialised payload, including metadata. The data is IV, cipher text and tag, in this order.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { CLEAR_MARK } from '../../domain/temporal/clear-payload.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { PayloadKey } from './key-ring.ts';
import type { PayloadKeys } from './payload-keys.ts';

/** The protobuf message of a payload, as codecs of other languages use it, too. */
const PayloadMessage = proto.temporal.api.common.v1.Payload;

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Metadata `encoding` of an encrypted payload. */
export const ENCRYPTED_ENCODING = 'binary/encrypted';
/** Metadata with the id of the key. */
export const KEY_ID_FIELD = 'encryption-key-id';

/** The codec. `decode` passes unencrypted payloads through, so that encryption can be switched on and off while runs are open. */
export class EncryptionCodec implements PayloadCodec {
  readonly #keys: PayloadKeys;
  readonly #encrypts: boolean;
  readonly #clearMark: Uint8Array | undefined;

  /**
   * @param encrypts false = `encode` changes nothing; `decode` still decrypts older payloads
   * @param mark is added to unencrypted payloads in `decode`, for workers that run workflows: see domain/temporal/clear-payload.ts
   */
  constructor(keys: PayloadKeys, encrypts = true, mark?: string) {
    this.#keys = keys;
    this.#encrypts = encrypts;
    this.#clearMark = mark === undefined ? undefined : Buffer.from(mark);
  }

  /** @throws DeckhandError `payload_key_missing`, `usage` (the key file cannot be used) */
  async encode(payloads: Payload[]): Promise<Payload[]> {
    if (!this.#encrypts || payloads.length === 0) return payloads;
    const key = this.#keys.newest();
    return payloads.map((payload) => encrypt(key, payload));
  }

  /** @throws DeckhandError `payload_key_missing`, `payload_damaged` */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => (isEncrypted(payload) ? decrypt(this.#keys, payload) : this.#marked(payload)));
  }

  #marked(payload: Payload): Payload {
    if (this.#clearMark === undefined) return payload;
    return { ...payload, metadata: { ...payload.metadata, [CLEAR_MARK]: this.#clearMark } };
  }
}

function isEncrypted(payload: Payload): boolean {
  return Buffer.from(payload.metadata?.['encoding'] ?? []).toString() === ENCRYPTED_ENCODING;
}

function encrypt(key: PayloadKey, payload: Payload): Payload {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key.secret, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(key.id));
  const data = Buffer.concat([
    iv,
    cipher.update(PayloadMessage.encode(payload).finish()),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return { metadata: { encoding: Buffer.from(ENCRYPTED_ENCODING), [KEY_ID_FIELD]: Buffer.from(key.id) }, data };
}

function decrypt(keys: PayloadKeys, payload: Payload): Payload {
  const id = Buffer.from(payload.metadata?.[KEY_ID_FIELD] ?? []).toString();
  const key = keys.find(id);
  if (key === undefined) {
    throw new DeckhandError('payload_key_missing', `no payload key ${JSON.stringify(id)}`, {
      userMessage: 'A payload was encrypted by a key that is not in the key ring.',
      hint: 'Give every machine the same keys; `deckhand encryption status` lists those of this one.',
    });
  }
  const data = Buffer.from(payload.data ?? []);
  if (data.length < IV_BYTES + TAG_BYTES) throw damaged(id);
  const decipher = createDecipheriv(CIPHER, key.secret, data.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(id));
  decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
  try {
    return PayloadMessage.decode(
      Buffer.concat([decipher.update(data.subarray(IV_BYTES, data.length - TAG_BYTES)), decipher.final()]),
    );
  } catch (cause) {
    throw damaged(id, cause);
  }
}

const damaged = (id: string, cause?: unknown): DeckhandError =>
  new DeckhandError('payload_damaged', `a payload of key ${JSON.stringify(id)} does not decrypt`, {
    userMessage: 'An encrypted payload was changed or damaged.',
    cause,
  });
