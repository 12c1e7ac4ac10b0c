import { execFile } from 'node:child_process';
import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspect, promisify } from 'node:util';
import type { Client } from '@temporalio/client';
import { ApplicationFailure, defaultPayloadConverter, type Payload, type ProtoFailure } from '@temporalio/common';
import { encodeErrorToFailure } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js';
import proto from '@temporalio/proto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failureConverter } from '../../../platform/temporal/failure-converter.ts';
import { keyFilePath, readKeyFile, readOrMakeKeyFile, rotateKeyFile } from '../../../platform/temporal/key-file.ts';
import { keyEntry, makePayloadKey, parseKeyEntries, type PayloadKey } from '../../../platform/temporal/key-ring.ts';
import { ENCRYPTED_ENCODING, EncryptionCodec, KEY_ID_FIELD } from '../../../platform/temporal/payload-codec.ts';
import { openPayloadKeys, type PayloadKeys } from '../../../platform/temporal/payload-keys.ts';
import { readFailure } from '../../../platform/temporal/read-failure.ts';
import { forAll } from '../../../testing/property.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { codeOf } from '../../../testing/refusal.ts';

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

const [first, second] = [keyNamed('first'), keyNamed('second')];

it('an encrypted payload decodes to what was encoded, whatever it was, also when it was encrypted already', async () => {
  const codec = new EncryptionCodec(keysOf(first));
  await forAll([fc.array(payloads, { maxLength: 4 })], async (list) => {
    const once = await codec.encode(list);
    expect((await codec.decode(once)).map(plain)).toEqual(list.map(plain));
    const twice = await codec.decode(await codec.encode(once));
    expect((await codec.decode(twice)).map(plain)).toEqual(list.map(plain));
  });
});

it('an encrypted payload names its encoding and its key, and never looks the same twice', async () => {
  const codec = new EncryptionCodec(keysOf(first));
  const [one, two] = await codec.encode([json('Pulsara'), json('Pulsara')]);
  expect(text(one?.metadata?.['encoding'])).toBe(ENCRYPTED_ENCODING);
  expect(text(one?.metadata?.[KEY_ID_FIELD])).toBe('first');
  expect(Object.keys(one?.metadata ?? {})).toHaveLength(2);
  expect(text(one?.data)).not.toContain('Pulsara');
  expect(Buffer.from(one?.data ?? []).equals(Buffer.from(two?.data ?? []))).toBe(false);
});

