/** The near end of an endpoint on real sockets: its key, its health path, and what is no answer of its model server. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import type { Machine } from '../../../activities/gateway/machine.ts';
import { Egress } from '../../../activities/models/client/egress.ts';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { networkOf, OUTSIDE, outsideServer } from '../../../testing/outside-server.ts';
import { serveForTest } from '../../../testing/server.ts';
import { endpointMachine, urlBelow } from '../../../workers/gateway/endpoint-machine.ts';

const signal = AbortSignal.timeout(60_000);
async function nearEnd(endpoint: Partial<Parameters<typeof endpointMachine>[0]> & { url: string }): Promise<Machine> {
  const machine = await endpointMachine(
    {
      serverKind: 'ollama',
      healthPath: null,
      key: null,
      keyHeader: 'authorization',
      egress: new Egress(),
      ...endpoint,
    },
    { visual: 'secret' },
  );
  onTestFinished(() => machine.close());
  return machine;
}

it('passes a request on below the base URL with the key, and the answer back as it comes', async () => {
  let finish: () => void = () => undefined;
  const url = await serveForTest((incoming, answer) => {
    expect(incoming).toMatchObject({ url: '/base/api/chat?x=1', method: 'POST' });
    expect(incoming.headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' });
    answer.writeHead(200, { 'content-type': 'application/x-ndjson' });
    void incoming.toArray().then((parts) => answer.write(Buffer.concat(parts as Buffer[])));
    finish = () => answer.end('end');
  });
  const machine = await nearEnd({ url: `${url}/base/`, key: 'visual' });
  const answer = await fetch(`${machine.url}/api/chat?x=1`, {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json', authorization: 'of the client' },
  });
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
  const reader = answer.body?.getReader();
  // The first part is there before the answer is over.
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('{"a":1}');
  finish();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('end');
});

it.each([
  [401, /refuses the key \(401\); correct it in DECKHAND_ENDPOINT_KEYS/u],
  [403, /refuses the key/u],
  [307, /redirects \(307\)/u],
])('an endpoint that says %i has not answered: it becomes 502, which is retried', async (status, words) => {
  const url = await serveForTest((_, answer) =>
    answer.writeHead(status, { location: 'http://127.0.0.1:9/' }).end('no'),
  );
  const answer = await fetch(`${(await nearEnd({ url, key: 'visual' })).url}/api/version`);
  expect(answer.status).toBe(502);
  expect(((await answer.json()) as { error: string }).error).toMatch(words);
});

it('a refused key is said with the place of the key: its file, or that there is none', async () => {
  const keyFile = path.join(tmpdir(), `key-${process.pid}.txt`);
  onTestFinished(() => rmSync(keyFile, { force: true }));
  writeFileSync(keyFile, 'sesame\n', { mode: 0o600 });
  const url = await serveForTest((_, answer) => answer.writeHead(401).end('no'));
  const errorOf = async (endpoint: { readonly keyFile?: string }): Promise<string> => {
    const answer = await fetch(`${(await nearEnd({ url, ...endpoint })).url}/api/version`);
    return ((await answer.json()) as { error: string }).error;
  };
  expect(await errorOf({ keyFile })).toContain(`refuses the key (401); correct it in ${keyFile}`);
  expect(await errorOf({})).toContain('wants a key (401)');
});

it('faults of the model server itself pass through', async () => {
  const url = await serveForTest((_, answer) => answer.writeHead(404).end('{"error":"model not found"}'));
  const answer = await fetch(`${(await nearEnd({ url })).url}/api/show`, { method: 'POST', body: '{}' });
  expect([answer.status, await answer.text()]).toEqual([404, '{"error":"model not found"}']);
});

it('nothing behind the address is 502 as well', async () => {
  const answer = await fetch(`${(await nearEnd({ url: 'http://127.0.0.1:9' })).url}/api/version`);
  expect(answer.status).toBe(502);
});

it('a request that its caller drops is dropped at the endpoint', async () => {
  const dropped = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const url = await serveForTest((incoming) => {
    incoming.socket.once('close', () => dropped.resolve());
    arrived.resolve();
  });
  const machine = await nearEnd({ url });
  const controller = new AbortController();
  const call = fetch(`${machine.url}/api/chat`, { method: 'POST', body: '{}', signal: controller.signal });
  await arrived.promise;
  controller.abort();
  await expect(call).rejects.toThrow();
  await dropped.promise;
});

it('is open only while the health path says 200', async () => {
  let status = 503;
  const url = await serveForTest((incoming, answer) => {
    expect(incoming.headers['x-key']).toBe('secret');
    answer.writeHead(incoming.url === '/api/health' ? status : 500).end('{"state":"loading"}');
  });
  const machine = await nearEnd({ url, healthPath: '/api/health', key: 'visual', keyHeader: 'x-key' });
  expect(await machine.open(signal)).toMatchObject({
    open: false,
    failure: 'unreachable',
    message: expect.stringContaining('says 503: {"state":"loading"}'),
  });
  status = 200;
  expect(await machine.open(signal)).toEqual({ open: true });
});

it.each(['toString', 'another'])(
  'an endpoint whose key %s is not known is never open, and says what to do',
  async (key) => {
    const machine = await nearEnd({ url: 'http://127.0.0.1:9', key });
    expect(await machine.open(signal)).toMatchObject({
      open: false,
      message: expect.stringContaining(`set DECKHAND_ENDPOINT_KEYS to "${key}=…" where the gateway runs`),
    });
  },
);

it('an endpoint outside is sent nothing, neither a call nor a look at its health, and both say why', async () => {
  const outside = await outsideServer();
  for (const host of [OUTSIDE, 'models.example']) {
    const egress = new Egress('inside', undefined, networkOf());
    const machine = await nearEnd({
      url: `http://${host}:${outside.port}`,
      key: 'visual',
      healthPath: '/health',
      egress,
    });
    expect(await machine.open(signal)).toMatchObject({
      open: false,
      message: expect.stringMatching(/outside your network.*slides would leave it\. .*--data-leaves/u),
    });
    for (const kind of ['ollama', 'openai'] as const)
      await expect(openModelServer({ ...machine, kind }).version({ signal })).rejects.toMatchObject({
        code: 'data_would_leave',
        userMessage: expect.stringContaining(`${host} is outside your network`),
        hint: expect.stringContaining('--data-leaves'),
      });
  }
  expect([outside.connections(), outside.received()]).toEqual([0, '']);
});

it.each([
  ['allowed', 'models.example'],
  ['ours', null],
] as const)('an endpoint outside that is %s is asked, and its results say so', async (reach, left) => {
  const outside = await outsideServer(
    'HTTP/1.1 200 OK\r\ncontent-length: 15\r\nconnection: close\r\n\r\n{"version":"1"}',
  );
  const egress = new Egress(reach, undefined, networkOf());
  const machine = await nearEnd({ url: `http://models.example:${outside.port}`, key: 'visual', egress });
  const server = openModelServer(machine);
  expect(server.outsideHost()).toBeNull();
  expect(await server.version({ signal })).toBe('1');
  expect(server.outsideHost()).toBe(left);
  expect(outside.received()).toContain('Bearer secret');
});

it('a key that the endpoint repeats in an error is blanked out of it', async () => {
  const url = await serveForTest((incoming, answer) => {
    const said = `bad request: ${incoming.headers.authorization ?? ''}`;
    answer.writeHead(incoming.url === '/health' ? 500 : 400).end(JSON.stringify({ error: said }));
  });
  const machine = await nearEnd({ url, key: 'visual', healthPath: '/health' });
  expect(await machine.open(signal)).toMatchObject({ message: expect.stringContaining('bad request: Bearer [key]') });
  await expect(openModelServer(machine).version({ signal })).rejects.toThrow('bad request: Bearer [key]');
});

it('a key file that others may read is not used, and the machine says what to do', async () => {
  const keyFile = path.join(tmpdir(), `open-key-${process.pid}.txt`);
  onTestFinished(() => rmSync(keyFile, { force: true }));
  writeFileSync(keyFile, 'sesame\n');
  chmodSync(keyFile, 0o644);
  const machine = await nearEnd({ url: 'http://127.0.0.1:9', keyFile });
  expect(await machine.open(signal)).toMatchObject({
    open: false,
    message: expect.stringContaining(`chmod 600 ${keyFile}`),
  });
});

it('paths are put below a base URL with or without a slash at its end', () => {
  expect(urlBelow('https://a.b/c/', '/api/tags').href).toBe('https://a.b/c/api/tags');
  expect(urlBelow('https://a.b', '/api/tags').href).toBe('https://a.b/api/tags');
});

it('the forwarder sends key and requests to the endpoint alone, whatever a request names', async () => {
  const seen: string[] = [];
  const others: string[] = [];
  const endpoint = await serveForTest((request, answer) => {
    seen.push(request.url ?? '');
    answer.end('{}');
  });
  const other = await serveForTest((request, answer) => {
    others.push(request.url ?? '');
    answer.end('{}');
  });
  const machine = await nearEnd({ url: `${endpoint}/v1`, key: 'visual' });
  const { hostname, port } = new URL(machine.url);
  const { host } = new URL(other);
  for (const path of [`http://${host}/v1/models`, `//${host}/v1/models`]) {
    const socket = connect(Number(port), hostname);
    socket.end(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    await text(socket);
  }
  expect(others).toEqual([]);
  await fetch(`${machine.url}/models`);
  expect(seen.at(-1)).toBe('/v1/models');
});
