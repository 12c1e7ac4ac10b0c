/**
 * Asks a server that speaks OpenAI's protocol about itself and its models: by its pages, and where these say too little by two short answers
 * (first-look.ts).
 *
 * The protocol lists names alone. Other facts stand on pages of single kinds of servers: the window in vLLM's list, the window of a slot and the
 * senses of the model on llama-server's `/props`. Whether a model takes pictures is tried where no page says it.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DeckhandError } from '../../../../domain/errors.ts';
import { weakDigest } from '../../../../domain/models/identity.ts';
import { plainText } from '../../../../domain/text/plain-text.ts';
import { getShared, Memo } from '../../../../platform/memo.ts';
import type { ServerAddress } from '../connection.ts';
import type { AskContext, LoadOptions, MemoryEntry, ModelFile, ModelInfo, RunningModel } from '../model-server.ts';
import { revisionDigest } from '../revision-digest.ts';
import { askPage } from './connection.ts';
import { takesPictures, thinksByItself } from './first-look.ts';

const optionalCount = z.number().int().positive().optional().catch(undefined);
const optionalText = z.string().min(1).optional().catch(undefined);

/** One entry of `/models`. */
const entrySchema = z.object({
  id: z.string().min(1),
  owned_by: optionalText,
  /** vLLM and SGLang: the window, and where the files come from. */
  max_model_len: optionalCount,
  root: optionalText,
  /** Senses of the model; llama-server and some gateways. */
  architecture: z
    .object({ input_modalities: z.array(z.string()) })
    .optional()
    .catch(undefined),
  /** llama-server with several models: one that is not `loaded` is loaded when it is asked for. */
  status: z.object({ value: optionalText }).optional().catch(undefined),
  /** llama-server. */
  meta: z
    .object({
      n_ctx: optionalCount,
      n_ctx_train: optionalCount,
      size: optionalCount,
      n_params: optionalCount,
      n_vocab: optionalCount,
      ftype: optionalText,
    })
    .nullish()
    .catch(undefined),
});
type Entry = z.infer<typeof entrySchema>;
/** An entry without a name is none, and some servers say null for no models. Of entries with the same name the first counts. */
const listSchema = z.object({ data: z.array(z.unknown()).nullable() }).transform(({ data }) => {
  const entries = (data ?? []).map((entry) => entrySchema.safeParse(entry).data).filter((entry) => entry !== undefined);
  return [...new Map(entries.toReversed().map((entry) => [entry.id, entry])).values()].toReversed();
});

/** llama-server's page about itself and its model. */
const propsSchema = z.object({
  build_info: optionalText,
  default_generation_settings: z.object({ n_ctx: optionalCount }).optional().catch(undefined),
  chat_template: z.string().optional().catch(undefined),
});
type Props = z.infer<typeof propsSchema>;

/** Most names of models in a message, and their length. */
const NAMES_SHOWN = 10;
const NAME_CHARS = 80;

/** Kinds of servers, as far as they differ. */
type Engine = 'vllm' | 'llama-server' | 'other';
interface About {
  readonly engine: Engine;
  readonly version: string;
}

/** Pages about a server hold for so long; it may have been started anew since. */
const ABOUT_VALID_MS = 30_000;
/** A model that is asked about has to be loaded by then. */
const LOAD_LIMIT_MS = 600_000;
const abouts = new Memo<About>({ limit: 200, keptMs: ABOUT_VALID_MS });
const allProps = new Memo<Props>({ limit: 500, keptMs: ABOUT_VALID_MS });

const addressKey = ({ url, key }: ServerAddress): string => `${url} ${key ?? ''}`;

/** The models that a server lists. @throws DeckhandError `model_unreachable` where the address is not that of such a server */
async function listModels(address: ServerAddress, { signal }: AskContext): Promise<readonly Entry[]> {
  const list = await askPage(address, '/models', listSchema, signal);
  if (list !== null) return list;
  const message = `${address.url} is no server of OpenAI's protocol: it has no /v1/models`;
  throw new DeckhandError('model_unreachable', message, {
    userMessage: `The server at ${address.url} does not speak OpenAI's protocol.`,
    hint: 'Name the address up to /v1, such as http://gpu-1:8000/v1, or another kind of server.',
  });
}

