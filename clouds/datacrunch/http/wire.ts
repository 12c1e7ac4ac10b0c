/**
 * Sends one request, with a time limit and headers; errors contain no secrets.
 */
import { providerError } from '../../errors.ts';
import type { CallKind } from './classify.ts';

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
  readonly timeoutMs?: number;
}

/** A whole answer, whatever its status. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface WireOptions {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  /** Ends every request when it fires. */
  readonly stop: AbortSignal;
  /** Limit of a call that names none; by its kind where left out. */
  readonly timeoutMs?: number | undefined;
  readonly clean: (text: string) => string;
}

/** Sends a call. @throws DeckhandError `provider_transient` when no whole answer came */
export type Wire = (
  call: Call,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
) => Promise<WireAnswer>;

/** Cloudflare in front of the API refuses requests that name no client. */
const USER_AGENT = 'deckhand/0.1';
const DEFAULT_TIMEOUT_MS = 30_000;
/** Creates can take longer than half a minute, and an unknown outcome is expensive. */
const CREATE_TIMEOUT_MS = 90_000;

/** The error of a call that ends because its process stops: it is unknown whether it took effect. */
export const stoppedError = (): Error => providerError('transient', 'the call was ended because this process stops');

/** See {@link Wire}. */
export function createWire({ baseUrl, fetch, stop, timeoutMs: ownTimeoutMs, clean }: WireOptions): Wire {
  return async (call, headers, body) => {
    const timeoutMs =
      call.timeoutMs ?? ownTimeoutMs ?? (call.kind === 'create' ? CREATE_TIMEOUT_MS : DEFAULT_TIMEOUT_MS);
    try {
      const response = await fetch(`${baseUrl}${call.path}${queryOf(call)}`, {
        method: call.method,
        headers: { 'User-Agent': USER_AGENT, Accept: 'application/json, text/plain', ...headers },
        // Followed, a redirect would carry secrets to an address that is not configured.
        redirect: 'manual',
        signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      if (stop.aborted) throw stoppedError();
      throw providerError('transient', clean(`${call.method} ${call.path}: ${reasonOf(error, timeoutMs)}`), {
        userMessage: `DataCrunch did not answer at ${baseUrl}.`,
        hint: 'Look at the network and at the status page of the provider, then try again.',
      });
    }
  };
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
