/**
 * Brings a model onto a server and into its memory: steps of their own, so that an answer's limit measures the answer.
 *
 * A model is loaded with its one fixed context window; another window would make the server load it again. It stays until it is
 * unloaded (keep_alive −1), because an idle machine is put to sleep as a whole.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import { ask, canonicalName, type RunningModel, runningModels } from './inspect.ts';

/** Ollama's "keep until told otherwise". */
export const KEEP_LOADED = -1;

export interface LoadOptions {
  /** Context window in tokens, fixed per model. */
  readonly numCtx: number;
  readonly loadTimeoutMs: number;
}

/** One step of a pull. Bytes are null while the server has not said them. */
export interface PullProgress {
  readonly status: string;
  readonly completedBytes: number | null;
  readonly totalBytes: number | null;
}

/**
 * Windows that a server gave instead of the one that was asked for: it keeps a model at the window that it was trained with, or ignores the
 * wish. Asking again would change nothing and cost a load.
 */
const givenInstead = new Map<string, number>();
const GIVEN_LIMIT = 1000;

const windowKey = (host: string, model: string, numCtx: number): string => `${canonicalName(model)} ${numCtx} ${host}`;

/** The entry of a loaded model with the window that is asked for, or with the one that this server gives for it; null = it has to be loaded. */
export async function findLoaded(
  host: string,
  model: string,
  numCtx: number,
  context: { readonly signal: AbortSignal },
): Promise<RunningModel | null> {
  const running = await runningModels(host, context);
  const entry = entryOf(running, model);
  if (entry === undefined) return null;
  const { contextLength } = entry;
  const given = givenInstead.get(windowKey(host, model, numCtx));
  return contextLength === null || contextLength === numCtx || contextLength === given ? entry : null;
}

const entryOf = (running: readonly RunningModel[], model: string): RunningModel | undefined =>
  running.find((candidate) => canonicalName(candidate.name) === canonicalName(model));

/** Notes the window that the server really gave. */
async function noteWindow(
  host: string,
  model: string,
  numCtx: number,
  context: { readonly signal: AbortSignal },
): Promise<void> {
  const given = entryOf(await runningModels(host, context), model)?.contextLength ?? null;
  const key = windowKey(host, model, numCtx);
  givenInstead.delete(key);
  if (given === null || given === numCtx) return;
  if (givenInstead.size >= GIVEN_LIMIT) givenInstead.clear();
  givenInstead.set(key, given);
}

/**
 * Loads a model and returns how long that took, in milliseconds.
 * @throws DeckhandError `model_not_ready` if it is missing or does not load within the limit.
 */
export async function loadModel(
  host: string,
  model: string,
  options: LoadOptions,
  context: { readonly signal: AbortSignal },
): Promise<number> {
  const startedMs = performance.now();
  const limit = AbortSignal.timeout(options.loadTimeoutMs);
  const signal = AbortSignal.any([context.signal, limit]);
  try {
    await ask(host, `load ${model}`, signal, async (ollama) => {
      const stream = await ollama.chat({
        model,
        messages: [],
        stream: true,
        keep_alive: KEEP_LOADED,
        options: { num_ctx: options.numCtx },
      });
      for await (const part of stream) if (part.done) break;
    });
  } catch (error) {
    context.signal.throwIfAborted();
    if (limit.aborted) {
      throw new DeckhandError(
        'model_not_ready',
        `${model} did not load on ${host} within ${options.loadTimeoutMs} ms`,
        {
          userMessage: `The model ${model} takes too long to load.`,
          cause: error,
        },
      );
    }
    throw error;
  }
  const loadMs = Math.round(performance.now() - startedMs);
  await noteWindow(host, model, options.numCtx, context);
  return loadMs;
}

/** A model in memory, as calls find it. */
export interface LoadedWindow {
  /** 0 when it was loaded already. */
  readonly loadMs: number;
  /** Window that the server gave, tokens; null where it does not say. */
  readonly windowTokens: number | null;
}

/** Loads a model where it has to be. @throws DeckhandError as {@link loadModel} */
export async function ensureLoaded(
  host: string,
  model: string,
  options: LoadOptions,
  context: { readonly signal: AbortSignal },
): Promise<LoadedWindow> {
  const loaded = await findLoaded(host, model, options.numCtx, context);
  if (loaded !== null) return { loadMs: 0, windowTokens: loaded.contextLength };
  const loadMs = await loadModel(host, model, options, context);
  const now = await findLoaded(host, model, options.numCtx, context);
  return { loadMs, windowTokens: now?.contextLength ?? null };
}

/**
 * Downloads a model onto the server.
 * @throws DeckhandError `model_not_ready` with the server's reason, or an error of the connection.
 */
export async function pullModel(
  host: string,
  model: string,
  context: { readonly signal: AbortSignal; readonly onProgress?: (progress: PullProgress) => void },
): Promise<void> {
  try {
    await ask(host, `pull ${model}`, context.signal, async (ollama) => {
      const stream = await ollama.pull({ model, stream: true });
      for await (const part of stream) {
        context.onProgress?.({
          status: part.status,
          completedBytes: part.completed ?? null,
          totalBytes: part.total ?? null,
        });
      }
    });
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof DeckhandError) || error.code === 'model_unreachable') throw error;
    throw new DeckhandError('model_not_ready', error.message, {
      userMessage: `The model ${model} could not be downloaded.`,
      cause: error,
    });
  }
}