/** Servers with vLLM's pages by the owner of their models. The built-in reader says its name in its version. */
const LIKE_VLLM: ReadonlyMap<string | undefined, string> = new Map([
  ['vllm', 'vLLM'],
  ['sglang', 'SGLang'],
  ['deckhand-rules', ''],
]);

/** Asks the pages that only some servers have. */
async function lookAbout(address: ServerAddress, context: AskContext): Promise<About> {
  const entries = await listModels(address, context);
  // A gateway may list models of several owners in any order: it has no pages of one of them.
  const owners = new Set(entries.map((entry) => entry.owned_by));
  const [owner] = owners.size === 1 ? owners : [];
  const { signal } = context;
  if (owner === 'llamacpp') {
    const props = await askPage(address, '/props', propsSchema, signal);
    return { engine: 'llama-server', version: `llama-server ${props?.build_info ?? ''}`.trim() };
  }
  const named = LIKE_VLLM.get(owner);
  if (named !== undefined) {
    const said = await askPage(address, '/version', z.object({ version: z.string() }), signal);
    return { engine: 'vllm', version: `${named} ${said?.version ?? ''}`.trim() };
  }
  return { engine: 'other', version: `OpenAI protocol (${owner ?? 'unnamed server'})` };
}

const about = (address: ServerAddress, { signal }: AskContext): Promise<About> =>
  getShared(abouts, addressKey(address), signal, () => lookAbout(address, { signal }));

/** llama-server's page about a model; null on other servers. Waits for a model that is being loaded. */
async function propsOf(address: ServerAddress, model: string, context: AskContext): Promise<Props | null> {
  if ((await about(address, context)).engine !== 'llama-server') return null;
  const page = `/props?model=${encodeURIComponent(model)}`;
  const ask = async (): Promise<Props> =>
    (await askPage(address, page, propsSchema, context.signal, LOAD_LIMIT_MS)) ?? {};
  return getShared(allProps, `${addressKey(address)} ${model}`, context.signal, ask);
}

/** See `ModelServer.version`. A server that cannot answer yet, or whose engine has died, says so on its page `/health`. */
export async function serverVersion(address: ServerAddress, context: AskContext): Promise<string> {
  const { engine, version } = await about(address, context);
  if (engine === 'other') await listModels(address, context);
  else await askPage(address, '/health', z.unknown(), context.signal);
  return version;
}

