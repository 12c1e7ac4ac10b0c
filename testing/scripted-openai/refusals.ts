/**
 * Refusals of each server, in its words.
 *
 * vLLM 0.32 and llama-server b11434: as measured. vLLM 0.11 and 0.27 and Ollama 0.24: by their sources.
 * The hosted API and LM Studio: what their users reported.
 */
import { type ChatBody, limitOf, picturesOf, promptTokensOf, type Settings } from './settings.ts';

/** A status with its document; a text is sent as it is. */
export interface Document {
  readonly status: number;
  readonly body: object | string;
}

const STATUS = {
  bad_key: 401,
  forbidden: 403,
  unknown_model: 404,
  no_path: 404,
  no_method: 405,
  unknown_field: 400,
  max_tokens_refused: 400,
  temperature_refused: 400,
  bad_format: 400,
  no_tokens: 400,
  stream_options_refused: 400,
  too_long: 400,
  image_refused: 400,
  image_broken: 400,
  rate_limit: 429,
  internal: 500,
  overloaded: 503,
  loading: 503,
} as const;

export type Refusal = keyof typeof STATUS;

/** Values that the words of a refusal name. */
export interface Refused {
  readonly model?: string | undefined;
  readonly fields?: readonly string[];
  readonly path?: string;
  readonly promptTokens?: number;
  readonly outputTokens?: number;
}

/** Fields of a chat that the hosted API knows; it refuses all others. */
const HOSTED_FIELDS = new Set(
  `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities
   n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention reasoning_effort response_format
   safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity
   web_search_options`.split(/\s+/u),
);

/** First bytes of PNG, JPEG and WebP in base 64. */
const PICTURE = /^data:image\/(png|jpe?g|webp);base64,(?:iVBORw0KGgo|\/9j\/|UklGR)[\w+/]*=*$/u;

/** Why this server refuses a chat; null = it answers. */
export function refusalOf(settings: Settings, chat: ChatBody): [Refusal, Refused] | null {
  const { dialect, contextTokens } = settings;
  const isHosted = dialect === 'hosted';
  const fields = Object.keys(chat).filter(
    (field) => settings.refusedFields.includes(field) || (isHosted && !HOSTED_FIELDS.has(field)),
  );
  if (fields.length > 0) return ['unknown_field', { fields }];
  if (isHosted && settings.isReasoningModel) {
    if (chat.max_tokens !== undefined) return ['max_tokens_refused', {}];
    if ((chat.temperature ?? 1) !== 1) return ['temperature_refused', {}];
  }
  if (dialect === 'vllm') {
    if (chat.stream !== true && chat.stream_options !== undefined) return ['stream_options_refused', {}];
    if ((limitOf(chat) ?? 1) < 1) return ['no_tokens', { outputTokens: limitOf(chat) ?? 0 }];
  }
  if (dialect === 'lm-studio' && chat.response_format?.type === 'json_object') return ['bad_format', {}];
  const { model } = chat;
  const ignoresName =
    ((dialect === 'llama-server' || dialect === 'lm-studio') && settings.models.length === 1) ||
    (dialect === 'vllm' && model === undefined);
  const isKnown = settings.models.some(
    ({ id }) => id === model || (dialect === 'ollama-v1' && id === `${model}:latest`),
  );
  if (!isKnown && !ignoresName) return ['unknown_model', { model }];
  const pictures = picturesOf(chat);
  if (pictures.length > 0 && !settings.seesImages) return ['image_refused', { model }];
  const isBroken = (url: string): boolean => {
    const format = PICTURE.exec(url)?.[1];
    return format === undefined || (format === 'webp' && dialect === 'lm-studio');
  };
  if (pictures.some(isBroken)) return ['image_broken', {}];
  const promptTokens = promptTokensOf(chat);
  const outputTokens = limitOf(chat) ?? 0;
  const isTooLong = ((): boolean => {
    switch (dialect) {
      case 'vllm':
        return settings.vllm === '0.32'
          ? promptTokens > contextTokens || outputTokens > contextTokens
          : promptTokens + Math.max(1, outputTokens) > contextTokens;
      case 'ollama-v1':
        // It leaves out the oldest messages and says nothing.
        return false;
      case 'llama-server':
      case 'hosted':
      case 'lm-studio':
        return promptTokens >= contextTokens;
    }
  })();
  return isTooLong ? ['too_long', { promptTokens, outputTokens }] : null;
}

const LOCAL_WORDS: Readonly<Record<Refusal, string>> = {
  bad_key: 'Invalid API Key',
  forbidden: 'Forbidden',
  unknown_model: 'model not found',
  no_path: 'Not Found',
  no_method: 'Method Not Allowed',
  unknown_field: 'Extra inputs are not permitted',
  max_tokens_refused: 'max_tokens is not supported',
  temperature_refused: 'temperature is not supported',
  bad_format: "'response_format.type' must be 'json_schema' or 'text'",
  no_tokens: 'max_tokens must be at least 1',
  stream_options_refused: 'Stream options can only be defined when `stream=True`.',
  too_long: 'the input length exceeds the context length',
  image_refused: 'this model does not support image input',
  image_broken: 'Failed to load image or audio file',
  rate_limit: 'Too Many Requests',
  internal: 'Internal Server Error',
  overloaded: 'Service Unavailable',
  loading: 'Loading model',
};

