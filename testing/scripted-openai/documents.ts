/** Documents of the paths that are no chats, by server. */
import { CHARACTERS_A_TOKEN } from '../scripted-model/answer.ts';
import type { Document } from './refusals.ts';
import { type ChatBody, promptTokensOf, type Settings } from './settings.ts';

/** Requests in a server, for the documents that count them. */
export interface Load {
  readonly running: number;
  readonly waiting: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Answer of a path that is not a chat; null = the server has no such path. */
export function documentOf(settings: Settings, path: string, body: unknown, load: Load): Document | null {
  const { dialect, contextTokens } = settings;
  const ok = (document: object | string): Document => ({ status: 200, body: document });
  if (path === '/v1/models') return ok(modelList(settings));
  const isVllm = dialect === 'vllm';
  const isLlama = dialect === 'llama-server';
  switch (path) {
    case '/health':
    case '/v1/health':
      if (isVllm && path === '/health') return { status: settings.state === 'dead' ? 503 : 200, body: '' };
      return isLlama ? ok({ status: 'ok' }) : null;
    case '/version':
      return isVllm ? ok({ version: `${settings.vllm}.0` }) : null;
    case '/api/version':
      return dialect === 'ollama-v1' ? ok({ version: '0.24.0' }) : null;
    case '/api/v0/models':
      if (dialect !== 'lm-studio') return null;
      return ok({
        data: settings.models.map(({ id }) => ({
          id,
          object: 'model',
          type: settings.seesImages ? 'vlm' : 'llm',
          state: 'loaded',
          max_context_length: contextTokens,
          loaded_context_length: contextTokens,
        })),
        object: 'list',
      });
    case '/props':
      if (!isLlama) return null;
      return ok({
        default_generation_settings: { params: {}, n_ctx: contextTokens },
        total_slots: settings.slots,
        model_alias: settings.models[0]?.id,
        model_ftype: 'Q4_K - Medium',
        model_path: `/models/${settings.models[0]?.id}.gguf`,
        modalities: { vision: settings.seesImages, video: false, audio: false },
        endpoint_slots: true,
        endpoint_props: false,
        endpoint_metrics: settings.hasMetrics,
        chat_template: '',
        build_info: BUILD,
        is_sleeping: false,
      });
    case '/slots':
      if (!isLlama) return null;
      return ok(
        Array.from({ length: settings.slots }, (_, id) => ({
          id,
          n_ctx: contextTokens,
          speculative: false,
          is_processing: id < load.running,
        })),
      );
    case '/metrics': {
      if (!isVllm && !isLlama) return null;
      if (!settings.hasMetrics && isLlama) {
        const message = 'This server does not support metrics endpoint. Start it with `--metrics`';
        return { status: 501, body: { error: { code: 501, message, type: 'not_supported_error' } } };
      }
      return settings.hasMetrics ? ok(metrics(settings, load)) : null;
    }
    case '/tokenize': {
      if (!isVllm && !isLlama) return null;
      const { content, prompt, messages } = (body ?? {}) as { content?: string; prompt?: string } & ChatBody;
      const text = isVllm ? prompt : content;
      const count =
        text === undefined ? promptTokensOf({ messages: messages ?? [] }) : Math.ceil(text.length / CHARACTERS_A_TOKEN);
      const tokens = Array.from({ length: count }, (_, at) => at);
      return ok(isVllm ? { count, max_model_len: contextTokens, tokens, token_strs: null } : { tokens });
    }
    default:
      return null;
  }
}

/** Build of llama-server. */
export const BUILD = 'b11434-5f2c1a9';
/** When everything was made, in seconds since 1970. */
export const CREATED = 1_767_225_600;

function modelList({ dialect, models, contextTokens, seesImages }: Settings): object {
  const fieldsOf = (id: string): object => {
    switch (dialect) {
      case 'vllm':
        return { owned_by: 'vllm', root: id, parent: null, max_model_len: contextTokens, permission: [] };
      case 'llama-server':
        return {
          aliases: [id],
          tags: [],
          architecture: { input_modalities: seesImages ? ['text', 'image'] : ['text'], output_modalities: ['text'] },
          owned_by: 'llamacpp',
          meta: {
            vocab_type: 2,
            n_vocab: 151_936,
            n_ctx: contextTokens,
            n_ctx_train: 131_072,
            n_embd: 4096,
            n_params: 8_190_735_360,
            size: 5_027_783_488,
            ftype: 'Q4_K - Medium',
          },
        };
      case 'ollama-v1':
        return { owned_by: 'library' };
      case 'hosted':
        return {};
      case 'lm-studio':
        return { owned_by: 'organization_owner' };
    }
  };
  const data = models.map((model) => {
    const created = dialect === 'lm-studio' ? {} : { created: CREATED };
    return { object: 'model', ...created, ...fieldsOf(model.id), ...model };
  });
  if (dialect !== 'llama-server') return { object: 'list', data };
  const capabilities = seesImages ? ['completion', 'multimodal'] : ['completion'];
  const entries = models.map(({ id }) => ({ name: id, model: id, size: '', digest: '', type: 'model', capabilities }));
  return { models: entries, object: 'list', data };
}

function metrics({ dialect, models }: Settings, load: Load): string {
  const labels = `{engine="0",model_name="${models[0]?.id}"}`;
  const values: [string, 'counter' | 'gauge', number][] =
    dialect === 'vllm'
      ? [
          [`vllm:num_requests_running`, 'gauge', load.running],
          [`vllm:num_requests_waiting`, 'gauge', load.waiting],
          [`vllm:kv_cache_usage_perc`, 'gauge', 0],
          [`vllm:prompt_tokens_total`, 'counter', load.promptTokens],
          [`vllm:generation_tokens_total`, 'counter', load.completionTokens],
        ]
      : [
          ['llamacpp:prompt_tokens_total', 'counter', load.promptTokens],
          ['llamacpp:tokens_predicted_total', 'counter', load.completionTokens],
          ['llamacpp:requests_processing', 'gauge', load.running],
          ['llamacpp:requests_deferred', 'gauge', load.waiting],
        ];
  const lines = values.map(([name, type, value]) => {
    const head = `# TYPE ${name} ${type}\n`;
    if (dialect !== 'vllm') return `${head}${name} ${value}\n`;
    // A reader that takes names by their beginning adds the time up with the count.
    const created = type === 'counter' ? `${name.replace(/_total$/u, '_created')}${labels} ${CREATED}.0\n` : '';
    return `${head}${name}${labels} ${value.toFixed(1)}\n${created}`;
  });
  return lines.join('');
}
