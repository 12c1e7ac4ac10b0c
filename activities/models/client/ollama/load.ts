/**
 * Brings a model onto a server and into its memory: steps of their own, so that an answer's limit measures the answer.
 *
 * A model is loaded with its one fixed context window; another window would make the server load it again. It stays until it is
 * unloaded (keep_alive −1), because an idle machine is put to sleep as a whole.
 */
import { DeckhandError, type ErrorCode } from '../../../../domain/errors.ts';
import type { AskContext, LoadOptions, PullProgress, RunningModel } from '../model-server.ts';
import type { ServerAddress } from '../connection.ts';
import { ask, canonicalName, isSameModel, runningModels } from './inspect.ts';

/** Ollama's "keep until told otherwise". */
export const KEEP_LOADED = -1;

/**
 * Windows that a server gave instead of the one that was asked for: it keeps a model at the window that it was trained with, or ignores the
 * wish. Asking again would change nothing and cost a load.
 */
const givenInstead = new Map<string, number>();
const GIVEN_LIMIT = 1000;

const windowKey = (host: ServerAddress, model: string, numCtx: number): string =>
  `${canonicalName(model)} ${numCtx} ${host.url}`;

/** See `ModelServer.findLoaded`. */
export async function findLoaded(
  host: ServerAddress,
  model: string,
  numCtx: number,
  context: AskContext,
): Promise<RunningModel | null> {
  const running = await runningModels(host, context);
  const entry = entryOf(running, model);
  if (entry === undefined) return null;
  const { windowTokens } = entry;
  const given = givenInstead.get(windowKey(host, model, numCtx));
  return windowTokens === null || windowTokens === numCtx || windowTokens === given ? entry : null;
}

const entryOf = (running: readonly RunningModel[], model: string): RunningModel | undefined =>
  running.find(({ name }) => isSameModel(name, model));

/** Notes the window that the server really gave. */
async function noteWindow(host: ServerAddress, model: string, numCtx: number, context: AskContext): Promise<void> {
  const given = entryOf(await runningModels(host, context), model)?.windowTokens ?? null;
  const key = windowKey(host, model, numCtx);
  givenInstead.delete(key);
  if (given === null || given === numCtx) return;
  if (givenInstead.size >= GIVEN_LIMIT) givenInstead.clear();
  givenInstead.set(key, given);
}

/** See `ModelServer.load`. */
export async function loadModel(
  host: ServerAddress,
  model: string,
  options: LoadOptions,
  context: AskContext,
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
        `${model} did not load on ${host.url} within ${options.loadTimeoutMs} ms`,
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

/** Faults on the way to the server, which say nothing of the model. */
const KEPT_AS_THEY_ARE: ReadonlySet<ErrorCode> = new Set(['model_unreachable', 'data_would_leave']);

/** See `ModelServer.pull`. */
export async function pullModel(
  host: ServerAddress,
  model: string,
  context: AskContext & { readonly onProgress?: (progress: PullProgress) => void },
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
    if (!(error instanceof DeckhandError) || KEPT_AS_THEY_ARE.has(error.code)) throw error;
    throw new DeckhandError('model_not_ready', error.message, {
      userMessage: `The model ${model} could not be downloaded.`,
      cause: error,
    });
  }
}
