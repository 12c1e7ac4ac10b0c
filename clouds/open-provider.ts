/**
 * Opens the provider that the fleet file names.
 */
import { DeckhandError } from '../domain/errors.ts';
import type { ProviderCapabilities } from '../domain/fleet/provider/billing.ts';
import type { Config } from '../platform/config.ts';
import { isLoopbackUrl, type Fleet } from '../platform/fleet-config.ts';
import type { Logger } from '../platform/log.ts';
import type { CallRateLimit } from './call-rate-limit.ts';
import { createDataCrunchClient } from './datacrunch/client.ts';
import { findCredentials, SIMULATOR_CREDENTIALS } from './datacrunch/credentials.ts';
import { createDataCrunchProvider } from './datacrunch/provider.ts';
import type { CloudProvider } from './provider.ts';

export interface OpenProviderOptions {
  readonly fleet: Fleet;
  readonly config: Pick<Config, 'datacrunch'>;
  /** Shared by all processes that use the account. */
  readonly rateLimit: CallRateLimit;
  readonly log: Logger;
  /** Ends every wait and call when it fires. */
  readonly signal?: AbortSignal;
  /** What differs from the provider's own, as under a simulator's scenario. */
  readonly capabilities?: Partial<ProviderCapabilities>;
}

/**
 * The provider of this fleet. It speaks to nobody before the first call.
 *
 * @throws DeckhandError `usage` for a fleet that rents nothing or whose credentials file is not safe, `buying_refused` for a real API
 *   without an installation id, `credentials_missing`
 */
export function openProvider(options: OpenProviderOptions): CloudProvider {
  const { fleet, config, rateLimit, log, signal, capabilities } = options;
  if (fleet.provider === 'static') {
    throw new DeckhandError('usage', 'the fleet is static: there is no provider to rent from', {
      hint: 'Set "provider": "datacrunch" in the fleet file to rent machines.',
    });
  }
  // Reading the fleet file refuses this too; what can spend money checks for itself.
  if (!isLoopbackUrl(fleet.baseUrl) && !fleet.installationId) {
    throw new DeckhandError('buying_refused', `${fleet.baseUrl} is not loopback and there is no installation id`, {
      hint: 'Set "installationId" in the fleet file.',
    });
  }
  // A simulator of the runtime's own takes its default, whatever real credentials the environment holds, and is never shown those.
  const { credentials, source } =
    fleet.simulator === null ? findCredentials(config.datacrunch, fleet.baseUrl) : SIMULATOR_CREDENTIALS;
  log.info({ provider: fleet.provider, baseUrl: fleet.baseUrl, credentialsFrom: source }, 'provider opened');
  const client = createDataCrunchClient({
    baseUrl: fleet.baseUrl,
    credentials,
    rateLimit,
    ...(signal === undefined ? {} : { signal }),
  });
  const simulatedAccess = fleet.access === 'simulated';
  return createDataCrunchProvider({ client, simulatedAccess, ...(capabilities === undefined ? {} : { capabilities }) });
}
