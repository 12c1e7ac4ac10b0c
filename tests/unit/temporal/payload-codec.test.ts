import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeckhandError } from '../../../domain/errors.ts';
import { ENCRYPTED_ENCODING, EncryptionCodec, KEY_ID_FIELD } from '../../../platform/temporal/payload-codec.ts';
import type { PayloadKey } from '../../../platform/temporal/key-ring.ts';
import type { PayloadKeys } from '../../../platform/temporal/payload-keys.ts';
import { forAll } from '../../../testing/property.ts';

const keyNamed = (id: string): PayloadKey => ({ id, secret: createSecretKey(randomBytes(32)), createdAt: null });
/** Keys as a process holds them, newest first. */
const keysOf = (newest: PayloadKey, ...older: PayloadKey[]): PayloadKeys => ({
  newest: () => newest,
  find: (id) => [newest, ...older].find((key) => key.id === id),
});
const text = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString();
const plain = (payload: Payload) => ({
  metadata: Object.fromEntries(
    Object.entries(payload.metadata ?? {}).map(([k, v]) => [k, Buffer.from(v).toString('hex')]),
  ),
  data: Buffer.from(payload.data ?? []).toString('hex'),
});
const payloads: fc.Arbitrary<Payload> = fc.record(
  {
    metadata: fc.dictionary(fc.string(), fc.uint8Array({ maxLength: 40 }), { maxKeys: 4 }),
    data: fc.uint8Array({ maxLength: 300 }),
  },
  { requiredKeys: ['metadata'] },
);
const json = (value: unknown): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'nothing thrown';
  } catch (error) {
    return error instanceof DeckhandError ? error.code : String(error);
  }
};

const [first, second] = [keyNamed('first'), keyNamed('second')];

describe('an encrypted payload', () => {
  it('decodes to what was encoded, whatever it was, also when it was encrypted already', async () => {
    const codec = new EncryptionCodec(keysOf(first));
    await forAll([fc.array(payloads, { maxLength: 4 })], async (list) => {
      const once = await codec.encode(list);
      expect((await codec.decode(once)).map(plain)).toEqual(list.map(plain));
      const twice = await codec.decode(await codec.encode(once));
      expect((await codec.decode(twice)).map(plain)).toEqual(list.map(plain));
    });
  });

  it('names its encoding and its key, and never looks the same twice', async () => {
    const codec = new EncryptionCodec(keysOf(first));
    const [one, two] = await codec.encode([json('Pulsara'), json('Pulsara')]);
    expect(text(one?.metadata?.['encoding'])).toBe(ENCRYPTED_ENCODING);
    expect(text(one?.metadata?.[KEY_ID_FIELD])).toBe('first');
    expect(Object.keys(one?.metadata ?? {})).toHaveLength(2);
    expect(text(one?.data)).not.toContain('Pulsara');
    expect(Buffer.from(one?.data ?? []).equals(Buffer.from(two?.data ?? []))).toBe(false);
  });

  it('with any one bit changed, or cut short, is an error and never another value', async () => {
    const codec = new EncryptionCodec(keysOf(first, second));
    const [whole] = await codec.encode([json({ company: 'Pulsara' })]);
    const bytes = Buffer.from(whole?.data ?? []);
    await forAll([fc.nat(bytes.length * 8 - 1)], async (bit) => {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await codeOf(codec.decode([{ ...whole, data: changed }]))).toBe('payload_damaged');
    });
    for (let length = 0; length < bytes.length; length += 1)
      expect(await codeOf(codec.decode([{ ...whole, data: bytes.subarray(0, length) }]))).toBe('payload_damaged');
    // The id is authenticated: a payload cannot be passed off as another key's.
    const renamed = { ...whole?.metadata, [KEY_ID_FIELD]: Buffer.from('second') };
    expect(await codeOf(codec.decode([{ ...whole, metadata: renamed }]))).toBe('payload_damaged');
  });

  it('is authenticated together with its key’s id even if two ids have the same secret', async () => {
    const twin: PayloadKey = { ...first, id: 'twin' };
    const [payload] = await new EncryptionCodec(keysOf(first)).encode([json(1)]);
    const metadata = { ...payload?.metadata, [KEY_ID_FIELD]: Buffer.from('twin') };
    expect(await codeOf(new EncryptionCodec(keysOf(twin)).decode([{ ...payload, metadata }]))).toBe('payload_damaged');
  });
});

it('several keys encode by the newest and decode by whichever it was', async () => {
  const before = await new EncryptionCodec(keysOf(first)).encode([json('old')]);
  const rotated = new EncryptionCodec(keysOf(second, first));
  const after = await rotated.encode([json('new')]);
  expect(text(after[0]?.metadata?.[KEY_ID_FIELD])).toBe('second');
  expect((await rotated.decode([...before, ...after])).map((p) => text(p.data))).toEqual(['"old"', '"new"']);
});

it('several keys: a key that is not there is an error that may end by itself', async () => {
  const encoded = await new EncryptionCodec(keysOf(second)).encode([json('x')]);
  expect(await codeOf(new EncryptionCodec(keysOf(first)).decode(encoded))).toBe('payload_key_missing');
});

it('payloads in clear pass through decoding as they are', async () => {
  const clear = [json({ a: 1 }), {}, { metadata: {} }];
  expect(await new EncryptionCodec(keysOf(first)).decode(clear)).toEqual(clear);
});

it('payloads in clear stay in clear without encryption, which still reads what was encrypted before', async () => {
  const off = new EncryptionCodec(keysOf(first), false);
  const clear = [json({ a: 1 })];
  expect(await off.encode(clear)).toEqual(clear);
  const encrypted = await new EncryptionCodec(keysOf(first)).encode(clear);
  expect((await off.decode(encrypted)).map(plain)).toEqual(clear.map(plain));
});

describe('what is inside the cipher', () => {
  /** A payload as a codec of another language writes it: these bytes, encrypted by the first key. */
  const encryptedBytes = (hex: string): Payload => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', first.secret, iv);
    cipher.setAAD(Buffer.from('first'));
    const data = Buffer.concat([iv, cipher.update(Buffer.from(hex, 'hex')), cipher.final(), cipher.getAuthTag()]);
    return { metadata: { encoding: Buffer.from(ENCRYPTED_ENCODING), [KEY_ID_FIELD]: Buffer.from('first') }, data };
  };
  const decoded = async (hex: string) => {
    const [payload] = await new EncryptionCodec(keysOf(first)).decode([encryptedBytes(hex)]);
    return plain(payload ?? {});
  };

  it('is the message of the protocol', async () => {
    // Field 1: entry (1: "k", 2: 0xff), field 2: "ab".
    expect(await decoded('0a060a016b1201ff12026162')).toEqual({ metadata: { k: 'ff' }, data: '6162' });
  });

  it('may hold fields of a later protocol', async () =>
    expect(await decoded('ba1f0378797a12026162')).toEqual({ metadata: {}, data: '6162' }));
});
