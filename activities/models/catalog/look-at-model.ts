/** What a running model server says of a model that is to be configured. */
import { DeckhandError } from '../../../domain/errors.ts';
import { SMALLEST_WINDOW } from '../../../domain/models/catalog/catalog.ts';
import { inspectModel, modelFileInfo } from '../client/inspect.ts';

/** Window that a model gets where none is asked for, tokens: enough for a deck of usual length, at half the memory of 32,768. */
const USUAL_WINDOW = 16_384;

/** What was found. */
export interface SeenModel {
  readonly digest: string;
  readonly seesPictures: boolean;
  /** Window that it was trained for, tokens; null where its file does not say. */
  readonly trainedWindow: number | null;
  /** Window that it gets. */
  readonly window: number;
  readonly serverVersion: string;
}

/**
 * Asks a server for a model.
 *
 * @param wanted window that is asked for, tokens; undefined = the usual one, or the trained one where that is smaller
 * @throws DeckhandError `model_not_ready` when the server does not have it, `model_unreachable`; `invalid_request` for a window that it was not
 *   trained for
 */
export async function lookAtModel(
  url: string,
  model: string,
  wanted: number | undefined,
  signal: AbortSignal,
): Promise<SeenModel> {
  const [{ digest, capabilities, serverVersion }, file] = await Promise.all([
    inspectModel(url, model, { signal }),
    modelFileInfo(url, model, { signal }),
  ]);
  const entry = Object.entries(file).find(([name]) => name.endsWith('.context_length'));
  const trainedWindow = typeof entry?.[1] === 'number' ? entry[1] : null;
  if (trainedWindow !== null && wanted !== undefined && wanted > trainedWindow) {
    const message = `${model} was trained for a window of ${trainedWindow} tokens; ${wanted} were asked for.`;
    throw new DeckhandError('invalid_request', message, {
      userMessage: message,
      hint: `Ask for ${trainedWindow} or less, or leave the window out.`,
    });
  }
  const window = wanted ?? Math.max(SMALLEST_WINDOW, Math.min(USUAL_WINDOW, trainedWindow ?? USUAL_WINDOW));
  return { digest, seesPictures: capabilities.includes('vision'), trainedWindow, window, serverVersion };
}
