/**
 * Where the credentials of a DataCrunch project come from: the environment, or an INI file that only its owner can read.
 */
import { parse } from 'ini';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopbackUrl } from '../../platform/loopback.ts';
import { bothOf, noCredentials, OF_SIMULATOR, secretTextOf, type Found } from '../credential-file.ts';
import { isRecord } from '../http/refused.ts';
import type { DataCrunchCredentials } from './http/transport.ts';

/** What a simulator accepts by default, and the one that the runtime starts always. */
export const SIMULATOR_CREDENTIALS: Found<DataCrunchCredentials> = {
  credentials: { clientId: 'demo', clientSecret: 'demo' },
  source: OF_SIMULATOR,
};

const HOW_TO_SET = 'Run `deckhand credentials set`, or set DATACRUNCH_CLIENT_ID and DATACRUNCH_CLIENT_SECRET.';

/**
 * Credentials for the API at `baseUrl`. The file holds a real account's and is not read for a simulator on this machine.
 *
 * @throws DeckhandError `credentials_missing` when there are none, `usage` when the file may be read by others or is of another kind
 */
export function findCredentials(config: Config['datacrunch'], baseUrl: string): Found<DataCrunchCredentials> {
  const { clientId, clientSecret, credentialsFile } = config;
  const both = bothOf({ DATACRUNCH_CLIENT_ID: clientId, DATACRUNCH_CLIENT_SECRET: clientSecret });
  if (both !== null) return { credentials: { clientId: both[0], clientSecret: both[1] }, source: 'the environment' };
  if (isLoopbackUrl(baseUrl)) return SIMULATOR_CREDENTIALS;
  return { credentials: readCredentialsFile(credentialsFile), source: credentialsFile };
}

/** Reads the file. @throws DeckhandError as {@link findCredentials} */
export function readCredentialsFile(file: string): DataCrunchCredentials {
  const text = secretTextOf(file);
  if (text === null) throw noCredentials('DataCrunch', `${file} does not exist`, HOW_TO_SET);
  const values = credentialValues(parse(text));
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
