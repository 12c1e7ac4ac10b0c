/**
 * Credentials: where they are looked for, how the file is written and guarded, and which fleets open a provider with them.
 */
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { readSecrets } from '../../../cli/terminal/prompt.ts';
import { saveCredentials } from '../../../cli/credentials/save.ts';
import { loadConfig } from '../../../platform/config.ts';
import { createMemoryRateLimit } from '../../../clouds/call-rate-limit.ts';
import { findCredentials } from '../../../clouds/datacrunch/credentials.ts';
import { openProvider } from '../../../clouds/providers.ts';
import { fleetConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import type { Fleet } from '../../../clouds/fleet.ts';
import { createLogger } from '../../../platform/log.ts';
import { codeOf, virtualClock } from './scripted-api.ts';
import { folderPerFile } from '../../../testing/per-file.ts';
import { refusalOf } from '../../../testing/refusal.ts';

const REAL = 'https://api.verda.com/v1';
const LOOPBACK = 'http://127.0.0.1:4100/v1';
const root = folderPerFile();

let made = 0;
let file = '';
beforeEach(() => {
  file = path.join(root, String((made += 1)), '.datacrunch', 'credentials');
});

const inFile = () => ({ clientId: undefined, clientSecret: undefined, credentialsFile: file });
const write = (text: string, mode = 0o600): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
};
describe('the search for credentials', () => {
  it('takes the environment before the file', () => {
    write('client_id=a\nclient_secret=b\n');
    const config = { ...inFile(), clientId: 'env-id', clientSecret: 'env-secret' };
    const expected = { credentials: { clientId: 'env-id', clientSecret: 'env-secret' }, source: 'the environment' };
    expect(findCredentials(config, REAL)).toEqual(expected);
  });

  it('does not mix half an environment with a file', () => {
    write('client_id=a\nclient_secret=b\n');
    const error = refusalOf(() => findCredentials({ ...inFile(), clientId: 'env-id' }, REAL));
    const expected = ['credentials_missing', 'DATACRUNCH_CLIENT_SECRET is not set although its other half is'];
    expect([error.code, error.message]).toEqual(expected);
  });

  it.each([
    'client_id=a\nclient_secret=b\n',
    '[default]\nclient_id = a\nclient_secret = "b"\n',
    '# comment\n[DEFAULT]\nclient_id: a\nclient_secret = b\n[other]\nclient_id=x\n'.replace(
      'client_id: a',
      'client_id = a',
    ),
  ])('reads the file %j', (text) => {
    write(text);
    expect(findCredentials(inFile(), REAL).credentials).toEqual({ clientId: 'a', clientSecret: 'b' });
  });

  it.each([0o644, 0o640, 0o604])('refuses a file that others may read (%o) and says how to close it', (mode) => {
    write('client_id=a\nclient_secret=b\n', mode);
    const error = refusalOf(() => findCredentials(inFile(), REAL));
    expect([error.code, error.hint]).toEqual(['usage', `chmod 600 ${file}`]);
  });

  it.each([
    ['no file', null, /does not exist/u],
    ['an API key', 'datacrunch_api_key = abc\n', /API key/u],
    ['half of it', '[default]\nclient_id = a\n', /no client_secret/u],
    ['nothing', '', /no client_id/u],
  ])('says what is wrong with %s', (_name, text, words) => {
    if (text !== null) write(text);
    const error = refusalOf(() => findCredentials(inFile(), REAL));
    expect(error.code).toBe('credentials_missing');
    expect(error.message).toMatch(words);
    expect(error.hint).toMatch(/deckhand credentials set/u);
  });

  it('gives a simulator its default and never the real account of the file', () => {
    write('client_id=real\nclient_secret=real\n');
    expect(findCredentials(inFile(), LOOPBACK).credentials).toEqual({ clientId: 'demo', clientSecret: 'demo' });
  });
});

