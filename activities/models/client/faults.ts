/**
 * Tells the faults of a model server apart by status and message, across kinds of servers and their versions.
 *
 * Servers answer the same fault with different codes (an undecodable image is 400 in Ollama 0.34 and 500 in 0.24; a dead runner is 500 or
 * a line inside a stream that began with 200), so the message decides first and the status second. What is permanent and what is
 * retried is the error table's business (domain/errors.ts).
 */
import { DeckhandError, type ErrorCode } from '../../../domain/errors.ts';
import { plainText } from '../../../domain/text/plain-text.ts';
import { RedirectRefused, withoutKey } from './connection.ts';

/** For people, where no server answers. */
export const UNREACHABLE = 'The model server cannot be reached.';
/** Characters kept of a server's words. */
const LONGEST_SHOWN = 500;
/** Characters by which faults are told apart: the patterns take the square of the time, and a server may say much. */
const LONGEST_JUDGED = 8192;
const LONGEST_RETRY_AFTER_MS = 15 * 60_000;

/** Message classes, in order: the first that matches decides. */
const MESSAGE_CLASSES: readonly (readonly [RegExp, ErrorCode])[] = [
  [
    /exceed_context_size|exceeds? the (?:available )?context (?:length|size)|input length exceeds|context_length_exceeded|maximum context length|maximum (?:model|input) length|max_tokens must be at least 1, got (?:0|-\d)|prompt is too long|(?:longer|greater) than the (?:model's )?context length|exceeds the (?:context window|maximum number of tokens)|must have less than \d+ tokens|must be <= \d+\. Given: \d+ `inputs` tokens/i,
    'prompt_too_long',
  ],
  [
    /\bloading model\b|requires more system memory|cudaMalloc|out of memory|timed out waiting for .*runner|unable to load model|error loading model/i,
    'model_not_ready',
  ],
  // llama-server whose slots share one window: the other calls fill it.
  [/maximum pending requests|server busy|context size has been exceeded/i, 'model_busy'],
  [
    /engine ?core|engine.*\bdead\b|unexpectedly stopped|signal arrived|unexpected EOF|: EOF$|runner (?:process )?(?:has )?(?:terminated|crashed|no longer running)|exit status|connection reset|broken pipe/i,
    'model_crashed',
  ],
  [
    /illegal base64|invalid image index|failed to load image|image or audio|unknown format|image: |decode image|missing data required for image|image input is not supported|does not support image|doesn't support image|multimodal/i,
    'model_input_rejected',
  ],
  [/model .*(?:not found|does not exist)|try pulling it first|file does not exist/i, 'model_not_ready'],
  [
    /invalid json schema|response_format|failed to parse grammar|invalid format|json_schema|cannot unmarshal|must be of type|does not support thinking|jinja exception|grammar stack/i,
    'model_input_rejected',
  ],
];

/** The account is at its end, which is said with the status of a busy server. */
const NO_CREDIT = /insufficient_quota|exceeded your current quota|insufficient (?:balance|credits?|funds)/iu;

/** Words of our own way to an endpoint, whose key it adds itself (workers/gateway/endpoint-machine.ts). */
const BEHIND_ENDPOINT = /\bthe endpoint \S+ ((?:wants a|refuses the) key \(\d+\))/u;

/** Errors of the socket or of fetch, by their code. */
const TRANSPORT_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/** Reasons of a connection that stands but cannot be trusted or understood, by the begin of their code. */
const UNUSABLE: readonly (readonly [RegExp, string])[] = [
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate of the server is for another name'],
  [/^CERT_HAS_EXPIRED$/, 'the certificate of the server has expired'],
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|CERT_)/,
    'the certificate of the server is not trusted',
  ],
  [/^(?:ERR_SSL_|EPROTO$)/, 'the server does not speak TLS'],
  [/^(?:HPE_|HTTPParserError$)/, 'the server does not speak HTTP'],
];

/** Status and message of a failed request; status is null where the failure came inside a stream or from the socket. */
export interface ServerFault {
  readonly status: number | null;
  readonly message: string;
}

/** The error code of an answer that is an error. */
export function classifyServerFault(fault: ServerFault): ErrorCode {
  const message = errorText(fault.message).slice(0, LONGEST_JUDGED);
  for (const [pattern, code] of MESSAGE_CLASSES) if (pattern.test(message)) return code;
  return classifyStatus(fault.status);
}

function classifyStatus(status: number | null): ErrorCode {
  switch (status) {
    case null:
      return 'model_crashed';
    // No answer of the model server: what stands before it wants a key.
    case 401:
    case 403:
      return 'model_unreachable';
    case 404:
      return 'model_not_ready';
    case 429:
    case 503:
      return 'model_busy';
    case 408:
    case 499:
    case 502:
    case 504:
      return 'model_unreachable';
    default:
      return status >= 500 ? 'model_crashed' : 'model_input_rejected';
  }
}

/**
 * Turns whatever a request threw into one of our errors.
 * @param what the request in words, for the message: "chat with gemma3:12b at http://…".
 * @param key that the request bore; null = none
 * @param secret that stands in no error, so what was thrown is no cause of it then; the key by default
 */
