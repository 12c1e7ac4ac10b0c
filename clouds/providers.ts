/**
 * The providers that a fleet file can name, as data: how each is opened, what it can do, and which ids are its own.
 */
import { z } from 'zod';
import { DeckhandError } from '../domain/errors.ts';
import type { ProviderCapabilities } from '../domain/fleet/provider/billing.ts';
import { settings } from '../domain/settings.ts';
import { closestName } from '../domain/text/closest-name.ts';
import type { FleetConfig } from '../domain/fleet/pool/pool-config.ts';
import type { Config } from '../platform/config.ts';
import { isLoopbackUrl } from '../platform/loopback.ts';
import type { Logger } from '../platform/log.ts';
import { AWS_SIMULATOR_CREDENTIALS, findAwsCredentials } from './aws/credentials.ts';
import { AWS } from './aws/provider.ts';
import { awsSettingsSchema, readId } from './aws/settings.ts';
import { AZURE_SIMULATOR_CREDENTIALS, findAzureCredentials } from './azure/credentials.ts';
import { AZURE } from './azure/provider.ts';
import { azureSettingsSchema, readId as readAzureId } from './azure/settings.ts';
import type { CallRateLimit } from './call-rate-limit.ts';
import { createDataCrunchClient, type DataCrunchClient } from './datacrunch/client.ts';
import { findCredentials, SIMULATOR_CREDENTIALS } from './datacrunch/credentials.ts';
import { createDataCrunchEndpoints, DATACRUNCH_DEPLOYMENT_CAPABILITIES } from './datacrunch/endpoint-scaler.ts';
import { DATACRUNCH } from './datacrunch/provider.ts';
import type { EndpointAccount } from './endpoint-scaler.ts';
import { namedUrl, STATIC, type Fleet } from './fleet.ts';
import { findGoogleCredentials, GOOGLE_SIMULATOR_CREDENTIALS, projectOf } from './google/credentials.ts';
import { GOOGLE } from './google/provider.ts';
import { googleSettingsSchema, readId as readGoogleId } from './google/settings.ts';
import { capabilitiesOf, isPartName, type ProviderFacts, type ProviderKind } from './parts.ts';
import type { CloudProvider } from './provider.ts';

export interface OpenProviderOptions {
  readonly fleet: Fleet;
  readonly config: Pick<Config, 'datacrunch' | 'aws' | 'google' | 'azure'>;
  /** Shared by all processes that use the account. */
  readonly rateLimit: CallRateLimit;
  readonly log: Logger;
  /** Ends every wait and call when it fires. */
  readonly signal?: AbortSignal;
  /** Overrides of what is known of the provider, as under a simulator's scenario. */
  readonly capabilities?: Partial<ProviderFacts>;
  /**
   * Told after each reading of a list of offers (types, locations) which of its rows could not be read, a sentence each. The log has each of
   * them once.
   */
  readonly onRows?: (route: string, unreadable: readonly string[]) => void;
}

/** One provider; capabilities and parts are known before it is opened. @throws DeckhandError on opening as {@link openProvider} */
export interface ProviderEntry extends ProviderKind<OpenProviderOptions> {
  /** Its public API; null where there is one address per region. */
  readonly publicUrl: string | null;
  /** Its own settings in the fleet file, under `providers`. */
  readonly settings: z.ZodType;
  /** Tells ids of its machines and disks from those of other providers. */
  readonly ownsId: (id: string) => boolean;
  /** Its container deployments, for endpoint pools; absent where it has none that Deckhand knows. */
  readonly deployments?: DeploymentsEntry;
}

/** Deployments of a provider: their replicas are billed by other rules than its machines. */
export interface DeploymentsEntry {
  /** Provider of the replicas in offers, instances and the ledger. */
  readonly bookedAs: string;
  readonly capabilities: ProviderCapabilities;
  /** @throws DeckhandError as {@link openProvider} */
  readonly open: (options: OpenProviderOptions) => EndpointAccount;
}

/** What can be set for every provider. */
const commonSettings = { baseUrl: z.url().optional() };

/** So many different rows are remembered as logged. */
const MOST_LOGGED_ROWS = 1_000;

/** Existing servers have no price and are never started or ended. */
const STATIC_FACTS: ProviderFacts = {
  billing: { quantumSec: 1, refundsUnused: false },
  volumeUsdPerGibMonth: 0,
  visibilityWindowMs: 0,
  billsStopped: false,
  volumePinsLocation: true,
  deletesWhileProvisioning: true,
  expectedBootMs: 0,
};

