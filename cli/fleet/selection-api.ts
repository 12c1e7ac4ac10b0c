/**
 * Runs one question to the API for a command: joins the runtime or starts it, asks, lets go.
 */
import type { DeckhandClient } from '../../api/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig, type Config } from '../../platform/config.ts';
import { isLoopbackUrl, loadFleet } from '../../platform/fleet-config.ts';
import { readControlFile } from '../../platform/runtime/runtime-info.ts';
import { clientOf } from '../api-client.ts';
import { createProgress, type Progress } from '../progress.ts';
import { endOnSignal } from '../signals.ts';
import { tellOfStillRented } from './still-rented.ts';

/** The answer to a question. `message` is what is going on meanwhile. */
export async function askApi<T>(
  message: string,
  ask: (client: DeckhandClient, signal: AbortSignal, progress: Progress) => Promise<T>,
): Promise<T> {
  const { startRuntime } = await import('../../platform/runtime/runtime.ts');
  const config = loadConfig();
  refuseToStartPools(config);
  const signal = endOnSignal();
  const progress = createProgress();
  const onProgress = (line: string): void => progress.update(line);
  const runtime = await startRuntime(config, { models: config.models, onProgress, signal });
  try {
    progress.update(message);
    return await ask(clientOf(config, runtime.apiUrl), signal, progress);
  } finally {
    progress.end();
    if (!runtime.joined) await tellOfStillRented(config, () => runtime.apiUrl);
    await runtime.stop();
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
