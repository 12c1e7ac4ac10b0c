/** The npm client of OpenAI's protocol over a connection of our own; and addresses and whole answers of such a server. */
import { OpenAI } from 'openai';
import type { z } from 'zod';
import { Headers, Response as UndiciResponse } from 'undici';
import { connect, readError, readWhole, withoutKey, type ConnectedFetch, type ServerAddress } from '../connection.ts';
import { errorText, toModelError } from '../faults.ts';

const WHOLE_ANSWER_BYTES = 16 * 1024 * 1024;
/** Headers by which the client describes this machine. */
const TELEMETRY = /^x-stainless-/iu;

/** Where chat requests go: the base URL itself where it has a path, such as `/v1` or `/openai/v1`. */
export function apiBase(url: string): string {
  const base = url.replace(/\/+$/u, '');
  return new URL(base).pathname === '/' ? `${base}/v1` : base;
}

/** Where a server's own pages are, such as `/health`: they stand beside `/v1`. */
export const rootOf = (url: string): string => url.replace(/\/+$/u, '').replace(/\/v1$/u, '');

/** A client for one request. `close` ends the request where it still runs. @throws the signal's reason where it has fired */
export function openClient(
  address: ServerAddress,
  signal: AbortSignal,
): { readonly client: OpenAI; readonly close: () => Promise<void> } {
  const { url, key } = address;
  const connection = connect(address, signal);
  const ownFetch: ConnectedFetch = async (target, init = {}) => {
    const headers = [...new Headers(init.headers)].filter(([name]) => !TELEMETRY.test(name));
    const response = await connection.fetch(target, { ...init, headers });
    if (response.ok && !/text\/html/iu.test(response.headers.get('content-type') ?? '')) return response;
    return asJsonError(response, key);
  };
  const client = new OpenAI({
    baseURL: apiBase(url),
    // All that it would read from the environment.
    apiKey: key ?? 'none',
    organization: null,
    project: null,
    logLevel: 'off',
    // Retries and limits are those of the steps above.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    ...(key === null ? { defaultHeaders: { authorization: null } } : {}),
    fetch: ownFetch as unknown as typeof fetch,
  });
  return { client, close: connection.close };
}

/** The same error as `{"error": {"message"}}`, whatever a proxy made of it. */
async function asJsonError(response: UndiciResponse, key: string | null): Promise<UndiciResponse> {
  const { status, statusText } = response;
  const said = errorText(await readError(response, key)) || `${status} ${statusText}`.trim();
  // A page of a proxy instead of an answer.
  const shown = response.ok
    ? { status: 502, said: 'the answer is a web page, not that of a model server' }
    : { status, said };
  return new UndiciResponse(JSON.stringify({ error: { message: shown.said } }), {
    status: shown.status,
    headers: { 'content-type': 'application/json' },
  });
}

/**
 * Asks for a page of the server.
 *
 * @param body sent as JSON by POST; undefined = GET
 * @returns the body of the answer; null where the server has no such page
 * @throws DeckhandError of the server's fault; the signal's reason
 */
export async function askPage<T>(
  address: ServerAddress,
  path: string,
  schema: z.ZodType<T>,
  signal: AbortSignal,
  body?: object,
): Promise<T | null> {
  const { url, key } = address;
  const target = `${path.startsWith('/models') ? apiBase(url) : rootOf(url)}${path}`;
  try {
    return await fetchPage(target, address, schema, signal, body);
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(error, `${path} of ${url}`, key);
  }
}

async function fetchPage<T>(
  target: string,
  address: ServerAddress,
  schema: z.ZodType<T>,
  signal: AbortSignal,
  body: object | undefined,
): Promise<T | null> {
  const { key } = address;
  const { fetch, close } = connect(address, signal);
  try {
    const response = await fetch(target, {
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (NO_SUCH_PAGE.has(response.status)) return null;
    if (!response.ok) throw new PageRefused(response.status, errorText(await readError(response, key)));
    const text = await readWhole(response, WHOLE_ANSWER_BYTES);
    const said = schema.safeParse(jsonOr(text));
    if (said.success) return said.data;
    throw new PageRefused(
      502,
      `the answer of ${target} is not that of a model server: ${withoutKey(text, key).slice(0, 200)}`,
    );
  } finally {
    await close();
  }
}

/** A llama-server with several models answers 400 where it needs the name of one. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([400, 404, 405, 501]);

/** A page that is no JSON, such as metrics, is parsed as text. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

class PageRefused extends Error {
  readonly status: number;
  constructor(status: number, said: string) {
    super(said === '' ? String(status) : said);
    this.status = status;
  }
}