it('an encrypted payload with any one bit changed, or cut short, is an error and never another value', async () => {
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

it('an encrypted payload is authenticated together with its key’s id even if two ids have the same secret', async () => {
  const twin: PayloadKey = { ...first, id: 'twin' };
  const [payload] = await new EncryptionCodec(keysOf(first)).encode([json(1)]);
  const metadata = { ...payload?.metadata, [KEY_ID_FIELD]: Buffer.from('twin') };
  expect(await codeOf(new EncryptionCodec(keysOf(twin)).decode([{ ...payload, metadata }]))).toBe('payload_damaged');
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

const KEY_FILE_MODULE = path.resolve(import.meta.dirname, '../../../platform/temporal/key-file.ts');

let home: string;
beforeEach(() => {
  home = folderPerTest();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const open = () => openPayloadKeys({ home, encryption: 'on', payloadKeys: undefined });
/** Lets so much time pass on the clock by which the keys decide whether to look again. */
function passMs(ms: number): void {
  const from = performance.now() + ms;
  vi.spyOn(performance, 'now').mockReturnValue(from);
}

it('the key file is made at the first use, for its owner only, and is the same from then on', () => {
  expect(readKeyFile(home)).toBeUndefined();
  const [key] = readOrMakeKeyFile(home);
  expect(readOrMakeKeyFile(home)[0].id).toBe(key.id);
  expect(readOrMakeKeyFile(home)[0].secret.equals(key.secret)).toBe(true);
  expect(statSync(keyFilePath(home)).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(keyFilePath(home))).mode & 0o777).toBe(0o700);
  expect(readdirSync(path.dirname(keyFilePath(home)))).toEqual(['payload-keys.json']);
});

it('the key file is one and the same for processes that come at the same moment', async () => {
  const script = `const { readOrMakeKeyFile } = await import(${JSON.stringify(KEY_FILE_MODULE)});
      while (Date.now() < ${Date.now() + 1500});
      console.log(readOrMakeKeyFile(${JSON.stringify(home)})[0].id);`;
  const runs = await Promise.all(
    Array.from({ length: 6 }, () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])),
  );
  expect(new Set(runs.map(({ stdout }) => stdout.trim()))).toEqual(new Set([readOrMakeKeyFile(home)[0].id]));
});

it('the key file keeps every key when it is rotated, also by several at once', async () => {
  const [oldest] = readOrMakeKeyFile(home);
  const made = await Promise.all(Array.from({ length: 4 }, () => rotateKeyFile(home)));
  const ids = readOrMakeKeyFile(home).map((key) => key.id);
  expect(ids.at(-1)).toBe(oldest.id);
  expect(ids.slice(0, -1).toSorted()).toEqual(made.map((key) => key.id).toSorted());
  expect(statSync(keyFilePath(home)).mode & 0o777).toBe(0o600);
});

it('the key file keeps the key of a first use that another process rotates at the same moment', async () => {
  const homes = Array.from({ length: 25 }, (_, index) => path.join(home, String(index)));
  const startMs = Date.now() + 1500;
  // Side by side on each of the homes in turn, the rotation a little before or after.
  const run = (call: string): Promise<{ stdout: string }> =>
    promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      `const { readOrMakeKeyFile, rotateKeyFile } = await import(${JSON.stringify(KEY_FILE_MODULE)});
        for (const [index, home] of ${JSON.stringify(homes)}.entries()) {
          while (Date.now() < ${startMs} + index * 40 ${call.startsWith('rotate') ? '' : '+ index % 10'});
          console.log((${call}).id);
        }`,
    ]);
  const idsOf = (text: string): string[] => text.trim().split('\n');
  const [used, rotated] = (
    await Promise.all([run('readOrMakeKeyFile(home)[0]'), run('await rotateKeyFile(home)')])
  ).map(({ stdout }) => idsOf(stdout));
  for (const [index, each] of homes.entries()) {
    const ids = readKeyFile(each)?.map((key) => key.id) ?? [];
    expect(ids).toEqual(expect.arrayContaining([used?.[index], rotated?.[index]]));
  }
});

it.each([
  ['not JSON', 'secret-words'],
  ['an empty ring', '{"version":1,"keys":[]}'],
  ['a short key', '{"version":1,"keys":[{"id":"a","key":"c2VjcmV0LXdvcmRz","createdAt":null}]}'],
])('the key file with %s is refused, by its name and without its content', (_, content) => {
  readOrMakeKeyFile(home);
  writeFileSync(keyFilePath(home), content);
  expect(() => readOrMakeKeyFile(home)).toThrow(keyFilePath(home));
  expect(() => readOrMakeKeyFile(home)).toThrow(expect.objectContaining({ code: 'usage' }));
  expect(() => readOrMakeKeyFile(home)).not.toThrow(/secret-words|c2VjcmV0/u);
});

it('the keys of a process know at once what another process encrypted by a new key, and encrypt by it soon', async () => {
  passMs(0);
  const keys = open();
  const old = keys.newest();
  const rotated = await rotateKeyFile(home);
  expect(keys.newest().id).toBe(old.id);
  expect(keys.find(rotated.id)?.secret.equals(rotated.secret)).toBe(true);
  expect(keys.newest().id).toBe(rotated.id);
  expect(keys.find(old.id)?.id).toBe(old.id);
  const again = await rotateKeyFile(home);
  passMs(5000);
  expect(keys.newest().id).toBe(again.id);
});

it('the keys of a process make no file to decrypt by, and encrypt no more once the file has gone', () => {
  const keys = open();
  expect(keys.find('unknown')).toBeUndefined();
  expect(readKeyFile(home)).toBeUndefined();
  const { id } = keys.newest();
  rmSync(keyFilePath(home));
  passMs(5000);
  expect(() => keys.newest()).toThrow(expect.objectContaining({ code: 'payload_key_missing' }));
  // Runs under way can still be read and ended.
  expect(keys.find(id)?.id).toBe(id);
});

describe('DECKHAND_PAYLOAD_KEYS', () => {
  const [newer, older] = [makePayloadKey(), makePayloadKey()];

  it('is a list, newest first, and no file is made beside it', () => {
    const payloadKeys = ` ${keyEntry(newer)} , ${keyEntry(older)}`;
    const keys = openPayloadKeys({ home, encryption: 'on', payloadKeys });
    expect(keys.newest().id).toBe(newer.id);
    expect(keys.find(older.id)?.secret.equals(older.secret)).toBe(true);
    expect(keys.find('other')).toBeUndefined();
    expect(readKeyFile(home)).toBeUndefined();
  });

  it.each([
    ['', 'entry 1'],
    ['hush', 'entry 1'],
    [`${keyEntry(newer)},b:hush`, 'entry 2'],
    [`${keyEntry(newer)},`, 'entry 2'],
    [`${keyEntry(newer)}:hush`, 'entry 1'],
    [`${keyEntry(newer)},${keyEntry(newer)}`, 'two keys have the same id'],
  ])('%j is refused with the place and without the text', (value, where) => {
    expect(() => parseKeyEntries(value)).toThrow(where);
    expect(() => parseKeyEntries(value)).toThrow(/DECKHAND_PAYLOAD_KEYS/u);
    expect(() => parseKeyEntries(value)).not.toThrow(/hush/u);
  });

  it('a key shows no secret when it is printed', () => {
    const [, secret = ''] = keyEntry(newer).split(':');
    expect(keyEntry(newer)).toMatch(/^[0-9a-f]{12}:[\w+/]{43}=$/u);
    expect(inspect(newer, { depth: 9 }) + JSON.stringify(newer)).not.toContain(secret);
  });
});

const payloadCodecs = [new EncryptionCodec(keysOf(first))];
const loadedDataConverter = { payloadConverter: defaultPayloadConverter, failureConverter, payloadCodecs };
/** As far as failures are concerned a client is its converter. */
const client = { options: { loadedDataConverter } } as unknown as Client;

const failed = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'model_crashed',
    message: 'The model server failed at Pulsara.',
    details: [{ hint: 'Look at Pulsara.' }],
    cause: new Error('500 Pulsara'),
  });
