/**
 * Models as configuration: servers, models, and profiles that say which model answers which task. The same shapes stand in `models.json`, in the
 * API and in the database. Parsed once, then trusted.
 */
import { z } from 'zod';
import { DeckhandError } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { closestName } from '../../text/closest-name.ts';
import { missingOf } from '../footprint/need.ts';
import { DIGEST_PATTERN } from '../identity.ts';
import { GPU_CLASSES, MODEL_TASK_NAMES, MODEL_TASKS, type ModelTask } from '../model-tasks.ts';
import { SERVER_KINDS } from '../server-kind.ts';
import { serverUrl } from '../server-url.ts';

/** Names of servers and profiles: they stand in addresses, commands and file names. */
export const catalogName = z.string().regex(/^[a-z][a-z0-9._-]{0,39}$/, {
  error: 'must be up to 40 lower-case letters, digits, dots, dashes and underscores',
  abort: true,
});
/** Name of a model on its server, such as `qwen3-vl:8b-instruct`. */
export const modelName = z
  .string()
  .regex(/^[!-~]{1,200}$/, 'must be up to 200 letters, digits and signs without white space');
const sha256 = z.string().regex(DIGEST_PATTERN, 'must be a SHA-256 in 64 hexadecimal digits');
const gib = z.number().min(0).max(10_000);
/** Repository of weights on Hugging Face, and a commit of it: they stand in a startup script. */
const weightsRepository = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/, 'must be like Qwen/Qwen3-VL-8B-Instruct');
const commit = z.string().regex(/^[0-9a-f]{40}$/, 'must be a commit in 40 hexadecimal digits');

/** Smallest window, tokens: below it no prompt with a whole answer fits. */
export const SMALLEST_WINDOW = 4096;

/** A model server. */
export const serverSchema = settings({
  name: catalogName,
  kind: z.enum(SERVER_KINDS).default('ollama'),
  /** Its base URL. */
  url: serverUrl,
  /** File with the key that is sent as a bearer token with every request; null = none is sent. */
  keyFile: z.string().min(1).nullable().default(null),
  /** Calls that it takes at the same time; null = as many as every other server. */
  parallel: z.number().int().min(1).max(64).nullable().default(null),
  /** It may be outside the network: slides leave it then. */
  dataLeavesHost: z.boolean().default(false),
});
export type ModelServer = z.infer<typeof serverSchema>;

/** A model. */
export const modelSchema = settings({
  name: modelName,
  /** Server that answers with it; null = the servers in use (OLLAMA_HOST, DECKHAND_STATIC_HOSTS) and the machines of pools. */
  server: catalogName.nullable().default(null),
  /** Digest of its files, which machines have to hold; null = the one that the first host shows. */
  digest: sha256.nullable().default(null),
  /** Where its weights are on Hugging Face, for machines that run vLLM; null = such a machine cannot hold it. */
  repository: weightsRepository.nullable().default(null),
  /** Commit of {@link repository}; what machines have to hold follows from it, and a digest is none of it. */
  revision: commit.nullable().default(null),
  /** Window that it is loaded with, tokens: prompt and answer together. */
  window: z.number().int().min(SMALLEST_WINDOW).max(4_194_304).default(16_384),
  seesPictures: z.boolean().default(false),
  /** ISO 639-1 of the languages that it reads; empty = all. */
  languages: z.array(z.string().regex(/^[a-z]{2}$/, 'must be an ISO 639-1 code such as de')).default([]),
  /** Graphics memory of its weights, GiB; null = not known, and no machine is rented for it. */
  weightsGib: gib.nullable().default(null),
  /** Graphics memory of the cache of one parallel call with a full window, GiB. */
  kvCacheGibPerSlot: gib.nullable().default(null),
  /** Limit for loading it, a step of its own. */
  loadTimeoutMs: z.number().int().min(1000).max(3_600_000).default(300_000),
  /** Licence of its weights, for people. */
  licence: z.string().max(200).nullable().default(null),
});
export type Model = z.infer<typeof modelSchema>;

/** Which model answers which class of tasks, or single tasks. */
const answeringModels = settings(
  Object.fromEntries([...GPU_CLASSES, ...MODEL_TASK_NAMES].map((name) => [name, modelName.optional()])),
);

/** A profile. */
export const profileSchema = settings({
  name: catalogName,
  /** Why one would choose it, for people. */
  reason: z.string().max(1000).nullable().default(null),
  /** By class or by task; a task's own entry wins. */
  models: answeringModels.transform((models) => models as Partial<Record<string, string>>),
  /** Temperature of every task instead of each task's own. */
  temperature: z.number().min(0).max(2).nullable().default(null),
  topP: z.number().min(0).max(1).default(0.9),
});
export type ModelProfile = z.infer<typeof profileSchema>;

/** Everything that is configured. */
export const catalogSchema = settings({
  servers: z.array(serverSchema).default([]),
  models: z.array(modelSchema).default([]),
  profiles: z.array(profileSchema).default([]),
}).check((context) => {
  for (const kind of ['servers', 'models', 'profiles'] as const) {
    const names = context.value[kind].map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined)
      context.issues.push({ code: 'custom', message: `${twice} stands there twice`, input: names, path: [kind] });
  }
});
export type Catalog = z.infer<typeof catalogSchema>;

