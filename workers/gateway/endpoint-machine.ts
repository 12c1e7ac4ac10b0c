/**
 * The model server of an endpoint pool: a port on our loopback whose requests are passed on to the endpoint with its key.
 *
 * As with a tunnel, everything else works with an address of this side and holds no secret. A refused key or a redirect is no answer of the
 * model server: both become 502, so that calls are retried and the readiness check says why.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { type Agent, request } from 'undici';
import { urlMachine, type Machine, type OpenResult } from '../../activities/gateway/machine.ts';
import { readError, REFUSED_HEADER, WOULD_LEAVE } from '../../activities/models/client/connection.ts';
import type { Egress } from '../../activities/models/client/egress.ts';
import { keyInFile } from '../../activities/models/client/open.ts';
import type { ServeEndpoint } from '../../contracts/instance.ts';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import type { ServerKind } from '../../domain/models/server-kind.ts';

/** Longest wait for the answer at the health path: a replica that starts may let it wait. */
const HEALTH_LIMIT_MS = 30_000;
const SAID_CHARS = 200;

/** Headers that belong to one connection. The client's own key is none of the endpoint's business; errors are read here, so none is compressed. */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  REFUSED_HEADER,
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Which endpoint, and its key. */
type EndpointTarget = Pick<Endpoint, 'url' | 'healthPath' | 'serverKind' | 'egress'> & {
  /** Null = none is sent. */
  readonly key: string | null;
  /** Header with the key; null = none is sent. */
  readonly header: { readonly name: string; readonly value: string } | null;
  /** Where people correct the key. */
  readonly keyPlace: string;
};

type Endpoint = Omit<Extract<ServeEndpoint, { kind: 'endpoint' }>, 'kind' | 'origin' | 'reach'> & {
  readonly serverKind: ServerKind;
  readonly egress: Egress;
};

/** See the file's header. It listens until it is closed. One whose key this process does not have is never open, and says so. */
export async function endpointMachine(
  { key: keyName, keyFile, keyHeader, ...endpoint }: Endpoint,
  keys: Readonly<Record<string, string>>,
): Promise<Machine> {
  let key: string | null;
  try {
    key = keyFile === undefined ? named(keyName, keys) : await keyInFile(keyFile);
  } catch (error) {
    const { message, hint = '' } = asDeckhandError(error);
    return keyless(`${message} ${hint}`);
  }
  if (keyName !== null && key === null)
    return keyless(
      `there is no endpoint key "${keyName}": set DECKHAND_ENDPOINT_KEYS to "${keyName}=…" where the gateway runs`,
    );
  const bearer = keyHeader === 'authorization' ? 'Bearer ' : '';
  const header = key === null ? null : { name: keyHeader, value: `${bearer}${key}` };
  return forward({ ...endpoint, key, header, keyPlace: keyFile ?? 'DECKHAND_ENDPOINT_KEYS' });
}

const named = (key: string | null, keys: Readonly<Record<string, string>>): string | null =>
  key !== null && Object.hasOwn(keys, key) ? (keys[key] ?? null) : null;

const keyless = (message: string): Machine => ({
  // Port 9 is `discard`: nothing answers there.
  ...urlMachine('http://127.0.0.1:9'),
  open: () => Promise.resolve({ open: false, failure: 'unreachable', message }),
});

async function forward(target: EndpointTarget): Promise<Machine> {
  const agent = target.egress.agent();
  const server = createServer((incoming, answer) => void passOn(target, agent, incoming, answer));
  // A model may read a prompt for minutes before it says anything.
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...urlMachine(`http://127.0.0.1:${port}${pathOf(target)}`, target.serverKind, target.egress),
    secret: target.key,
    open: (signal) => lookAtHealth(target, agent, signal),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await agent.destroy();
    },
  };
}

/** Our address has the path of the endpoint, because where other pages of a server are follows from it. */
const pathOf = ({ url }: EndpointTarget): string => new URL(url).pathname.replace(/\/+$/u, '');

/** A path below the endpoint's base URL. */
export const urlBelow = (base: string, path: string): URL => new URL(`${base.replace(/\/+$/u, '')}${path}`);

