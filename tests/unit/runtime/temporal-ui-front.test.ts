/** The front of the Temporal UI over real sockets, with a server in the UI's place. */
import { createServer, request, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../../testing/server.ts';
import { createUiFront, withCredentials } from '../../../runtime/temporal-ui-front.ts';

const SETTINGS = {
  Auth: { Enabled: false },
  Codec: { Endpoint: 'http://127.0.0.1:8420/api/v1/codec', IncludeCredentials: false },
};

const listening = async (server: Server): Promise<string> => `http://127.0.0.1:${await listen(server)}`;

const ui = createServer((request, response) => {
  if (request.url === '/api/v1/settings') {
    const body = JSON.stringify(SETTINGS);
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': body.length, 'x-ui': 'yes' })
      .end(body);
  } else if (request.url === '/gone') request.socket.destroy();
  else {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { host, cookie } = request.headers;
      response.writeHead(418, { 'set-cookie': ['_csrf=1', 'other=2'] });
      const body = Buffer.concat(chunks).toString();
      response.end(JSON.stringify({ method: request.method, url: request.url, host, cookie, body }));
    });
  }
});
let front: Server;
let url: string;
const PUBLIC_URL = 'https://temporal.example';

/** Status of an answer to a request with exactly these headers, as `fetch` does not let one send them. */
function statusOf(method: 'GET' | 'POST' | 'OPTIONS', headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/api/v1/namespaces`, { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}

beforeAll(async () => {
  front = createUiFront(await listening(ui), PUBLIC_URL);
  url = await listening(front);
});
afterAll(() => {
  for (const server of [front, ui]) {
    server.close();
    server.closeAllConnections();
  }
});

it('the front of the Temporal UI has the UI ask the codec server with the cookie, and changes no other setting', async () => {
  const response = await fetch(`${url}/api/v1/settings`, { headers: { 'accept-encoding': 'gzip' } });
  expect(response.headers.get('x-ui')).toBe('yes');
  expect(await response.json()).toEqual({ ...SETTINGS, Codec: { ...SETTINGS.Codec, IncludeCredentials: true } });
  expect(withCredentials('not JSON')).toBe('not JSON');
  expect(withCredentials('{"Version":"1"}')).toBe('{"Version":"1"}');
});

it('the front of the Temporal UI passes everything else on as it is, both ways', async () => {
  const headers = { cookie: '_csrf=1', origin: url };
  const body = 'x'.repeat(100_000);
  const response = await fetch(`${url}/api/v1/namespaces?a=b`, { method: 'POST', headers, body });
  expect(response.status).toBe(418);
  expect(response.headers.getSetCookie()).toEqual(['_csrf=1', 'other=2']);
  const { host } = new URL(url);
  const passed = { method: 'POST', url: '/api/v1/namespaces?a=b', host, cookie: '_csrf=1', body };
  expect(await response.json()).toEqual(passed);
});

it('the front of the Temporal UI says so when the UI does not answer', async () => {
  expect((await fetch(`${url}/gone`)).status).toBe(502);
  expect((await fetch(`${url}/`)).status).toBe(418);
});

describe('the front of the Temporal UI refuses', () => {
  const own = (): string => new URL(url).host;

  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:8233', '10.0.0.7', 'temporal.example:81'])(
    'a page that has its name %j resolve to this machine',
    async (host) => {
      expect(await statusOf('GET', { host })).toBe(403);
      expect(await statusOf('POST', { host, origin: `http://${host}` })).toBe(403);
    },
  );

  it('foreign pages, and changes that no page sends', async () => {
    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1', `${url}1`]) {
      expect(await statusOf('POST', { host: own(), origin, 'content-type': 'text/plain' })).toBe(403);
      expect(await statusOf('GET', { host: own(), origin })).toBe(403);
    }
    expect(await statusOf('POST', { host: own() })).toBe(403);
    expect(await statusOf('OPTIONS', { host: own() })).toBe(403);
  });

  it('no browser that opens it by a name of this machine, through a tunnel, or by its public address', async () => {
    for (const host of [own(), 'localhost:8233', '[::1]:9000']) {
      expect(await statusOf('GET', { host })).toBe(418);
      expect(await statusOf('POST', { host, origin: `http://${host}` })).toBe(418);
    }
    const { host } = new URL(PUBLIC_URL);
    expect(await statusOf('POST', { host, origin: PUBLIC_URL })).toBe(418);
    expect(await statusOf('POST', { host, origin: `http://${host}` })).toBe(403);
  });
});
