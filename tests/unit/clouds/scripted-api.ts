/**
 * The network's other end for tests of the DataCrunch client: a server over real sockets that answers from a script.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text as readAll } from 'node:stream/consumers';
import { createMemoryRateLimit } from '../../../clouds/call-rate-limit.ts';
import { onTestFinished } from 'vitest';
import { createDataCrunchClient, type DataCrunchClient } from '../../../clouds/datacrunch/client.ts';
import type { DataCrunchClientOptions } from '../../../clouds/datacrunch/http/transport.ts';

/** A request as the server got it. */
export interface SeenRequest {
  readonly method: string;
  /** Path with its query, below /v1. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What it answers; `drop` closes the connection without an answer. */
export interface ScriptedAnswer {
  readonly status?: number;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly drop?: boolean;
}

export type Script = (request: SeenRequest, nth: number) => ScriptedAnswer;

export interface ScriptedApi {
  readonly baseUrl: string;
  /** All requests but those for tokens. */
  readonly seen: readonly SeenRequest[];
  /** Requests for tokens. */
  readonly tokenRequests: readonly SeenRequest[];
}

export const SECRET = 'very-secret-secret';

const tokenAnswer = (nth: number): ScriptedAnswer => ({
  body: { access_token: `access-token-${nth}`, token_type: 'Bearer', expires_in: 3600, scope: 'cloud-api-v1' },
});

/** Starts a server that ends with the test. `script` gets every request but those for tokens, which `tokens` answers. */
export async function scriptedApi(script: Script, tokens: Script = (_, nth) => tokenAnswer(nth)): Promise<ScriptedApi> {
  const seen: SeenRequest[] = [];
  const tokenRequests: SeenRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').replace(/^\/v1/u, '');
    const got = { method: request.method ?? '', path, headers: request.headers, body: await readAll(request) };
    const [list, answers] = path === '/oauth2/token' ? [tokenRequests, tokens] : [seen, script];
    list.push(got);
    const { status = 200, body = '', headers = {}, drop } = answers(got, list.length);
    if (drop === true) {
      response.destroy();
      return;
    }
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { baseUrl: `http://127.0.0.1:${address.port}/v1`, seen, tokenRequests };
}

/** Time that passes only when a caller waits. */
export interface VirtualClock {
  nowMs: number;
  readonly pauses: number[];
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

export function virtualClock(): VirtualClock {
  const clock: VirtualClock = {
    nowMs: Date.parse('2026-10-01T00:00:00Z'),
    pauses: [],
    now: () => clock.nowMs,
    pause: (ms) => {
      clock.pauses.push(ms);
      clock.nowMs += ms;
      return Promise.resolve();
    },
  };
  return clock;
}

/** A client of a scripted server on a virtual clock, with pauses that do not vary. */
export function clientOf(
  api: Pick<ScriptedApi, 'baseUrl'>,
  clock: VirtualClock,
  options: Partial<DataCrunchClientOptions> = {},
): DataCrunchClient {
  const { now, pause } = clock;
  return createDataCrunchClient({
    baseUrl: api.baseUrl,
    credentials: { clientId: 'an-id', clientSecret: SECRET },
    rateLimit: createMemoryRateLimit({ now, pause }),
    now,
    pause,
    random: () => 0.5,
    ...options,
  });
}
