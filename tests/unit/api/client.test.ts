/** The client of the API against a server that answers as a test says: what it sends, what a refusal becomes, and events that are none. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createDeckhandClient, type DeckhandClient } from '../../../api/client.ts';

let close = (): void => undefined;
afterEach(() => close());

/** A client of a server that answers so. */
async function clientOf(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<DeckhandClient> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return createDeckhandClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { apiKey: 'dh_x' });
}

const stage = 'event: stage\ndata: {"stage":"slides"}\n\n';
/** Every event of a stream of these texts. */
async function eventsOf(text: string): Promise<unknown[]> {
  const client = await clientOf((_request, response) => {
    response.setHeader('content-type', 'text/event-stream').end(text);
  });
  const events: unknown[] = [];
  for await (const event of client.events('a1')) if (events.push(event) === 2) break;
  return events;
}

it('the client sends path, query, body, key and headers as the route takes them', async () => {
  const seen: unknown[] = [];
  const client = await clientOf((request, response) => {
    const { method, url, headers } = request;
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      seen.push([method, url, headers.accept, headers.authorization, headers['idempotency-key'], body]);
      response.setHeader('content-type', 'application/json').end('{"items":[],"nextCursor":null}');
    });
  });
  await client.GET('/fleet/instances/{name}/health', {
    params: { path: { name: 'a/b c' }, query: { limit: 3, cursor: undefined } },
  });
  await client.startAnalysis('d1', { language: 'de', idempotencyKey: 'once' });
  await client.startAnalysis('d1', { taskType: 'visual_analysis' });
  await client.analysesById(['a', 'b']);
  expect(seen).toEqual([
    ['GET', '/api/v1/fleet/instances/a%2Fb%20c/health?limit=3', 'application/json', 'Bearer dh_x', undefined, ''],
    ['POST', '/api/v1/decks/d1/analyses', 'application/json', 'Bearer dh_x', 'once', '{"language":"de"}'],
    ['POST', '/api/v1/decks/d1/tasks/visual_analysis', 'application/json', 'Bearer dh_x', undefined, '{}'],
    ['GET', '/api/v1/analyses?ids=a%2Cb&limit=100', 'application/json', 'Bearer dh_x', undefined, ''],
  ]);
});

it.each([
  [502, '<html>Bad gateway</html>', { code: 'service_unavailable', userMessage: 'The API answered HTTP 502.' }],
  [418, '', { code: 'internal', userMessage: 'The API answered HTTP 418.' }],
  [418, '{"code":7}', { code: 'internal', message: 'HTTP 418: {"code":7}' }],
  [
    409,
    '{"code":"conflict","detail":"It runs.","hint":"Wait."}',
    { code: 'conflict', userMessage: 'It runs.', hint: 'Wait.' },
  ],
  [503, '{"code":"service_unavailable","detail":"Soon."}', { code: 'service_unavailable', retryAfterMs: 7000 }],
  [400, '{"code":"of_later","detail":"New."}', { code: 'internal', userMessage: 'New.' }],
])('makes an error of HTTP %i with %s', async (status, body, expected) => {
  const client = await clientOf((_request, response) => {
    response.writeHead(status, status === 503 ? { 'retry-after': '7' } : {}).end(body);
  });
  await expect(client.GET('/fleet')).rejects.toMatchObject(expected);
});

it('leaves out events of kinds that it does not know', async () => {
  const text = `event: of_later\ndata: {"any":1}\n\ndata: without a kind\n\n${stage}${stage}`;
  expect(await eventsOf(text)).toEqual(Array(2).fill({ type: 'stage', data: { stage: 'slides' } }));
});

it.each([
  'event: stage\ndata: {"stage":\n\n',
  'event: stage\ndata: {"stage":4}\n\n',
  'event: finished\ndata: {"status":"completed"}\n\n',
  'event: gap\ndata: null\n\n',
])('names an event that is not what its kind says: %j', async (text) => {
  await expect(eventsOf(`${stage}${text}${stage}`)).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('of analysis a1 is malformed'),
  });
});
