/**
 * Requests of Ollama's protocol: valid bodies, and the statuses and messages with which Ollama 0.24 refuses others.
 *
 * Messages are copied from the server's source, because Deckhand's client classifies errors by them.
 */

/** A refusal in Ollama's shape: `{"error": string}` with an HTTP status. */
export class OllamaRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'OllamaRefusal';
    this.status = status;
  }
}

export type JsonObject = Record<string, unknown>;

/** True for a JSON object (not an array, not null). */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a body. @throws OllamaRefusal with Go's message for invalid JSON, and `missing request body` for an empty body */
export function parseBody(raw: string): JsonObject {
  if (raw.trim() === '') throw new OllamaRefusal(400, 'missing request body');
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    const first = raw.trimStart()[0] ?? '';
    const words = '{["'.includes(first)
      ? 'unexpected EOF'
      : `invalid character '${first}' looking for beginning of value`;
    throw Object.assign(new OllamaRefusal(400, words), { cause: error });
  }
  if (!isObject(value))
    throw new OllamaRefusal(
      400,
      `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value`,
    );
  return value;
}

function wrongType(field: string, value: unknown, type: string): OllamaRefusal {
  return new OllamaRefusal(
    400,
    `json: cannot unmarshal ${typeof value} into Go struct field .${field} of type ${type}`,
  );
}

/** The field as a string; absent = empty. @throws OllamaRefusal for another type */
export function stringField(body: JsonObject, field: string): string {
  const value = body[field] ?? '';
  if (typeof value === 'string') return value;
  throw wrongType(field, value, 'string');
}

/** The field as a boolean; undefined if absent. @throws OllamaRefusal for another type */
export function booleanField(body: JsonObject, field: string): boolean | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  throw wrongType(field, value, 'bool');
}

/** Position at which Go's decoder finds the first error in base64 text; null if valid. Like Go, it ignores newlines. */
function base64Fault(text: string): number | null {
  const bad = /[^A-Za-z0-9+/=\r\n]/u.exec(text);
  const clean = text.replaceAll(/[\r\n]/gu, '');
  const padding = clean.indexOf('=');
  if (bad !== null && (padding === -1 || bad.index < padding)) return bad.index;
  if (padding !== -1) {
    const sound = clean.length % 4 === 0 && /^={1,2}$/u.test(clean.slice(padding)) && clean.length - padding <= 2;
    return sound ? null : padding;
  }
  return clean.length % 4 === 0 ? null : clean.length - (clean.length % 4);
}

/** Decodes the images of a message. @throws OllamaRefusal for invalid base64 */
export function decodeImages(value: unknown): Buffer[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value))
    throw new OllamaRefusal(400, 'json: cannot unmarshal into Go struct field .images of type []api.ImageData');
  return value.map((image: unknown) => {
    if (typeof image !== 'string')
      throw new OllamaRefusal(400, 'json: cannot unmarshal into Go struct field .images of type api.ImageData');
    const fault = base64Fault(image);
    if (fault !== null) throw new OllamaRefusal(400, `illegal base64 data at input byte ${fault}`);
    return Buffer.from(image, 'base64');
  });
}

/** True if the bytes start like an image that Ollama's vision models decode (JPEG, PNG, WebP). */
export function isDecodableImage(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 12).toString('latin1');
  return (
    head.startsWith('\xFF\xD8\xFF') ||
    head.startsWith('\x89PNG\r\n') ||
    (head.startsWith('RIFF') && head.slice(8) === 'WEBP')
  );
}

/** Go's largest duration, in milliseconds: the model stays loaded for ever. */
export const FOREVER_MS = 9_223_372_036_854;
const DURATION_UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** `keep_alive` in milliseconds: a number of seconds or a Go duration; negative = for ever; undefined if absent. */
export function keepAliveMs(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return value < 0 ? FOREVER_MS : value * 1000;
  if (typeof value !== 'string')
    throw new OllamaRefusal(
      400,
      `Unsupported type: '${typeof value === 'boolean' ? 'bool' : 'map[string]interface {}'}'`,
    );
  const text = value.replace(/^[+-]/u, '');
  if (text === '0') return 0;
  if (/^[\d.]+$/u.test(text)) throw new OllamaRefusal(400, `time: missing unit in duration ${JSON.stringify(value)}`);
  if (!/^(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/u.test(text))
    throw new OllamaRefusal(400, `time: invalid duration ${JSON.stringify(value)}`);
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/gu))
    total += Number(amount) * (DURATION_UNITS[unit ?? ''] ?? 0);
  return value.startsWith('-') && total > 0 ? FOREVER_MS : total;
}