describe('saving credentials', () => {
  it('writes a file that only its owner can read, in a directory of the same kind', () => {
    expect(saveCredentials(file, { clientId: 'a', clientSecret: 'b;#=" ]' })).toBe(false);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.dirname(file))).toEqual(['credentials']);
    expect(findCredentials(inFile(), REAL).credentials).toEqual({ clientId: 'a', clientSecret: 'b;#=" ]' });
  });

  it('replaces its own values, open modes included, and keeps the sections of others', () => {
    write('client_id=old\nclient_secret=old\n[other]\nclient_id=theirs\n', 0o644);
    expect(saveCredentials(file, { clientId: 'new', clientSecret: 'new' })).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(findCredentials(inFile(), REAL).credentials).toEqual({ clientId: 'new', clientSecret: 'new' });
    expect(readFileSync(file, 'utf8')).toMatch(/\[other\]\s+client_id=theirs/u);
  });

  it('takes two lines of standard input', async () => {
    const output = new Writable({ write: (_chunk, _encoding, done) => done() });
    const answers = await readSecrets(['Client id', 'Client secret'], {
      input: Readable.from(['a\r\n', ' b \n']),
      output,
    });
    expect(answers).toEqual(['a', 'b']);
  });

  it('says which line is missing', async () => {
    const output = new Writable({ write: (_chunk, _encoding, done) => done() });
    await expect(
      readSecrets(['Client id', 'Client secret'], { input: Readable.from(['a\n']), output }),
    ).rejects.toMatchObject({
      code: 'usage',
      message: 'Client secret is missing',
    });
  });

  it('shows nothing of what is typed', async () => {
    const shown: string[] = [];
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        shown.push(chunk.toString());
        done();
      },
    });
    const input = Object.assign(Readable.from(['my-id\n', 'my-secret\n']), { isTTY: true });
    expect(await readSecrets(['Client id', 'Client secret'], { input, output })).toEqual(['my-id', 'my-secret']);
    expect(shown.join('')).toBe('Client id: \nClient secret: \n');
  });
});

describe('the provider of a fleet', () => {
  const log = createLogger('test', { logLevel: 'silent' });
  const rateLimit = createMemoryRateLimit(virtualClock());
  const fleetOf = (values: object): Fleet => ({ ...fleetConfigSchema.parse(values), installationId: 'l123456' });
  const openWith = (fleet: Fleet) =>
    openProvider({ fleet, config: { ...loadConfig({}), datacrunch: inFile() }, rateLimit, log });

  it('works for a simulator without credentials', () => {
    expect(openWith(fleetOf({ provider: 'datacrunch', baseUrl: LOOPBACK })).name).toBe('datacrunch');
  });

  it('shows real credentials of the environment to no simulator that the fleet itself runs', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      request.on('data', (part: Buffer) => seen.push(part.toString()));
      request.on('end', () => response.writeHead(401).end('{"code":"unauthorized_request","message":"no"}'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const fleet = fleetOf({ provider: 'datacrunch', simulator: {}, baseUrl: `http://127.0.0.1:${port}/v1` });
    const datacrunch = { ...inFile(), clientId: 'real-client', clientSecret: 'real-secret' };
    expect(
      await codeOf(openProvider({ fleet, config: { ...loadConfig({}), datacrunch }, rateLimit, log }).listInstances()),
    ).toBe('provider_auth');
    await new Promise((resolve) => server.close(resolve));
    expect(seen.join('')).toContain('"client_secret":"demo"');
    expect(seen.join('')).not.toContain('real-');
  });

  it('works for the real API, old host and new', () => {
    write('client_id=a\nclient_secret=b\n');
    for (const baseUrl of [REAL, 'https://api.datacrunch.io/v1'])
      expect(openWith(fleetOf({ provider: 'datacrunch', baseUrl })).capabilities.billing).toEqual({
        quantumSec: 600,
        refundsUnused: true,
      });
  });

  it('refuses the real API without an installation id', () => {
    write('client_id=a\nclient_secret=b\n');
    const fleet = { ...fleetOf({ provider: 'datacrunch', baseUrl: REAL }), installationId: '' };
    expect(refusalOf(() => openWith(fleet)).code).toBe('buying_refused');
  });

  it('refuses the real API without credentials', () => {
    expect(refusalOf(() => openWith(fleetOf({ provider: 'datacrunch', baseUrl: REAL }))).code).toBe(
      'credentials_missing',
    );
  });

  it('has nothing to open for servers that run already', () => {
    expect(refusalOf(() => openWith(fleetOf({ provider: 'static' }))).code).toBe('usage');
  });
});
