/**
 * One connection to a model server per request, whatever its protocol.
 *
 * Node's fetch ends an answer after 300 s of silence, and the client of a protocol may wait for headers that come with the first token. Ours
 * carries the caller's signal and has no limits of its own, as each step above it has one. The agent belongs to the request, so closing it
 * closes the socket and the server stops generating. A redirect is refused: prompt and key would go to an address that nobody configured.
 * Where it may connect to is decided in `egress.ts`.
 */
import { type Response as UndiciResponse, fetch as undiciFetch } from 'undici';
import { z } from 'zod';
import { DeckhandError } from '../../../domain/errors.ts';
import { ALLOW_HINT, type Egress } from './egress.ts';

const ERROR_BYTES = 64 * 1024;

/** A model server as its adapter reaches it. */
export interface ServerAddress {
  /** Base URL. */
  readonly url: string;
  /** Sent as a bearer token; null = none is sent. */
  readonly key: string | null;
  /** That key, or the one that our own proxy adds: it is blanked out of all that is shown or stored; null = there is none. */
  readonly secret: string | null;
  /** Whether connections may leave the network. */
  readonly egress: Egress;
}

/** Header of an answer of our own proxy whose connection would have left the network, instead of an answer of the server. */
export const REFUSED_HEADER = 'deckhand-refused';
/** Its value. */
export const WOULD_LEAVE = 'data_would_leave';

type FetchInit = NonNullable<Parameters<typeof undiciFetch>[1]>;
/** Fetches over one connection. */
export type ConnectedFetch = (url: string, init?: FetchInit) => Promise<UndiciResponse>;

/** A fetch for one request. `close` ends the request where it still runs. @throws the signal's reason where it has fired */
export function connect(
  { egress }: Pick<ServerAddress, 'egress'>,
  signal: AbortSignal,
): { readonly fetch: ConnectedFetch; readonly close: () => Promise<void> } {
  signal.throwIfAborted();
  const agent = egress.agent();
  return {
    fetch: async (url, init = {}) => {
      const signals = init.signal ? [init.signal, signal] : [signal];
      const response = await undiciFetch(url, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.any(signals),
        dispatcher: agent,
      });
      if (response.headers.get(REFUSED_HEADER) === WOULD_LEAVE) throw await refusedByProxy(response);
      if (response.status >= 300 && response.status < 400) throw await redirected(response, url);
      return response;
    },
    close: () => agent.destroy(),
  };
}

const refusalSchema = z.object({ error: z.string() });

async function refusedByProxy(response: UndiciResponse): Promise<DeckhandError> {
  const { error: message } = refusalSchema.parse(JSON.parse(await readError(response.body, null)));
  return new DeckhandError(WOULD_LEAVE, message, { userMessage: message, hint: ALLOW_HINT });
}

/** An answer that sends the request elsewhere. */
export class RedirectRefused extends Error {
  constructor(url: string, status: number, target: string | null) {
    super(`${url} redirects (${status}) to ${target ?? 'another address'}, which is not followed`);
  }
}

async function redirected(response: UndiciResponse, url: string): Promise<RedirectRefused> {
  await response.body?.cancel();
  return new RedirectRefused(url, response.status, response.headers.get('location'));
}

/** The same answer, fully read. @throws Error when it is too long */
export async function readWhole(response: UndiciResponse, mostBytes: number): Promise<string> {
  const { text, isCut } = await beginOf(response.body, mostBytes);
  if (isCut) throw new Error(`the answer is longer than ${mostBytes} bytes`);
  return text;
}

/** The begin of the body of an error. @param key of the request, which some servers repeat in their errors */
export const readError = async (body: Body, key: string | null): Promise<string> =>
  withoutKey((await beginOf(body, ERROR_BYTES)).text, key);

type Body = AsyncIterable<Uint8Array> | UndiciResponse['body'];

/** A text that is shown or stored, without the key, plain or inside JSON. */
export const withoutKey = (text: string, key: string | null): string =>
  key === null ? text : text.replaceAll(key, '[key]').replaceAll(JSON.stringify(key).slice(1, -1), '[key]');

async function beginOf(body: Body, mostBytes: number): Promise<{ readonly text: string; readonly isCut: boolean }> {
  if (body === null) return { text: '', isCut: false };
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return { text, isCut: true };
    text += decoder.decode(chunk, { stream: true });
  }
  return { text: text + decoder.decode(), isCut: false };
}