const onServer = (error: unknown, codecs = loadedDataConverter.payloadCodecs): Promise<ProtoFailure> =>
  encodeErrorToFailure({ ...loadedDataConverter, payloadCodecs: codecs }, error);
/** A failure as bytes: words in clear stand in them as they are, at any depth. */
const bytesOf = (failure: ProtoFailure): Buffer =>
  Buffer.from(proto.temporal.api.failure.v1.Failure.encode(failure).finish());

it('a failure as the server has it has neither words nor stacks in clear, at no depth, and is read with both', async () => {
  const failure = await onServer(failed());
  expect(bytesOf(failure).includes('Pulsara')).toBe(false);
  expect(bytesOf(await onServer(failed(), [])).includes('Pulsara')).toBe(true);
  expect(failure.message).toBe('Encoded failure');
  expect(failure.stackTrace).toBe('');
  expect(failure.cause?.message).toBe('Encoded failure');
  const expected = { message: 'The model server failed at Pulsara.', code: 'model_crashed' };
  expect(await readFailure(client, failure)).toEqual(expected);
});

it('a failure as the server has it is read in clear too, from a time without encryption', async () => {
  const failure = { message: 'not yet', applicationFailureInfo: { type: 'model_busy' } };
  expect(await readFailure(client, failure)).toEqual({ message: 'not yet', code: 'model_busy' });
  expect(await readFailure(client, null)).toBeNull();
});

it('a failure as the server has it that the server cut for its size is told by its code', async () => {
  const cut: ProtoFailure = {
    message: 'Failure exceeds size limit.',
    serverFailureInfo: { nonRetryable: false },
    cause: { message: 'Encoded failure', applicationFailureInfo: { type: 'model_crashed' } },
  };
  expect(await readFailure(client, cut)).toEqual({ message: 'model crashed', code: 'model_crashed' });
});
