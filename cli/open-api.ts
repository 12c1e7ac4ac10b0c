/**
 * The API that a command works with: the one that runs on this data directory, one that is started for the command and ends with it, or, where
 * DECKHAND_API_URL names it, another machine's.
 */
import type { DeckhandClient } from '../api/client.ts';
import type { Config, ModelSource } from '../platform/config.ts';
import { clientOf } from '../api/client/home-client.ts';
import { tellOfStillRented } from './fleet/still-rented.ts';
import type { Progress } from './progress.ts';

/** An API in use. */
export interface OpenedApi {
  readonly client: DeckhandClient;
  readonly url: string;
  /** What answers model calls, for messages. */
  readonly modelHost: string;
  /** Lets go and has it stay. */
  keep(): Promise<void>;
  /** Lets go. What was started for this command ends; what stays rented then is told. */
  end(): Promise<void>;
}

/** How it is opened. */
export interface OpenApiOptions {
  readonly models: ModelSource;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Opens it. @throws DeckhandError when what has to be started cannot be */
export async function openApi(config: Config, { models, progress, signal }: OpenApiOptions): Promise<OpenedApi> {
  if (config.apiUrl !== undefined) {
    const nothing = (): Promise<void> => Promise.resolve();
    const url = config.apiUrl;
    return { client: clientOf(config, url), url, modelHost: `the hosts of ${url}`, keep: nothing, end: nothing };
  }
  // Loaded only where something may be started: a question to another machine needs nothing of it.
  const { startRuntime } = await import('../runtime/runtime.ts');
  const runtime = await startRuntime(config, { models, onProgress: (line) => progress.update(line), signal });
  runtime.onRestart(({ name, reason, restarts }) =>
    progress.update(`${name} ended (${reason}) and is started again (${restarts})`),
  );
  return {
    client: clientOf(config, runtime.apiUrl),
    url: runtime.apiUrl,
    modelHost: runtime.modelHost,
    keep: () => runtime.detach(),
    end: async () => {
      if (!runtime.joined) await tellOfStillRented(config, () => runtime.apiUrl);
      await runtime.stop();
    },
  };
}