/** Every provider by its name in the fleet file. */
export const PROVIDERS: Readonly<Record<string, ProviderEntry>> = {
  [STATIC]: {
    capabilities: { ...capabilitiesOf(STATIC_FACTS, []), suspendStrategies: [] },
    parts: [],
    publicUrl: null,
    settings: settings({}),
    ownsId: () => false,
    open: () => {
      throw new DeckhandError('usage', 'the fleet is static: there is no provider to rent from', {
        hint: 'Set "provider": "datacrunch" in the fleet file to rent machines.',
      });
    },
  },
  datacrunch: {
    ...DATACRUNCH,
    publicUrl: 'https://api.verda.com/v1',
    settings: settings(commonSettings),
    // Ids of all others name a place before a slash.
    ownsId: (id) => !id.includes('/'),
    open: (options) => DATACRUNCH.open({ ...sharedOf('datacrunch', options), client: dataCrunchClient(options) }),
    deployments: {
      bookedAs: 'datacrunch-containers',
      capabilities: DATACRUNCH_DEPLOYMENT_CAPABILITIES,
      open: (options) => createDataCrunchEndpoints(dataCrunchClient(options)),
    },
  },
  aws: {
    ...AWS,
    publicUrl: null,
    settings: awsSettingsSchema,
    ownsId: (id) => readId(id) !== null,
    open: openAws,
  },
  google: {
    ...GOOGLE,
    publicUrl: null,
    settings: googleSettingsSchema,
    ownsId: (id) => readGoogleId(id) !== null,
    open: openGoogle,
  },
  azure: {
    ...AZURE,
    publicUrl: null,
    settings: azureSettingsSchema,
    ownsId: (id) => readAzureId(id) !== null,
    open: openAzure,
  },
};

/** @throws DeckhandError `usage` for a provider that does not exist, with the one that was probably meant */
export function providerEntry(name: string): ProviderEntry {
  const entry = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (entry !== undefined) return entry;
  const known = Object.keys(PROVIDERS);
  const guess = closestName(name, known);
  throw new DeckhandError('usage', `there is no provider "${name}"`, {
    userMessage: `There is no provider "${name}".${guess === null ? '' : ` Did you mean ${guess}?`}`,
    hint: `Known are ${known.join(', ')}.`,
  });
}

/** The provider whose deployments' replicas are booked under this name; null = it is no such name. */
export const deployerOf = (bookedAs: string): string | null =>
  Object.keys(PROVIDERS).find((name) => PROVIDERS[name]?.deployments?.bookedAs === bookedAs) ?? null;

/** True when an id is that of a machine, disk or replica of a provider, or of what is booked under a name of its own. */
export const ownsId = (name: string, id: string): boolean =>
  PROVIDERS[name]?.ownsId(id) ?? (deployerOf(name) !== null && id.startsWith(`${name}/`));

/** Opens the deployments of a provider. @throws DeckhandError `usage` for one that has none, and as {@link openProvider} */
export function openDeployments(options: OpenProviderOptions, name: string): EndpointAccount {
  const { fleet } = options;
  const { deployments } = providerEntry(name);
  if (deployments === undefined) throw new DeckhandError('usage', `${name} has no deployments`);
  if (!isLocal(fleet, name) && !fleet.installationId)
    throw new DeckhandError('buying_refused', `${name} is not loopback and there is no installation id`);
  return deployments.open(options);
}

/** Address of a provider's API under a fleet; null = its public addresses, of which there are several. */
export const providerUrl = (fleet: FleetConfig, name: string): string | null =>
  namedUrl(fleet, name) ?? providerEntry(name).publicUrl;

/** True when the provider is a simulator on this machine. */
export function isLocal(fleet: FleetConfig, name: string): boolean {
  const url = providerUrl(fleet, name);
  return url !== null && isLoopbackUrl(url);
}

/**
 * A provider of this fleet. It sends nothing before the first call.
 *
 * @throws DeckhandError `usage` for a fleet that rents nothing or whose credentials file is not safe, `buying_refused` for a real API
 *   without an installation id, `credentials_missing`
 */
export function openProvider(options: OpenProviderOptions, name: string = options.fleet.provider): CloudProvider {
  const { fleet } = options;
  const entry = providerEntry(name);
  // Reading the fleet file refuses this too; code that can spend money checks it again.
  if (name !== STATIC && !isLocal(fleet, name) && !fleet.installationId) {
    throw new DeckhandError('buying_refused', `${name} is not loopback and there is no installation id`, {
      hint: 'Set "installationId" in the fleet file.',
    });
  }
  return entry.open(options);
}

/**
 * A provider of this fleet, opened at its first call, so that missing credentials do not end a process and new ones are used at once.
 * While it cannot be opened, every call is refused with the error of {@link openProvider}.
 */
