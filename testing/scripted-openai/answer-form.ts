/** Parts of an answer, whole or streamed, by server. */
import { BUILD, CREATED } from './documents.ts';
import type { ChatBody, Dialect, Settings } from './settings.ts';

/** Counts of one answer. */
export interface Tokens {
  readonly prompt: number;
  readonly completion: number;
  readonly thought: number;
}

/** The numbers that a server gives with an answer. */
export function usageOf({ dialect, vllm, thinks }: Settings, { prompt, completion, thought }: Tokens): object {
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  switch (dialect) {
    case 'llama-server':
      return { ...usage, prompt_tokens_details: { cached_tokens: 0 } };
    case 'hosted':
      return {
        ...usage,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: thought, audio_tokens: 0 },
      };
    case 'vllm':
      if (vllm !== '0.32' || thinks !== 'field') return usage;
      return { ...usage, completion_tokens_details: { reasoning_tokens: thought } };
    case 'ollama-v1':
    case 'lm-studio':
      return usage;
  }
}

/** How thoughts are sent; null = they are kept. */
export function thoughtField({
  dialect,
  vllm,
  thinks,
}: Settings): 'reasoning' | 'reasoning_content' | 'content' | null {
  if (dialect === 'hosted') return null;
  if (thinks === 'content') return 'content';
  const isNew = dialect === 'ollama-v1' || (dialect === 'vllm' && vllm !== '0.11');
  return isNew ? 'reasoning' : 'reasoning_content';
}

/** Makes the parts of one answer. */
export function answerForm(settings: Settings, id: string, model: string, chat: ChatBody) {
  const { dialect } = settings;
  const fingerprints: Record<Dialect, object> = {
    vllm: {},
    'llama-server': { system_fingerprint: BUILD },
    'ollama-v1': { system_fingerprint: 'fp_ollama' },
    hosted: { service_tier: 'default', system_fingerprint: 'fp_3e8e6b1f2c' },
    'lm-studio': { system_fingerprint: model },
  };
  const withUsage = chat.stream_options?.include_usage === true;
  const logprobs = dialect === 'llama-server' || dialect === 'ollama-v1' ? {} : { logprobs: null };
  const head = (object: string) => ({ id, object, created: CREATED, model, ...fingerprints[dialect] });
  const chunk = (delta: object, finish: string | null): object => ({
    ...head('chat.completion.chunk'),
    choices: [{ index: 0, delta, ...logprobs, finish_reason: finish }],
    ...(dialect === 'hosted' && withUsage ? { usage: null } : {}),
  });
  const field = thoughtField(settings);
  const empty = dialect === 'ollama-v1' ? { role: 'assistant', content: '' } : {};
  return {
    /** The chunk that names the role; Ollama names it in each chunk. */
    first: (): object[] => {
      if (dialect === 'ollama-v1') return [];
      const delta = { role: 'assistant', content: dialect === 'llama-server' ? null : '' };
      return [chunk(dialect === 'hosted' ? { ...delta, refusal: null } : delta, null)];
    },
    content: (content: string): object => chunk({ ...empty, content }, null),
    thought: (text: string): object => chunk({ ...empty, [field ?? 'content']: text }, null),
    last: (finish: string): object => chunk(dialect === 'vllm' ? { content: '' } : empty, finish),
    usage: (usage: object): object => ({ ...head('chat.completion.chunk'), choices: [], usage }),
    whole: (content: string, thought: string, finish: string, usage: object | null): object => {
      const thoughts = field === null || field === 'content' || thought === '' ? {} : { [field]: thought };
      const message = { role: 'assistant', content, ...thoughts };
      return {
        ...head('chat.completion'),
        choices: [{ index: 0, message, ...logprobs, finish_reason: finish }],
        ...(usage === null ? {} : { usage }),
      };
    },
    /** An error after the head of a stream. Ollama loses its words: a chunk without text comes, and the stream ends. */
    error: (document: object | string): string => {
      const data = `data: ${JSON.stringify(document)}\n\n`;
      switch (dialect) {
        case 'vllm':
          return `${data}data: [DONE]\n\n`;
        case 'ollama-v1':
          return `data: ${JSON.stringify(chunk(empty, null))}\n\n`;
        case 'lm-studio':
          return `event: error\n${data}`;
        case 'llama-server':
        case 'hosted':
          return data;
      }
    },
  };
}

/** Times of llama-server. */
export function timingsOf({ prompt, completion }: Tokens, promptMs: number, completionMs: number): object {
  const perSec = (tokens: number, ms: number): number => (ms > 0 ? (tokens * 1000) / ms : 0);
  return {
    cache_n: 0,
    prompt_n: prompt,
    prompt_ms: promptMs,
    prompt_per_token_ms: promptMs / Math.max(1, prompt),
    prompt_per_second: perSec(prompt, promptMs),
    predicted_n: completion,
    predicted_ms: completionMs,
    predicted_per_token_ms: completionMs / Math.max(1, completion),
    predicted_per_second: perSec(completion, completionMs),
  };
}
