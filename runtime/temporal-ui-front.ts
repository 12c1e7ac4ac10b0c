/**
 * Stands in front of a Temporal UI, which has no login: refuses what a foreign web page sends, and passes the rest on.
 *
 * It also changes one word of what the UI serves: its settings say that the codec server is asked with the browser's cookie. The development
 * server has no flag for it, and without it users who are logged in would see encrypted payloads only.
 */
import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { tryJson } from '../domain/text/json.ts';
import { isLoopbackHost } from '../platform/loopback.ts';

/** Where the UI's page asks for its settings. */
const SETTINGS_PATH = '/api/v1/settings';
const settingsSchema = z.looseObject({ Codec: z.looseObject({}) });

/** The settings with the word changed; what is not understood stays as it is. */
export function withCredentials(settings: string): string {
  const parsed = settingsSchema.safeParse(tryJson(settings));
  if (!parsed.success) return settings;
  return JSON.stringify({ ...parsed.data, Codec: { ...parsed.data.Codec, IncludeCredentials: true } });
}

/**
 * The front of the UI at `target`, such as `http://127.0.0.1:8243`. Not listening yet.
 *
 * @param publicUrl where people reach the front, if not only by a name of loopback
 */
export function createUiFront(target: string, publicUrl?: string): Server {
  const published = publicUrl === undefined ? undefined : new URL(publicUrl);
  return createServer((request, response) => {
    const problem = whyRefused(request, published);
    if (problem === undefined) pass(target, request, response);
    else response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(`${problem}\n`);
  });
}

/** Methods that change nothing. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Why a request may not pass; undefined if it may.
 *
 * A page that has its own name resolve to this machine is given away by the Host header, any other foreign page by Origin, which browsers
 * send with everything but plain reads, whose answers such a page does not get. The port in Host is not compared: a page cannot choose another
 * than the one it speaks to, and a tunnel has one of its own.
 */
function whyRefused(request: IncomingMessage, published: URL | undefined): string | undefined {
  const { host = '', origin } = request.headers;
  const isPublished = published?.host === host;
  if (!isPublished && !isLoopbackHost(host)) {
    return 'Refused: open the Temporal UI as http://127.0.0.1 with its port, or by the address in DECKHAND_TEMPORAL_UI_URL.';
  }
  if (origin === undefined) {
    return SAFE_METHODS.has(request.method ?? '')
      ? undefined
      : 'Refused: a change has to come from the Temporal UI itself.';
  }
  const isOwn = isPublished ? origin === published.origin : URL.parse(origin)?.host === host;
  return isOwn ? undefined : 'Refused: this request comes from another page than the Temporal UI.';
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
