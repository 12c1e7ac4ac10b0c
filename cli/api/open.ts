/**
 * The API that a command works with: the one that runs on this data directory, one that is started for the command and ends with it, or, where
 * DECKHAND_API_URL names it, another machine's.
 */
import type { DeckhandClient } from '../../api/client.ts';
import { clientOf } from '../../api/client/home-client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { Catalog } from '../../domain/models/catalog/catalog.ts';
import { type Config, loadConfig } from '../../platform/config.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { providerNames } from '../../clouds/fleet.ts';
import { isLocal } from '../../clouds/providers.ts';
import { knownCatalog } from '../../platform/models-file.ts';
import { readControlFile, runningApiUrl } from '../../platform/runtime-info.ts';
import { endOnSignal } from '../../platform/signals.ts';
import { tellOfStillRented } from '../fleet/still-rented.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';

/** An API in use. */
interface OpenedApi {
  readonly client: DeckhandClient;
  readonly url: string;
  /** What answers model calls, for messages. */
  readonly modelHost: string;
  /** Profile of what runs here; null on another machine. */
  readonly models: string | null;
  /** Disconnects and keeps it running. */
  keep(): Promise<void>;
  /** Disconnects. A runtime that was started for this command ends; machines that stay rented are reported. */
  end(): Promise<void>;
}

/** How it is opened. */
interface OpenApiOptions {
  /** Profile with which it is started; what runs already is joined whatever its profile, and says itself whether it can answer with another. */
  readonly models: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Opens it. @throws DeckhandError when what has to be started cannot be */
export async function openApi(config: Config, { models, progress, signal }: OpenApiOptions): Promise<OpenedApi> {
  if (config.apiUrl !== undefined) {
    const nothing = (): Promise<void> => Promise.resolve();
    const url = config.apiUrl;
    const modelHost = `the hosts of ${url}`;
    return { client: clientOf(config, url), url, modelHost, models: null, keep: nothing, end: nothing };
  }
  // Loaded only where something may be started: a call to another machine does not need it.
  const { startRuntime } = await import('../../runtime/runtime.ts');
  const onProgress = (line: string): void => progress.update(line);
  const runtime = await startRuntime(config, { models, joinsAny: true, onProgress, signal });
  runtime.onRestart(({ name, reason, restarts }) =>
    progress.update(`${name} ended (${reason}) and is started again (${restarts})`),
  );
  return {
    client: clientOf(config, runtime.apiUrl),
    url: runtime.apiUrl,
    modelHost: runtime.modelHost,
    models: runtime.models,
    keep: () => runtime.detach(),
    end: async () => {
      if (!runtime.joined) await tellOfStillRented(config, () => runtime.apiUrl);
      await runtime.stop();
    },
  };
}

/** Options of `askApi`. */
interface AskOptions {
  /** What answers model calls where a runtime is started. */
  readonly models?: string;
  /** The command may start pools that rent machines. */
  readonly mayRent?: boolean;
}

/** Calls the API, which is started where nothing runs. @param message shown meanwhile */
export async function askApi<T>(
  message: string,
  ask: (client: DeckhandClient, signal: AbortSignal, progress: Progress, api: OpenedApi) => Promise<T>,
  { models, mayRent = false }: AskOptions = {},
): Promise<T> {
  const config = loadConfig();
  if (config.apiUrl === undefined && !mayRent) refuseToStartPools(config);
  const signal = endOnSignal();
  const progress = createProgress();
  const api = await openApi(config, { models: models ?? config.models, progress, signal });
  try {
    progress.update(message);
    return await ask(api.client, signal, progress, api);
  } finally {
    progress.end();
    await api.end();
  }
}

/** True where a command joins an API and starts none. */
export const isRunning = ({ apiUrl, home }: Config): boolean =>
  apiUrl !== undefined || readControlFile(home) !== undefined;

/** Calls the running API; starts nothing. @throws DeckhandError `service_unavailable` when none runs */
export function askRunning<T>(ask: (client: DeckhandClient, signal: AbortSignal) => Promise<T>): Promise<T> {
  const config = loadConfig();
  return ask(clientOf(config, runningApiUrl(config)), endOnSignal());
}

/** Servers, models and profiles of what runs; where nothing does, those that come with Deckhand and those of the models file. */
export const readModels = async (config: Config): Promise<Catalog> =>
  isRunning(config) ? askRunning((client, signal) => client.GET('/models/catalog', { signal })) : knownCatalog(config);

/** A query must not rent anything: starting Deckhand starts its pools, which may have open work, and they would end with the command. */
function refuseToStartPools(config: Config): void {
  const fleet = loadFleet(config);
  const isSafe = providerNames(fleet).every((name) => isLocal(fleet, name));
  if (isSafe || isRunning(config)) return;
  throw new DeckhandError(
    'service_unavailable',
    `nothing runs in ${config.home}, and starting it could rent machines`,
    {
      userMessage: 'Deckhand is not running, and this command does not start pools that rent machines.',
      hint: 'Start it with `./deckhand up` in another terminal, then ask again; with "min": 0 nothing is rented before a deck comes.',
    },
  );
}
