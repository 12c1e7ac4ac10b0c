/**
 * Puts a runtime together inside the supervisor: Postgres, Temporal and the models at the same time, then the schema and the server's
 * settings, then the API and the workers. Nothing waits for what it does not need.
 */
import { join } from 'node:path';
import { DeckhandError, errorText } from '../domain/errors.ts';
import { DEFAULT_OLLAMA_URL, type Config } from '../platform/config.ts';
import type { Launch } from './supervisor/managed-child.ts';
import type { Supervisor } from './supervisor/supervisor.ts';
import { PortBook } from './ports.ts';
import { embeddedPostgres, postgresVersion } from './postgres.ts';
import type { RuntimeInfo } from '../platform/runtime-info.ts';
import {
  serviceEnvironment,
  USUAL_PORTS,
  type PortName,
  type ServiceAddresses,
  type ServiceSet,
  type ServiceSpec,
} from './services.ts';
import { embeddedTemporal, temporalUiFront, type UiFront } from './temporal.ts';
import { applyTemporalSettings, temporalServerVersion } from './temporal-settings.ts';

/** Stop order: apps first, then models, then the servers they use. */
const LAYER = { servers: 0, models: 1, apps: 2 } as const;

/** Where the API decrypts payloads for Temporal's UI. */
const CODEC_PATH = '/api/v1/codec';

/** What the composition works with. */
export interface Composition {
  readonly config: Config;
  readonly models: string;
  readonly set: ServiceSet;
  readonly supervisor: Supervisor;
  readonly onProgress: (message: string) => void;
}

async function startPostgres(context: Composition, ports: PortBook): Promise<string> {
  const { config, supervisor, onProgress } = context;
  if (config.databaseUrl !== undefined) {
    try {
      await postgresVersion(config.databaseUrl);
      return config.databaseUrl;
    } catch (error) {
      const reason = errorText(error);
      throw new DeckhandError('service_unavailable', `the database of DATABASE_URL does not answer: ${reason}`, {
        userMessage: `The database that DATABASE_URL names does not answer, or does not let us in: ${reason}`,
        hint: 'Start it, or correct or unset DATABASE_URL.',
        cause: error,
      });
    }
  }
  onProgress('Starting Postgres');
  const postgres = await embeddedPostgres(config, ports, supervisor);
  await supervisor.start(LAYER.servers, postgres.spec);
  return postgres.url();
}

type TemporalPart = Pick<
  RuntimeInfo,
  'temporalAddress' | 'temporalUiUrl' | 'temporalServer' | 'refusedTemporalSettings'
>;

async function startTemporal(
  context: Composition,
  ports: PortBook,
  codecUrl: string | undefined,
): Promise<TemporalPart> {
  const { config, supervisor, onProgress } = context;
  let address = config.temporalAddress;
  let front: UiFront | undefined;
  if (address === undefined) {
    const temporal = await embeddedTemporal(config, ports, onProgress, codecUrl);
    onProgress('Starting Temporal');
    await supervisor.start(LAYER.servers, temporal.spec);
    address = temporal.address();
    front = temporalUiFront(config, ports, temporal.uiUrl());
  }
  const [refusedTemporalSettings] = await Promise.all([
    applyTemporalSettings(address, config.temporalNamespace),
    front === undefined ? undefined : supervisor.start(LAYER.servers, front.spec),
  ]);
  return {
    temporalAddress: address,
    temporalUiUrl: front?.url() ?? null,
    temporalServer: await temporalServerVersion(address),
    refusedTemporalSettings,
  };
}

/**
 * Starts one of our own processes; resolves with its port (0 if it has none) once it works.
 *
 * @param reserved the port it tries first, where others had to know it before
 */