export function toModelError(error: unknown, what: string, key: string | null = null, secret = key): DeckhandError {
  const own = ownError(error);
  if (own !== null) return own;
  const message = error instanceof Error ? error.message : String(error);
  const cause = secret === null ? error : undefined;
  const unusable = error instanceof Error ? unusableWords(error) : null;
  if (unusable !== null) {
    const words = withoutKey(unusable, secret);
    return new DeckhandError('model_unreachable', `${what}: ${words}`, {
      userMessage: `The model server cannot be used: ${words}.`,
      hint: 'Correct its URL, or what answers there.',
      cause,
    });
  }
  // It is stored with the call.
  const shown = plainText(withoutKey(errorText(message), secret), LONGEST_SHOWN);
  const transport = transportCode(error);
  if (transport !== null) {
    return new DeckhandError('model_unreachable', `${what}: ${shown} (${transport})`, {
      userMessage: UNREACHABLE,
      cause,
    });
  }
  const status = statusOf(error);
  const code = classifyServerFault({ status, message });
  const internal = `${what}: ${status === null ? '' : `${status} `}${shown}`;
  if (status === 402 || NO_CREDIT.test(shown))
    return new DeckhandError('model_unreachable', internal, {
      userMessage: 'The account at the model server has no credit left.',
      hint: 'Add credit to it, or raise its limit.',
      cause,
    });
  if (status === 401 || status === 403)
    return new DeckhandError(code, internal, {
      userMessage: `The model server ${key === null ? 'wants a key' : 'refuses the key'} (${status}).`,
      hint: key === null ? 'Name the file with its key: --key-file FILE.' : 'Correct the key in its file.',
      cause,
    });
  const [, keyWords] = BEHIND_ENDPOINT.exec(shown) ?? [];
  if (keyWords !== undefined)
    return new DeckhandError(code, internal, { userMessage: `The model server ${keyWords}.`, cause });
  return new DeckhandError(code, internal, {
    userMessage: USER_MESSAGES[code] ?? 'The model server answered with an error.',
    ...retryAfterOf(error, code),
    cause,
  });
}

/** True for a server that wants another key, or any. */
export const isAboutKey = ({ code, userMessage }: DeckhandError): boolean =>
  code === 'model_unreachable' && /\b(?:wants a|refuses the) key\b/u.test(userMessage);

/** An error of ours among the causes, such as a refused connection; null = there is none. */
function ownError(error: unknown): DeckhandError | null {
  for (let current = error; current instanceof Error; current = current.cause)
    if (current instanceof DeckhandError) return current;
  return null;
}

/** A busy server may say for how long. It is believed up to a limit, as every call to it waits. */
function retryAfterOf(error: unknown, code: ErrorCode): { readonly retryAfterMs?: number } {
  if (code !== 'model_busy' || typeof error !== 'object' || error === null) return {};
  const asked = 'retryAfterMs' in error ? error.retryAfterMs : null;
  return typeof asked === 'number' ? { retryAfterMs: Math.min(asked, LONGEST_RETRY_AFTER_MS) } : {};
}

const USER_MESSAGES: Partial<Record<ErrorCode, string>> = {
  prompt_too_long: 'The text is longer than the model can read at once.',
  model_not_ready: 'The model is not ready on this server.',
  model_busy: 'The model server is busy.',
  model_crashed: 'The model server failed while it was answering.',
  model_input_rejected: 'The model server refused the input.',
  model_unreachable: UNREACHABLE,
};

/** The npm clients name it differently. */
function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null;
  const status = 'status_code' in error ? error.status_code : 'status' in error ? error.status : null;
  return typeof status === 'number' ? status : null;
}

/** Why a connection cannot be used, by the error or one of its causes; null = by another reason, or it can. */
function unusableWords(error: Error): string | null {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current instanceof RedirectRefused) return current.message;
    // The parser gives a code to some of its errors only.
    const code = 'code' in current && typeof current.code === 'string' ? current.code : current.name;
    const found = UNUSABLE.find(([pattern]) => pattern.test(code));
    if (found !== undefined) return `${found[1]} (${code})`;
  }
  return null;
}

/** The code of a broken connection, or null if the server did answer. */
function transportCode(error: unknown): string | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string' && TRANSPORT_CODES.has(current.code)) return current.code;
    // Several addresses, all refused.
    if (current instanceof AggregateError) {
      for (const inner of current.errors) {
        const code = transportCode(inner);
        if (code !== null) return code;
      }
    }
  }
  // undici's words for a socket that closed inside the body, without a code in some versions.
  if (error instanceof TypeError && /^(terminated|fetch failed)$/.test(error.message)) return error.message;
  return null;
}

/** The innermost message of an error body: servers put JSON inside the string, or name the message differently. */
export function errorText(body: string): string {
  const text = body.trim();
  if (!text.startsWith('{')) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return text;
    if ('error' in parsed) {
      return typeof parsed.error === 'string' ? errorText(parsed.error) : errorText(JSON.stringify(parsed.error));
    }
    const { message, detail, code } = parsed as Partial<Record<'message' | 'detail' | 'code', unknown>>;
    const said = [message, detail].find((each) => typeof each === 'string');
    if (said === undefined) return text;
    // The trace of a template ends in its reason.
    const reason = /Jinja Exception: [^]*$/u.exec(said)?.[0] ?? said;
    return typeof code === 'string' && code !== '' && !reason.includes(code) ? `${reason} (${code})`.trim() : reason;
  } catch {
    return text;
  }
}
