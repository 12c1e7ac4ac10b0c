/**
 * The second face of the reader: OpenAI's protocol as vLLM 0.32 speaks it, over the same models, slots, faults and counters.
 *
 * Requests become those of the first face, and refusals are put into vLLM's words, because Deckhand's client classifies errors by them.
 */
import { randomUUID } from 'node:crypto';
import { READER_FAMILY, type ReaderModel } from './catalog.ts';
import type { AnswerFigures, AnswerWire } from './generate.ts';
import { booleanField, isObject, OllamaRefusal, stringField, type ChatMessage, type JsonObject } from './protocol.ts';
import type { ThinkingWish } from './script.ts';
import type { ReaderStats } from './stats.ts';

/** A chat request in the words of the first face. */
export interface OpenAiChat {
  readonly name: string;
  readonly messages: ChatMessage[];
  readonly format: unknown;
  readonly options: JsonObject;
  readonly stream: boolean;
  readonly includesUsage: boolean;
  readonly thinking: ThinkingWish;
}

/** Reads a request. @param windowTokens most tokens that may be asked for @throws OllamaRefusal 400 in vLLM's words */
export function chatOf(body: JsonObject, windowTokens: number): OpenAiChat {
  const mostTokens = body['max_completion_tokens'] ?? body['max_tokens'] ?? windowTokens;
  if (typeof mostTokens !== 'number' || mostTokens < 1)
    throw new OllamaRefusal(400, `max_tokens must be at least 1, got ${JSON.stringify(mostTokens)}.`);
  if (mostTokens > windowTokens)
    throw new OllamaRefusal(
      400,
      `max_tokens=${mostTokens} cannot be greater than max_model_len=${windowTokens}. Please request fewer output tokens. (parameter=max_tokens, value=${mostTokens})`,
    );
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0)
    throw new OllamaRefusal(400, 'Cannot apply chat template to an empty conversation. Provide at least one message.');
  const { stream_options: streamOptions, chat_template_kwargs: template } = body;
  return {
    name: stringField(body, 'model'),
    messages: messages.map(messageOf),
    format: formatOf(body['response_format']),
    options: {
      num_ctx: windowTokens,
      num_predict: mostTokens,
      temperature: body['temperature'],
      seed: body['seed'],
      top_p: body['top_p'],
      stop: typeof body['stop'] === 'string' ? [body['stop']] : body['stop'],
    },
    stream: booleanField(body, 'stream') ?? false,
    includesUsage: isObject(streamOptions) && streamOptions['include_usage'] === true,
    thinking: thinkingOf(body['reasoning_effort'], isObject(template) ? template['enable_thinking'] : undefined),
  };
}

function thinkingOf(effort: unknown, isEnabled: unknown): ThinkingWish {
  if (isEnabled === false || effort === 'none') return 'off';
  if (effort === 'low') return 'low';
  return isEnabled === true || effort !== undefined ? 'on' : 'unasked';
}

function messageOf(message: unknown): ChatMessage {
  if (!isObject(message)) throw new OllamaRefusal(400, '1 validation error: messages must be objects');
  const { content } = message;
  const role = stringField(message, 'role');
  if (typeof content === 'string') return { role, content, images: [] };
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return {
    role,
    content: parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n'),
    images: parts.flatMap(({ type, image_url: image }) => (type === 'image_url' ? [pictureOf(image)] : [])),
  };
}

function pictureOf(image: unknown): Buffer {
  const url = isObject(image) ? stringField(image, 'url') : '';
  const base64 = /^data:image\/[\w+.-]+;base64,([A-Za-z0-9+/]+={0,2})$/u.exec(url)?.[1];
  if (base64 === undefined) throw new OllamaRefusal(400, 'Non-base64 digit found');
  return Buffer.from(base64, 'base64');
}

function formatOf(format: unknown): unknown {
  if (!isObject(format) || format['type'] === 'text') return undefined;
  if (format['type'] === 'json_object') return 'json';
  const { json_schema: named } = format;
  if (isObject(named) && isObject(named['schema'])) return named['schema'];
  throw new OllamaRefusal(400, 'You must use one kind of structured outputs constraint but none are specified');
}