async function startService(
  context: Composition,
  service: ServiceSpec,
  ports: PortBook,
  addresses: Partial<ServiceAddresses>,
  reserved?: number,
): Promise<number> {
  const { config, models, supervisor } = context;
  const usual = service.port === undefined || service.port === 'api' ? config.apiPort : USUAL_PORTS[service.port];
  const own = service.port === undefined ? undefined : ports.forChild(service.port, usual, reserved);
  const prepare = async (attempt: number): Promise<Launch> => {
    await own?.choose(attempt);
    const port = own?.number ?? 0;
    return {
      command: process.execPath,
      args: [join(config.repositoryDir, service.script), ...(service.args?.(port, config) ?? [])],
      cwd: config.repositoryDir,
      env: serviceEnvironment(
        config,
        models,
        service.port === 'api' ? { ...addresses, apiPort: port } : addresses,
        service,
      ),
    };
  };
  await supervisor.start(service.stage === 'models' ? LAYER.models : LAYER.apps, {
    name: service.name,
    prepare,
    ...(service.probe === undefined ? {} : { probe: async () => (await service.probe?.(own?.number ?? 0)) ?? true }),
    readyTimeoutMs: 60_000,
    stopGraceMs: service.stopGraceMs ?? 2_500,
  });
  return own?.number ?? 0;
}

/** Where models and simulated providers answer. */
type ModelAddresses = Pick<ServiceAddresses, 'modelHost'> & Pick<ServiceAddresses, 'providerUrls'>;

async function startModels(context: Composition, ports: PortBook): Promise<ModelAddresses> {
  const { config, models, set } = context;
  const chosen = set.services.filter(
    (service) => service.stage === 'models' && (service.when?.(config, models) ?? true),
  );
  const started = await Promise.all(
    chosen.map(async (service) => ({ service, port: await startService(context, service, ports, {}) })),
  );
  const portOf = (name: PortName): number | undefined => started.find(({ service }) => service.port === name)?.port;
  const reader = portOf('reader');
  const simulated = started.flatMap(({ service: { simulates }, port }) =>
    simulates === undefined ? [] : [[simulates.provider, `http://127.0.0.1:${port}${simulates.path}`] as const],
  );
  return {
    modelHost: reader === undefined ? (config.ollamaHost ?? DEFAULT_OLLAMA_URL) : `http://127.0.0.1:${reader}`,
    providerUrls: Object.fromEntries(simulated),
  };
}

/**
 * Starts everything and says where it is.
 *
 * @throws DeckhandError when a part cannot be started; what runs by then is left to `supervisor.stopAll()`
 */
export async function composeRuntime(context: Composition): Promise<RuntimeInfo> {
  const { config, models, set, supervisor, onProgress } = context;
  const ports = new PortBook(config.home, config.cacheDir);
  // Temporal's UI is told where the API will be.
  const hasApi = set.services.some((service) => service.port === 'api');
  const reservedPort = hasApi ? await ports.reserve('api', config.apiPort) : undefined;
  const codecUrl = reservedPort === undefined ? undefined : `http://127.0.0.1:${reservedPort}${CODEC_PATH}`;
  const database = startPostgres(context, ports).then(async (databaseUrl) => {
    for (const step of set.preparation) {
      onProgress(step.what);
      await supervisor.run(
        {
          command: process.execPath,
          args: [join(config.repositoryDir, step.script)],
          cwd: config.repositoryDir,
          env: serviceEnvironment(config, models, { databaseUrl }),
        },
        { name: step.name, what: step.what },
      );
    }
    return databaseUrl;
  });
  const [databaseUrl, temporal, modelAddresses] = await Promise.all([
    database,
    startTemporal(context, ports, codecUrl),
    startModels(context, ports),
  ]);

  onProgress('Starting the API and the workers');
  const uiUrl = config.temporalUiUrl ?? temporal.temporalUiUrl;
  const addresses = {
    databaseUrl,
    temporalAddress: temporal.temporalAddress,
    ...modelAddresses,
    ...(uiUrl === null ? {} : { temporalUiUrl: uiUrl }),
  };
  // Processes that write links to the API need its address.
  const appAddresses = reservedPort === undefined ? addresses : { ...addresses, apiPort: reservedPort };
  const apps = set.services.filter((service) => service.stage === 'app' && (service.when?.(config, models) ?? true));
  const started = await Promise.all(
    apps.map(async (service) => ({
      service,
      port: await startService(
        context,
        service,
        ports,
        appAddresses,
        service.port === 'api' ? reservedPort : undefined,
      ),
    })),
  );
  const apiPort = started.find(({ service }) => service.port === 'api')?.port ?? config.apiPort;
  return {
    home: config.home,
    ...addresses,
    ...temporal,
    temporalUiUrl: uiUrl,
    temporalNamespace: config.temporalNamespace,
    apiUrl: `http://127.0.0.1:${apiPort}`,
    models,
  };
}
