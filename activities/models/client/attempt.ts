/**
 * One attempt at an answer: one streaming chat request with its own limits.
 *
 * It has two time limits. The attempt's limit covers the whole request, reading the prompt included; the idle limit covers the gap between
 * two tokens, so a wedged runner is noticed early. A loop in the text ends the request at once. Each limit aborts with its
 * own error, which the caller gets; the reason of the caller's signal is passed on unchanged.
 */
import type { ChatRequest, ChatResponse, Message } from 'ollama';
import { DeckhandError } from '../../../domain/errors.ts';
import type { JsonSchema } from '../../../domain/models/json-schema.ts';
import type { OutputFault } from '../../../domain/models/model-output.ts';
import { LoopWatch } from '../../../domain/models/repetition.ts';
import { withOllama } from './connection.ts';
import { toModelError } from './errors.ts';
import { KEEP_LOADED } from './load.ts';

export interface AttemptRequest {
  readonly host: string;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly schema: JsonSchema;
  readonly options: {
    readonly num_ctx: number;
    readonly num_predict: number;
    readonly temperature: number;
    readonly seed: number;
    readonly top_p?: number;
  };
  /** Left out for models that cannot think, which refuse the field. */
  readonly think?: false | 'low';
  readonly attemptTimeoutMs: number;
  readonly idleTokenTimeoutMs: number;
}

/** Result of one attempt. Faults of the transport, stalls included, are thrown instead. */
export type AttemptOutcome =
  | {
      readonly ok: true;
      readonly text: string;
      readonly promptTokens: number;
      readonly outputTokens: number;
      readonly loadMs: number;
    }
  | { readonly ok: false; readonly fault: OutputFault };

/** The chat request with the two fields that the client's types lack; they are passed through. */
type ChatBody = ChatRequest & { stream: true; truncate: boolean; shift: boolean };

/** Ends an attempt because its text has a fault. */
class FaultFound extends Error {
  readonly fault: OutputFault;
  constructor(fault: OutputFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

/**
 * Runs one attempt.
 * @param onTokens is called with the number of tokens so far, zero when the request goes out.
 * @throws the signal's reason, or a DeckhandError of the transport.
 */
export async function runAttempt(
  request: AttemptRequest,
  signal: AbortSignal,
  onTokens: (tokens: number) => void,
): Promise<AttemptOutcome> {
  const own = new AbortController();
  const limit = setTimeout(
    () => own.abort(stalled(request, 'attempt', request.attemptTimeoutMs)),
    request.attemptTimeoutMs,
  );
  let idle: NodeJS.Timeout | undefined;
  const restartIdle = (): void => {
    clearTimeout(idle);
    idle = setTimeout(
      () => own.abort(stalled(request, 'token', request.idleTokenTimeoutMs)),
      request.idleTokenTimeoutMs,
    );
  };
  try {
    return await withOllama(request.host, AbortSignal.any([signal, own.signal]), async (ollama) => {
      onTokens(0);
      const stream = await ollama.chat(bodyOf(request));
      return await readAnswer(stream, (tokens) => {
        restartIdle();
        onTokens(tokens);
      });
    });
  } catch (error) {
    signal.throwIfAborted();
    if (own.signal.aborted) throw own.signal.reason;
    if (error instanceof FaultFound) return { ok: false, fault: error.fault };
    throw toModelError(error, `chat with ${request.model} at ${request.host}`);
  } finally {
    clearTimeout(limit);
    clearTimeout(idle);
  }
}

function bodyOf(request: AttemptRequest): ChatBody {
  return {
    model: request.model,
    messages: request.messages.map((message) => ({ ...message })),
    format: request.schema,
    stream: true,
    keep_alive: KEEP_LOADED,
    // A prompt that does not fit is an error, never cut in silence; output that does not fit ends with "length".
    truncate: false,
    shift: false,
    options: { ...request.options },
    ...(request.think === undefined ? {} : { think: request.think }),
  };
}

async function readAnswer(
  stream: AsyncIterable<ChatResponse>,
  onToken: (tokens: number) => void,
): Promise<AttemptOutcome> {
  const watch = new LoopWatch();
  const thinkingWatch = new LoopWatch();
  let text = '';
  let hasThought = false;
  let tokens = 0;
  for await (const part of stream) {
    const content = part.message?.content ?? '';
    // Thinking text is no part of the answer, but it can loop as well.
    const thinking = part.message?.thinking ?? '';
    hasThought ||= thinking !== '';
    const loop = watch.push(content);
    if (loop !== null) throw new FaultFound(loop);
    if (thinkingWatch.push(thinking) !== null) throw new FaultFound({ kind: 'only_thinking', tokens });
    text += content;
    if (!part.done) {
      tokens += 1;
      onToken(tokens);
      continue;
    }
    const outputTokens = part.eval_count ?? tokens;
    if (hasThought && text.trim() === '') return { ok: false, fault: { kind: 'only_thinking', tokens: outputTokens } };
    if (part.done_reason === 'length') return { ok: false, fault: { kind: 'truncated', tokens: outputTokens } };
    return {
      ok: true,
      text,
      promptTokens: part.prompt_eval_count ?? 0,
      outputTokens,
      loadMs: Math.round((part.load_duration ?? 0) / 1e6),
    };
  }
  throw new Error('the stream ended without a last message');
}

function stalled(request: AttemptRequest, what: 'attempt' | 'token', limitMs: number): DeckhandError {
  const message =
    what === 'attempt'
      ? `${request.model} at ${request.host} did not finish within ${limitMs} ms`
      : `${request.model} at ${request.host} sent no token for ${limitMs} ms`;
  return new DeckhandError('model_stalled', message, { userMessage: 'The model stopped answering.' });
}
