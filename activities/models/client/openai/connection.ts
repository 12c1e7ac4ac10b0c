/** The npm client of OpenAI's protocol over a connection of our own; and addresses and whole answers of such a server. */
import { OpenAI } from 'openai';
import type { z } from 'zod';
import { Response as UndiciResponse } from 'undici';
import { connect, readError, readWhole, withoutKey, type ConnectedFetch, type ServerAddress } from '../connection.ts';
import { DeckhandError } from '../../../../domain/errors.ts';
import { parseRetryAfter } from '../../../../domain/retry-after.ts';
import { errorText, toModelError } from '../faults.ts';

const PAGE_LIMIT_MS = 30_000;
const WHOLE_ANSWER_BYTES = 16 * 1024 * 1024;
/** Most of a streamed answer, and of one line of it: a chunk is a token with some hundred bytes around it. */
const STREAM_BYTES = 64 * 1024 * 1024;
const LINE_BYTES = 1024 * 1024;

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
  const { url, key, secret } = address;
  const connection = connect(address, signal);
  const ownFetch: ConnectedFetch = async (target, init = {}) => {
    // The client's own headers describe this machine, or come from its environment.
    const headers = { 'content-type': 'application/json', ...keyHeader(key) };
    const response = await connection.fetch(target, { ...init, headers });
    const type = response.headers.get('content-type') ?? '';
    if (response.ok && !/text\/html|application\/json/iu.test(type)) return bounded(response);
    return asJsonError(response, secret);
  };
  const client = new OpenAI({
    baseURL: apiBase(url),
    // All that it would read from the environment.
    apiKey: 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    logLevel: 'off',
    // Retries and limits are those of the steps above.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    fetch: ownFetch as unknown as typeof fetch,
  });
  return { client, close: connection.close };
}

/** The same error as `{"error": {"message"}}`, whatever a proxy made of it. */
async function asJsonError(response: UndiciResponse, secret: string | null): Promise<UndiciResponse> {
  const { status, statusText } = response;
  const said = errorText(await readError(response.body, secret)) || `${status} ${statusText}`.trim();
  const shown = response.ok ? { status: 502, said: noStream(response, said) } : { status, said };
  const retryAfter = response.headers.get(RETRY_AFTER);
  return new UndiciResponse(JSON.stringify({ error: { message: shown.said } }), {
    status: shown.status,
    headers: { 'content-type': 'application/json', ...(retryAfter === null ? {} : { [RETRY_AFTER]: retryAfter }) },
  });
}

const RETRY_AFTER = 'retry-after';

const keyHeader = (key: string | null): Record<string, string> =>
  key === null ? {} : { authorization: `Bearer ${key}` };

/** An answer with status 200 that is no stream: a page of a proxy, or an error whose status the server hides. */
const noStream = ({ headers }: UndiciResponse, said: string): string =>
  /json/iu.test(headers.get('content-type') ?? '')
    ? `the server did not stream its answer: ${said.slice(0, 200)}`
    : 'the answer is a web page, not that of a model server';

/** The same stream, which ends in an error where it has no end. */
function bounded({ body, status, headers }: UndiciResponse): UndiciResponse {
  return new UndiciResponse(body === null ? null : ReadableStream.from(checked(body)), { status, headers });
}

async function* checked(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let lineBytes = 0;
  for await (const piece of body) {
    const at = piece.lastIndexOf(NEW_LINE);
    bytes += piece.byteLength;
    lineBytes = at < 0 ? lineBytes + piece.byteLength : piece.byteLength - at - 1;
    if (lineBytes > LINE_BYTES) throw new Error(`the answer has a line of more than ${LINE_BYTES} bytes`);
    if (bytes > STREAM_BYTES) throw new Error(`the answer is longer than ${STREAM_BYTES} bytes`);
    yield piece;
  }
}

const NEW_LINE = 0x0a;

/** An error of the client as the server said it: in a stream that began with 200 the status stands in the words. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof OpenAI.APIConnectionError) return error.cause ?? error;
  if (!(error instanceof OpenAI.APIError) || error.error === undefined) return error;
  const { code } = error;
  const said = typeof code === 'number' ? code : Number.NaN;
  const status = error.status ?? (said >= 400 && said < 600 ? said : null);
  const retryAfterMs = parseRetryAfter(error.headers?.get(RETRY_AFTER) ?? null, Date.now());
  return new ServerRefusal(status, errorText(JSON.stringify({ error: error.error })), retryAfterMs);
}

/**
 * Asks for a page of the server.
 *
 * @param limitMs longest wait; a page of a model that is being loaded comes when it is
 * @returns the body of the answer; null where the server has no such page
 * @throws DeckhandError of the server's fault; the signal's reason
 */
export async function askPage<T>(
  address: ServerAddress,
  path: string,
  schema: z.ZodType<T>,
  signal: AbortSignal,
  limitMs = PAGE_LIMIT_MS,
): Promise<T | null> {
  const { url, key, secret } = address;
  const limit = AbortSignal.timeout(limitMs);
  const target = `${path.startsWith('/models') ? apiBase(url) : rootOf(url)}${path}`;
  try {
    return await fetchPage(target, address, schema, AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) throw tooLate(`${path} of ${url}`, limitMs);
    throw toModelError(error, `${path} of ${url}`, key, secret);
  }
}

async function fetchPage<T>(
  target: string,
  address: ServerAddress,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T | null> {
  const { key, secret } = address;
  const { fetch, close } = connect(address, signal);
  try {
    const response = await fetch(target, { headers: keyHeader(key) });
    if (NO_SUCH_PAGE.has(response.status)) return null;
    if (!response.ok) throw new ServerRefusal(response.status, errorText(await readError(response.body, secret)));
    const text = await readWhole(response, WHOLE_ANSWER_BYTES);
    const said = schema.safeParse(jsonOr(text));
    if (said.success) return said.data;
    throw new ServerRefusal(
      502,
      `the answer of ${target} is not that of a model server: ${withoutKey(text, secret).slice(0, 200)}`,
    );
  } finally {
    await close();
  }
}

function tooLate(what: string, limitMs: number): DeckhandError {
  const seconds = Math.round(limitMs / 1000);
  return new DeckhandError('model_not_ready', `${what} did not come within ${seconds} s`, {
    userMessage: `The model server did not answer within ${seconds} s.`,
    hint: 'It may be loading a model: try again later, and look into its log.',
  });
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

/** The words of a server instead of an answer. @param status null where it came in the middle of an answer */
class ServerRefusal extends Error {
  readonly status: number | null;
  /** It asks for another try not before this time is over. */
  readonly retryAfterMs: number | null;
  constructor(status: number | null, said: string, retryAfterMs: number | null = null) {
    super(said === '' && status !== null ? String(status) : said);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
