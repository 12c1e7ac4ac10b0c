/**
 * A structured answer from a model: load it if needed, ask, check, and ask again differently while the answer is unusable.
 *
 * Answers that are cut off, loop, or do not fit the schema are asked for again with a sentence that names the fault, a higher
 * temperature and another seed. Faults of the server are thrown at once for the workflow to retry, perhaps elsewhere; only one stall is
 * repeated here, because a wedged generation often frees itself when its request is dropped.
 */
import { randomInt } from 'node:crypto';
import type { Message } from 'ollama';
import { DeckhandError } from '../../../domain/errors.ts';
import type { JsonSchema } from '../../../domain/models/json-schema.ts';
import {
  correctionFor,
  describeFault,
  type OutputFault,
  parseAnswer,
  samplingFor,
} from '../../../domain/models/model-output.ts';
import { type AttemptOutcome, type AttemptRequest, runAttempt } from './attempt.ts';
import { modelCapabilities, type RunningModel } from './inspect.ts';
import { findLoaded, loadModel } from './load.ts';

/** One question to a model. */
export interface ModelRequest {
  /** Base URL of the Ollama server. */
  host: string;
  model: string;
  /** Instructions; the same for all calls of a task, so that the server reuses what it computed for them. */
  system: string;
  user: string;
  /** Bytes of JPEG or PNG images. */
  images: Uint8Array[];
  schema: JsonSchema;
  /** Name of the schema in messages to people and to the model. */
  schemaName: string;
  options: { numCtx: number; numPredict: number; temperature: number; topP?: number; seed?: number };
  limits: {
    /** One chat request, reading the prompt included, loading excluded. */
    attemptTimeoutMs: number;
    /** The gap between two tokens. */
    idleTokenTimeoutMs: number;
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
  totalMs: number;
  attemptLog: { attempt: number; outcome: string; detail: string }[];
}

/** Where a call stands, for heartbeats. `tokens` counts the running attempt. */
export type CallPhase = {
  phase: 'waiting' | 'loading' | 'prompting' | 'generating';
  tokens: number;
  attempt: number;
};

/** The signal that cancels a call, and a callback for its progress. */
export interface CallContext {
  signal: AbortSignal;
  onPhase?: (phase: CallPhase) => void;
}

/** Stalls that one call tolerates. */
const STALLS_ALLOWED = 1;
const LARGEST_SEED = 2 ** 31 - 1;

/**
 * Asks a model for an answer that fits a schema.
 * @param parse checks the JSON and returns the typed value; throws if it does not fit.
 * @throws the signal's reason when cancelled; DeckhandError `model_output_unparseable` after the last attempt, or the class of the
 * server's fault (see errors.ts).
 */
export async function generateStructured<T>(
  request: ModelRequest,
  parse: (json: unknown) => T,
  context: CallContext,
): Promise<ModelReply<T>> {
  const startedMs = performance.now();
  const report = (phase: CallPhase['phase'], attempt: number, tokens = 0): void =>
    context.onPhase?.({ phase, tokens, attempt });
  report('waiting', 1);
  const { capabilities, loadMs } = await prepare(request, context, () => report('loading', 1));

  const seed = request.options.seed ?? randomInt(LARGEST_SEED - request.limits.maxAttempts);
  const log: ModelReply<T>['attemptLog'] = [];
  let fault: OutputFault | null = null;
  let stalls = 0;
  for (let attempt = 1; attempt <= request.limits.maxAttempts; attempt += 1) {
    const sampling = samplingFor({ temperature: request.options.temperature, seed }, attempt);
    let outcome: AttemptOutcome;
    try {
      outcome = await runAttempt(attemptRequest(request, sampling, capabilities, fault), context.signal, (tokens) =>
        report(tokens === 0 ? 'prompting' : 'generating', attempt, tokens),
      );
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof DeckhandError) || error.code !== 'model_stalled') throw error;
      stalls += 1;
      if (stalls > STALLS_ALLOWED || attempt === request.limits.maxAttempts) throw error;
      log.push({ attempt, outcome: 'stalled', detail: error.message });
      continue;
    }
    const answer = outcome.ok ? parseAnswer(outcome.text, parse) : outcome;
    if (outcome.ok && answer.ok) {
      log.push({ attempt, outcome: 'ok', detail: '' });
      return {
        value: answer.value,
        raw: outcome.text,
        attempts: attempt,
        temperatureUsed: sampling.temperature,
        seedUsed: sampling.seed,
        promptTokens: outcome.promptTokens,
        outputTokens: outcome.outputTokens,
        loadMs: loadMs + outcome.loadMs,
        totalMs: Math.round(performance.now() - startedMs),
        attemptLog: log,
      };
    }
    if (!answer.ok) {
      fault = answer.fault;
      log.push({ attempt, outcome: fault.kind, detail: describeFault(fault) });
    }
  }
  throw unparseable(request, log);
}

