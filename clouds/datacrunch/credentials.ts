/**
 * Where the credentials of a DataCrunch project come from: the environment, or an INI file that only its owner can read.
 */
import { readFileSync, statSync } from 'node:fs';
import { parse } from 'ini';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopbackUrl } from '../../platform/loopback.ts';
import { isRecord } from '../http/refused.ts';
import type { DataCrunchCredentials } from './http/transport.ts';

/** Credentials and where they were found, for people. */
export interface FoundCredentials {
  readonly credentials: DataCrunchCredentials;
  readonly source: string;
}

/** What a simulator accepts by default, and the one that the runtime starts always. */
export const SIMULATOR_CREDENTIALS: FoundCredentials = {
  credentials: { clientId: 'demo', clientSecret: 'demo' },
  source: "the simulator's default",
};

const HOW_TO_SET = 'Run `deckhand credentials set`, or set DATACRUNCH_CLIENT_ID and DATACRUNCH_CLIENT_SECRET.';

/**
 * Credentials for the API at `baseUrl`. The file holds a real account's and is not read for a simulator on this machine.
 *
 * @throws DeckhandError `credentials_missing` when there are none, `usage` when the file may be read by others or is of another kind
 */
export function findCredentials(config: Config['datacrunch'], baseUrl: string): FoundCredentials {
  const { clientId, clientSecret, credentialsFile } = config;
  if (clientId !== undefined && clientSecret !== undefined)
    return { credentials: { clientId, clientSecret }, source: 'the environment' };
  if (clientId !== undefined || clientSecret !== undefined) {
    const missing = clientId === undefined ? 'DATACRUNCH_CLIENT_ID' : 'DATACRUNCH_CLIENT_SECRET';
    throw new DeckhandError('credentials_missing', `${missing} is not set although its other half is`, {
      hint: `Set ${missing} too, or neither.`,
    });
  }
  if (isLoopbackUrl(baseUrl)) return SIMULATOR_CREDENTIALS;
  return { credentials: readCredentialsFile(credentialsFile), source: credentialsFile };
}

/** Reads the file. @throws DeckhandError as {@link findCredentials} */
export function readCredentialsFile(file: string): DataCrunchCredentials {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new DeckhandError('credentials_missing', `${file} does not exist`, {
      userMessage: 'There are no DataCrunch credentials.',
      hint: HOW_TO_SET,
    });
  }
  if ((stats.mode & 0o077) !== 0) {
    throw new DeckhandError('usage', `${file} may be read by others (mode ${(stats.mode & 0o777).toString(8)})`, {
      hint: `chmod 600 ${file}`,
    });
  }
  const values = credentialValues(parse(readFileSync(file, 'utf8')));
  const clientId = values['client_id'];
  const clientSecret = values['client_secret'];
  if (isFilled(clientId) && isFilled(clientSecret)) return { clientId, clientSecret };
  if (isFilled(values['datacrunch_api_key']) || isFilled(values['api_key'])) {
    throw new DeckhandError('credentials_missing', `${file} holds an API key, which the API no longer takes`, {
      hint: 'Make a client id and secret in the DataCrunch console (Keys → REST API Keys), then run `deckhand credentials set`.',
    });
  }
  const missing = isFilled(clientId) ? 'client_secret' : 'client_id';
  throw new DeckhandError('credentials_missing', `${file} has no ${missing}`, { hint: HOW_TO_SET });
}

/** Keys at the top of the file, or in its section `default`. */
function credentialValues(file: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const section = file['default'] ?? file['DEFAULT'];
  return { ...(isRecord(section) ? section : {}), ...file };
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
