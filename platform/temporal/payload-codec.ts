/**
 * Encrypts what Deckhand gives to Temporal: arguments, results, heartbeats, summaries, failures. AES-256-GCM, one random IV per payload, the
 * key's id in clear beside it and authenticated with it.
 *
 * The plain text is the payload as the protocol writes it, metadata included; behind the IV comes the cipher text, behind that the tag.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { CLEAR_MARK } from '../../domain/temporal/clear-payload.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { PayloadKey } from './key-ring.ts';
import type { PayloadKeys } from './payload-keys.ts';

/** A payload as bytes: the protocol's own message, as codecs of every language write it inside. */
const PayloadMessage = proto.temporal.api.common.v1.Payload;

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Metadata `encoding` of an encrypted payload. */
export const ENCRYPTED_ENCODING = 'binary/encrypted';
/** Metadata that names the key. */
export const KEY_ID_FIELD = 'encryption-key-id';

/** The codec. What is not encrypted passes through `decode` as it is, so that it can be switched on and off with runs under way. */
export class EncryptionCodec implements PayloadCodec {
  readonly #keys: PayloadKeys;
  readonly #encrypts: boolean;
  readonly #clearMark: Uint8Array | undefined;

  /**
   * @param encrypts false = `encode` changes nothing, and `decode` still reads what was encrypted before
   * @param mark is put on what `decode` passes through, for workers that run workflows: see domain/clear-payload.ts
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