const keyOf = ({ header }: EndpointTarget): Record<string, string> =>
  header === null ? {} : { [header.name]: header.value };

/** Opens the way: at the health path the endpoint says whether it is ready. */
async function lookAtHealth(target: EndpointTarget, agent: Agent, signal: AbortSignal): Promise<OpenResult> {
  if (target.healthPath === null) return { open: true };
  const url = urlBelow(target.url, target.healthPath);
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(HEALTH_LIMIT_MS)]);
    const { statusCode, body } = await request(url, { dispatcher: agent, headers: keyOf(target), signal: limit });
    const said = (await readError(body, target.key)).trim().slice(0, SAID_CHARS);
    if (statusCode === 200) return { open: true };
    const message = isNoAnswer(statusCode)
      ? refusalWords(target, statusCode)
      : `${url.href} says ${statusCode}: ${said}`;
    return { open: false, failure: 'unreachable', message };
  } catch (error) {
    signal.throwIfAborted();
    const message = wouldLeave(error)
      ? `${error.message} ${error.hint ?? ''}`
      : `${url.href} does not answer: ${String(error)}`;
    return { open: false, failure: 'unreachable', message };
  }
}

/** Where a path of our address is at the endpoint; null for what would be another host: its key and the slides are the endpoint's alone. */
function urlOf(target: EndpointTarget, path: string): string | null {
  const { origin } = new URL(target.url);
  const url = `${origin}${path}`;
  return path.startsWith('/') && URL.canParse(url) && new URL(url).origin === origin ? url : null;
}

async function passOn(
  target: EndpointTarget,
  agent: Agent,
  incoming: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const url = urlOf(target, incoming.url ?? '/');
  if (url === null) return refuse(answer, `the endpoint is asked for paths alone, not for ${incoming.url ?? ''}`);
  const left = new AbortController();
  answer.once('close', () => left.abort());
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      method: incoming.method === 'HEAD' ? 'HEAD' : incoming.method === 'GET' ? 'GET' : 'POST',
      headers: { ...passedHeaders(incoming.headers), ...keyOf(target) },
      body: incoming.method === 'GET' || incoming.method === 'HEAD' ? null : incoming,
      signal: left.signal,
    });
    if (isNoAnswer(statusCode)) {
      await body.dump();
      return refuse(answer, refusalWords(target, statusCode));
    }
    answer.writeHead(statusCode, passedHeaders(headers));
    // Some servers repeat the key in an error, and who reads it there does not know it.
    if (statusCode < 300) await pipeline(body, answer);
    else answer.end(await readError(body, target.key));
  } catch (error) {
    if (answer.headersSent) answer.destroy();
    else if (wouldLeave(error)) refuse(answer, error.message, { [REFUSED_HEADER]: WOULD_LEAVE });
    else refuse(answer, `the endpoint ${target.url} does not answer: ${String(error)}`);
  }
}

/** What an endpoint says instead of its model server: that the key is wrong, or to go elsewhere. */
const isNoAnswer = (status: number): boolean => status === 401 || status === 403 || (status >= 300 && status < 400);

function refusalWords({ url, header, keyPlace }: EndpointTarget, status: number): string {
  if (status < 400)
    return `the endpoint ${url} redirects (${status}), which is not followed because of its key; correct its URL`;
  return header === null
    ? `the endpoint ${url} wants a key (${status}); name one for it: "key" of the endpoint, or --key-file of \`models add\``
    : `the endpoint ${url} refuses the key (${status}); correct it in ${keyPlace}`;
}

/** True for a connection that may not be made. */
const wouldLeave = (error: unknown): error is DeckhandError =>
  error instanceof DeckhandError && error.code === WOULD_LEAVE;

function refuse(answer: ServerResponse, error: string, headers: Readonly<Record<string, string>> = {}): void {
  answer.writeHead(502, { 'content-type': 'application/json', ...headers });
  answer.end(JSON.stringify({ error }));
}

function passedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_HEADERS.has(name) ? [] : [[name, value] as const],
    ),
  );
}
