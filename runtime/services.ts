/**
 * Deckhand's own processes, as data: what runs, when, with which port, and its readiness check.
 *
 * This list is the one place to add a process to the runtime. Postgres and Temporal come before it and are not in it.
 */
import { join } from 'node:path';
import { READER_PROFILE } from '../domain/models/catalog/catalog.ts';
import type { Config } from '../platform/config.ts';
import { loadFleet } from '../clouds/fleet-file.ts';
import { providerNames } from '../clouds/fleet.ts';
import { httpAnswers } from './supervisor/probes.ts';

/** Addresses that Deckhand's own processes get through their environment. */
export interface ServiceAddresses {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly modelHost: string;
  /** APIs of the simulated providers, by the provider's name. */
  readonly providerUrls: Readonly<Record<string, string>>;
  readonly apiPort: number;
  /** The Temporal UI, as browsers reach it. */
  readonly temporalUiUrl: string;
}

/** Ports that a process of ours can be given, and the number people expect of each. */
export const USUAL_PORTS = { api: 8420, reader: 11_435, provider: 8425, aws: 8426, google: 8427, azure: 8428 } as const;
export type PortName = keyof typeof USUAL_PORTS;

/** One process of the runtime. */
export interface ServiceSpec {
  readonly name: string;
  /** models: answers model calls or rents simulated machines; needs nothing. app: needs the migrated database, Temporal and the models. */
  readonly stage: 'models' | 'app';
  /** Script, relative to the checkout. */
  readonly script: string;
  /** The port it listens on, if it does; the usual one is taken where free. */
  readonly port?: PortName;
  args?(port: number, config: Config): readonly string[];
  /** Left out when it returns false. */
  when?(config: Config, models: string): boolean;
  /** True once it works; absent = nothing waits for it, its queue keeps the work until it comes. */
  probe?(port: number): Promise<boolean>;
  /** The provider that it simulates, and the path of its API. */
  readonly simulates?: { readonly provider: string; readonly path: string };
  /** It calls the provider; the others, such as the one that opens untrusted files, do not get its credentials. */
  readonly usesProvider?: boolean;
  /** It is a client of the API; the others do not get the key of the user who started the runtime. */
  readonly usesApi?: boolean;
  /** It calls endpoints; the others do not get their keys. */
  readonly usesEndpoints?: boolean;
  /** Time between SIGTERM and SIGKILL. */
  readonly stopGraceMs?: number;
}

/** True when the fleet rents from a provider and simulates it. */
function isSimulated(config: Config, provider: string): boolean {
  const fleet = loadFleet(config);
  return fleet.simulator !== null && providerNames(fleet).includes(provider);
}

/** A simulated provider. @param path of its API @param ready what it answers once it works */
function simulatorOf(
  provider: string,
  { name, port, path = '', ready }: { name: string; port: PortName; path?: string; ready: string },
): ServiceSpec {
  return {
    name,
    stage: 'models',
    script: 'simulators/clouds/main.ts',
    port,
    simulates: { provider, path },
    args: (onPort, config) => {
      const { scenario = 'default', scenarios = {} } = loadFleet(config).simulator ?? {};
      const state = join(config.home, 'simulators', `${provider}.json`);
      return [provider, '--port', String(onPort), '--scenario', scenarios[provider] ?? scenario, '--state', state];
    },
    when: (config) => isSimulated(config, provider),
    probe: (onPort) => httpAnswers(`http://127.0.0.1:${onPort}${ready}`),
    stopGraceMs: 2_000,
  };
}