function namesIn(entries: readonly Entry[]): string {
  const named = entries.slice(0, NAMES_SHOWN).map(({ id }) => plainText(id, NAME_CHARS));
  const more = entries.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The entry of a model. @throws DeckhandError `model_not_ready` with the names that the server has */
async function entryOf(address: ServerAddress, model: string, context: AskContext): Promise<Entry> {
  const entries = await listModels(address, context);
  const found = entries.find(({ id }) => id === model);
  if (found !== undefined) return found;
  throw new DeckhandError('model_not_ready', `model ${model} is not on ${address.url}`, {
    userMessage: `The model ${model} is not on the model server.`,
    hint: entries.length === 0 ? 'The server has no model. Start it with one.' : `The server has ${namesIn(entries)}.`,
  });
}

const isLoaded = ({ status }: Entry): boolean => status?.value === undefined || status.value === 'loaded';

/** The entry of a model that is in memory, brought there where it has to be. */
async function loadedEntryOf(address: ServerAddress, model: string, context: AskContext): Promise<Entry> {
  const entry = await entryOf(address, model, context);
  if (isLoaded(entry)) return entry;
  allProps.forget(`${addressKey(address)} ${model}`);
  await propsOf(address, model, context);
  return entryOf(address, model, context);
}

const windowOf = ({ max_model_len: window, meta }: Entry): number | null => window ?? meta?.n_ctx ?? null;

/** Repository of a model and its revision, at the end of the path of its files: `…/Qwen/Qwen3-VL-8B-Instruct@8f3a…`. */
const REVISION = /(?:[^/]+\/)?[^/]+@[0-9a-f]{40,64}$/u;

/** The identity of a model: a revision where the server names one, else what it says of the model and of itself. */
function digestOf(address: ServerAddress, entry: Entry): string {
  const { id, owned_by: owner, root, meta } = entry;
  const [revision] = REVISION.exec(root ?? '') ?? [];
  // A server outside the network may say any revision.
  const isBelieved = LIKE_VLLM.has(owner) && address.egress.reach !== 'allowed';
  if (revision !== undefined && isBelieved) return revisionDigest(id, revision);
  const { size = null, n_params: parameters = null, n_vocab: vocabulary = null, ftype: format = null } = meta ?? {};
  // The window was chosen when the server was started, and texts are planned for it.
  return weakDigest(hashOf([owner ?? null, id, root ?? null, size, parameters, vocabulary, format, windowOf(entry)]));
}

const hashOf = (said: readonly (string | number | null)[]): string =>
  createHash('sha256').update(JSON.stringify(said)).digest('hex');

/** See `ModelServer.inspect`. */
export async function inspectModel(address: ServerAddress, model: string, context: AskContext): Promise<ModelInfo> {
  const entry = await loadedEntryOf(address, model, context);
  const known = await about(address, context);
  return {
    name: entry.id,
    digest: digestOf(address, entry),
    capabilities: await capabilitiesOf(address, model, context),
    family: entry.owned_by ?? 'unknown',
    serverVersion: known.version,
    trainedWindowTokens: entry.meta?.n_ctx_train ?? null,
  };
}

/**
 * See `ModelServer.capabilities`. llama-server lists the senses of a model and shows its template, by which it can think or not; elsewhere both are
 * tried.
 */
export async function capabilitiesOf(
  address: ServerAddress,
  model: string,
  context: AskContext,
): Promise<readonly string[]> {
  const { architecture } = await loadedEntryOf(address, model, context);
  const template = (await propsOf(address, model, context))?.chat_template;
  const sees = architecture?.input_modalities.includes('image') ?? (await takesPictures(address, model, context));
  const thinks =
    template === undefined
      ? await thinksByItself(address, model, context)
      : /enable_thinking|<think|reasoning/u.test(template);
  return ['completion', ...(sees ? ['vision'] : []), ...(thinks ? ['thinking'] : [])];
}

/** See `ModelServer.file`. */
export async function modelFile(address: ServerAddress, model: string, context: AskContext): Promise<ModelFile> {
  await loadedEntryOf(address, model, context);
  return { info: {}, template: (await propsOf(address, model, context))?.chat_template };
}

/** See `ModelServer.names`. */
export const modelNames = async (address: ServerAddress, context: AskContext): Promise<string[]> =>
  (await listModels(address, context)).map(({ id }) => id);

/** See `ModelServer.bytesOnDisk`. */
export async function bytesOnDisk(address: ServerAddress, model: string, context: AskContext): Promise<number | null> {
  const entries = await listModels(address, context);
  return entries.find(({ id }) => id === model)?.meta?.size ?? null;
}

async function inMemory(address: ServerAddress, entry: Entry, context: AskContext): Promise<MemoryEntry> {
  const props = await propsOf(address, entry.id, context);
  return {
    name: entry.id,
    vramBytes: null,
    sizeBytes: entry.meta?.size ?? 0,
    windowTokens: windowOf(entry) ?? props?.default_generation_settings?.n_ctx ?? null,
  };
}

/**
 * The models of a server that are in memory; where it says nothing of that, those that it lists. No model is asked anything: a gateway may list
 * hundreds.
 */
export async function runningModels(address: ServerAddress, context: AskContext): Promise<MemoryEntry[]> {
  const entries = (await listModels(address, context)).filter(isLoaded);
  return Promise.all(entries.map((entry) => inMemory(address, entry, context)));
}

/** See `ModelServer.findLoaded`. The window was chosen when the server was started. */
export async function findLoaded(
  address: ServerAddress,
  model: string,
  context: AskContext,
): Promise<RunningModel | null> {
  const entry = await entryOf(address, model, context);
  if (!isLoaded(entry)) return null;
  return { ...(await inMemory(address, entry, context)), digest: digestOf(address, entry) };
}

/** See `ModelServer.load`. */
export async function loadModel(
  address: ServerAddress,
  model: string,
  { loadTimeoutMs }: LoadOptions,
  { signal }: AskContext,
): Promise<number> {
  const startedMs = performance.now();
  const limit = AbortSignal.timeout(loadTimeoutMs);
  try {
    await loadedEntryOf(address, model, { signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) throw error;
    throw new DeckhandError('model_not_ready', `${model} did not load on ${address.url} within ${loadTimeoutMs} ms`, {
      userMessage: `The model ${model} takes too long to load.`,
      cause: error,
    });
  }
  return Math.round(performance.now() - startedMs);
}