/** Checks the model's capabilities, then loads it: a model without vision is not loaded for an image. */
async function prepare(
  request: ModelRequest,
  context: CallContext,
  onLoading: () => void,
): Promise<{ capabilities: readonly string[]; loadMs: number }> {
  const loaded = await findLoaded(request.host, request.model, request.options.numCtx, context);
  const capabilities = await capabilitiesOf(request, loaded, context);
  if (request.images.length > 0 && !capabilities.includes('vision')) {
    throw new DeckhandError('model_lacks_vision', `${request.model} at ${request.host} cannot read images`, {
      userMessage: `The model ${request.model} cannot read images.`,
      hint: 'Configure a vision model for this task.',
    });
  }
  if (loaded !== null) return { capabilities, loadMs: 0 };
  onLoading();
  const options = { numCtx: request.options.numCtx, loadTimeoutMs: request.limits.loadTimeoutMs };
  return { capabilities, loadMs: await loadModel(request.host, request.model, options, context) };
}

/** Capabilities by digest: what a digest can do never changes, and asking reads the model's file. */
const knownCapabilities = new Map<string, readonly string[]>();
const KNOWN_LIMIT = 100;

async function capabilitiesOf(
  request: ModelRequest,
  loaded: RunningModel | null,
  context: CallContext,
): Promise<readonly string[]> {
  const key = loaded === null ? null : loaded.digest;
  const known = key === null ? undefined : knownCapabilities.get(key);
  if (known !== undefined) return known;
  const capabilities = await modelCapabilities(request.host, request.model, context);
  if (key !== null) {
    if (knownCapabilities.size >= KNOWN_LIMIT) knownCapabilities.clear();
    knownCapabilities.set(key, capabilities);
  }
  return capabilities;
}

function attemptRequest(
  request: ModelRequest,
  sampling: { temperature: number; seed: number },
  capabilities: readonly string[],
  fault: OutputFault | null,
): AttemptRequest {
  const { numCtx, numPredict, topP } = request.options;
  return {
    host: request.host,
    model: request.model,
    messages: messagesOf(request, fault),
    schema: request.schema,
    options: {
      num_ctx: numCtx,
      num_predict: numPredict,
      temperature: sampling.temperature,
      seed: sampling.seed,
      ...(topP === undefined ? {} : { top_p: topP }),
    },
    ...(capabilities.includes('thinking') ? { think: false as const } : {}),
    attemptTimeoutMs: request.limits.attemptTimeoutMs,
    idleTokenTimeoutMs: request.limits.idleTokenTimeoutMs,
  };
}

/** The correction comes last, so that all before it is the same as last time and need not be read again. */
function messagesOf(request: ModelRequest, fault: OutputFault | null): Message[] {
  const user: Message = { role: 'user', content: request.user };
  if (request.images.length > 0) user.images = [...request.images];
  const messages: Message[] = [{ role: 'system', content: request.system }, user];
  if (fault !== null) messages.push({ role: 'user', content: correctionFor(fault, request.schemaName) });
  return messages;
}

function unparseable<T>(request: ModelRequest, log: ModelReply<T>['attemptLog']): DeckhandError {
  const lines = log.map((entry) => `${entry.attempt}: ${entry.outcome}: ${entry.detail}`).join(' | ');
  const message = `${request.model} gave no usable "${request.schemaName}" in ${log.length} attempts: ${lines}`;
  return new DeckhandError('model_output_unparseable', message, {
    userMessage: `The model gave no usable answer in ${log.length} attempts.`,
  });
}
