/**
 * One attempt at an answer: one streaming chat request with its own limits.
 *
 * Three time limits, all derived from its tokens (domain/models/call-limits.ts): until the first token, between two tokens, and of the whole.
 * A loop in the text ends the request at once. Each limit aborts with its own error, which the caller gets; the reason of the caller's signal
 * is passed on unchanged.
 */
import type { ChatRequest, ChatResponse, Message } from 'ollama';
import { DeckhandError } from '../../../domain/errors.ts';
import type { AttemptLimits, AttemptWork } from '../../../domain/models/call-limits.ts';
import type { JsonSchema } from '../../../domain/models/json-schema.ts';
import type { OutputFault } from '../../../domain/models/model-output.ts';
import { LoopWatch } from '../../../domain/models/repetition.ts';
import { durationWords } from '../../../domain/text/words.ts';
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
  readonly work: AttemptWork;
  readonly limits: AttemptLimits;
}

/** Result of one attempt. Faults of the transport, stalls included, are thrown instead. */
export type AttemptOutcome =
  | {
      readonly ok: true;
      readonly text: string;
      readonly promptTokens: number;
      readonly outputTokens: number;
      readonly loadMs: number;
      readonly times: ServerTimes;
    }
  | { readonly ok: false; readonly fault: OutputFault };

/** Timings and cached tokens of one answer as its server reports them; null where it does not. */
export interface ServerTimes {
  readonly readMs: number | null;
  readonly writeMs: number | null;
  /** Tokens of the prompt that it took from its cache, as part of those it counted. */
  readonly cachedTokens: number;
}

/** The server was silent, or wrote, for longer than its work takes at the slowest speed that is waited for. */
export class StalledAttempt extends DeckhandError {
  /** Nothing came: the prompt was not read. */
  readonly unread: boolean;
  /** It may be slow rather than stuck. */
  readonly isSlow: boolean;
  readonly silentMs: number;
  /** For people: what was not done in which time at which speed. */
  readonly words: string;

  constructor(request: AttemptRequest, limit: LimitName) {
    const limitMs = request.limits[limit];
    super('model_stalled', `${request.model} at ${request.host} ${STALLS[limit](request.work)} within ${limitMs} ms`, {
      userMessage: 'The model stopped answering.',
    });
    this.unread = limit === 'firstTokenMs';
    this.isSlow = limit !== 'betweenTokensMs';
    this.silentMs = limitMs;
    this.words = `it ${STALLS[limit](request.work)} within ${durationWords(limitMs)}${speedWords(request.limits)}`;
  }
}

type LimitName = keyof Omit<AttemptLimits, 'speed'>;

const STALLS: Readonly<Record<LimitName, (work: AttemptWork) => string>> = {
  firstTokenMs: ({ readTokens }) => `did not read a prompt of about ${readTokens} tokens`,
  betweenTokensMs: () => 'sent no token',
  totalMs: ({ writeTokens }) => `did not finish an answer of at most ${writeTokens} tokens`,
};

function speedWords({ speed }: AttemptLimits): string {
  if (speed === null) return '';
  const [read, write] = [speed.readTokensPerSec, speed.writeTokensPerSec].map((perSec) =>
    Number(perSec.toPrecision(2)),
  );
  return `, at an expected ${read} tokens a second for reading and ${write} for writing`;
}

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
  const abortAfter = (limit: LimitName): NodeJS.Timeout =>
    setTimeout(() => own.abort(new StalledAttempt(request, limit)), request.limits[limit]);
  const whole = abortAfter('totalMs');
  let silence = abortAfter('firstTokenMs');
  try {
    return await withOllama(request.host, AbortSignal.any([signal, own.signal]), async (ollama) => {
      onTokens(0);
      const stream = await ollama.chat(bodyOf(request));
      return await readAnswer(stream, (tokens) => {
        clearTimeout(silence);
        silence = abortAfter('betweenTokensMs');
        onTokens(tokens);
      });
    });
  } catch (error) {
    signal.throwIfAborted();
    if (own.signal.aborted) throw own.signal.reason;
    if (error instanceof FaultFound) return { ok: false, fault: error.fault };
    throw toModelError(error, `chat with ${request.model} at ${request.host}`);
  } finally {
    clearTimeout(whole);
    clearTimeout(silence);
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
      loadMs: msOf(part.load_duration) ?? 0,
      times: {
        readMs: msOf(part.prompt_eval_duration),
        writeMs: msOf(part.eval_duration),
        cachedTokens: cachedTokensOf(part),
      },
    };
  }
  throw new Error('the stream ended without a last message');
}

const msOf = (nanoseconds: number | undefined): number | null =>
  nanoseconds === undefined ? null : Math.round(nanoseconds / 1e6);

/** Missing in the client's types; servers before 0.34 do not say it. */
function cachedTokensOf(part: ChatResponse): number {
  const cached = 'prompt_eval_cached_count' in part ? part.prompt_eval_cached_count : 0;
  return typeof cached === 'number' && cached > 0 ? cached : 0;
}
