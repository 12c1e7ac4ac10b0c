/**
 * The providers that a fleet file can name.
 */
import { DeckhandError } from '../domain/errors.ts';
import type { ProviderCapabilities } from '../domain/fleet/provider/billing.ts';
import type { Config } from '../platform/config.ts';
import type { Fleet } from '../platform/fleet-config.ts';
import { isLoopbackUrl } from '../platform/loopback.ts';
import type { Logger } from '../platform/log.ts';
import type { CallRateLimit } from './call-rate-limit.ts';
import { createDataCrunchClient } from './datacrunch/client.ts';
import { findCredentials, SIMULATOR_CREDENTIALS } from './datacrunch/credentials.ts';
import { createDataCrunchProvider, DATACRUNCH_CAPABILITIES } from './datacrunch/provider.ts';
import type { CloudProvider } from './provider.ts';

export interface OpenProviderOptions {
  readonly fleet: Fleet;
  readonly config: Pick<Config, 'datacrunch'>;
  /** Shared by all processes that use the account. */
  readonly rateLimit: CallRateLimit;
  readonly log: Logger;
  /** Ends every wait and call when it fires. */
  readonly signal?: AbortSignal;
  /** Overrides of the provider's capabilities, as under a simulator's scenario. */
  readonly capabilities?: Partial<ProviderCapabilities>;
  /**
   * Told after each reading of a list of offers (types, locations) which of its rows could not be read, a sentence each. The log has each of
   * them once.
   */
  readonly onRows?: (route: string, unreadable: readonly string[]) => void;
}

interface ProviderEntry {
  /** Its capabilities, known before it is opened. */
  readonly capabilities: ProviderCapabilities;
  /** @throws DeckhandError as {@link openProvider} */
  readonly open: (options: OpenProviderOptions) => CloudProvider;
}

/** So many different rows are remembered as logged. */
const MOST_LOGGED_ROWS = 1_000;

/** Existing servers have no price and are never started or ended. */
const STATIC_CAPABILITIES: ProviderCapabilities = {
  billing: { quantumSec: 1, refundsUnused: false },
  volumeUsdPerGibMonth: 0,
  visibilityWindowMs: 0,
  billsStopped: false,
  volumePinsLocation: false,
  deletesWhileProvisioning: true,
  suspendStrategies: [],
  expectedBootMs: 0,
  storesScripts: false,
  storesKeys: false,
  changesTypeWhileStopped: false,
};

/** Every provider by its name in the fleet file. */
export const PROVIDERS: Readonly<Record<Fleet['provider'], ProviderEntry>> = {
  static: {
    capabilities: STATIC_CAPABILITIES,
    open: () => {
      throw new DeckhandError('usage', 'the fleet is static: there is no provider to rent from', {
        hint: 'Set "provider": "datacrunch" in the fleet file to rent machines.',
      });
    },
  },
  datacrunch: { capabilities: DATACRUNCH_CAPABILITIES, open: openDataCrunch },
};

/**
 * The provider of this fleet. It sends nothing before the first call.
 *
 * @throws DeckhandError `usage` for a fleet that rents nothing or whose credentials file is not safe, `buying_refused` for a real API
 *   without an installation id, `credentials_missing`
 */
export const openProvider = (options: OpenProviderOptions): CloudProvider =>
  PROVIDERS[options.fleet.provider].open(options);

/**
 * The provider of this fleet, opened at its first call, so that missing credentials do not end a process and new ones are used at once.
 * While it cannot be opened, every call is refused with the error of {@link openProvider}.
 */
export function openProviderLazily(options: OpenProviderOptions): CloudProvider {
  const name = options.fleet.provider;
  let opened: CloudProvider | undefined;
  const known: Pick<CloudProvider, 'name' | 'capabilities'> = { name, capabilities: PROVIDERS[name].capabilities };
  return new Proxy(known as CloudProvider, {
    get: (target, key) => {
      if (key in target) return Reflect.get(target, key) as unknown;
      // `await` looks for a method `then`.
      if (key === 'then') return undefined;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        opened ??= openProvider(options);
        const method = Reflect.get(opened, key) as (...given: readonly unknown[]) => Promise<unknown>;
        return method.apply(opened, [...args]);
      };
    },
  });
}

/** Writes each unreadable row to the log, once. */
function logRows(provider: string, log: Logger): NonNullable<OpenProviderOptions['onRows']> {
  const logged = new Set<string>();
  return (route, unreadable) => {
    for (const fault of unreadable) {
      const row = `${route} ${fault}`;
      if (logged.has(row)) continue;
      // Names of rows come from outside; the set must not grow with them.
      if (logged.size >= MOST_LOGGED_ROWS) logged.clear();
      logged.add(row);
      log.warn({ provider, route: `GET ${route}`, fault }, 'a row of the catalogue could not be read and is left out');
    }
  };
}

function openDataCrunch(options: OpenProviderOptions): CloudProvider {
  const { fleet, config, rateLimit, log, signal, capabilities } = options;
  // Reading the fleet file refuses this too; code that can spend money checks it again.
  if (!isLoopbackUrl(fleet.baseUrl) && !fleet.installationId) {
    throw new DeckhandError('buying_refused', `${fleet.baseUrl} is not loopback and there is no installation id`, {
      hint: 'Set "installationId" in the fleet file.',
    });
  }
  // A simulator of the runtime gets its default credentials, never real ones of the environment.
  const { credentials, source } =
    fleet.simulator === null ? findCredentials(config.datacrunch, fleet.baseUrl) : SIMULATOR_CREDENTIALS;
  log.info({ provider: fleet.provider, baseUrl: fleet.baseUrl, credentialsFrom: source }, 'provider opened');
  const toLog = logRows(fleet.provider, log);
  const client = createDataCrunchClient({
    baseUrl: fleet.baseUrl,
    credentials,
    rateLimit,
    onRows: (route, unreadable) => {
      toLog(route, unreadable);
      options.onRows?.(route, unreadable);
    },
    ...(signal === undefined ? {} : { signal }),
  });
  const simulatedAccess = fleet.access === 'simulated';
  return createDataCrunchProvider({ client, simulatedAccess, ...(capabilities === undefined ? {} : { capabilities }) });
}
