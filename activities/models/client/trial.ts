/** One request that tries a model: everything of its answer and its times, and nothing repeated or corrected. */
import type { ChatRequest, Message } from 'ollama';
import type { Thinking } from '../../../domain/models/attempt-plan.ts';
import type { JsonSchema } from '../../../domain/models/json-schema.ts';
import type { TrialAnswer } from '../../../domain/models/probes/judge.ts';
import { ask } from './inspect.ts';
import { KEEP_LOADED } from './load.ts';

export interface TrialRequest {
  readonly model: string;
  readonly windowTokens: number;
  readonly system: string;
  readonly user: string;
  /** Bytes of JPEG or PNG images. */
  readonly images?: readonly Uint8Array[];
  /** Null = any text. */
  readonly schema: JsonSchema | null;
  readonly thinking: Thinking;
  /** The answer is cut after so many tokens. */
  readonly mostTokens: number;
}

/**
 * Asks once.
 *
 * @throws DeckhandError of the server's fault; the signal's reason
 */
export function runTrial(host: string, request: TrialRequest, signal: AbortSignal): Promise<TrialAnswer> {
  return ask(host, `trial of ${request.model}`, signal, async (ollama) => {
    const sentMs = performance.now();
    const sinceMs = (): number => performance.now() - sentMs;
    const stream = await ollama.chat(bodyOf(request));
    let firstTokenMs: number | null = null;
    let text = '';
    let thinkingChars = 0;
    let tokens = 0;
    for await (const part of stream) {
      firstTokenMs ??= sinceMs();
      text += part.message?.content ?? '';
      thinkingChars += part.message?.thinking?.length ?? 0;
      if (!part.done) {
        tokens += 1;
        continue;
      }
      return {
        text,
        thinkingChars,
        isCut: part.done_reason === 'length',
        promptTokens: part.prompt_eval_count ?? 0,
        outputTokens: part.eval_count ?? tokens,
        readMs: toMs(part.prompt_eval_duration),
        writeMs: toMs(part.eval_duration),
        firstTokenMs,
        endMs: sinceMs(),
      };
    }
    throw new Error('the stream ended without a last message');
  });
}

/** Nanoseconds in ms; null where the server does not say. */
const toMs = (ns: number | undefined): number | null => (ns === undefined || ns === 0 ? null : ns / 1e6);

function bodyOf(request: TrialRequest): ChatRequest & { stream: true; truncate: boolean; shift: boolean } {
  const { model, windowTokens, system, images = [], schema, thinking, mostTokens } = request;
  const user: Message = { role: 'user', content: request.user, ...(images.length > 0 ? { images: [...images] } : {}) };
  return {
    model,
    messages: [{ role: 'system', content: system }, user],
    stream: true,
    keep_alive: KEEP_LOADED,
    truncate: false,
    shift: false,
    options: { num_ctx: windowTokens, num_predict: mostTokens, temperature: 0, seed: 1 },
    ...(schema === null ? {} : { format: schema }),
    ...(thinking === 'leave' ? {} : { think: thinking === 'off' ? false : 'low' }),
  };
}
