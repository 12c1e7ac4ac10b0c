/** Answers of an Ollama server: the body of a request, and its parts in our words. */
import type { ChatRequest as OllamaChatRequest, ChatResponse } from 'ollama';
import type { LoopFault } from '../../../../domain/models/repetition.ts';
import type { ChatEnd, ChatPart, ChatRequest } from '../model-server.ts';
import type { ServerAddress } from '../connection.ts';
import { openOllama } from './connection.ts';
import { toModelError } from '../faults.ts';
import { KEEP_LOADED } from './load.ts';

/** The chat request with the two fields that the client's types lack; they are passed through. */
type ChatBody = OllamaChatRequest & { stream: true; truncate: boolean; shift: boolean };

/** See `ModelServer.chat`. */
export async function* chat(host: ServerAddress, request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatPart> {
  const { ollama, close } = openOllama(host, signal);
  const repeats = new Repeats();
  try {
    const stream = await ollama.chat(bodyOf(request));
    for await (const part of stream) {
      const [text, thinking] = [textOf(part, 'content'), textOf(part, 'thinking')];
      repeats.push(text + thinking);
      yield { text, thinking, end: part.done ? endOf(part) : null };
      if (part.done) return;
    }
    throw new Error(NO_LAST_PART);
  } catch (error) {
    signal.throwIfAborted();
    const loop = error instanceof Error && error.message === NO_LAST_PART ? repeats.loop : null;
    if (loop !== null) {
      yield { text: '', thinking: '', end: { ...UNTOLD_END, loop } };
      return;
    }
    throw toModelError(error, `chat with ${request.model} at ${host.url}`, host.key, host.secret);
  } finally {
    await close();
  }
}

/** The client's words for a stream that ends without its last part. */
const NO_LAST_PART = 'Did not receive done or success response in stream.';

/** The end of an answer of which the server tells nothing. */
const UNTOLD_END = {
  isCut: false,
  promptTokens: null,
  outputTokens: null,
  loadMs: null,
  readMs: null,
  writeMs: null,
  cachedTokens: 0,
} as const;

/** Ollama ends an answer without a last part once a token comes 31 times more, white space aside (llm/server.go). Empty tokens are not sent. */
const REPEATS_OF_ENDED = 20;

/** Counts how often the last part of an answer has been repeated. */
class Repeats {
  #last = '';
  #times = 0;
  #chars = 0;

  push(text: string): void {
    const isSame = text.trim() === this.#last;
    this.#last = text.trim();
    this.#times = isSame ? this.#times + 1 : 1;
    this.#chars = isSame ? this.#chars + text.length : text.length;
  }

  /** The fault of an answer that the server has ended here; null where the end of it does not repeat itself. */
  get loop(): LoopFault | null {
    if (this.#times < REPEATS_OF_ENDED) return null;
    return this.#last === ''
      ? { kind: 'whitespace', length: this.#chars }
      : { kind: 'repetition', phrase: this.#last, times: this.#times };
  }
}

/** The answer of a server is not trusted to match the client's types. */
function textOf(part: Partial<ChatResponse>, field: 'content' | 'thinking'): string {
  return part.message?.[field] ?? '';
}

function bodyOf(request: ChatRequest): ChatBody {
  const { model, messages, schema, windowTokens, mostTokens, temperature, topP, seed } = request;
  return {
    model,
    messages: messages.map(({ images, ...message }) => ({ ...message, ...(images && { images: [...images] }) })),
    ...(schema === null ? {} : { format: schema }),
    stream: true,
    keep_alive: KEEP_LOADED,
    // A prompt that does not fit is an error, never cut in silence; output that does not fit ends with "length".
    truncate: false,
    shift: false,
    options: {
      num_ctx: windowTokens,
      num_predict: mostTokens,
      temperature,
      seed,
      ...(topP === undefined ? {} : { top_p: topP }),
    },
    ...thinkField(request),
  };
}

function thinkField({ thinking }: ChatRequest): Pick<ChatBody, 'think'> {
  switch (thinking) {
    case 'off':
      return { think: false };
    case 'low':
      return { think: 'low' };
    case 'leave':
      return {};
  }
}

const endOf = (part: ChatResponse): ChatEnd => ({
  isCut: part.done_reason === 'length',
  loop: null,
  promptTokens: part.prompt_eval_count ?? null,
  outputTokens: part.eval_count ?? null,
  loadMs: msOf(part.load_duration),
  readMs: msOf(part.prompt_eval_duration),
  writeMs: msOf(part.eval_duration),
  cachedTokens: cachedTokensOf(part),
});

const msOf = (nanoseconds: number | undefined): number | null => (nanoseconds === undefined ? null : nanoseconds / 1e6);

/** Missing in the client's types; servers before 0.34 do not say it. */
function cachedTokensOf(part: ChatResponse): number {
  const cached = 'prompt_eval_cached_count' in part ? part.prompt_eval_cached_count : 0;
  return typeof cached === 'number' && cached > 0 ? cached : 0;
}
