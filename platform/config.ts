/**
 * Configuration: the only file that reads the environment.
 *
 * One zod schema names every variable, its default and its unit. `loadConfig()` turns an environment into a frozen {@link Config};
 * a bad value is a usage error that names the variable. Everything else gets its settings from here, as an argument.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { DeckhandError } from '../domain/errors.ts';
import { ANSWERING_LEVELS } from '../domain/evidence/answering.ts';
import { ANSWERING_SETTINGS, type AnsweringSettings } from '../domain/evidence/answering-settings.ts';
import { LIMIT_SETTINGS, type LimitSettings } from '../domain/models/call-limits.ts';
import { catalogName, READER_PROFILE } from '../domain/models/catalog/catalog.ts';
import { serverUrl } from '../domain/models/server-url.ts';
import { serverAt } from '../domain/models/server-kind.ts';
import { isLoopbackHost } from './loopback.ts';

/** Directory that holds the checkout (the folder with package.json). */
export const REPOSITORY_DIR = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** The default address of Ollama. */
export const DEFAULT_OLLAMA_URL = 'http://127.0.0.1:11434';

const MEBIBYTE = 1024 * 1024;

/** An environment: what `process.env` looks like. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Accepts what Ollama accepts in OLLAMA_HOST (`host`, `host:port`, a URL) and returns a base URL without a trailing slash. */
export function normaliseOllamaUrl(text: string): string {
  const trimmed = text.trim();
  const url = new URL(/^https?:\/\//.test(trimmed) ? trimmed : `http://${trimmed}`);
  // A server address such as 0.0.0.0 says where to listen; a client on this machine reaches it through loopback.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  const explicitPort = /:\d+(\/|$)/.test(trimmed.replace(/^https?:\/\//, ''));
  if (url.port === '' && !explicitPort && !/^https?:\/\//.test(trimmed)) url.port = '11434';
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

const port = z.coerce.number().int().min(1).max(65_535);
const share = z.coerce.number().min(0).max(1);
const wholePositive = z.coerce.number().int().positive();
const ollamaUrl = z.string().transform((text, context) => {
  try {
    return normaliseOllamaUrl(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not an address such as 127.0.0.1:11434 or http://gpu:11434' });
    return z.NEVER;
  }
});
/** Of a server that runs already; see `serverAt`. */
const modelHost = z.string().transform((text, context) => {
  const { kind, url } = serverAt(text);
  const read = (kind === 'ollama' ? ollamaUrl : serverUrl).safeParse(url);
  if (read.success) return kind === 'ollama' ? read.data : `openai+${read.data}`;
  context.addIssue({ code: 'custom', message: read.error.issues[0]?.message ?? 'is no address' });
  return z.NEVER;
});
const postgresUrl = z.string().refine((text) => /^postgres(ql)?:\/\/./.test(text), 'is not a postgresql:// URL');
// `localhost:8233` is a URL, too, of a scheme called localhost: its origin is `null`, and so is that of every page in a sandbox.
const webUrl = z.url({ protocol: /^https?$/, error: 'is not an http:// or https:// URL' });
const hostAndPort = z
  .string()
  .refine((text) => /^[^\s/:]+:\d{1,5}$|^\[[0-9a-f:]+\]:\d{1,5}$/i.test(text), 'is not host:port');

/** Every environment variable. The descriptions are written to `.env.example` by `npm run examples`. */
export const environmentSchema = z.object({
  DECKHAND_HOME: z.string().optional().describe('Data directory; by default .deckhand in the checkout.'),
  DATABASE_URL: postgresUrl.optional().describe('Postgres to use instead of the embedded one (postgresql://…).'),
  TEMPORAL_ADDRESS: hostAndPort.optional().describe('Temporal server (host:port) to use instead of the embedded one.'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Temporal namespace.'),
  TEMPORAL_CLI_PATH: z.string().optional().describe('`temporal` executable for the embedded server.'),
  OLLAMA_HOST: ollamaUrl.optional().describe('Ollama server to use.'),
  DECKHAND_API_HOST: z.string().default('127.0.0.1').describe('Address that the API listens on.'),
  DECKHAND_API_PORT: port
    .default(8420)
    .describe('Preferred port of the API; another free one is taken if it is in use.'),
  DECKHAND_MODELS: catalogName
    .default(READER_PROFILE)
    .describe(
      'Model profile that answers: `reader` (built-in rules), a preset such as `qwen3-vl`, or one of your own.',
    ),
  DECKHAND_MODELS_FILE: z
    .string()
    .optional()
    .describe('Models file; by default `models.json` in the data directory. See models.example.json.'),
  DECKHAND_MODEL_REGISTRY: webUrl
    .default('https://registry.ollama.ai')
    .describe('Registry of models that is asked what a model needs; only manifests and headers are read.'),
  DECKHAND_STATIC_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(modelHost).min(1))
    .optional()
    .describe(
      'Comma-separated base URLs of model servers that already run: of Ollama, or as `openai+http://gpu-1:8000/v1` of vLLM and others.',
    ),
  DECKHAND_DATA_LEAVES_HOST: z
    .stringbool()
    .default(false)
    .describe(
      '`true`: the servers of OLLAMA_HOST and DECKHAND_STATIC_HOSTS may be outside your network, and slides leave it then.',
    ),
  DECKHAND_MODEL_CONCURRENCY: wholePositive.max(256).default(4).describe('Parallel calls per model server.'),
  DECKHAND_SLOWEST_TOKENS_PER_SEC: z.coerce
    .number()
    .positive()
    .default(LIMIT_SETTINGS.slowestTokensPerSec)
    .describe(
      'Speed of a model server that is assumed where none was measured; an answer that is slower is not waited for.',
    ),
  DECKHAND_LEAST_SILENCE_SEC: z.coerce
    .number()
    .positive()
    .default(LIMIT_SETTINGS.leastFirstTokenMs / 1000)
    .describe(
      'A model that has said nothing of its answer for less than this is never cut; between two words, half of it.',
    ),
  DECKHAND_SLA_MINUTES: z.coerce
    .number()
    .positive()
    .max(10_080)
    .default(10)
    .describe('A deck should be done within this time; a call that waits twice as long gets a higher priority.'),
  DECKHAND_ANSWERING_LEVEL: z
    .enum(ANSWERING_LEVELS)
    .default(ANSWERING_SETTINGS.level)
    .describe('Judgement from which on a quote answers its question: `high`, or `some` as well.'),
  DECKHAND_ANSWERING_SHARE: share
    .default(ANSWERING_SETTINGS.share)
    .describe('Share of the quotes of a claim (0 to 1) that have to answer for it to be shown as settled.'),
  DECKHAND_ANSWERING_DECK_SHARE: share
    .default(ANSWERING_SETTINGS.deckShare)
    .describe(
      'Share of the quotes of a deck (0 to 1) that have to answer for the filter `answering=enough` of the list.',
    ),
  DECKHAND_ANSWERING_JUDGEMENTS: wholePositive
    .default(ANSWERING_SETTINGS.judgements)
    .describe(
      "Claims of one model and question that people judge before this holds for the model's other claims. The deck list follows a new value as its decks change.",
    ),
  DECKHAND_ANSWERING_RIGHT_SHARE: share
    .default(ANSWERING_SETTINGS.rightShare)
    .describe(
      'Share of judged claims that has to be right, surely, for the others to count as answering. The deck list follows a new value as its decks change.',
    ),
  DECKHAND_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least severe level that is logged.'),
  DECKHAND_RENDERER: z
    .enum(['pdf-to-img', 'pdfium'])
    .default('pdfium')
    .describe('Renderer that is tried first; the other one renders what it cannot.'),
  DECKHAND_BLOB_DIR: z
    .string()
    .optional()
    .describe('Directory of PDFs and slide images; by default `blobs` in the data directory.'),
  DECKHAND_BLOB_QUOTA_BYTES: wholePositive
    .optional()
    .describe('Most bytes that PDFs and slide images may take; by default no limit.'),
  DECKHAND_LOST_WORKER_SEC: z.coerce
    .number()
    .min(1)
    .max(600)
    .optional()
    .describe('A worker without a heartbeat for this long counts as lost; by default 30.'),
  DECKHAND_FLEET_FILE: z
    .string()
    .optional()
    .describe('Fleet file; by default `fleet.json` in the data directory. See fleet.example.json.'),
  DECKHAND_PROVIDER_URLS: z
    .string()
    .regex(/^[a-z]+=http[^,]+(?:,[a-z]+=http[^,]+)*$/u, 'must be provider=URL, separated by commas')
    .optional()
    .describe('Addresses of the simulated providers, such as datacrunch=http://127.0.0.1:8425/v1; set by the runtime.'),
  DECKHAND_ENDPOINT_KEYS: z
    .string()
    .regex(/^[a-z][a-z0-9]*=[^,]+(?:,[a-z][a-z0-9]*=[^,]+)*$/u, 'must be name=key, separated by commas')
    .optional()
    .describe('Keys of the endpoints of endpoint pools, such as visual=secret; the fleet file names them.'),
  DATACRUNCH_CLIENT_ID: z.string().optional().describe('Client id at DataCrunch (Verda).'),
  DATACRUNCH_CLIENT_SECRET: z.string().optional().describe('Client secret at DataCrunch (Verda).'),
  DATACRUNCH_CREDENTIALS_FILE: z
    .string()
    .optional()
    .describe('INI file with both; by default ~/.datacrunch/credentials.'),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('Access key id of an AWS account.'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('Secret access key of an AWS account.'),
  AWS_SESSION_TOKEN: z.string().optional().describe('Session token of temporary AWS credentials.'),
  AWS_PROFILE: z.string().optional().describe('Profile of the AWS files below; by default `default`.'),
  AWS_SHARED_CREDENTIALS_FILE: z.string().optional().describe('AWS credentials file; by default ~/.aws/credentials.'),
  AWS_CONFIG_FILE: z.string().optional().describe('AWS configuration file; by default ~/.aws/config.'),
  GOOGLE_APPLICATION_CREDENTIALS: z
    .string()
    .optional()
    .describe('Key file of a Google service account; by default the login of gcloud.'),
  GOOGLE_CLOUD_PROJECT: z.string().optional().describe('Google Cloud project; by default that of the credentials.'),
  CLOUDSDK_CONFIG: z.string().optional().describe('Directory of gcloud; by default ~/.config/gcloud.'),
  AZURE_TENANT_ID: z.string().optional().describe('Tenant of an Azure service principal.'),
  AZURE_CLIENT_ID: z.string().optional().describe('Client id of an Azure service principal.'),
  AZURE_CLIENT_SECRET: z.string().optional().describe('Client secret of an Azure service principal.'),
  AZURE_SUBSCRIPTION_ID: z.string().optional().describe('Azure subscription that machines are rented in.'),
  AZURE_AUTH_LOCATION: z
    .string()
    .optional()
    .describe('File with all four, as `az ad sp create-for-rbac --json-auth` prints it.'),
  DECKHAND_MAX_UPLOAD_BYTES: wholePositive.default(100 * MEBIBYTE).describe('Largest PDF, in bytes.'),
  DECKHAND_UNSERVED_HOURS: z.coerce
    .number()
    .positive()
    .max(8760)
    .default(24)
    .describe(
      'A deck ends with gaps when for so many hours no server could answer its calls and none could be rented for them.',
    ),
  DECKHAND_CONVERT_CONCURRENCY: wholePositive
    .max(256)
    .optional()
    .describe('PDF conversions at the same time; by default chosen by the number of cores.'),
  DECKHAND_SECOND_READING: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether the quotes of a summary are read again in the picture of their slide, after the values are shown.',
    ),
  DECKHAND_SECOND_READING_SEC: wholePositive
    .max(240)
    .default(60)
    .describe('Seconds that the second reading of a deck may take; a deck takes about three.'),
  DECKHAND_AUTH: z
    .enum(['keys', 'open'])
    .default('keys')
    .describe('`keys`: the API asks for a key. `open`: no key, on a loopback address only.'),
  DECKHAND_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'is not an API key')
    .optional()
    .describe("API key that commands send; by default the data directory's own."),
  DECKHAND_API_URL: webUrl.optional().describe('API on another machine that commands use.'),
  DECKHAND_PUBLIC_URL: webUrl.optional().describe('Address under which people reach the API, for links.'),
  DECKHAND_ENCRYPTION: z.enum(['on', 'off']).default('on').describe('Whether payloads in Temporal are encrypted.'),
  DECKHAND_PAYLOAD_KEYS: z
    .string()
    .optional()
    .describe("Payload keys, newest first (id:base64,id:base64); by default the data directory's own."),
  DECKHAND_TEMPORAL_UI_URL: webUrl.optional().describe('Address under which people reach the Temporal UI.'),
  DECKHAND_DROP_DIR: z.string().optional().describe('Drop folder that `up` watches.'),
  DECKHAND_WORKER_METRICS: z
    .union([z.enum(['on', 'off']), hostAndPort])
    .default('on')
    .describe('Metrics of worker processes: `on`, `off`, or host:port for a worker alone in its container.'),
  DECKHAND_BUILD_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'is not a version such as 2026.11.2 (letters, digits, . _ -)')
    .optional()
    .describe('Version of the control worker, for Temporal worker versioning.'),
  XDG_CACHE_HOME: z.string().optional().describe('Cache directory of the user; by default ~/.cache.'),
});

/** Settings that are or hold a secret: an error names them and does not show them. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DECKHAND_API_KEY',
  'DECKHAND_PAYLOAD_KEYS',
  'DECKHAND_ENDPOINT_KEYS',
  'DATACRUNCH_CLIENT_SECRET',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AZURE_CLIENT_SECRET',
]);

/** Every setting of one process. Frozen. */
export interface Config {
  /** Data directory of this installation, absolute; created with mode 0700. */
  readonly home: string;
  /** Directory of the checkout. */
  readonly repositoryDir: string;
  /** Per-user directory for what is expensive to get again (the Temporal binary), absolute. */
  readonly cacheDir: string;
  /** Postgres to use instead of the embedded one. */
  readonly databaseUrl: string | undefined;
  /** Temporal `host:port` to use instead of the embedded one. */
  readonly temporalAddress: string | undefined;
  readonly temporalNamespace: string;
  /** A `temporal` executable to use for the embedded server. */
  readonly temporalCliPath: string | undefined;
  /** Base URL of the Ollama to use, if one was named. */
  readonly ollamaHost: string | undefined;
  /** Address the API listens on: loopback, except inside a container whose port is published on the host's loopback. */
  readonly apiHost: string;
  /** Port the API prefers; another free one is taken where it is in use. */
  readonly apiPort: number;
  /** Model profile whose models answer in the queues of all pools. */
  readonly models: string;
  /** Servers, models and profiles that a file owns, absolute; need not exist in the data directory. */
  readonly modelsFile: string;
  /** Registry of models that is asked what a model needs. */
  readonly modelRegistryUrl: string;
  /** Base URLs of the Ollama servers that the gateway serves; undefined = the one model host of the runtime. */
  readonly staticHosts: readonly string[] | undefined;
  /** Whether slides may leave the network for these servers. */
  readonly dataLeavesHost: boolean;
  /** Parallel calls per Ollama server (its OLLAMA_NUM_PARALLEL). */
  readonly modelConcurrency: number;
  /** Settings that decide the time limits of model calls beside their tokens and the measured speed. */
  readonly callLimits: LimitSettings;
  /** Within this time a deck is to be done; a call that waits for twice as long moves up a class. */
  readonly slaMs: number;
  /** From when on quotes count as answering their questions. */
  readonly answering: AnsweringSettings;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  readonly renderer: 'pdf-to-img' | 'pdfium';
  /** Where blobs are kept, absolute. */
  readonly blobDir: string;
  /** Most bytes that all blobs may take together; undefined = what the disk holds. A file `!quota` in the blob directory changes it at run time. */
  readonly blobQuotaBytes: number | undefined;
  /** A worker that was not heard of for this long is taken for dead and its work given to another; undefined = 30 s. */
  readonly lostWorkerAfterMs: number | undefined;
  /** Which provider and pools there are, absolute; need not exist. */
  readonly fleetFile: string;
  /** Addresses of the simulated providers that the runtime started, by name; they replace those of the fleet file. */
  readonly providerUrls: Readonly<Record<string, string>>;
  /** Keys of endpoints, by the names under which the fleet file's pools ask for them. */
  readonly endpointKeys: Readonly<Record<string, string>>;
  /** Credentials of the provider as far as the environment has them. */
  readonly datacrunch: {
    readonly clientId: string | undefined;
    readonly clientSecret: string | undefined;
    /** INI file with client_id and client_secret, absolute; need not exist. */
    readonly credentialsFile: string;
  };
  /** Credentials of an AWS account as far as the environment has them, and the files that AWS's own tools share. */
  readonly aws: {
    readonly accessKeyId: string | undefined;
    readonly secretAccessKey: string | undefined;
    readonly sessionToken: string | undefined;
    readonly profile: string | undefined;
    /** INI files, absolute; need not exist. */
    readonly credentialsFile: string;
    readonly configFile: string;
  };
  /** Files with credentials of a Google Cloud project, and its id as far as the environment has it. */
  readonly google: {
    /** Named by the environment; absolute. */
    readonly credentialsFile: string | undefined;
    /** The login of gcloud, absolute; need not exist. */
    readonly gcloudFile: string;
    readonly project: string | null;
  };
  /** Credentials of an Azure service principal as far as the environment has them. */
  readonly azure: {
    readonly tenantId: string | undefined;
    readonly clientId: string | undefined;
    readonly clientSecret: string | undefined;
    readonly subscriptionId: string | undefined;
    /** JSON file with all four, absolute. */
    readonly authFile: string | undefined;
  };
  /** Who may use the API: holders of a key, or (`open`: the demo, on loopback only) every user of this machine. */
  readonly auth: 'keys' | 'open';
  /** Key that clients of this process show to the API; undefined = the data directory's own. */
  readonly apiKey: string | undefined;
  /** API of another machine that commands speak to instead of this machine's, without a trailing slash. */
  readonly apiUrl: string | undefined;
  /** Where people reach the API, without a trailing slash, for links; undefined = where it listens. */
  readonly publicUrl: string | undefined;
  /** Whether payloads in Temporal are encrypted. */
  readonly encryption: 'on' | 'off';
  /** Payload keys of a deployment over several machines; undefined = the data directory's own. */
  readonly payloadKeys: string | undefined;
  /** Where people reach the Temporal UI: the one foreign page that may ask the codec server. */
  readonly temporalUiUrl: string | undefined;
  /** Version under which the control worker takes workflows (Temporal's worker versioning); undefined = none, every control worker takes them. */
  readonly buildId: string | undefined;
  /** Drop folder that the runtime watches, absolute. */
  readonly dropDir: string | undefined;
  /** Metrics of worker processes: on = each on a free loopback port that the API finds; off; or `host:port` for a worker alone in its container. */
  readonly workerMetrics: string;
  readonly maxUploadBytes: number;
  /** Conversions at the same time; undefined = by the machine's cores. */
  readonly convertConcurrency: number | undefined;
  /** Time in which the quotes of a deck are read again in the picture; null = they are not. */
  readonly secondReadingMs: number | null;
  /** A deck that nothing serves and nothing can be rented for ends after this time. */
  readonly unservedAfterMs: number;
  /** The environment the settings came from; children of this process inherit it. */
  readonly environment: Environment;
}

/** Reads `name=text` pairs, separated by commas. */
const namedTexts = (text: string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (text ?? '')
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );

/** Where the models file is where none is named. @param home the data directory */
export const usualModelsFile = (home: string): string => join(home, 'models.json');

const userHome = (environment: Environment): string => environment['HOME'] ?? homedir();

/** Where a user's caches live, also with an empty or missing HOME. */
function cacheRoot(xdgCacheHome: string | undefined, environment: Environment): string {
  if (xdgCacheHome !== undefined && isAbsolute(xdgCacheHome)) return xdgCacheHome;
  const home = environment['HOME'] ?? homedir();
  if (home !== '' && isAbsolute(home)) return join(home, '.cache');
  return join(tmpdir(), `cache-${userInfo().uid}`);
}

/**
 * Reads the settings of this process.
 *
 * @param environment defaults to the environment of the process
 * @throws DeckhandError `usage` naming the variable and what is wrong with it
 */
export function loadConfig(environment: Environment = process.env): Config {
  // An empty variable counts as not set, as in compose files (`VAR: ${VAR:-}`).
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0] ?? 'environment');
    const text = issue?.message ?? 'is not valid';
    const shown = SECRET_SETTINGS.has(name) ? name : `${name}=${environment[name] ?? ''}`;
    throw new DeckhandError('usage', `${shown}: ${text}`, {
      hint: `Correct or unset the environment variable ${name}.`,
    });
  }
  const env = parsed.data;
  if (env.DECKHAND_AUTH === 'open' && !isLoopbackHost(env.DECKHAND_API_HOST)) {
    throw new DeckhandError(
      'usage',
      `DECKHAND_AUTH=open: the API would listen on ${env.DECKHAND_API_HOST} without keys`,
      {
        hint: 'Unset DECKHAND_AUTH to require keys, or set DECKHAND_API_HOST to 127.0.0.1.',
      },
    );
  }
  const home = resolve(env.DECKHAND_HOME ?? join(REPOSITORY_DIR, '.deckhand'));
  return Object.freeze({
    home,
    repositoryDir: REPOSITORY_DIR,
    cacheDir: join(cacheRoot(env.XDG_CACHE_HOME, environment), 'deckhand'),
    databaseUrl: env.DATABASE_URL,
    temporalAddress: env.TEMPORAL_ADDRESS,
    temporalNamespace: env.TEMPORAL_NAMESPACE,
    temporalCliPath: env.TEMPORAL_CLI_PATH,
    ollamaHost: env.OLLAMA_HOST,
    apiHost: env.DECKHAND_API_HOST,
    apiPort: env.DECKHAND_API_PORT,
    models: env.DECKHAND_MODELS,
    modelsFile: resolve(env.DECKHAND_MODELS_FILE ?? usualModelsFile(home)),
    modelRegistryUrl: env.DECKHAND_MODEL_REGISTRY,
    staticHosts: env.DECKHAND_STATIC_HOSTS,
    dataLeavesHost: env.DECKHAND_DATA_LEAVES_HOST,
    modelConcurrency: env.DECKHAND_MODEL_CONCURRENCY,
    callLimits: Object.freeze({
      ...LIMIT_SETTINGS,
      slowestTokensPerSec: env.DECKHAND_SLOWEST_TOKENS_PER_SEC,
      leastFirstTokenMs: env.DECKHAND_LEAST_SILENCE_SEC * 1000,
      leastBetweenTokensMs: env.DECKHAND_LEAST_SILENCE_SEC * 500,
    }),
    slaMs: env.DECKHAND_SLA_MINUTES * 60_000,
    answering: Object.freeze({
      level: env.DECKHAND_ANSWERING_LEVEL,
      share: env.DECKHAND_ANSWERING_SHARE,
      deckShare: env.DECKHAND_ANSWERING_DECK_SHARE,
      judgements: env.DECKHAND_ANSWERING_JUDGEMENTS,
      rightShare: env.DECKHAND_ANSWERING_RIGHT_SHARE,
    }),
    logLevel: env.DECKHAND_LOG_LEVEL,
    renderer: env.DECKHAND_RENDERER,
    blobDir: resolve(env.DECKHAND_BLOB_DIR ?? join(home, 'blobs')),
    blobQuotaBytes: env.DECKHAND_BLOB_QUOTA_BYTES,
    lostWorkerAfterMs: env.DECKHAND_LOST_WORKER_SEC === undefined ? undefined : env.DECKHAND_LOST_WORKER_SEC * 1000,
    fleetFile: resolve(env.DECKHAND_FLEET_FILE ?? join(home, 'fleet.json')),
    providerUrls: namedTexts(env.DECKHAND_PROVIDER_URLS),
    endpointKeys: Object.freeze(namedTexts(env.DECKHAND_ENDPOINT_KEYS)),
    datacrunch: Object.freeze({
      clientId: env.DATACRUNCH_CLIENT_ID,
      clientSecret: env.DATACRUNCH_CLIENT_SECRET,
      credentialsFile: resolve(
        env.DATACRUNCH_CREDENTIALS_FILE ?? join(userHome(environment), '.datacrunch', 'credentials'),
      ),
    }),
    aws: Object.freeze({
      accessKeyId: env.AWS_ACCESS_KEY_ID,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      sessionToken: env.AWS_SESSION_TOKEN,
      profile: env.AWS_PROFILE,
      credentialsFile: resolve(env.AWS_SHARED_CREDENTIALS_FILE ?? join(userHome(environment), '.aws', 'credentials')),
      configFile: resolve(env.AWS_CONFIG_FILE ?? join(userHome(environment), '.aws', 'config')),
    }),
    google: Object.freeze({
      credentialsFile:
        env.GOOGLE_APPLICATION_CREDENTIALS === undefined ? undefined : resolve(env.GOOGLE_APPLICATION_CREDENTIALS),
      gcloudFile: resolve(
        env.CLOUDSDK_CONFIG ?? join(userHome(environment), '.config', 'gcloud'),
        'application_default_credentials.json',
      ),
      project: env.GOOGLE_CLOUD_PROJECT ?? null,
    }),
    azure: Object.freeze({
      tenantId: env.AZURE_TENANT_ID,
      clientId: env.AZURE_CLIENT_ID,
      clientSecret: env.AZURE_CLIENT_SECRET,
      subscriptionId: env.AZURE_SUBSCRIPTION_ID,
      authFile: env.AZURE_AUTH_LOCATION === undefined ? undefined : resolve(env.AZURE_AUTH_LOCATION),
    }),
    auth: env.DECKHAND_AUTH,
    apiKey: env.DECKHAND_API_KEY,
    apiUrl: env.DECKHAND_API_URL?.replace(/\/+$/u, ''),
    publicUrl: env.DECKHAND_PUBLIC_URL?.replace(/\/+$/u, ''),
    encryption: env.DECKHAND_ENCRYPTION,
    payloadKeys: env.DECKHAND_PAYLOAD_KEYS,
    temporalUiUrl: env.DECKHAND_TEMPORAL_UI_URL?.replace(/\/+$/u, ''),
    buildId: env.DECKHAND_BUILD_ID,
    dropDir: env.DECKHAND_DROP_DIR === undefined ? undefined : resolve(env.DECKHAND_DROP_DIR),
    workerMetrics: env.DECKHAND_WORKER_METRICS,
    maxUploadBytes: env.DECKHAND_MAX_UPLOAD_BYTES,
    unservedAfterMs: env.DECKHAND_UNSERVED_HOURS * 3_600_000,
    convertConcurrency: env.DECKHAND_CONVERT_CONCURRENCY,
    secondReadingMs: env.DECKHAND_SECOND_READING === 'on' ? env.DECKHAND_SECOND_READING_SEC * 1000 : null,
    environment: Object.freeze({ ...environment }),
  });
}

/** Makes the data directory, readable by its owner only, and returns its path. */
export function ensureHome(config: Config): string {
  try {
    mkdirSync(config.home, { recursive: true, mode: 0o700 });
    chmodSync(config.home, 0o700);
  } catch (error) {
    throw new DeckhandError('usage', `the data directory ${config.home} cannot be made: ${String(error)}`, {
      userMessage: `The data directory ${config.home} cannot be used.`,
      hint: 'Set DECKHAND_HOME to a directory that you may write to.',
      cause: error,
    });
  }
  return config.home;
}
