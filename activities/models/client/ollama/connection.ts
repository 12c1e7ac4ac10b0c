/** The npm client of Ollama over a connection of our own: it cannot cancel a request without headers, and prints errors that are not JSON. */
import { Ollama } from 'ollama';
import { Response as UndiciResponse } from 'undici';
import { connect, readError, readWhole, type ServerAddress } from '../connection.ts';
import { errorText } from '../faults.ts';

/** Answers that are read as a whole, and their most bytes: a list is far below a megabyte, a model may come with its vocabulary. */
const WHOLE_ANSWERS = /\/api\/(?:ps|tags|version|show)$/u;
const MODEL_BYTES = 64 * 1024 * 1024;
const WHOLE_ANSWER_BYTES = 16 * 1024 * 1024;

/** A client for one request. `close` ends the request where it still runs. @throws the signal's reason where it has fired */
export function openOllama(
  address: ServerAddress,
  signal: AbortSignal,
): { readonly ollama: Ollama; readonly close: () => Promise<void> } {
  const { url: host, key, secret } = address;
  const connection = connect(address, signal);
  const ownFetch: typeof connection.fetch = async (url, init) => {
    const response = await connection.fetch(url, init);
    if (!response.ok) return asJsonError(response, secret);
    const { pathname } = new URL(url);
    if (!WHOLE_ANSWERS.test(pathname)) return response;
    return json(response, await readWhole(response, pathname.endsWith('/show') ? MODEL_BYTES : WHOLE_ANSWER_BYTES));
  };
  // The package's Response is undici's own, the same class as Node's in all that the client uses.
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const ollama = new Ollama({ host, headers, fetch: ownFetch as unknown as typeof fetch });
  return { ollama, close: connection.close };
}

/** The same error as `{"error": string}`, whatever a proxy made of it. */
async function asJsonError(response: UndiciResponse, secret: string | null): Promise<UndiciResponse> {
  const said = errorText(await readError(response.body, secret));
  return json(response, JSON.stringify({ error: said || `${response.status} ${response.statusText}`.trim() }));
}

const json = ({ status, statusText }: UndiciResponse, body: string): UndiciResponse =>
  new UndiciResponse(body, { status, statusText, headers: { 'content-type': 'application/json' } });
