/** Requests to one API: addresses, the key, bodies in JSON, and problem documents turned back into errors. */
import { z } from 'zod';
import { DeckhandError, isErrorCode } from '../../domain/errors.ts';

/** The key to show, decided before each request; undefined = none. May throw to send nothing. */
export type KeySource = (signal?: AbortSignal) => Promise<string | undefined>;

/** What a call says beside its path. */
export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: FormData | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** What the calls of every area are made of. */
export interface Transport {
  /** The answer of a request. @throws DeckhandError the API's own, or `service_unavailable` when nothing answers */
  call(path: string, options: CallOptions): Promise<Response>;
  /** Its body, which the routes' schemas vouch for. */
  json<T>(path: string, options: CallOptions): Promise<T>;
}

const problemSchema = z.object({ code: z.string(), detail: z.string(), hint: z.string().optional() });

/** The error that a response that is not 2xx stands for. */
async function errorOf(response: Response): Promise<DeckhandError> {
  const text = await response.text();
  const parsed = problemSchema.safeParse(safeJson(text));
  if (!parsed.success) {
    const code = response.status >= 500 ? 'service_unavailable' : 'internal';
    return new DeckhandError(code, `HTTP ${response.status}: ${text.slice(0, 200)}`, {
      userMessage: `The API answered HTTP ${response.status}.`,
    });
  }
  const { code, detail, hint } = parsed.data;
  const retryAfterSec = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new DeckhandError(isErrorCode(code) ? code : 'internal', detail, {
    ...(hint === undefined ? {} : { hint }),
    ...(Number.isFinite(retryAfterSec) ? { retryAfterMs: retryAfterSec * 1000 } : {}),
  });
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Body and header of a request in JSON; with a key, the same request has its effect once. */
export const asJson = (body: unknown, idempotencyKey?: string): Required<Pick<CallOptions, 'body' | 'headers'>> => ({
  body: JSON.stringify(body),
  headers: {
    'content-type': 'application/json',
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  },
});

/** `?a=1&b=2,3` of what is defined; empty when nothing is. */
export function queryString(
  values: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): string {
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

  const call: Transport['call'] = async (path, { method = 'GET', body, headers, signal }) => {
    const key = typeof apiKey === 'function' ? await apiKey(signal) : apiKey;
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const init: RequestInit = { method, headers: { accept: 'application/json', ...authorization, ...headers } };
    if (body !== undefined) init.body = body;
    if (signal !== undefined) init.signal = signal;
    let response: Response;
    try {
      response = await fetch(`${base}${path}`, init);
    } catch (error) {
      signal?.throwIfAborted();
      throw noAnswer(base, error);
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  };

  return {
    call,
    json: async <T>(path: string, options: CallOptions) => (await (await call(path, options)).json()) as T,
  };
}