export function openProviderLazily(options: OpenProviderOptions, name: string = options.fleet.provider): CloudProvider {
  const entry = providerEntry(name);
  let opened: CloudProvider | undefined;
  const open = (): CloudProvider => (opened ??= openProvider(options, name));
  const parts = entry.parts.map((part) => [part, callingLazily({}, () => open()[part] ?? {})]);
  const capabilities = { ...entry.capabilities, ...options.capabilities };
  return callingLazily({ name, capabilities, ...Object.fromEntries(parts) }, open);
}

/** `known`, and beside it every method of what `open` gives. */
function callingLazily<Opened extends object>(known: object, open: () => Opened): Opened {
  return new Proxy(known as Opened, {
    get: (target, key) => {
      if (key in target) return Reflect.get(target, key) as unknown;
      // A part that the provider lacks. `await` looks for a method `then`.
      if (isPartName(key) || key === 'then') return undefined;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        const holder = open();
        const method = Reflect.get(holder, key) as (...given: readonly unknown[]) => Promise<unknown>;
        return method.apply(holder, [...args]);
      };
    },
  });
}

/** Options that open a provider of machines, whichever it is. */
function sharedOf(name: string, options: OpenProviderOptions) {
  const { fleet, rateLimit, log, signal, capabilities, onRows } = options;
  const toLog = logRows(name, log);
  return {
    installationId: fleet.installationId,
    rateLimit,
    simulatedAccess: fleet.access === 'simulated',
    onRows: (route: string, unreadable: readonly string[]) => {
      toLog(route, unreadable);
      onRows?.(route, unreadable);
    },
    ...(signal === undefined ? {} : { signal }),
    ...(capabilities === undefined ? {} : { capabilities }),
  };
}

function openAws(options: OpenProviderOptions): CloudProvider {
  const { fleet, config, log } = options;
  const baseUrl = namedUrl(fleet, 'aws');
  const settings = { ...awsSettingsSchema.parse(fleet.providers['aws'] ?? {}), baseUrl };
  const { credentials, source } =
    fleet.simulator === null ? findAwsCredentials(config.aws, settings.profile, baseUrl) : AWS_SIMULATOR_CREDENTIALS;
  log.info({ provider: 'aws', baseUrl, regions: settings.regions, credentialsFrom: source }, 'provider opened');
  return AWS.open({ ...sharedOf('aws', options), settings, credentials });
}

function openGoogle(options: OpenProviderOptions): CloudProvider {
  const { fleet, config, log } = options;
  const baseUrl = namedUrl(fleet, 'google');
  const settings = { ...googleSettingsSchema.parse(fleet.providers['google'] ?? {}), baseUrl };
  const found = fleet.simulator === null ? findGoogleCredentials(config.google, baseUrl) : GOOGLE_SIMULATOR_CREDENTIALS;
  const { credentials, source } = found;
  // A simulator has one project of its own.
  const project = fleet.simulator === null ? projectOf(settings, config.google, found) : (found.project ?? '');
  const { regions } = settings;
  log.info({ provider: 'google', baseUrl, project, regions, credentialsFrom: source }, 'provider opened');
  return GOOGLE.open({ ...sharedOf('google', options), settings, project, credentials });
}

function openAzure(options: OpenProviderOptions): CloudProvider {
  const { fleet, config, log } = options;
  const baseUrl = namedUrl(fleet, 'azure');
  const settings = { ...azureSettingsSchema.parse(fleet.providers['azure'] ?? {}), baseUrl };
  const { credentials, source } =
    fleet.simulator === null ? findAzureCredentials(config.azure, baseUrl) : AZURE_SIMULATOR_CREDENTIALS;
  const { locations } = settings;
  log.info({ provider: 'azure', baseUrl, locations, credentialsFrom: source }, 'provider opened');
  return AZURE.open({ ...sharedOf('azure', options), settings, credentials });
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
      log.warn({ provider, route: `GET ${route}`, fault }, 'part of the catalogue could not be read and is left out');
    }
  };
}

function dataCrunchClient(options: OpenProviderOptions): DataCrunchClient {
  const { fleet, config, log } = options;
  const baseUrl = namedUrl(fleet, 'datacrunch') ?? 'https://api.verda.com/v1';
  // A simulator of the runtime gets its default credentials, never real ones of the environment.
  const { credentials, source } =
    fleet.simulator === null ? findCredentials(config.datacrunch, baseUrl) : SIMULATOR_CREDENTIALS;
  log.info({ provider: 'datacrunch', baseUrl, credentialsFrom: source }, 'provider opened');
  return createDataCrunchClient({ ...sharedOf('datacrunch', options), baseUrl, credentials });
}
