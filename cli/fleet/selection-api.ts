/**
 * Runs one question to the API for a command: joins the runtime or starts it, or turns to another machine's; asks, lets go.
 */
import type { DeckhandClient } from '../../api/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig, type Config } from '../../platform/config.ts';
import { isLoopbackUrl, loadFleet } from '../../platform/fleet-config.ts';
import { readControlFile } from '../../platform/runtime-info.ts';
import { openApi } from '../open-api.ts';
import { createProgress, type Progress } from '../progress.ts';
import { endOnSignal } from '../../platform/signals.ts';

/** The answer to a question. `message` is what is going on meanwhile. */
export async function askApi<T>(
  message: string,
  ask: (client: DeckhandClient, signal: AbortSignal, progress: Progress) => Promise<T>,
): Promise<T> {
  const config = loadConfig();
  if (config.apiUrl === undefined) refuseToStartPools(config);
  const signal = endOnSignal();
  const progress = createProgress();
  const api = await openApi(config, { models: config.models, progress, signal });
  try {
    progress.update(message);
    return await ask(api.client, signal, progress);
  } finally {
    progress.end();
    await api.end();
  }
}

/** A question must not rent anything: starting Deckhand starts its pools, which may have open work, and would be gone with the command. */
function refuseToStartPools(config: Config): void {
  const { provider, baseUrl } = loadFleet(config);
  if (provider === 'static' || isLoopbackUrl(baseUrl) || readControlFile(config.home) !== undefined) return;
  throw new DeckhandError(
    'service_unavailable',
    `nothing runs in ${config.home}, and starting it could rent machines`,
    {
      userMessage: 'Deckhand does not run, and this command does not start pools that rent machines.',
      hint: 'Start it with `./deckhand up` in another terminal, then ask again; with "min": 0 nothing is rented before a deck comes.',
    },
  );
}
