/**
 * A structured answer from a model: load it if needed, ask, check, and ask again differently while the answer is unusable.
 *
 * Answers that are empty, cut off, loop, or do not fit the schema are asked for again, each with its own remedy
 * (domain/models/attempt-plan.ts). Faults of the server are thrown at once for the workflow to retry, perhaps elsewhere. Two kinds of silence
 * are repeated here: one in the middle of an answer, once, because a wedged generation often frees itself when its request is dropped; and one
 * before the first token, where the expected speed was too high and the corrected one gives the next attempt at least twice the time.
 */
import { randomInt } from 'node:crypto';
import { DeckhandError } from '../../../domain/errors.ts';
import { type AttemptLimits, type AttemptWork, CUT_GROWTH, promptTokens } from '../../../domain/models/call-limits.ts';
import type { JsonSchema } from '../../../domain/models/json-schema.ts';
import {
  type AttemptBase,
  type AttemptPlan,
  type FailedAttempt,
  nextAttempt,
  type Thinking,
} from '../../../domain/models/attempt-plan.ts';
import { describeFault, parseAnswer } from '../../../domain/models/model-output.ts';
import { estimateTokens } from '../../../domain/models/token-estimate.ts';
import { type AttemptOutcome, type AttemptRequest, runAttempt, StalledAttempt } from './attempt.ts';
import type { ChatMessage, ModelServer, RunningModel } from './model-server.ts';

/** One question to a model. */
export interface ModelRequest {
  server: ModelServer;
  model: string;
  /** Instructions; the same for all calls of a task, so that the server reuses what it computed for them. */
  system: string;
  user: string;
  /** Bytes of JPEG or PNG images. */
  images: Uint8Array[];
  /** Tokens of an image; absent = not measured. */
  pictureTokens?: number;
  schema: JsonSchema;
  /** Name of the schema in messages to people and to the model. */
  schemaName: string;
  options: { numCtx: number; numPredict: number; temperature: number; topP?: number; seed?: number };
  /** How a model that can think is asked first; absent = not to, or as it answered before. It is ignored for models that cannot. */
  thinking?: Thinking;
  limits: {
    /** Limits of one chat request, loading excluded. Asked before each, because speeds are learned. */
    ofAttempt: (work: AttemptWork) => AttemptLimits;
    loadTimeoutMs: number;
    maxAttempts: number;
  };
}

/** An answer that fits its schema, and how it came about. */
export interface ModelReply<T> {
  value: T;
  /** The text as the model wrote it. */
  raw: string;
  attempts: number;
  temperatureUsed: number;
  seedUsed: number;
  promptTokens: number;
  outputTokens: number;
  /** Time spent loading the model, both before and inside the answer's request. */
  loadMs: number;
  /** Of the attempt that succeeded, as the server says; null = it does not. */
  readMs: number | null;
  writeMs: number | null;
  totalMs: number;
  /** By which a hosted server tells its configurations apart; null = it does not. */
  fingerprint: string | null;
  attemptLog: { attempt: number; outcome: string; detail: string }[];
}

/** Where a call stands, for heartbeats. `tokens` counts the running attempt. */
export type CallPhase = {
  phase: 'waiting' | 'loading' | 'prompting' | 'generating';
  tokens: number;
  attempt: number;
  /** For how long nothing is expected from here on; absent = not known. */
  silenceMs?: number;
};

/** The signal that cancels a call, and callbacks for its progress. */
export interface CallContext {
  signal: AbortSignal;
  onPhase?: (phase: CallPhase) => void;
  /** Before a request with the prompt goes out. @throws what forbids it */
  onSend?: () => Promise<void>;
  /** After it. */
  onSent?: (work: AttemptWork, end: SendEnd) => Promise<void>;
  /** An attempt gave no usable answer, and the class of its fault. Not called for what is thrown. */
  onFault?: (fault: string) => void;
}

/** How one request with the prompt ended. */
export type SendEnd =
  | { readonly kind: 'answered'; readonly outcome: AttemptOutcome }
  | { readonly kind: 'failed'; readonly error: unknown };

const LARGEST_SEED = 2 ** 31 - 1;

/**
 * Asks a model for an answer that fits a schema.
 * @param parse checks the JSON and returns the typed value; throws if it does not fit.
 * @throws the signal's reason when cancelled; DeckhandError `model_output_unparseable` after the last attempt, `model_too_slow`, or the class
 * of the server's fault (see errors.ts).
 */