/** A message, and what the dialect names beside it: vLLM the field, the hosted API its code and the field. */
type Words = readonly [message: string, (string | null)?, (string | null)?];

/** Words of a refusal. A script may ask for one that the server would not make itself. */
export function refuse(settings: Settings, refusal: Refusal, refused: Refused = {}): Document {
  const { dialect, contextTokens } = settings;
  const { promptTokens = contextTokens + 1, outputTokens = 0 } = refused;
  const model = refused.model ?? settings.models[0]?.id ?? '';
  const fields = refused.fields ?? ['top_k'];
  const status = STATUS[refusal];
  switch (dialect) {
    case 'vllm': {
      if (refusal === 'bad_key') return { status, body: { error: 'Unauthorized' } };
      if (status === 405 || refusal === 'no_path') return { status, body: { detail: LOCAL_WORDS[refusal] } };
      const names = settings.models.map(({ id }) => id).join(', ');
      const [message, param = null] = ((): Words => {
        switch (refusal) {
          case 'unknown_model':
            return [`The model \`${model}\` does not exist. Valid aliases: ${names}.`, 'model'];
          case 'no_tokens': {
            const value = `(parameter=max_tokens, value=${outputTokens})`;
            return [`max_tokens must be at least 1, got ${outputTokens}. ${value}`, 'max_tokens'];
          }
          case 'stream_options_refused':
            return [`${LOCAL_WORDS[refusal]} (parameter=stream_options)`, 'stream_options'];
          case 'too_long':
            return vllmTooLong(settings, promptTokens, outputTokens);
          case 'image_refused':
            return [`${model} is not a multimodal model`];
          case 'image_broken':
            return ['Failed to load image: cannot identify image file <_io.BytesIO object>'];
          case 'overloaded': {
            const again = 'Please try again later or on a different instance.';
            return [`The engine is currently busy and cannot accept new requests. ${again}`];
          }
          case 'internal':
            return ['EngineCore encountered an issue. See stack trace (above) for the root cause.'];
          default:
            return [LOCAL_WORDS[refusal]];
        }
      })();
      const types: Record<number, string> = {
        400: 'BadRequestError',
        404: 'NotFoundError',
        500: 'InternalServerError',
      };
      const type = types[status] ?? LOCAL_WORDS[refusal];
      return { status, body: { error: { message, type, param, code: status } } };
    }
    case 'llama-server': {
      const error = (code: number, type: string, message: string, extra: object = {}): Document => ({
        status: code,
        body: { error: { code, message, type, ...extra } },
      });
      switch (refusal) {
        case 'too_long': {
          const message = `request (${promptTokens} tokens) exceeds the available context size (${contextTokens} tokens), try increasing it`;
          return error(400, 'exceed_context_size_error', message, {
            n_prompt_tokens: promptTokens,
            n_ctx: contextTokens,
          });
        }
        case 'unknown_model':
          return error(400, 'invalid_request_error', `model '${model}' not found`);
        case 'image_refused': {
          const hint = 'hint: if this is unexpected, you may need to provide the mmproj';
          return error(500, 'server_error', `image input is not supported - ${hint}`);
        }
        case 'no_path':
        case 'no_method':
          return error(404, 'not_found_error', 'File Not Found');
        default: {
          const types: Record<number, string> = {
            400: 'invalid_request_error',
            401: 'authentication_error',
            403: 'permission_error',
            503: 'unavailable_error',
          };
          return error(status, types[status] ?? 'server_error', LOCAL_WORDS[refusal]);
        }
      }
    }
    case 'ollama-v1': {
      const words: Partial<Record<Refusal, string>> = {
        unknown_model: `model '${model}' not found`,
        overloaded: 'server busy, please try again.  maximum pending requests exceeded',
        internal: 'llama runner process has terminated: unexpected EOF',
      };
      if (refusal === 'no_path') return { status, body: '404 page not found' };
      const type = { 400: 'invalid_request_error', 404: 'not_found_error' }[status as number] ?? 'api_error';
      const message = words[refusal] ?? LOCAL_WORDS[refusal];
      return { status, body: { error: { message, type, param: null, code: null } } };
    }
    case 'hosted': {
      const [message, code = null, param = null] = ((): Words => {
        switch (refusal) {
          case 'bad_key':
            return ['Incorrect API key provided.', 'invalid_api_key'];
          case 'forbidden':
            return ['Country, region, or territory not supported', 'unsupported_country_region_territory'];
          case 'unknown_model':
            return [`The model \`${model}\` does not exist or you do not have access to it.`, 'model_not_found'];
          case 'unknown_field':
            return [`Unrecognized request argument${fields.length > 1 ? 's' : ''} supplied: ${fields.join(', ')}`];
          case 'max_tokens_refused': {
            const instead = "Use 'max_completion_tokens' instead.";
            const field = 'max_tokens';
            return [
              `Unsupported parameter: '${field}' is not supported with this model. ${instead}`,
              'unsupported_parameter',
              field,
            ];
          }
          case 'temperature_refused': {
            const only = 'Only the default (1) value is supported.';
            const field = 'temperature';
            return [
              `Unsupported value: '${field}' does not support this value with this model. ${only}`,
              'unsupported_value',
              field,
            ];
          }
          case 'too_long': {
            const message = `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${promptTokens} tokens.`;
            return [`${message} Please reduce the length of the messages.`, 'context_length_exceeded', 'messages'];
          }
          case 'image_refused':
            return [
              'Invalid content type. image_url is only supported by certain models.',
              null,
              'messages.[0].content.[0].type',
            ];
          case 'image_broken':
            return ['You uploaded an unsupported image. Please make sure your image is valid.', 'invalid_image_format'];
          case 'rate_limit':
            return [
              `Rate limit reached for ${model} on requests per min (RPM): Limit 3, Used 3, Requested 1.`,
              'rate_limit_exceeded',
            ];
          case 'internal':
            return ['The server had an error while processing your request. Sorry about that!'];
          case 'overloaded':
            return ['The engine is currently overloaded, please try again later'];
          case 'no_path':
            return [`Invalid URL (GET ${refused.path ?? '/'})`];
          case 'no_method':
          case 'no_tokens':
          case 'stream_options_refused':
          case 'bad_format':
          case 'loading':
            return [LOCAL_WORDS[refusal]];
        }
      })();
      const type = refusal === 'rate_limit' ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error';
      return { status, body: { error: { message, type, param, code } } };
    }
    case 'lm-studio': {
      switch (refusal) {
        case 'unknown_model': {
          const message = `Invalid model identifier "${model}". Please specify a valid downloaded model.`;
          return {
            status,
            body: { error: { message, type: 'invalid_request_error', param: 'model', code: 'model_not_found' } },
          };
        }
        case 'no_path':
          // It says 200 of all that it does not know.
          return { status: 200, body: { error: `Unexpected endpoint or method. (GET ${refused.path ?? '/'})` } };
        case 'too_long': {
          const message = `The number of tokens to keep from the initial prompt is greater than the context length (n_keep: ${promptTokens}>= n_ctx: ${contextTokens}).`;
          const hint = 'Try to load the model with a larger context length, or provide a shorter input.';
          return { status, body: { error: `${message} ${hint}` } };
        }
        case 'image_broken':
          return { status, body: { error: "'url' field must be a base64 encoded image." } };
        default:
          return { status, body: { error: LOCAL_WORDS[refusal] } };
      }
    }
  }
}

