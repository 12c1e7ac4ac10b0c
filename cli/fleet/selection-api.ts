/**
 * Runs one question to the API for a command: joins the runtime or starts it, asks, lets go.
 */
import { DeckhandClient } from '../../api/client.ts';
import { loadConfig } from '../../platform/config.ts';
import { createProgress } from '../progress.ts';
import { endOnSignal } from '../signals.ts';
import { tellOfStillRented } from './still-rented.ts';

/** The answer to a question. `message` is what is going on meanwhile. */
export async function askApi<T>(
  message: string,
  ask: (client: DeckhandClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { startRuntime } = await import('../../platform/runtime/runtime.ts');
  const config = loadConfig();
  const signal = endOnSignal();
  const progress = createProgress();
  const onProgress = (line: string): void => progress.update(line);
  const runtime = await startRuntime(config, { models: config.models, onProgress, signal });
  try {
    progress.update(message);
    return await ask(new DeckhandClient(runtime.apiUrl), signal);
  } finally {
    progress.end();
    if (!runtime.joined) await tellOfStillRented(config, () => runtime.apiUrl);
    await runtime.stop();
  }
}
