/**
 * Finds the API of what runs already. Commands about the fleet start nothing: a runtime that ended with the command would leave machines
 * rented and unattended.
 */
import { existsSync, readFileSync } from 'node:fs';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { readControlFile, runtimeFilePath, runtimeInfoSchema } from '../../runtime/runtime-info.ts';

/**
 * Base URL of the API: DECKHAND_API_URL, or the one of the runtime of this data directory.
 *
 * @throws DeckhandError `service_unavailable` when no runtime works on this data directory, or is still starting
 */
export function runningApiUrl(config: Config): string {
  if (config.apiUrl !== undefined) return config.apiUrl;
  if (readControlFile(config.home) === undefined) {
    throw new DeckhandError('service_unavailable', `no runtime in ${config.home}`, {
      userMessage: `Deckhand does not run on ${config.home}.`,
      hint: 'Start it with `./deckhand up`, or set DECKHAND_API_URL (and DECKHAND_API_KEY) to the address of another.',
    });
  }
  const file = runtimeFilePath(config.home);
  const info = existsSync(file) ? runtimeInfoSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
  if (info?.success === true) return info.data.apiUrl;
  throw new DeckhandError('service_unavailable', `${file} is not there yet`, {
    userMessage: 'Deckhand is still starting.',
    hint: 'Try again in a moment.',
  });
}