function vllmTooLong({ vllm, contextTokens }: Settings, promptTokens: number, outputTokens: number): Words {
  const limit = `This model's maximum context length is ${contextTokens} tokens`;
  const shorter = 'Please reduce the length of the input prompt';
  switch (vllm) {
    case '0.11': {
      if (promptTokens >= contextTokens) {
        return [
          `${limit}. However, your request has ${promptTokens} input tokens. Please reduce the length of the input messages.`,
        ];
      }
      const sum = `${outputTokens} > ${contextTokens} - ${promptTokens}`;
      const field = "'max_tokens' or 'max_completion_tokens'";
      return [
        `${field} is too large: ${outputTokens}. ${limit} and your request has ${promptTokens} input tokens (${sum}).`,
      ];
    }
    case '0.27': {
      const asked = `you requested ${outputTokens} output tokens and your prompt contains at least ${promptTokens} input tokens`;
      const total = `for a total of at least ${promptTokens + outputTokens} tokens`;
      const value = `(parameter=input_tokens, value=${promptTokens})`;
      return [
        `${limit}. However, ${asked}, ${total}. ${shorter} or the number of requested output tokens. ${value}`,
        'input_tokens',
      ];
    }
    case '0.32': {
      if (promptTokens <= contextTokens) {
        const asked = `max_tokens=${outputTokens} cannot be greater than max_model_len=${contextTokens}`;
        return [
          `${asked}. Please request fewer output tokens. (parameter=max_tokens, value=${outputTokens})`,
          'max_tokens',
        ];
      }
      // It reads no more of the prompt than shows that it is too long.
      const count = `at least ${contextTokens + 1} input tokens`;
      const value = `(parameter=input_tokens, value=${contextTokens + 1})`;
      return [
        `${limit}. However, your prompt contains ${count}, which exceeds this limit even without any output tokens. ${shorter}. ${value}`,
        'input_tokens',
      ];
    }
  }
}
