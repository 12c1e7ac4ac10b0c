/**
 * One connection to an Ollama server per request: the npm client with a fetch of our own.
 *
 * The client alone cannot cancel a request that has no headers yet (they arrive with the first token), Node's fetch ends an answer after
 * 300 s of silence, and the client prints to the console when an error is not JSON. Our fetch carries the caller's signal, has no limits of
 * its own (each step above it has one), and hands every error over as JSON. The agent belongs to the request, so closing it closes the
 * socket and the server stops generating.
 */
import { Ollama } from 'ollama';
import { Agent, Response as UndiciResponse, fetch as undiciFetch } from 'undici';

const CONNECT_TIMEOUT_MS = 10_000;
/** Answers that are read as a whole, and their most bytes: a list is far below a megabyte, a model may come with its vocabulary. */
const WHOLE_ANSWERS = /\/api\/(?:ps|tags|version|show)$/u;
const MODEL_BYTES = 64 * 1024 * 1024;
const WHOLE_ANSWER_BYTES = 16 * 1024 * 1024;
const ERROR_BYTES = 64 * 1024;

/** A server, and its key. */
export interface OllamaHost {
  /** Its base URL. */
  readonly url: string;
  /** Sent as a bearer token; null = none is sent. */
  readonly key: string | null;
}

/** A client for one request. `close` ends the request where it still runs. @throws the signal's reason where it has fired */
export function openOllama(
  { url: host, key }: OllamaHost,
  signal: AbortSignal,
): { readonly ollama: Ollama; readonly close: () => Promise<void> } {
  signal.throwIfAborted();
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_TIMEOUT_MS } });
  const ownFetch = async (url: string, init: FetchInit = {}): Promise<UndiciResponse> => {
    const signals = init.signal ? [init.signal, signal] : [signal];
    const response = await undiciFetch(url, { ...init, signal: AbortSignal.any(signals), dispatcher: agent });
    if (!response.ok) return asJsonError(response);
    const { pathname } = new URL(url);
    if (!WHOLE_ANSWERS.test(pathname)) return response;
    return whole(response, pathname.endsWith('/show') ? MODEL_BYTES : WHOLE_ANSWER_BYTES);
  };
  // The package's Response is undici's own, the same class as Node's in all that the client uses.
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const ollama = new Ollama({ host, headers, fetch: ownFetch as unknown as typeof fetch });
  return { ollama, close: () => agent.destroy() };
}

type FetchInit = NonNullable<Parameters<typeof undiciFetch>[1]>;

/** The same answer, fully read. @throws Error when it is too long */
async function whole(response: UndiciResponse, mostBytes: number): Promise<UndiciResponse> {
  const { text, isCut } = await textOf(response, mostBytes);
  if (isCut) throw new Error(`the answer is longer than ${mostBytes} bytes`);
  const { status, statusText } = response;
  return new UndiciResponse(text, { status, statusText, headers: { 'content-type': 'application/json' } });
}

/** No more of a body than so many bytes. */
async function textOf(
  response: UndiciResponse,
  mostBytes: number,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  if (response.body === null) return { text: '', isCut: false };
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return { text, isCut: true };
    text += decoder.decode(chunk, { stream: true });
  }
  return { text: text + decoder.decode(), isCut: false };
}

/** The same error as `{"error": string}`, whatever a proxy made of it. */
async function asJsonError(response: UndiciResponse): Promise<UndiciResponse> {
  const { text } = await textOf(response, ERROR_BYTES);
  const body = JSON.stringify({ error: errorText(text) || `${response.status} ${response.statusText}`.trim() });
  return new UndiciResponse(body, {
    status: response.status,
    statusText: response.statusText,
    headers: { 'content-type': 'application/json' },
  });
}

/** The innermost message of an error body: newer servers put JSON inside the string. */
export function errorText(body: string): string {
  const text = body.trim();
  if (!text.startsWith('{')) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return text;
    if ('error' in parsed) {
      return typeof parsed.error === 'string' ? errorText(parsed.error) : errorText(JSON.stringify(parsed.error));
    }
    if ('message' in parsed && typeof parsed.message === 'string') return parsed.message;
    return text;
  } catch {
    return text;
  }
}
