/**
 * What stands in front of a model server at a platform: a server that passes on only requests with the right key, and has a health path.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { endServer, listen } from './server.ts';

/** A running server. */
export interface KeyedServer {
  readonly url: string;
  /** The key that it asks for; a test may change it. */
  key: string;
  /** Status at `/health`. */
  health: number;
  /** Requests that had no key or another. */
  readonly refused: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts it in front of the model server at `host`.
 *
 * @param header in lower case; `authorization` carries `Bearer <key>`
 * @param base path below which it answers, such as `/base`; empty = at its root
 */
export async function keyedServer(
  host: string,
  key: string,
  header = 'authorization',
  base = '',
): Promise<KeyedServer> {
  const state = { key, health: 200, refused: 0 };
  const answerTo = (incoming: IncomingMessage, answer: ServerResponse): void => {
    const expected = header === 'authorization' ? `Bearer ${state.key}` : state.key;
    if (incoming.headers[header] !== expected) {
      state.refused += 1;
      answer.writeHead(401).end('{"error":"who are you?"}');
      return;
    }
    const { url = '/' } = incoming;
    if (!url.startsWith(`${base}/`)) {
      answer.writeHead(404).end('{"detail":"Not Found"}');
      return;
    }
    if (base === '' && url === '/health') {
      answer.writeHead(state.health).end('loading');
      return;
    }
    const { [header]: _key, ...headers } = incoming.headers;
    const onward = request(new URL(url.slice(base.length), host), { method: incoming.method, headers }, (far) => {
      answer.writeHead(far.statusCode ?? 502, far.headers);
      far.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
  const server = createServer(answerTo);
  const port = await listen(server);
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => endServer(server),
  });
}
