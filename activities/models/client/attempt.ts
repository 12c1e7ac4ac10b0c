/**
 * One attempt at an answer: one streaming chat request with its own limits.
 *
 * Three time limits, all derived from its tokens (domain/models/call-limits.ts): until the first token, between two tokens, and of the whole.
 * A loop in the text ends the request at once. Each limit aborts with its own error, which the caller gets; the reason of the caller's signal
 * is passed on unchanged.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import type { AttemptLimits, AttemptWork } from '../../../domain/models/call-limits.ts';
import type { OutputFault } from '../../../domain/models/model-output.ts';
import { LoopWatch } from '../../../domain/models/repetition.ts';
import { durationWords } from '../../../domain/text/words.ts';
import type { ChatPart, ChatRequest, ModelServer } from './model-server.ts';

export interface AttemptRequest {
  readonly server: ModelServer;
  readonly chat: ChatRequest;
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
      /** By which a hosted server tells its configurations apart; null = it does not. */
      readonly fingerprint: string | null;
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
    const { chat, server, work } = request;
    super('model_stalled', `${chat.model} at ${server.url} ${STALLS[limit](work)} within ${limitMs} ms`, {
      userMessage: 'The model stopped answering.',
    });
    this.unread = limit === 'firstTokenMs';
    this.isSlow = limit !== 'betweenTokensMs';
    this.silentMs = limitMs;
    this.words = `it ${STALLS[limit](work)} within ${durationWords(limitMs)}${speedWords(request.limits)}`;
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
    onTokens(0);
    const parts = request.server.chat(request.chat, AbortSignal.any([signal, own.signal]));
    return await readAnswer(parts, (tokens) => {
      clearTimeout(silence);
      silence = abortAfter('betweenTokensMs');
      onTokens(tokens);
    });
  } catch (error) {
    signal.throwIfAborted();
    if (own.signal.aborted) throw own.signal.reason;
    if (error instanceof FaultFound) return { ok: false, fault: error.fault };
    throw error;
  } finally {
    clearTimeout(whole);
    clearTimeout(silence);
  }
}

async function readAnswer(parts: AsyncIterable<ChatPart>, onToken: (tokens: number) => void): Promise<AttemptOutcome> {
  const watch = new LoopWatch();
  const thinkingWatch = new LoopWatch();
  let text = '';
  let hasThought = false;
  let tokens = 0;
  for await (const { text: content, thinking, end } of parts) {
    // Thinking text is no part of the answer, but it can loop as well.
    hasThought ||= thinking !== '';
    const loop = watch.push(content);
    if (loop !== null) throw new FaultFound(loop);
    if (thinkingWatch.push(thinking) !== null) throw new FaultFound({ kind: 'only_thinking', tokens });
    text += content;
    if (end === null) {
      tokens += 1;
      onToken(tokens);
      continue;
    }
    const outputTokens = end.outputTokens ?? tokens;
    if (hasThought && text.trim() === '') return { ok: false, fault: { kind: 'only_thinking', tokens: outputTokens } };
    if (end.loop !== null) return { ok: false, fault: end.loop };
    if (end.isCut) return { ok: false, fault: { kind: 'truncated', tokens: outputTokens } };
    return {
      ok: true,
      text,
      promptTokens: end.promptTokens ?? 0,
      outputTokens,
      loadMs: Math.round(end.loadMs ?? 0),
      fingerprint: end.fingerprint ?? null,
      times: { readMs: wholeMs(end.readMs), writeMs: wholeMs(end.writeMs), cachedTokens: end.cachedTokens },
    };
  }
  throw new Error('the answer ended without a last part');
}

const wholeMs = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));
