/** Answers of a server that speaks OpenAI's protocol: the body of a request, and its parts in our words. */
import type { OpenAI } from 'openai';
import { DeckhandError } from '../../../../domain/errors.ts';
import type { ServerAddress } from '../connection.ts';
import { toModelError } from '../faults.ts';
import type { ChatEnd, ChatPart, ChatRequest } from '../model-server.ts';
import { asRefusal, openClient } from './connection.ts';
import { dialectAfter, Dialects, type Dialect } from './dialect.ts';

type Body = OpenAI.ChatCompletionCreateParamsStreaming;
type Chunk = OpenAI.ChatCompletionChunk;

/** Fields that single kinds of servers take; see `thinkFields`. */
interface Extension {
  readonly chat_template_kwargs?: Readonly<Record<string, unknown>>;
}

const dialects = new Dialects();

/** See `ModelServer.chat`. A request that is refused for a field before its first token is sent again without it. */
export async function* chat(
  address: ServerAddress,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatPart> {
  const key = {
    server: address.url,
    model: request.model,
    schema: request.schema === null ? '' : schemaNameOf(request.schema),
  };
  let dialect = dialects.of(key);
  let room: number | null = null;
  for (;;) {
    let hasBegun = false;
    try {
      for await (const part of chatOnce(
        address,
        room === null ? request : { ...request, mostTokens: room },
        dialect,
        signal,
      )) {
        // A refusal may name a field by chance. The answer without it shows that it was the reason.
        if (!hasBegun) dialects.learn(key, dialect);
        hasBegun = true;
        yield part;
      }
      return;
    } catch (error) {
      if (hasBegun || !(error instanceof DeckhandError)) throw error;
      const left: number | null = room === null ? roomLeft(error, request.mostTokens) : null;
      if (left !== null) {
        room = left;
        continue;
      }
      const next = dialectAfter(dialect, error, request);
      if (next === null) throw error;
      dialect = next;
    }
  }
}

/** The least room for an answer that is asked for instead of the one that does not fit. */
const LEAST_ROOM = 64;

/** Answers alone that are too long: vLLM's for the window, a hosted model's for what it writes at most. */
const ANSWER_TOO_LONG =
  /cannot be greater than max_model_len=(\d+)|max_(?:completion_)?tokens.* at most (\d+) (?:completion|output) tokens/iu;

/**
 * Room for an answer, by a refusal of the most tokens that were asked for: servers count them as if they were written, together with the prompt or
 * alone. Null where the prompt alone does not fit, or the refusal gives no numbers.
 */
export function roomLeft({ code, message }: DeckhandError, mostTokens: number): number | null {
  const [, window, written] = ANSWER_TOO_LONG.exec(message) ?? [];
  const left =
    window === undefined && written === undefined ? roomBeside({ code, message }) : Number(window ?? written);
  return left >= LEAST_ROOM && left < mostTokens ? left : null;
}

/** Room that the prompt leaves in the window; NaN where that is not the matter. */
function roomBeside({ code, message }: Pick<DeckhandError, 'code' | 'message'>): number {
  if (code !== 'prompt_too_long') return Number.NaN;
  const window = Number(/maximum (?:context|model) length (?:is|of) (\d+)/iu.exec(message)?.[1]);
  const prompt = Number(
    /(\d+) (?:input tokens|in the messages|tokens (?:from|in) the (?:input|messages))/iu.exec(message)?.[1],
  );
  return window - prompt;
}

/** An answer that has not ended: what its chunks have said of its end. */
interface Ending {
  readonly reason: string | null;
  readonly usage: OpenAI.CompletionUsage | null;
  readonly timings: Timings;
  readonly fingerprint: string | null;
}

/** llama-server's times of an answer. */
interface Timings {
  readonly prompt_ms?: unknown;
  readonly predicted_ms?: unknown;
  readonly cache_n?: unknown;
}

const NOTHING_SAID: Ending = { reason: null, usage: null, timings: {}, fingerprint: null };

async function* chatOnce(
  address: ServerAddress,
  request: ChatRequest,
  dialect: Dialect,
  signal: AbortSignal,
): AsyncGenerator<ChatPart> {
  const { client, close } = openClient(address, signal);
  let ending = NOTHING_SAID;
  try {
    const stream = await client.chat.completions.create(bodyOf(request, dialect), { signal });
    for await (const chunk of stream) {
      const [choice] = chunk.choices ?? [];
      const text = textOf(choice, ['content']);
      const thinking = textOf(choice, ['reasoning_content', 'reasoning']);
      if (text !== '' || thinking !== '') yield { text, thinking, end: null };
      ending = endingAfter(ending, chunk);
    }
    yield { text: '', thinking: '', end: endOf(ending) };
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(asRefusal(error), `chat with ${request.model} at ${address.url}`, address.key, address.secret);
  } finally {
    await close();
  }
}

/** The answer of a server is not trusted to match the client's types. */
function textOf(choice: Chunk['choices'][number] | undefined, fields: readonly string[]): string {
  const delta: unknown = choice?.delta;
  if (typeof delta !== 'object' || delta === null) return '';
  const [text = ''] = fields.flatMap((field) => {
    const value: unknown = Reflect.get(delta, field);
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  return text;
}

function endingAfter(ending: Ending, chunk: Chunk): Ending {
  const timings: unknown = 'timings' in chunk ? chunk.timings : null;
  return {
    reason: chunk.choices?.[0]?.finish_reason ?? ending.reason,
    usage: chunk.usage ?? ending.usage,
    timings: typeof timings === 'object' && timings !== null ? timings : ending.timings,
    fingerprint: chunk.system_fingerprint ?? ending.fingerprint,
  };
}

/** Reasons of an answer that was cut, by server. */
const CUT: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length']);

/** @throws Error for an answer that did not come to its end; DeckhandError for one that the server withholds */
function endOf({ reason, usage, timings, fingerprint }: Ending): ChatEnd {
  switch (reason) {
    case null:
      throw new Error('unexpected EOF: the answer ended without saying why');
    case 'content_filter':
      throw new DeckhandError('model_input_rejected', 'the server withholds the answer: content_filter', {
        userMessage: 'The model server refused to answer: its content filter withheld the answer.',
      });
    case 'abort':
    case 'error':
      throw new Error(`unexpected EOF: the server ended the answer (${reason})`);
    default:
      return {
        isCut: CUT.has(reason),
        loop: null,
        promptTokens: countOf(usage?.prompt_tokens),
        outputTokens: countOf(usage?.completion_tokens),
        loadMs: null,
        readMs: durationOf(timings.prompt_ms),
        writeMs: durationOf(timings.predicted_ms),
        cachedTokens: countOf(usage?.prompt_tokens_details?.cached_tokens) ?? countOf(timings.cache_n) ?? 0,
        fingerprint,
      };
  }
}

/** Largest number that is stored. */
const MOST = 2 ** 31 - 1;

/** A duration in ms that makes sense; null = the server does not say it. */
const durationOf = (said: unknown): number | null =>
  typeof said === 'number' && said >= 0 && said <= MOST ? said : null;
/** The same of a count. */
const countOf = (said: unknown): number | null => (Number.isInteger(said) ? durationOf(said) : null);

/** Name of a schema in a request: letters, digits, dashes and underscores, at most 64. */
const schemaNameOf = (schema: object): string =>
  ('title' in schema && typeof schema.title === 'string' ? schema.title : 'answer')
    .replaceAll(/[^\w-]+/gu, '_')
    .slice(0, 64);

function bodyOf(request: ChatRequest, dialect: Dialect): Body & Extension {
  const { model, mostTokens, temperature, topP, seed } = request;
  return {
    model,
    messages: messagesOf(request, dialect),
    ...formatOf(request, dialect),
    stream: true,
    ...(dialect.has('no_stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...(dialect.has('completion_tokens') ? { max_completion_tokens: mostTokens } : { max_tokens: mostTokens }),
    ...(dialect.has('no_temperature') ? {} : { temperature }),
    ...(dialect.has('no_seed') ? {} : { seed }),
    ...(topP === undefined || dialect.has('no_top_p') ? {} : { top_p: topP }),
    ...thinkFields(request),
  };
}

function formatOf({ schema }: ChatRequest, dialect: Dialect): Pick<Body, 'response_format'> {
  if (schema === null || dialect.has('no_format')) return {};
  if (dialect.has('any_object')) return { response_format: { type: 'json_object' } };
  const strict = !dialect.has('loose_schema');
  const json_schema = { name: schemaNameOf(schema), schema: { ...schema }, strict };
  return { response_format: { type: 'json_schema', json_schema } };
}

/**
 * Templates of conversations want the roles to alternate, and some know no instructions. Pictures stand before the text of their message, and the
 * instructions before them, so that what was computed for them is used again for the next picture.
 */
function messagesOf({ messages, schema }: ChatRequest, dialect: Dialect): Body['messages'] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const asked = messages.filter(({ role }) => role === 'user');
  const isMerged = dialect.has('no_system');
  const isToldSchema = schema !== null && (dialect.has('any_object') || dialect.has('no_format'));
  const text = [
    ...(isMerged ? system : []),
    ...asked.map(({ content }) => content),
    ...(isToldSchema
      ? [`Answer with one JSON object and nothing else. Its JSON schema: ${JSON.stringify(schema)}`]
      : []),
  ].join('\n\n');
  const pictures = asked.flatMap(({ images = [] }) => images);
  return [
    ...(isMerged || system.length === 0 ? [] : [{ role: 'system' as const, content: system.join('\n\n') }]),
    {
      role: 'user',
      content:
        pictures.length === 0
          ? text
          : [
              ...pictures.map((bytes) => ({ type: 'image_url' as const, image_url: { url: dataUrl(bytes) } })),
              { type: 'text', text },
            ],
    },
  ];
}

const PNG_BEGIN = 0x89;
const dataUrl = (bytes: Uint8Array): string =>
  `data:image/${bytes[0] === PNG_BEGIN ? 'png' : 'jpeg'};base64,${Buffer.from(bytes).toString('base64')}`;

/**
 * Thinking is a matter of the template of the conversation; templates without it ignore the wish. A hosted server may refuse the field, which is
 * learned as every refusal of thinking.
 */
function thinkFields({ thinking }: ChatRequest): Extension & Pick<Body, 'reasoning_effort'> {
  switch (thinking) {
    case 'off':
      return { chat_template_kwargs: { enable_thinking: false } };
    case 'low':
      return { reasoning_effort: 'low' };
    case 'leave':
      return {};
  }
}