export async function generateStructured<T>(
  request: ModelRequest,
  parse: (json: unknown) => T,
  context: CallContext,
): Promise<ModelReply<T>> {
  const startedMs = performance.now();
  const report = (phase: CallPhase['phase'], attempt: number, more: Partial<CallPhase> = {}): void =>
    context.onPhase?.({ phase, tokens: 0, attempt, ...more });
  report('waiting', 1);
  const { capabilities, digest, loadMs } = await prepare(request, context, () => report('loading', 1));

  const firstThinking = request.thinking ?? 'off';
  const ways = capabilities.includes('thinking') ? thinkingThatWorked(knowledgeKey(request.server, digest)) : null;
  const base: AttemptBase = {
    temperature: request.options.temperature,
    seed: request.options.seed ?? randomInt(LARGEST_SEED - request.limits.maxAttempts),
    windowTokens: request.options.numCtx,
    promptTokens: estimateTokens(`${request.system}\n${request.user}`),
    outputTokens: request.options.numPredict,
    thinking: ways === null ? null : (ways.get(firstThinking) ?? firstThinking),
    schema: request.schema,
    schemaName: request.schemaName,
  };
  const log: ModelReply<T>['attemptLog'] = [];
  const failed: FailedAttempt[] = [];
  const fail = (entry: ModelReply<T>['attemptLog'][number], how: FailedAttempt): void => {
    log.push(entry);
    failed.push(how);
    context.onFault?.(entry.outcome);
  };
  const stalls: StalledAttempt[] = [];
  let cut: StalledAttempt | null = null;
  for (let attempt = 1; attempt <= request.limits.maxAttempts; attempt += 1) {
    const plan = nextAttempt(base, failed);
    const planned = attemptRequest(request, plan, cut);
    if (cut?.unread === true && planned.limits.firstTokenMs < CUT_GROWTH * cut.silentMs) throw tooSlow(request, cut);
    let outcome: AttemptOutcome;
    try {
      outcome = await send(planned, context, (tokens) => {
        const { firstTokenMs, betweenTokensMs } = planned.limits;
        if (tokens === 0) report('prompting', attempt, { silenceMs: firstTokenMs });
        else report('generating', attempt, { tokens, silenceMs: betweenTokensMs });
      });
    } catch (error) {
      context.signal.throwIfAborted();
      const isLast = attempt === request.limits.maxAttempts;
      if (error instanceof StalledAttempt) {
        stalls.push(error);
        if (isLast || !isWorthRepeating(stalls)) throw error.isSlow ? tooSlow(request, error) : error;
        cut = error;
        fail({ attempt, outcome: 'stalled', detail: error.message }, { plan, fault: null, isThinkingRefused: false });
        continue;
      }
      const asksToThink = plan.thinking !== null && plan.thinking !== 'leave';
      if (!(error instanceof DeckhandError) || isLast || !asksToThink || !refusesThinking(error)) throw error;
      fail(
        { attempt, outcome: 'thinking_refused', detail: error.message },
        { plan, fault: null, isThinkingRefused: true },
      );
      continue;
    }
    cut = null;
    const answer = outcome.ok ? parseAnswer(outcome.text, parse, request.user) : outcome;
    if (outcome.ok && answer.ok) {
      log.push({ attempt, outcome: 'ok', detail: '' });
      if (plan.thinking !== null) ways?.set(firstThinking, plan.thinking);
      return {
        value: answer.value,
        raw: outcome.text,
        attempts: attempt,
        temperatureUsed: plan.temperature,
        seedUsed: plan.seed,
        promptTokens: outcome.promptTokens,
        outputTokens: outcome.outputTokens,
        loadMs: loadMs + outcome.loadMs,
        readMs: outcome.times.readMs,
        writeMs: outcome.times.writeMs,
        totalMs: Math.round(performance.now() - startedMs),
        fingerprint: outcome.fingerprint,
        attemptLog: log,
      };
    }
    if (!answer.ok) {
      const { fault } = answer;
      fail({ attempt, outcome: fault.kind, detail: describeFault(fault) }, { plan, fault });
    }
  }
  throw unparseable(request, log);
}

/** Once each: a prompt that was not read, and an answer that stopped. What is written too slowly would be again. */
function isWorthRepeating(stalls: readonly StalledAttempt[]): boolean {
  const last = stalls.at(-1);
  if (last === undefined || (last.isSlow && !last.unread)) return false;
  return stalls.filter(({ unread }) => unread === last.unread).length === 1;
}

/** One request with the prompt, with what is told of it before and after. */
async function send(
  attempt: AttemptRequest,
  context: CallContext,
  onTokens: (tokens: number) => void,
): Promise<AttemptOutcome> {
  await context.onSend?.();
  let outcome: AttemptOutcome;
  try {
    outcome = await runAttempt(attempt, context.signal, onTokens);
  } catch (error) {
    await context.onSent?.(attempt.work, { kind: 'failed', error });
    throw error;
  }
  await context.onSent?.(attempt.work, { kind: 'answered', outcome });
  return outcome;
}

