/** The front of the Temporal UI over real sockets, with a server in the UI's place. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUiFront, withCredentials } from '../../../platform/runtime/temporal-ui-front.ts';

const SETTINGS = {
  Auth: { Enabled: false },
  Codec: { Endpoint: 'http://127.0.0.1:8420/api/v1/codec', IncludeCredentials: false },
};

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

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
      response.end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          host,
          cookie,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
  }
});
let front: Server;
let url: string;

beforeAll(async () => {
  front = createUiFront(await listening(ui));
  url = await listening(front);
});
afterAll(() => {
  for (const server of [front, ui]) {
    server.close();
    server.closeAllConnections();
  }
});

describe('the front of the Temporal UI', () => {
  it('has the UI ask the codec server with the cookie, and changes no other setting', async () => {
    const response = await fetch(`${url}/api/v1/settings`, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('x-ui')).toBe('yes');
    expect(await response.json()).toEqual({ ...SETTINGS, Codec: { ...SETTINGS.Codec, IncludeCredentials: true } });
    expect(withCredentials('not JSON')).toBe('not JSON');
    expect(withCredentials('{"Version":"1"}')).toBe('{"Version":"1"}');
  });

  it('passes everything else on as it is, both ways', async () => {
    const headers = { cookie: '_csrf=1' };
    const response = await fetch(`${url}/api/v1/namespaces?a=b`, {
      method: 'POST',
      headers,
      body: 'x'.repeat(100_000),
    });
    expect(response.status).toBe(418);
    expect(response.headers.getSetCookie()).toEqual(['_csrf=1', 'other=2']);
    expect(await response.json()).toEqual({
      method: 'POST',
      url: '/api/v1/namespaces?a=b',
      host: new URL(url).host,
      cookie: '_csrf=1',
      body: 'x'.repeat(100_000),
    });
  });

  it('says so when the UI does not answer', async () => {
    expect((await fetch(`${url}/gone`)).status).toBe(502);
    expect((await fetch(`${url}/`)).status).toBe(418);
  });
});