/** Width and height of a JPEG or PNG, px; null for anything else. */
export function pictureSize(bytes: Buffer): { readonly width: number; readonly height: number } | null {
  if (bytes.subarray(0, 4).toString('latin1') === '\x89PNG')
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  // A JPEG is a list of segments; one that starts a frame holds the size.
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return null;
}

/** Options of a call that the reader uses. `reloadKey` differs when Ollama would reload the model. */
export interface CallOptions {
  readonly numCtx: number;
  /** Most tokens to generate. */
  readonly numPredict: number;
  readonly stop: readonly string[];
  readonly reloadKey: string;
}

const INTEGER_OPTIONS = [
  'num_ctx',
  'num_predict',
  'num_batch',
  'num_gpu',
  'num_thread',
  'num_keep',
  'main_gpu',
  'seed',
  'top_k',
  'repeat_last_n',
] as const;
const FLOAT_OPTIONS = [
  'temperature',
  'top_p',
  'min_p',
  'typical_p',
  'repeat_penalty',
  'presence_penalty',
  'frequency_penalty',
] as const;

/** Reads `options`. `minimumCtx`: vision models get at least 2048. `maximumCtx`: no larger window is given. @throws OllamaRefusal 500 for wrong types */
export function callOptions(value: unknown, minimumCtx: number, maximumCtx = Infinity): CallOptions {
  const options = isObject(value) ? value : {};
  const number = (name: string, fallback: number, kind: string): number => {
    const given = options[name];
    if (given === undefined || given === null) return fallback;
    if (typeof given !== 'number')
      throw new OllamaRefusal(500, `option ${JSON.stringify(name)} must be of type ${kind}`);
    return kind === 'integer' ? Math.trunc(given) : given;
  };
  for (const name of INTEGER_OPTIONS) number(name, 0, 'integer');
  for (const name of FLOAT_OPTIONS) number(name, 0, 'float32');
  const stop = options['stop'] ?? [];
  if (!Array.isArray(stop)) throw new OllamaRefusal(500, 'option "stop" must be of type array');
  const numCtx = Math.min(Math.max(number('num_ctx', 4096, 'integer'), minimumCtx), maximumCtx);
  const numPredict = number('num_predict', -1, 'integer');
  return {
    numCtx,
    numPredict: numPredict < 0 || numPredict > 10 * numCtx ? 10 * numCtx : numPredict,
    stop: stop.filter((word): word is string => typeof word === 'string' && word !== ''),
    reloadKey: JSON.stringify([
      numCtx,
      options['num_batch'] ?? null,
      options['num_gpu'] ?? null,
      options['num_thread'] ?? null,
      options['main_gpu'] ?? null,
      options['use_mmap'] ?? null,
    ]),
  };
}

/** A message of a chat; requests to `/api/generate` are turned into messages. */
export interface ChatMessage {
  readonly role: string;
  readonly content: string;
  readonly images: readonly Buffer[];
}

/** Messages of `/api/chat`. */
export function chatMessages(value: unknown): ChatMessage[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value))
    throw new OllamaRefusal(
      400,
      'json: cannot unmarshal into Go struct field ChatRequest.messages of type []api.Message',
    );
  return value.map((message: unknown) => {
    if (!isObject(message))
      throw new OllamaRefusal(
        400,
        'json: cannot unmarshal into Go struct field ChatRequest.messages of type api.Message',
      );
    return {
      role: stringField(message, 'role'),
      content: stringField(message, 'content'),
      images: decodeImages(message['images']),
    };
  });
}
