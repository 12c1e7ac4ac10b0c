/** Requests to one API: addresses, the key, bodies in JSON, and problem documents turned into errors. */
import { z } from 'zod';
import { DeckhandError, isErrorCode } from '../../domain/errors.ts';
import { tryJson } from '../../domain/text/json.ts';
import { createCalls, type Calls } from './calls.ts';

/** The key to show, decided before each request; undefined = none. May throw to send nothing. */
export type KeySource = (signal?: AbortSignal) => Promise<string | undefined>;

/** What a request says beside its method and path. */
export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** A form, or a document that is sent as JSON. */
  readonly body?: unknown;
  /** The same request with the same key has its effect once. */
  readonly idempotencyKey?: string | undefined;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Requests to one API. They throw a DeckhandError: the API's own, or `service_unavailable` when nothing answers. */
export interface Transport {
  call(method: Method, path: string, options: CallOptions): Promise<Response>;
  /** The document of the answer. The routes check that theirs have the type of their schema. */
  json<T>(method: Method, path: string, options: CallOptions): Promise<T>;
  /** The text of the answer. */
  text(path: string, options: CallOptions): Promise<string>;
  /** The items of a list that is not paged. */
  items<T>(path: string, options: CallOptions): Promise<readonly T[]>;
  /** The items of a paged list, over all pages. */
  pages<T>(path: string, query: CallOptions['query'], signal: AbortSignal | undefined): Promise<readonly T[]>;
}

/** Items in one page of a list. */
const PAGE = 200;

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

const problemSchema = z.object({ code: z.string(), detail: z.string(), hint: z.string().optional() });

/** The error that a response that is not 2xx stands for. */
function errorOf({ status, headers }: Response, body: unknown): DeckhandError {
  const parsed = problemSchema.safeParse(body);
  if (!parsed.success) {
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
    return new DeckhandError(
      status >= 500 ? 'service_unavailable' : 'internal',
      `HTTP ${status}: ${text.slice(0, 200)}`,
      {
        userMessage: `The API answered HTTP ${status}.`,
      },
    );
  }
  const { code, detail, hint } = parsed.data;
  const retryAfterSec = Number(headers.get('retry-after') ?? Number.NaN);
  return new DeckhandError(isErrorCode(code) ? code : 'internal', detail, {
    ...(hint === undefined ? {} : { hint }),
    ...(Number.isFinite(retryAfterSec) ? { retryAfterMs: retryAfterSec * 1000 } : {}),
  });
}

/** A path whose values are escaped. */
export const path = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  String.raw({ raw: parts }, ...values.map(encodeURIComponent));

/** `?a=1&b=2,3` of what is defined; empty when nothing is. */
function queryString(values: CallOptions['query'] = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, typeof value === 'object' ? value.join(',') : String(value));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** Nothing answers there. */
export function noAnswer(url: string, cause: unknown): DeckhandError {
  return new DeckhandError('service_unavailable', `no answer from ${url}: ${String(cause)}`, {
    userMessage: 'The Deckhand API does not answer.',
    hint: 'Start it with `./deckhand up`.',
    cause,
  });
}

/** Speaks to the API at this URL; with a key, it is shown with every request. */
export function createTransport(baseUrl: string, apiKey: string | KeySource | undefined): Transport {
  const base = `${baseUrl.replace(/\/+$/, '')}/api/v1`;

  const call: Transport['call'] = async (method, target, options) => {
    const { query, body, idempotencyKey, accept = 'application/json', signal } = options;
    const key = typeof apiKey === 'function' ? await apiKey(signal) : apiKey;
    const headers = new Headers({ accept });
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
    const init: RequestInit = { method, headers };
    if (body instanceof FormData) init.body = body;
    else if (body !== undefined) {
      init.body = JSON.stringify(body);
      headers.set('content-type', 'application/json');
    }
    if (signal !== undefined) init.signal = signal;
    let response: Response;
    try {
      response = await fetch(`${base}${target}${queryString(query)}`, init);
    } catch (error) {
      signal?.throwIfAborted();
      throw noAnswer(base, error);
    }
    if (!response.ok) {
      const text = await response.text();
      throw errorOf(response, tryJson(text) ?? text);
    }
    return response;
  };
  const json: Transport['json'] = async <T>(method: Method, target: string, options: CallOptions) =>
    (await (await call(method, target, options)).json()) as T;

  return {
    call,
    json,
    text: async (target, options) => (await call('GET', target, options)).text(),
    items: async <T>(target: string, options: CallOptions) =>
      (await json<{ readonly items: readonly T[] }>('GET', target, options)).items,
    pages: async <T>(target: string, query: CallOptions['query'], signal: AbortSignal | undefined) => {
      const all: T[] = [];
      for (let cursor: string | undefined; ;) {
        const options = { query: { ...query, limit: PAGE, cursor }, signal };
        const { items, nextCursor } = await json<Page<T>>('GET', target, options);
        all.push(...items);
        if (nextCursor === null) return all;
        cursor = nextCursor;
      }
    },
  };
}

/** The calls of every route at this URL. */
export function callsOf(baseUrl: string, apiKey: string | KeySource | undefined): Calls {
  const base = `${baseUrl.replace(/\/+$/, '')}/api/v1`;
  const ask = async (request: Request): Promise<Response> => {
    const { signal, headers } = request;
    const key = typeof apiKey === 'function' ? await apiKey(signal) : apiKey;
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    try {
      return await fetch(request);
    } catch (error) {
      signal.throwIfAborted();
      throw noAnswer(base, error);
    }
  };
  return createCalls({ baseUrl: base, fetch: ask }, errorOf);
}
