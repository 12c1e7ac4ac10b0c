/** Requests that are refused, or broken off, before a database is asked: each by its name, and none as a fault of the API. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serveWithoutServices, type ApiWithoutServices } from '../../../testing/api-without-services.ts';

const MAX_UPLOAD_BYTES = 256 * 1024;

let api: ApiWithoutServices;
beforeEach(async () => {
  api = await serveWithoutServices({ maxUploadBytes: MAX_UPLOAD_BYTES });
});
afterEach(() => api.close());

/** Sends the beginning of a request, leaves the API time to read it, and goes. */
async function breakOff(begun: string): Promise<void> {
  const socket = connect(api.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(begun);
  await pause(50);
  socket.destroy();
}

const codeOf = async (response: Response): Promise<unknown> => ((await response.json()) as { code: unknown }).code;

it.each([
  ['without a boundary', 'multipart/form-data', 'key=dh_o_x'],
  ['with a body that is not multipart', 'multipart/form-data; boundary=B', 'key=dh_o_x'],
  [
    'whole',
    'multipart/form-data; boundary=B',
    '--B\r\nContent-Disposition: form-data; name="key"\r\n\r\nx\r\n--B--\r\n',
  ],
])('a login as multipart/form-data, %s, is a bad request', async (_name, type, body) => {
  const response = await fetch(`${api.url}/session`, { method: 'POST', headers: { 'content-type': type }, body });
  expect([response.status, await codeOf(response)]).toEqual([400, 'invalid_request']);
  expect(api.log.filter(({ level }) => level >= 50)).toEqual([]);
});

it.each([
  [
    'an upload',
    '/decks',
    'multipart/form-data; boundary=B',
    '--B\r\nContent-Disposition: form-data; name="file"\r\n\r\n%PDF-1.7',
  ],
  ['a login', '/session', 'application/json', '{"key": "dh'],
  ['a login by form', '/session', 'application/x-www-form-urlencoded', 'key=dh'],
  ['a document', '/alert-rules', 'application/json', '{"id": "a'],
])(
  'a request that its client breaks off is no error of the API, of announced length or in chunks: %s',
  async (_name, path, type, begun) => {
    for (const [length, body] of [
      ['content-length: 10000', begun],
      ['transfer-encoding: chunked', `${begun.length.toString(16)}\r\n${begun}\r\n`],
    ] as const)
      await breakOff(
        `POST /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: ${type}\r\n${length}\r\n\r\n${body}`,
      );
    // The line of a request is written last.
    const ended = () => api.log.filter(({ msg }) => msg === 'request');
    await vi.waitFor(() => expect(ended()).toHaveLength(2), 5000);
    expect(api.log.filter(({ level, err }) => level >= 40 || err !== undefined)).toEqual([]);
    expect(ended().map(({ status }) => status)).toEqual([400, 400]);
  },
);

function* withLargeNote(): Generator<Uint8Array> {
  yield Buffer.from('--B\r\nContent-Disposition: form-data; name="note"\r\n\r\n');
  for (let i = 0; i < 8; i += 1) yield Buffer.alloc(MAX_UPLOAD_BYTES / 4, 'x');
  yield Buffer.from('\r\n--B\r\nContent-Disposition: form-data; name="file"\r\n\r\n%PDF-1.7\r\n--B--\r\n');
}

it('an upload in chunks is refused for what stands before its file, too, when that is more than an upload may have', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  const body = Readable.toWeb(Readable.from(withLargeNote())) as ReadableStream<Uint8Array>;
  const response = await fetch(`${api.url}/decks`, { method: 'POST', headers, body, duplex: 'half' });
  expect([response.status, await codeOf(response)]).toEqual([413, 'pdf_too_large']);
});

const rule = { id: 'half', metric: 'budget_ratio', title: 'Half a budget is used', raiseAt: 0.5 };
const send = (method: string, path: string, document: object): Promise<Response> =>
  fetch(`${api.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  });

it.each([1.797e308, -1.797e308, 1e13])(
  'an alert rule with a threshold of %d is refused by the name of its field',
  async (value) => {
    for (const answer of [
      await send('POST', '/alert-rules', { ...rule, raiseAt: value }),
      await send('POST', '/alert-rules', { ...rule, clearAt: value }),
      await send('PATCH', '/alert-rules/half', { raiseAt: value }),
    ]) {
      expect(answer.status).toBe(400);
      const expected = { code: 'invalid_request', detail: expect.stringMatching(/^(?:raise|clear)At: /u) as unknown };
      expect(await answer.json()).toMatchObject(expected);
    }
  },
);