/** Checks the model's capabilities, then loads it: a model without vision is not loaded for an image. */
async function prepare(
  request: ModelRequest,
  context: CallContext,
  onLoading: () => void,
): Promise<{ capabilities: readonly string[]; digest: string; loadMs: number }> {
  const { server, model } = request;
  const { numCtx } = request.options;
  const loaded = await server.findLoaded(model, numCtx, context);
  const capabilities = await capabilitiesOf(request, loaded, context);
  if (request.images.length > 0 && !capabilities.includes('vision')) {
    throw new DeckhandError('model_lacks_vision', `${model} at ${server.url} cannot read images`, {
      userMessage: `The model ${model} cannot read images.`,
      hint: 'Configure a vision model for this task.',
    });
  }
  if (loaded !== null) return { capabilities, digest: loaded.digest, loadMs: 0 };
  onLoading();
  const loadMs = await server.load(model, { numCtx, loadTimeoutMs: request.limits.loadTimeoutMs }, context);
  // Only a model that can think is known by its digest afterwards.
  const now = capabilities.includes('thinking') ? await server.findLoaded(model, numCtx, context) : null;
  return { capabilities, digest: now?.digest ?? `${model} at ${server.url}`, loadMs };
}

/** With Ollama, the files of a model say all that it can do; elsewhere it is also a matter of how the server was started. */
const knowledgeKey = ({ kind, url }: ModelServer, digest: string): string =>
  kind === 'ollama' ? digest : `${digest} at ${url}`;

/** By model: the way of thinking that gave an answer, by the way that was tried first. */
const knownThinking = new Map<string, Map<Thinking, Thinking>>();

function thinkingThatWorked(key: string): Map<Thinking, Thinking> {
  if (knownThinking.size >= KNOWN_LIMIT && !knownThinking.has(key)) knownThinking.clear();
  const known = knownThinking.get(key) ?? new Map<Thinking, Thinking>();
  knownThinking.set(key, known);
  return known;
}

/** True when the server does not take the way in which it was asked about thinking. */
const refusesThinking = ({ code, message }: DeckhandError): boolean =>
  code === 'model_input_rejected' && /\bthink|chat_template_kwargs|reasoning/iu.test(message);

/** Capabilities by digest, of Ollama: what a digest can do never changes, and asking reads the model's file. */
const knownCapabilities = new Map<string, readonly string[]>();
const KNOWN_LIMIT = 100;

async function capabilitiesOf(
  request: ModelRequest,
  loaded: RunningModel | null,
  context: CallContext,
): Promise<readonly string[]> {
  const key = request.server.kind === 'ollama' ? (loaded?.digest ?? null) : null;
  const known = key === null ? undefined : knownCapabilities.get(key);
  if (known !== undefined) return known;
  const capabilities = await request.server.capabilities(request.model, context);
  if (key !== null) {
    if (knownCapabilities.size >= KNOWN_LIMIT) knownCapabilities.clear();
    knownCapabilities.set(key, capabilities);
  }
  return capabilities;
}

function attemptRequest(request: ModelRequest, plan: AttemptPlan, cut: StalledAttempt | null): AttemptRequest {
  const { numCtx, topP } = request.options;
  const messages = messagesOf(request, plan);
  const work = {
    readTokens: promptTokens(
      messages.map(({ content }) => content),
      request.images.length,
      request.pictureTokens,
    ),
    writeTokens: plan.outputTokens,
    ...(cut?.unread === true ? { cutAfterMs: cut.silentMs } : {}),
  };
  return {
    server: request.server,
    chat: {
      model: request.model,
      messages,
      schema: plan.schema,
      windowTokens: numCtx,
      mostTokens: plan.outputTokens,
      temperature: plan.temperature,
      seed: plan.seed,
      ...(topP === undefined ? {} : { topP }),
      thinking: plan.thinking ?? 'leave',
    },
    work,
    limits: request.limits.ofAttempt(work),
  };
}

/** The correction comes last, so that all before it is the same as last time and need not be read again. */
function messagesOf({ system, user, images }: ModelRequest, { correction }: AttemptPlan): ChatMessage[] {
  return [
    { role: 'system', content: system },
    { role: 'user', content: user, ...(images.length > 0 && { images }) },
    ...(correction === null ? [] : [{ role: 'user', content: correction } as const]),
  ];
}

function tooSlow({ model, server }: ModelRequest, cut: StalledAttempt): DeckhandError {
  return new DeckhandError('model_too_slow', `${model} at ${server.url} is too slow: ${cut.message}`, {
    userMessage: `The model is too slow for this: ${cut.words}.`,
    hint: 'Use a smaller model or a faster machine.',
    cause: cut,
  });
}

function unparseable<T>(request: ModelRequest, log: ModelReply<T>['attemptLog']): DeckhandError {
  const lines = log.map((entry) => `${entry.attempt}: ${entry.outcome}: ${entry.detail}`).join(' | ');
  const message = `${request.model} gave no usable "${request.schemaName}" in ${log.length} attempts: ${lines}`;
  return new DeckhandError('model_output_unparseable', message, {
    userMessage: `The model gave no usable answer in ${log.length} attempts.`,
  });
}
