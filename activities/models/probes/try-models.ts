/** Asks a server, by its address alone, for models: whether each answers, or only whether the server has it. */
import { asDeckhandError } from '../../../domain/errors.ts';
import type { Model } from '../../../domain/models/catalog/catalog.ts';
import { openKeyedServer, type KeyedPlace } from '../client/open.ts';
import { probeAnswer } from './generation.ts';

const TRIAL_LIMIT_MS = 60_000;
const LOOK_LIMIT_MS = 10_000;

/** The outcome of asking for one model. */
interface ModelTrial {
  readonly model: string;
  readonly url: string;
  readonly isAnswered: boolean;
  readonly loadMs: number;
  readonly answerMs: number;
  /** Null when it answered. */
  readonly reason: string | null;
}

/**
 * One trial per model, one after the other: two models may not fit at the same time.
 *
 * @param isLook true = nothing is loaded, and a model that the server has counts as answered
 * @throws DeckhandError `invalid_request` for a key file without a key; the signal's reason
 */
export async function tryModels(
  place: KeyedPlace,
  models: readonly Model[],
  { isLook, signal }: { readonly isLook: boolean; readonly signal: AbortSignal },
): Promise<ModelTrial[]> {
  const server = await openKeyedServer(place);
  const ask = async ({ name, window, loadTimeoutMs }: Model): Promise<{ loadMs: number; generationMs: number }> => {
    if (!isLook) {
      const tried = { name, numCtx: window, loadTimeoutMs, attemptTimeoutMs: TRIAL_LIMIT_MS };
      return probeAnswer(server, tried, { signal });
    }
    await server.inspect(name, { signal: AbortSignal.any([signal, AbortSignal.timeout(LOOK_LIMIT_MS)]) });
    return { loadMs: 0, generationMs: 0 };
  };
  const trials: ModelTrial[] = [];
  for (const model of models) {
    const tried = { model: model.name, url: place.url };
    try {
      const { loadMs, generationMs } = await ask(model);
      trials.push({ ...tried, isAnswered: true, loadMs, answerMs: generationMs, reason: null });
    } catch (error) {
      signal.throwIfAborted();
      const { userMessage } = asDeckhandError(error);
      trials.push({ ...tried, isAnswered: false, loadMs: 0, answerMs: 0, reason: userMessage });
    }
  }
  return trials;
}
