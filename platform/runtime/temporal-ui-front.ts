/**
 * Stands in front of the embedded Temporal UI and changes one word of what it serves: its settings say that the codec server is asked with
 * the browser's cookie. The development server has no flag for it, and without it nobody who is logged in would see anything in clear.
 */
import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** Where the UI's page asks for its settings. */
const SETTINGS_PATH = '/api/v1/settings';
const settingsSchema = z.looseObject({ Codec: z.looseObject({}) });

/** The settings with the word changed; what is not understood stays as it is. */
export function withCredentials(settings: string): string {
  const parsed = settingsSchema.safeParse(jsonOf(settings));
  if (!parsed.success) return settings;
  return JSON.stringify({ ...parsed.data, Codec: { ...parsed.data.Codec, IncludeCredentials: true } });
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** A server that passes everything on to the UI at `target`, such as `http://127.0.0.1:8243`. Not listening yet. */
export function createUiFront(target: string): Server {
  return createServer((request, response) => pass(target, request, response));
}

function pass(target: string, request: IncomingMessage, response: ServerResponse): void {
  const { url = '/', method = 'GET' } = request;
  const isSettings = method === 'GET' && url.split('?')[0] === SETTINGS_PATH;
  // What is to be read must not come compressed.
  const headers = isSettings ? { ...request.headers, 'accept-encoding': 'identity' } : request.headers;
  const outgoing = sendRequest(target, { path: url, method, headers });
  outgoing.once('response', (answer) => {
    if (isSettings && answer.statusCode === 200) void answerSettings(answer, response);
    else {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }
    answer.once('error', () => response.destroy());
  });
  outgoing.once('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end('The Temporal UI does not answer.\n');
  });
  response.once('close', () => outgoing.destroy());
  request.pipe(outgoing);
}

async function answerSettings(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = Buffer.from(withCredentials(await text(answer)));
    const { 'content-length': _length, 'transfer-encoding': _encoding, etag: _etag, ...headers } = answer.headers;
    response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
  } catch {
    // The UI's answer broke off in the middle: the browser is told so by ours doing the same.
    response.destroy();
  }
}
