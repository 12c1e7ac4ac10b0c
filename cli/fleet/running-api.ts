/**
 * Finds the API of what runs already. Commands about the fleet start nothing: a runtime that ended with the command would leave machines
 * rented and unattended.
 */
import { existsSync, readFileSync } from 'node:fs';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { readControlFile, runtimeFilePath, runtimeInfoSchema } from '../../platform/runtime/runtime-info.ts';

/**
 * Base URL of the API: DECKHAND_API_URL, the running runtime's, or where the configuration says that one listens (containers have no runtime of ours).
 *
 * @throws DeckhandError `service_unavailable` when the runtime of this data directory is still starting
 */
export function runningApiUrl(config: Config): string {
  if (config.apiUrl !== undefined) return config.apiUrl;
  if (readControlFile(config.home) === undefined) {
    // An API in a container listens on all addresses; from inside it is reached through loopback.
    const host = config.apiHost === '0.0.0.0' ? '127.0.0.1' : config.apiHost;
    return `http://${host}:${config.apiPort}`;
  }
  const file = runtimeFilePath(config.home);
  const info = existsSync(file) ? runtimeInfoSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
  if (info?.success === true) return info.data.apiUrl;
  throw new DeckhandError('service_unavailable', `${file} is not there yet`, {
    userMessage: 'Deckhand is still starting.',
    hint: 'Try again in a moment.',
  });
}