/** Every process of Deckhand's own. */
export const SERVICES: readonly ServiceSpec[] = [
  {
    name: 'reader',
    stage: 'models',
    script: 'simulators/ollama/main.ts',
    port: 'reader',
    args: (port) => ['--port', String(port)],
    when: (config, models) => models === READER_PROFILE && config.ollamaHost === undefined,
    probe: (port) => httpAnswers(`http://127.0.0.1:${port}/api/version`),
    stopGraceMs: 1_000,
  },
  simulatorOf('datacrunch', { name: 'provider', port: 'provider', path: '/v1', ready: '/v1/instance-types' }),
  simulatorOf('aws', { name: 'provider-aws', port: 'aws', ready: '/_control/stats' }),
  simulatorOf('google', { name: 'provider-google', port: 'google', ready: '/_control/stats' }),
  simulatorOf('azure', { name: 'provider-azure', port: 'azure', ready: '/_control/stats' }),
  {
    name: 'api',
    stage: 'app',
    script: 'api/main.ts',
    port: 'api',
    usesProvider: true,
    probe: (port) => httpAnswers(`http://127.0.0.1:${port}/`),
    stopGraceMs: 2_000,
  },
  { name: 'control', stage: 'app', script: 'workers/control.ts', usesProvider: true },
  { name: 'convert', stage: 'app', script: 'workers/convert.ts' },
  { name: 'gateway', stage: 'app', script: 'workers/gateway.ts', usesEndpoints: true },
  {
    name: 'watch',
    stage: 'app',
    script: 'drop-folder/main.ts',
    when: (config) => config.dropDir !== undefined,
    usesApi: true,
    stopGraceMs: 5_000,
  },
];

/** A script that is run to its end before the processes of stage `app` start. */
export interface PreparationStep {
  readonly name: string;
  readonly what: string;
  readonly script: string;
}

/** Brings the database to the present schema. */
export const PREPARATION: readonly PreparationStep[] = [
  { name: 'migrate', what: 'Bringing the database up to date', script: 'prisma/main.ts' },
];

/** Everything of Deckhand's own that a runtime runs; tests run a part of it. */
export interface ServiceSet {
  readonly services: readonly ServiceSpec[];
  readonly preparation: readonly PreparationStep[];
}

export const ALL_SERVICES: ServiceSet = { services: SERVICES, preparation: PREPARATION };

/** Variables with credentials of providers. */
const PROVIDER_CREDENTIALS = {
  DATACRUNCH_CLIENT_ID: undefined,
  DATACRUNCH_CLIENT_SECRET: undefined,
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
  AWS_SESSION_TOKEN: undefined,
  GOOGLE_APPLICATION_CREDENTIALS: undefined,
  AZURE_CLIENT_SECRET: undefined,
} as const;

/** The environment of Deckhand's own processes; with credentials and keys only for those that use them. */
export function serviceEnvironment(
  config: Config,
  models: string,
  addresses: Partial<ServiceAddresses>,
  { usesProvider = false, usesApi = false, usesEndpoints = false, stage }: Partial<ServiceSpec> = {},
): Record<string, string | undefined> {
  const { databaseUrl, temporalAddress, modelHost, providerUrls = {}, apiPort, temporalUiUrl } = addresses;
  return {
    ...config.environment,
    ...(usesProvider ? {} : PROVIDER_CREDENTIALS),
    ...(usesEndpoints ? {} : { DECKHAND_ENDPOINT_KEYS: undefined }),
    // Models and clients of the API do not use Temporal, whose payloads these keys decrypt.
    ...(stage === 'models' || usesApi ? { DECKHAND_PAYLOAD_KEYS: undefined } : {}),
    ...(usesApi && config.apiUrl === undefined ? {} : { DECKHAND_API_KEY: undefined }),
    // Processes of a runtime work with its own API.
    DECKHAND_API_URL: undefined,
    DECKHAND_HOME: config.home,
    DECKHAND_MODELS: models,
    TEMPORAL_NAMESPACE: config.temporalNamespace,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...(temporalAddress === undefined ? {} : { TEMPORAL_ADDRESS: temporalAddress }),
    ...(modelHost === undefined
      ? {}
      : { OLLAMA_HOST: modelHost, DECKHAND_STATIC_HOSTS: (config.staticHosts ?? [modelHost]).join(',') }),
    ...(Object.keys(providerUrls).length === 0
      ? {}
      : {
          DECKHAND_PROVIDER_URLS: Object.entries(providerUrls)
            .map(([name, url]) => `${name}=${url}`)
            .join(','),
        }),
    ...(apiPort === undefined ? {} : { DECKHAND_API_PORT: String(apiPort) }),
    ...(temporalUiUrl === undefined ? {} : { DECKHAND_TEMPORAL_UI_URL: temporalUiUrl }),
  };
}
