/**
 * The data directory's own operator key, in a file that only its owner can read, so that commands on this machine need no configuration; and
 * the choice of the key that a client sends.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeckhandError } from '../domain/errors.ts';
import { isApiKey, newApiKey } from './api-key.ts';
import type { Config } from './config.ts';
import { isLoopbackHost } from './loopback.ts';
import { makeSecretFile } from './secret-file.ts';

/** Path of the own key of a data directory. */
export function ownKeyPath(home: string): string {
  return join(home, 'keys', 'operator.key');
}

/** The own key of a data directory; undefined if there is none. @throws DeckhandError `usage` if the file holds no key */
export function readOwnKey(home: string): string | undefined {
  const path = ownKeyPath(home);
  if (!existsSync(path)) return undefined;
  let key: string;
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new DeckhandError('forbidden', `${path} cannot be read: ${String(error)}`, {
      userMessage: `The key of this data directory, ${path}, cannot be read.`,
      hint: 'Run the command as the user that Deckhand runs as, or set DECKHAND_API_KEY.',
      cause: error,
    });
  }
  if (isApiKey(key)) return key;
  throw new DeckhandError('usage', `${path} holds no API key`, {
    hint: 'Delete the file and start Deckhand again: it makes a new one.',
  });
}

/** The own key of a data directory, made if there is none. If two processes make one at the same time, one wins. */
export function ensureOwnKey(home: string): string {
  const path = ownKeyPath(home);
  const present = readOwnKey(home);
  if (present !== undefined) return present;
  makeSecretFile(path, `${newApiKey('operator')}\n`);
  return readOwnKey(home) ?? ensureOwnKey(home);
}

/**
 * The key that a client of this process sends: the configured one, else the data directory's own; undefined if there is neither. The own key
 * is sent only on loopback. If DECKHAND_API_URL is set, the configured key is sent to that address only.
 *
 * @param apiUrl address of the API
 */
export function clientApiKey(
  config: Pick<Config, 'apiKey' | 'apiUrl' | 'home'>,
  apiUrl: string = config.apiUrl ?? 'http://127.0.0.1',
): string | undefined {
  const isConfiguredApi = config.apiUrl === undefined || config.apiUrl === apiUrl;
  if (isConfiguredApi && config.apiKey !== undefined) return config.apiKey;
  return isLoopbackHost(new URL(apiUrl).host) ? readOwnKey(config.home) : undefined;
}
