/**
 * A foreign program listens where a command expects its API: it gets neither a key nor the request.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from '../../../api/client/home-client.ts';
import { proofSecretPath, proveHome } from '../../../platform/api-proof.ts';
import { type Config, loadConfig } from '../../../platform/config.ts';
import { ensureOwnKey } from '../../../platform/own-api-key.ts';
import { identify } from '../../../platform/processes/process-identity.ts';
import { controlFilePath, runningApiUrl, runtimeFilePath, type RuntimeInfo } from '../../../platform/runtime-info.ts';
import { runCommand } from '../../../testing/command.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { endServer, listen } from '../../../testing/server.ts';

interface Seen {
  readonly method: string;
  readonly pathname: string;
  readonly authorization: string | undefined;
}

let home: string;
let key: string;
let listener: Server;
let port: number;
let seen: Seen[];
/** What the listener says to the demand for a proof; anything else gets an empty list. */
let answerProof: (nonce: string) => { status: number; body: unknown };

const urlOf = (incoming: IncomingMessage): URL => new URL(incoming.url ?? '/', 'http://listener');

beforeEach(async () => {
  home = folderPerTest();
  key = ensureOwnKey(home);
  seen = [];
  answerProof = () => ({ status: 404, body: {} });
  listener = createServer((incoming, response) => {
    const { pathname, searchParams } = urlOf(incoming);
    seen.push({ method: incoming.method ?? '', pathname, authorization: incoming.headers.authorization });
    const nonce = searchParams.get('nonce');
    const { status, body } = nonce === null ? { status: 200, body: { items: [] } } : answerProof(nonce);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  port = await listen(listener);
});
afterEach(() => endServer(listener));

/** Writes down a live runtime on the data directory whose API listened where the listener is now. */
function recordRuntime(): void {
  const apiUrl = `http://127.0.0.1:${port}`;
  const info: RuntimeInfo = {
    home,
    databaseUrl: 'postgresql://127.0.0.1:9/none',
    temporalAddress: '127.0.0.1:9',
    temporalNamespace: 'default',
    temporalUiUrl: null,
    temporalServer: '1.29.1',
    apiUrl,
    modelHost: apiUrl,
    providerUrls: {},
    models: 'reader',
    refusedTemporalSettings: [],
  };
  mkdirSync(path.join(home, 'run'), { recursive: true });
  writeFileSync(runtimeFilePath(home), JSON.stringify(info));
  writeFileSync(controlFilePath(home), JSON.stringify({ ...identify(process.pid), port: 9, token: 'none' }));
}

const environmentOf = (extra: Record<string, string> = {}): Record<string, string | undefined> => ({
  PATH: loadConfig().environment['PATH'],
  HOME: home,
  DECKHAND_HOME: home,
  DECKHAND_API_PORT: String(port),
  ...extra,
});
const configOf = (extra: Record<string, string> = {}): Config => loadConfig(environmentOf(extra));

const listKeys = (config: Config) => clientOf(config, runningApiUrl(config)).GET('/keys');

it.each([['fleet'], ['alerts'], ['cancel', 'none']])(
  'where no runtime works on the data directory `%s` asks nothing of what listens on the usual port',
  async (...args) => {
    const run = await runCommand(args, environmentOf());
    expect(run).toMatchObject({ code: 5, stderr: expect.stringContaining(home) as string });
    expect(seen).toEqual([]);
  },
);

describe('a listener on the recorded port', () => {
  beforeEach(recordRuntime);

  const neverTold = (): void => {
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen.map((request) => `${request.method} ${request.pathname}`))).toEqual(
      new Set(['GET /api/v1/health/proof']),
    );
    expect(seen.filter((request) => request.authorization !== undefined)).toEqual([]);
  };

  it('that knows nothing of a proof is told nothing', async () => {
    expect(await runCommand(['fleet'], environmentOf())).toMatchObject({ code: 5 });
    neverTold();
  });

  it('is not told the configured key either', async () => {
    await expect(listKeys(configOf({ DECKHAND_API_KEY: key }))).rejects.toMatchObject({ code: 'service_unavailable' });
    neverTold();
  });

  it('that is open is not commanded: without a key nothing is asked of it', async () => {
    rmSync(path.join(home, 'keys', 'operator.key'));
    await expect(listKeys(configOf())).rejects.toMatchObject({ code: 'service_unavailable' });
    neverTold();
  });

  it.each<[string, (nonce: string) => unknown]>([
    ['sends the nonce back', (nonce) => ({ proof: nonce })],
    ['answers with the proof of an earlier nonce', () => ({ proof: proveHome(home, 'x'.repeat(43), port) })],
    ['passes on the answer of the API on another port', (nonce) => ({ proof: proveHome(home, nonce, port + 1) })],
    ['holds another data directory', (nonce) => ({ proof: proveHome(mkdtempSync(`${home}/other-`), nonce, port) })],
    ['answers no JSON object', () => 'proof'],
  ])('that %s is told nothing', async (_what, proof) => {
    // The data directory has its secret.
    proveHome(home, 'x'.repeat(43), port);
    answerProof = (nonce) => ({ status: 200, body: proof(nonce) });
    await expect(listKeys(configOf())).rejects.toMatchObject({ code: 'service_unavailable' });
    neverTold();
  });

  it('that took the port after a proof is told nothing more', async () => {
    answerProof = (nonce) => ({ status: 200, body: { proof: proveHome(home, nonce, port) } });
    const client = clientOf(configOf(), runningApiUrl(configOf()));
    await client.GET('/keys');
    seen = [];
    answerProof = () => ({ status: 200, body: { proof: 'x'.repeat(43) } });
    await expect(client.GET('/keys')).rejects.toMatchObject({ code: 'service_unavailable' });
    neverTold();
  });

  it('that holds the data directory gets the request and its key', async () => {
    answerProof = (nonce) => ({ status: 200, body: { proof: proveHome(home, nonce, port) } });
    await listKeys(configOf());
    expect(seen.at(-1)).toEqual({ method: 'GET', pathname: '/api/v1/keys', authorization: `Bearer ${key}` });
    expect(statSync(proofSecretPath(home)).mode & 0o777).toBe(0o600);
  });
});

it('an address that DECKHAND_API_URL names gets the key that is named with it, and the own one only for a proof', async () => {
  const DECKHAND_API_URL = `http://127.0.0.1:${port}`;
  await listKeys(configOf({ DECKHAND_API_URL, DECKHAND_API_KEY: 'dh_a_for-there' }));
  await listKeys(configOf({ DECKHAND_API_URL }));
  answerProof = (nonce) => ({ status: 200, body: { proof: proveHome(home, nonce, port) } });
  await listKeys(configOf({ DECKHAND_API_URL }));
  const asked = seen.filter((request) => request.pathname === '/api/v1/keys');
  expect(asked.map((request) => request.authorization)).toEqual(['Bearer dh_a_for-there', undefined, `Bearer ${key}`]);
});
