/**
 * The network's other end for tests of the DataCrunch client: a server over real sockets that answers from a script.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text as readAll } from 'node:stream/consumers';
import { createMemoryRateLimit } from '../../../clouds/call-rate-limit.ts';
import { onTestFinished } from 'vitest';
import { DeckhandError } from '../../../domain/errors.ts';
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
/** A create at DataCrunch. */
export const NEW_INSTANCE = {
  instance_type: '1H100.80S.30V',
  image: 'ubuntu-24.04',
  hostname: 'h',
  description: 'd',
  location_code: 'FIN-01',
  is_spot: false,
};

const tokenAnswer = (nth: number): ScriptedAnswer => ({
  body: { access_token: `access-token-${nth}`, token_type: 'Bearer', expires_in: 3600, scope: 'cloud-api-v1' },
});

/** Starts a server that ends with the test. @returns its origin */
export async function scriptedServer(
  answerTo: (request: IncomingMessage, body: string) => ScriptedAnswer,
): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status = 200, body = '', headers = {}, drop } = answerTo(request, await readAll(request));
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
  return `http://127.0.0.1:${address.port}`;
}

/** `script` gets every request but those for tokens, which `tokens` answers. */
export async function scriptedApi(script: Script, tokens: Script = (_, nth) => tokenAnswer(nth)): Promise<ScriptedApi> {
  const seen: SeenRequest[] = [];
  const tokenRequests: SeenRequest[] = [];
  const origin = await scriptedServer(({ url = '', method = '', headers }, body) => {
    const path = url.replace(/^\/v1/u, '');
    const got = { method, path, headers, body };
    const [list, answers] = path === '/oauth2/token' ? [tokenRequests, tokens] : [seen, script];
    list.push(got);
    return answers(got, list.length);
  });
  return { baseUrl: `${origin}/v1`, seen, tokenRequests };
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

/** Options that open clients of a scripted server: a virtual clock, and pauses that do not vary. */
export const clockOptions = ({ now, pause }: VirtualClock) => ({
  rateLimit: createMemoryRateLimit({ now, pause }),
  now,
  pause,
  random: () => 0.5,
});

/** A client of a scripted server. */
export function clientOf(
  api: Pick<ScriptedApi, 'baseUrl'>,
  clock: VirtualClock,
  options: Partial<DataCrunchClientOptions> = {},
): DataCrunchClient {
  return createDataCrunchClient({
    baseUrl: api.baseUrl,
    credentials: { clientId: 'an-id', clientSecret: SECRET },
    ...clockOptions(clock),
    ...options,
  });
}

/** The error of a call. @throws Error when there is none, or another than Deckhand's */
export async function failureOf(call: Promise<unknown>): Promise<DeckhandError> {
  const error = await call.then(
    () => 'it did not fail',
    (thrown: unknown) => thrown,
  );
  if (error instanceof DeckhandError) return error;
  throw new Error(`no DeckhandError: ${String(error)}`);
}

/** The code of the error of a call. @throws as {@link failureOf} */
export const codeOf = async (call: Promise<unknown>): Promise<string> => (await failureOf(call)).code;