/** Profile of the built-in reader: rules, not a language model. */
export const READER_PROFILE = 'reader';

/** Model and options of one task under one profile. */
export interface TaskConfiguration {
  readonly profile: string;
  readonly task: ModelTask;
  readonly modelName: string;
  readonly pinnedDigest: string | null;
  /** Window of the model in tokens; the same for all tasks of a model, because another value would load it again. */
  readonly numCtx: number;
  /** Longest answer in tokens. */
  readonly numPredict: number;
  readonly temperature: number;
  readonly topP: number;
  readonly loadTimeoutMs: number;
  readonly weightsGib: number;
  readonly kvCacheGibPerSlot: number;
  /** False = the digest of the model, or what it needs of a GPU's memory, is not known: no machine is rented for it. */
  readonly isNeedKnown: boolean;
  readonly languages: string[];
}

const refused = (message: string, hint: string): DeckhandError =>
  new DeckhandError('invalid_request', message, { userMessage: message, hint });

/** The models that a profile names, by class or task. */
export const namedModels = ({ models }: Pick<ModelProfile, 'models'>): Record<string, string> =>
  Object.fromEntries(Object.entries(models).flatMap(([of, name]) => (name === undefined ? [] : [[of, name] as const])));

/** Model of a task under a profile. @throws DeckhandError `invalid_request` for a task without one */
function modelOfTask({ name, models }: ModelProfile, task: ModelTask): string {
  const { gpuClass } = MODEL_TASKS[task];
  const found = models[task] ?? models[gpuClass];
  if (found !== undefined) return found;
  throw refused(
    `Profile ${name} names no model for ${task}.`,
    `Name one for "${gpuClass}" or for "${task}" in its models.`,
  );
}

/** Every model of a profile, each once, in the order of the tasks. @throws DeckhandError `invalid_request` for one that is not known */
export function modelsOfProfile(profile: ModelProfile, models: readonly Model[]): readonly Model[] {
  const names = new Set(MODEL_TASK_NAMES.map((task) => modelOfTask(profile, task)));
  return [...names].map((name) => {
    const model = models.find((each) => each.name === name);
    if (model !== undefined) return model;
    const near = closestName(
      name,
      models.map((each) => each.name),
    );
    throw refused(
      `Profile ${profile.name} names the model ${name}, which is not configured.`,
      near === null
        ? `Add it: ./deckhand models add ${name}`
        : `Did you mean ${near}? Or add it: ./deckhand models add ${name}`,
    );
  });
}

/**
 * The configuration of every task under a profile.
 *
 * @throws DeckhandError `invalid_request` for a model that is missing or unknown, and `model_lacks_vision` for one that reads no pictures where
 *   pictures are read
 */
export function resolveProfile(profile: ModelProfile, models: readonly Model[]): readonly TaskConfiguration[] {
  const known = modelsOfProfile(profile, models);
  return MODEL_TASK_NAMES.map((task): TaskConfiguration => {
    const wanted = modelOfTask(profile, task);
    const model = known.find(({ name }) => name === wanted);
    if (model === undefined) throw new RangeError(`${wanted} was looked up before`);
    const { gpuClass, numPredict, temperature } = MODEL_TASKS[task];
    if (gpuClass === 'gpu-visual' && !model.seesPictures) {
      const message = `Profile ${profile.name} lets ${model.name} answer ${task}, and that model sees no pictures.`;
      throw new DeckhandError('model_lacks_vision', message, {
        userMessage: message,
        hint: 'Name a model that sees pictures for "gpu-visual", or set "seesPictures" of the model.',
      });
    }
    return {
      profile: profile.name,
      task,
      modelName: model.name,
      pinnedDigest: model.digest,
      numCtx: model.window,
      // A small window leaves half of itself for the prompt.
      numPredict: Math.min(numPredict, Math.floor(model.window / 2)),
      temperature: profile.temperature ?? temperature,
      topP: profile.topP,
      loadTimeoutMs: model.loadTimeoutMs,
      weightsGib: model.weightsGib ?? 0,
      kvCacheGibPerSlot: model.kvCacheGibPerSlot ?? 0,
      isNeedKnown: missingOf(model).length === 0,
      languages: model.languages,
    };
  });
}

const serversOf = (profile: ModelProfile, models: readonly Model[]): readonly (string | null)[] => [
  ...new Set(modelsOfProfile(profile, models).map(({ server }) => server)),
];

/** Server that answers all tasks of a profile; null = the servers in use, or the machines of a pool, which alone may hold models of several places. */
export function serverOfProfile(profile: ModelProfile, models: readonly Model[]): string | null {
  const [server = null, ...others] = serversOf(profile, models);
  return others.length === 0 ? server : null;
}

/**
 * Checks a profile that somebody writes, and returns the configuration of its tasks.
 *
 * @throws DeckhandError those of {@link resolveProfile}; `invalid_request` when its models are on several servers: a run's calls go to one
 */
export function checkedProfile(profile: ModelProfile, models: readonly Model[]): readonly TaskConfiguration[] {
  const servers = serversOf(profile, models);
  if (servers.length === 1) return resolveProfile(profile, models);
  const named = servers.map((name) => name ?? 'the servers in use').join(' and ');
  throw refused(
    `The models of profile ${profile.name} are on ${named}; one server has to hold them all.`,
    'Give its models the same "server".',
  );
}
