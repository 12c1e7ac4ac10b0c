import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyFilePath, readKeyFile, readOrMakeKeyFile, rotateKeyFile } from '../../../platform/temporal/key-file.ts';
import { keyEntry, makePayloadKey, parseKeyEntries } from '../../../platform/temporal/key-ring.ts';
import { openPayloadKeys } from '../../../platform/temporal/payload-keys.ts';

const KEY_FILE_MODULE = path.resolve(import.meta.dirname, '../../../platform/temporal/key-file.ts');

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'deckhand-keys-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

const open = () => openPayloadKeys({ home, encryption: 'on', payloadKeys: undefined });
/** Lets so much time pass on the clock by which the keys decide whether to look again. */
function passMs(ms: number): void {
  const from = performance.now() + ms;
  vi.spyOn(performance, 'now').mockReturnValue(from);
}

describe('the key file', () => {
  it('is made at the first use, for its owner only, and is the same from then on', () => {
    expect(readKeyFile(home)).toBeUndefined();
    const [key] = readOrMakeKeyFile(home);
    expect(readOrMakeKeyFile(home)[0].id).toBe(key.id);
    expect(readOrMakeKeyFile(home)[0].secret.equals(key.secret)).toBe(true);
    expect(statSync(keyFilePath(home)).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(keyFilePath(home))).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.dirname(keyFilePath(home)))).toEqual(['payload-keys.json']);
  });

  it('is one and the same for processes that come at the same moment', async () => {
    const script = `const { readOrMakeKeyFile } = await import(${JSON.stringify(KEY_FILE_MODULE)});
      while (Date.now() < ${Date.now() + 1500});
      console.log(readOrMakeKeyFile(${JSON.stringify(home)})[0].id);`;
    const runs = await Promise.all(
      Array.from({ length: 6 }, () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])),
    );
    expect(new Set(runs.map(({ stdout }) => stdout.trim()))).toEqual(new Set([readOrMakeKeyFile(home)[0].id]));
  });

  it('keeps every key when it is rotated, also by several at once', async () => {
    const [oldest] = readOrMakeKeyFile(home);
    const made = await Promise.all(Array.from({ length: 4 }, () => rotateKeyFile(home)));
    const ids = readOrMakeKeyFile(home).map((key) => key.id);
    expect(ids.at(-1)).toBe(oldest.id);
    expect(ids.slice(0, -1).toSorted()).toEqual(made.map((key) => key.id).toSorted());
    expect(statSync(keyFilePath(home)).mode & 0o777).toBe(0o600);
  });

  it('keeps the key of a first use that another process rotates at the same moment', async () => {
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
  ])('with %s is refused, by its name and without its content', (_, content) => {
    readOrMakeKeyFile(home);
    writeFileSync(keyFilePath(home), content);
    expect(() => readOrMakeKeyFile(home)).toThrow(keyFilePath(home));
    expect(() => readOrMakeKeyFile(home)).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => readOrMakeKeyFile(home)).not.toThrow(/secret-words|c2VjcmV0/u);
  });
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
    const keys = openPayloadKeys({
      home,
      encryption: 'on',
      payloadKeys: ` ${keyEntry(newer)} , ${keyEntry(older)}`,
    });
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

  it('shows no secret when a key is printed', () => {
    const [, secret = ''] = keyEntry(newer).split(':');
    expect(keyEntry(newer)).toMatch(/^[0-9a-f]{12}:[\w+/]{43}=$/u);
    expect(inspect(newer, { depth: 9 }) + JSON.stringify(newer)).not.toContain(secret);
  });
});
