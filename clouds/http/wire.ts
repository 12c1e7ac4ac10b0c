/**
 * Sends one request, with a time limit and headers; errors contain no secrets.
 */
import { getGlobalDispatcher } from 'undici';
import { providerError } from '../errors.ts';

/**
 * What kind of call is sent.
 * - `read`: changes nothing.
 * - `change`: may be sent twice with the effect of once (actions, deletes).
 * - `create`: makes something new each time it is sent.
 * - `token`: asks for an access token.
 */
export type CallKind = 'read' | 'change' | 'create' | 'token';
/** A call of a service. */
export type ServiceCallKind = Exclude<CallKind, 'token'>;

/** `fetch`, as far as it is used; replaced in tests that run without sockets. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** One call. */
export interface Call {
  readonly kind: CallKind;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, with its ids: `/instances/…`. */
  readonly path: string;
  /** Undefined values are left out; a list repeats its key. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  /** Its name in messages; method and path where left out. */
  readonly name?: string;
  readonly timeoutMs?: number;
}

/** A whole answer, whatever its status. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface WireOptions {
  /** Name of the provider, for messages. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly fetch: Fetch;
  /** Ends every request when it fires. */
  readonly stop: AbortSignal;
  /** Limit of a call that names none; by its kind where left out. */
  readonly timeoutMs?: number | undefined;
  readonly clean: (text: string) => string;
}

/**
 * Sends a call.
 *
 * @param withinMs a limit beside the call's own; the shorter one holds
 * @throws DeckhandError `provider_transient` when no whole answer came
 */
export type Wire = (
  call: Call,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  withinMs?: number,
) => Promise<WireAnswer>;

/** Cloudflare, which stands in front of many APIs, refuses requests that name no client. */
const USER_AGENT = 'deckhand/0.1';
const TIMEOUTS_MS: Readonly<Record<CallKind, number>> = {
  // Half of what all tries of a read may take: a connection that was lost on the way gets a second one.
  read: 15_000,
  change: 30_000,
  // Creates can take longer than half a minute, and an unknown outcome is expensive.
  create: 90_000,
  token: 10_000,
};

/** Method and path as the provider's documents have them: `GET /v1/instances`. */
export const routeOf = (baseUrl: string, { method, path }: Pick<Call, 'method' | 'path'>): string =>
  `${method} ${new URL(baseUrl).pathname.replace(/\/+$/u, '')}${path}`;

/** The error of a call that ends because its process stops: it is unknown whether it took effect. */
export const stoppedError = (): Error => providerError('transient', 'the call was ended because this process stops');

/** See {@link Wire}. */
export function createWire({ provider, baseUrl, fetch, stop, timeoutMs: ownTimeoutMs, clean }: WireOptions): Wire {
  return async (call, headers, body, withinMs = Infinity) => {
    const timeoutMs = Math.min(call.timeoutMs ?? ownTimeoutMs ?? TIMEOUTS_MS[call.kind], Math.ceil(withinMs));
    try {
      const response = await fetch(`${baseUrl}${call.path}${queryOf(call)}`, {
        method: call.method,
        headers: { 'User-Agent': USER_AGENT, Accept: 'application/json, text/plain', ...headers },
        // Followed, a redirect would carry secrets to an address that is not configured.
        redirect: 'manual',
        signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
        ...(body === undefined ? {} : { body }),
        ...(call.kind === 'create' ? { dispatcher: sendingOnce() } : {}),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      if (stop.aborted) throw stoppedError();
      const reason = clean(reasonOf(error, timeoutMs));
      throw providerError('transient', `${call.name ?? `${call.method} ${call.path}`}: ${reason}`, {
        userMessage: `${provider} did not answer ${call.name ?? routeOf(baseUrl, call)} at ${new URL(baseUrl).origin}: ${reason}`,
        hint: 'Look at the network and at the status page of the provider, then try again.',
      });
    }
  };
}

/** Sends one request and no second one: by its standard, fetch itself repeats a request whose answer is 421, on another connection. */
function sendingOnce(): NonNullable<RequestInit['dispatcher']> {
  let isSent = false;
  const once = getGlobalDispatcher().compose((dispatch) => (options, handler) => {
    if (isSent) throw new Error('the answer was 421 (misdirected request)');
    isSent = true;
    return dispatch(options, handler);
  });
  // The package's types and Node's copy of them differ in overloads only.
  return once as unknown as NonNullable<RequestInit['dispatcher']>;
}

function queryOf({ query }: Call): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    const items: readonly (string | number | boolean)[] = typeof value === 'object' ? value : [value];
    for (const item of items) search.append(key, String(item));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

/** Why no answer came, in a few words. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? `${error.message}: ${cause.message}` : error.message;
}
