/** Settings of a scripted server, and its reading of a chat. */
import { CHARACTERS_A_TOKEN, TOKENS_A_PICTURE } from '../scripted-model/answer.ts';

export type Dialect = 'vllm' | 'llama-server' | 'ollama-v1' | 'hosted' | 'lm-studio';

/** An entry of the list of models; further fields replace those of the dialect. */
export interface ScriptedModel {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Settings of a server. Everything may be changed while it runs. */
export interface Settings {
  dialect: Dialect;
  /** 0.11 calls thoughts `reasoning_content`; before 0.32 a prompt and its `max_tokens` have to fit into the window together. */
  vllm: '0.11' | '0.27' | '0.32';
  models: readonly ScriptedModel[];
  /** Window of each model. */
  contextTokens: number;
  /** Requests that are answered at a time; others wait. */
  slots: number;
  seesImages: boolean;
  /** `content`: the server does not know the model's tags, and thoughts come as text in `<think>`. */
  thinks: 'no' | 'field' | 'content';
  /** Where it asks for one. */
  apiKey: string | null;
  /** Hosted models that reason take no `max_tokens` and no temperature but 1. */
  isReasoningModel: boolean;
  /** Fields of a chat that this server refuses, beside those of its dialect. */
  refusedFields: readonly string[];
  hasMetrics: boolean;
  state: 'ready' | 'loading' | 'dead';
}

interface Part {
  readonly type?: string;
  readonly text?: string;
  readonly image_url?: { readonly url?: string } | string;
}

/** Body of a chat, as far as a server reads it. */
export interface ChatBody {
  readonly model?: string;
  readonly messages?: readonly { readonly role?: string; readonly content?: string | readonly Part[] }[];
  readonly response_format?: {
    readonly type?: string;
    readonly json_schema?: { readonly name?: string; readonly strict?: boolean; readonly schema?: unknown };
  };
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly reasoning_effort?: string;
  readonly chat_template_kwargs?: { readonly enable_thinking?: boolean };
}

const partsOf = (chat: ChatBody): Part[] =>
  (chat.messages ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []),
  );

/** Addresses of the pictures of a chat. */
export const picturesOf = (chat: ChatBody): string[] =>
  partsOf(chat)
    .filter(({ type }) => type === 'image_url')
    .map(({ image_url: image }) => (typeof image === 'string' ? image : (image?.url ?? '')));

/** Most tokens that a chat asks for; null = no limit. */
export const limitOf = (chat: ChatBody): number | null => chat.max_completion_tokens ?? chat.max_tokens ?? null;

/** Tokens of all messages of a chat. */
export function promptTokensOf(chat: ChatBody): number {
  const text = partsOf(chat).map((part) => part.text ?? '');
  return Math.ceil(text.join('\n').length / CHARACTERS_A_TOKEN) + picturesOf(chat).length * TOKENS_A_PICTURE;
}

/** Each server has its own switch. */
export function isThinking(settings: Settings, chat: ChatBody): boolean {
  if (settings.thinks === 'no') return false;
  switch (settings.dialect) {
    case 'vllm':
    case 'llama-server':
      return chat.chat_template_kwargs?.enable_thinking !== false && chat.reasoning_effort !== 'none';
    case 'ollama-v1':
    case 'hosted':
      return chat.reasoning_effort !== 'none';
    case 'lm-studio':
      return true;
  }
}
