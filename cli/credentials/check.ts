/**
 * Asks the provider what it makes of the credentials. Reads only: nothing is rented by checking.
 */
import { existsSync } from 'node:fs';
import type { Found } from '../../clouds/credential-file.ts';
import { createDataCrunchClient } from '../../clouds/datacrunch/client.ts';
import { findCredentials, readCredentialsFile, SIMULATOR_CREDENTIALS } from '../../clouds/datacrunch/credentials.ts';
import type { DataCrunchCredentials } from '../../clouds/datacrunch/http/transport.ts';
import { isProviderError } from '../../clouds/errors.ts';
import type { Fleet } from '../../clouds/fleet.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopbackUrl } from '../../platform/loopback.ts';

/** What a check found. */
export interface CredentialsCheck {
  readonly baseUrl: string;
  /** The environment, a file, or the simulator's default. */
  readonly source: string;
  readonly currency: string;
  readonly balance: number;
  /** Instances of the account, those of others included. */
  readonly instances: number;
  /** Calls left in the account's present minute; null where the provider does not say. */
  readonly callsLeft: number | null;
}

/** A user waits for the answer: one repetition after a fault is enough. */
const RETRY = { maxTries: 2, baseMs: 500, maxMs: 500, maxRetryAfterMs: 10_000, readWithinMs: 30_000 };
const TIMEOUT_MS = 15_000;

/** What is checked: the credentials that were set, also where a fleet would use the simulator's own. */
function toCheck(config: Config['datacrunch'], baseUrl: string): Found<DataCrunchCredentials> {
  const found = findCredentials(config, baseUrl);
  if (found !== SIMULATOR_CREDENTIALS || !existsSync(config.credentialsFile)) return found;
  return { credentials: readCredentialsFile(config.credentialsFile), source: config.credentialsFile };
}

/**
 * The fleet with the address at which a provider's credentials are checked: the one that is named, else the fleet's own.
 *
 * @throws DeckhandError `usage` for an address that is none, and for a fleet of simulated providers where none is named
 */
export function fleetToCheck(fleet: Fleet, provider: string, baseUrl: string | undefined, fleetFile: string): Fleet {
  if (baseUrl !== undefined) {
    if (!/^https?:\/\//u.test(baseUrl) || !URL.canParse(baseUrl))
      throw new DeckhandError('usage', `${baseUrl} is not a URL`, { hint: 'Such as https://api.verda.com/v1.' });
    return { ...fleet, providers: { ...fleet.providers, [provider]: { ...fleet.providers[provider], baseUrl } } };
  }
  if (fleet.simulator === null) return fleet;
  throw new DeckhandError('usage', `${fleetFile} names a simulated provider`, {
    userMessage: 'This fleet uses a simulated provider, which needs no credentials.',
    hint: `Name the API to test them at with --base-url, such as https://api.verda.com/v1, or take "simulator" out of ${fleetFile}.`,
  });
}

/**
 * Checks the credentials in use against an API.
 *
 * @throws DeckhandError `provider_auth` when they are refused, other provider codes, `credentials_missing`, `usage`
 */
export async function checkCredentials(config: Config['datacrunch'], baseUrl: string): Promise<CredentialsCheck> {
  const { credentials, source } = toCheck(config, baseUrl);
  const client = createDataCrunchClient({ baseUrl, credentials, retry: RETRY, timeoutMs: TIMEOUT_MS });
  try {
    const { amount, currency } = await client.catalogue.balance();
    const instances = await client.instances.list();
    const callsLeft = client.rateLimit()?.remaining ?? null;
    return { baseUrl: client.baseUrl, source, currency, balance: amount, instances: instances.length, callsLeft };
  } catch (error) {
    if (!isProviderError(error, 'auth') || !(error instanceof DeckhandError)) throw error;
    throw new DeckhandError('provider_auth', error.message, {
      userMessage: `${client.baseUrl} does not accept the credentials from ${source}.`,
      hint: isLoopbackUrl(client.baseUrl)
        ? 'A simulator takes demo and demo, or what it was started with: set DATACRUNCH_CLIENT_ID and DATACRUNCH_CLIENT_SECRET.'
        : 'Make new ones in the DataCrunch console, in the project that should pay, then run `deckhand credentials set`.',
      cause: error,
    });
  }
}
