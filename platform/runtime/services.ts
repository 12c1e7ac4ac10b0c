/**
 * Deckhand's own processes, as data: what runs, when, with which port, and how one sees that it works.
 *
 * This list is the one place to add a process to the runtime. Postgres and Temporal come before it and are not in it.
 */
import type { Config, ModelSource } from '../config.ts';
import { httpAnswers } from '../supervisor/probes.ts';

/** Addresses that Deckhand's own processes get through their environment. */
export interface ServiceAddresses {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly modelHost: string;
  readonly apiPort: number;
}

/** One process of the runtime. */
export interface ServiceSpec {
  readonly name: string;
  /** models: answers model calls; needs nothing. app: needs the migrated database, Temporal and the models. */
  readonly stage: 'models' | 'app';
  /** Script, relative to the checkout. */
  readonly script: string;
  /** The port it listens on, if it does; the usual one is taken where free. */
  readonly port?: 'api' | 'reader';
  args?(port: number): readonly string[];
  /** Left out when it returns false. */
  when?(config: Config, models: ModelSource): boolean;
  /** True once it works; absent = nothing waits for it, its queue keeps the work until it comes. */
  probe?(port: number): Promise<boolean>;
  /** Time between SIGTERM and SIGKILL. */
  readonly stopGraceMs?: number;
}

/** Port the built-in reader prefers: next to Ollama's, so that both can run. */
export const READER_USUAL_PORT = 11_435;

/** Every process of Deckhand's own. */
export const SERVICES: readonly ServiceSpec[] = [
  {
    name: 'reader',
    stage: 'models',
    script: 'simulators/ollama/main.ts',
    port: 'reader',
    args: (port) => ['--port', String(port)],
    when: (config, models) => models === 'reader' && config.ollamaHost === undefined,
    probe: (port) => httpAnswers(`http://127.0.0.1:${port}/api/version`),
    stopGraceMs: 1_000,
  },
  {
    name: 'api',
    stage: 'app',
    script: 'api/main.ts',
    port: 'api',
    probe: (port) => httpAnswers(`http://127.0.0.1:${port}/`),
    stopGraceMs: 2_000,
  },
  { name: 'control', stage: 'app', script: 'workers/control.ts' },
  { name: 'convert', stage: 'app', script: 'workers/convert.ts' },
  { name: 'gateway', stage: 'app', script: 'workers/gateway.ts' },
];

/** A command that is run to its end before the processes of stage `app` start. */
export interface PreparationStep {
  readonly name: string;
  readonly what: string;
  readonly script: string;
  readonly args: readonly string[];
}

/** Brings the database to the present schema. */
export const PREPARATION: readonly PreparationStep[] = [
  { name: 'migrate', what: 'Bringing the database up to date', script: 'cli/main.ts', args: ['migrate'] },
];

/** Everything of Deckhand's own that a runtime runs; tests run a part of it. */
export interface ServiceSet {
  readonly services: readonly ServiceSpec[];
  readonly preparation: readonly PreparationStep[];
}

export const ALL_SERVICES: ServiceSet = { services: SERVICES, preparation: PREPARATION };

/** The environment of Deckhand's own processes. */
export function serviceEnvironment(
  config: Config,
  models: ModelSource,
  addresses: Partial<ServiceAddresses>,
): Record<string, string | undefined> {
  const { databaseUrl, temporalAddress, modelHost, apiPort } = addresses;
  return {
    ...config.environment,
    DECKHAND_HOME: config.home,
    DECKHAND_MODELS: models,
    TEMPORAL_NAMESPACE: config.temporalNamespace,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...(temporalAddress === undefined ? {} : { TEMPORAL_ADDRESS: temporalAddress }),
    ...(modelHost === undefined
      ? {}
      : { OLLAMA_HOST: modelHost, DECKHAND_STATIC_HOSTS: (config.staticHosts ?? [modelHost]).join(',') }),
    ...(apiPort === undefined ? {} : { DECKHAND_API_PORT: String(apiPort) }),
  };
}