/** The parts of an answer as chunks of events, or as one body. @param onEnd told the tokens of the whole answer */
export function openAiWire(
  { name, stream, includesUsage }: OpenAiChat,
  onEnd: (figures: AnswerFigures) => void,
): AnswerWire {
  const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model: name };
  const event = (body: object): string =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...body })}\n\n`;
  const delta = (of: object, finish: string | null): string =>
    event({ choices: [{ index: 0, delta: of, logprobs: null, finish_reason: finish }] });
  let hasRole = false;
  const opened = (of: object): string => {
    const role = hasRole ? '' : delta({ role: 'assistant', content: '' }, null);
    hasRole = true;
    return `${role}${delta(of, null)}`;
  };
  return {
    contentType: 'text/event-stream; charset=utf-8',
    piece: (content) => opened({ content }),
    thought: (reasoning) => opened({ reasoning }),
    end: (content, figures) => {
      onEnd(figures);
      const finish = figures.isCut ? 'length' : 'stop';
      const usage = {
        prompt_tokens: figures.promptTokens,
        completion_tokens: figures.outputTokens,
        total_tokens: figures.promptTokens + figures.outputTokens,
      };
      if (!stream) {
        const message = { role: 'assistant', content, reasoning: null };
        const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
        return JSON.stringify({ ...head, object: 'chat.completion', choices, usage });
      }
      return [
        delta({ content: '' }, finish),
        ...(includesUsage ? [event({ choices: [], usage })] : []),
        'data: [DONE]\n\n',
      ].join('');
    },
  };
}

/** Refusals of the first face, and how vLLM says them. */
const WORDS: readonly (readonly [RegExp, number, (window: number) => string])[] = [
  [
    /exceeds the context length/u,
    400,
    (window) =>
      `This model's maximum context length is ${window} tokens. However, your prompt contains at least ${window + 1} input tokens, which exceeds this limit even without any output tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=${window + 1})`,
  ],
  [/image: unknown format/u, 400, () => 'Failed to load image: cannot identify image file'],
  [
    /maximum pending requests/u,
    503,
    () =>
      'The engine is currently busy and cannot accept new requests. Please try again later or on a different instance.',
  ],
];

const TYPES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  404: 'NotFoundError',
  503: 'Service Unavailable',
};

/** The body of an error and its status. */
export function errorOf(
  { status: own, message }: OllamaRefusal,
  windowTokens: number,
): { readonly status: number; readonly body: object } {
  const missing = /^model '(.*)' not found$/u.exec(message)?.[1];
  const [, status = own, words] = WORDS.find(([pattern]) => pattern.test(message)) ?? [];
  const said = missing === undefined ? (words?.(windowTokens) ?? message) : `The model \`${missing}\` does not exist.`;
  const type = TYPES[status] ?? 'InternalServerError';
  return { status, body: { error: { message: said, type, param: null, code: status } } };
}

/** Entry of `/v1/models`. The owner of the reader's own models says what they are; every other one is a model of vLLM. @param root path of its files, or repository and revision */
export const modelEntry = (
  { name, family = READER_FAMILY }: ReaderModel,
  root: string,
  windowTokens: number,
): object => ({
  id: name,
  object: 'model',
  created: Math.floor(Date.now() / 1000),
  owned_by: family === READER_FAMILY ? READER_FAMILY : 'vllm',
  root,
  parent: null,
  max_model_len: windowTokens,
});

/** Tokens since the start. */
export interface TokenCounts {
  promptTokens: number;
  outputTokens: number;
}

/** The page for Prometheus. */
export function metricsPage({ open, inFlight }: ReaderStats, { promptTokens, outputTokens }: TokenCounts): string {
  const figures: readonly (readonly [string, string, number])[] = [
    ['num_requests_running', 'gauge', inFlight],
    ['num_requests_waiting', 'gauge', open - inFlight],
    ['kv_cache_usage_perc', 'gauge', 0],
    ['prompt_tokens_total', 'counter', promptTokens],
    ['generation_tokens_total', 'counter', outputTokens],
  ];
  return figures
    .map(
      ([name, type, value]) => `# TYPE vllm:${name} ${type}\nvllm:${name}{engine="0",model_name="reader"} ${value}\n`,
    )
    .join('');
}
