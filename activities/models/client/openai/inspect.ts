/**
 * Asks a server that speaks OpenAI's protocol about itself and its models, without generating more than one token.
 *
 * The protocol lists names alone. Other facts stand on pages of single kinds of servers: the window in vLLM's list, the window of a slot and the
 * senses of the model on llama-server's `/props`. Whether a model takes pictures is tried where no page says it.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DeckhandError } from '../../../../domain/errors.ts';
import { weakDigest } from '../../../../domain/models/identity.ts';
import { Memo } from '../../../../platform/memo.ts';
import type { ServerAddress } from '../connection.ts';
import type { AskContext, ModelFile, ModelInfo, RunningModel } from '../model-server.ts';
import { askPage } from './connection.ts';
import { firstLook, type FirstLook } from './first-look.ts';

const optionalCount = z.number().int().positive().optional().catch(undefined);
const optionalText = z.string().min(1).optional().catch(undefined);

/** One entry of `/models`. */
const entrySchema = z.object({
  id: z.string().min(1),
  owned_by: optionalText,
  /** llama-server: names that mean the same model. */
  aliases: z.array(z.string()).optional().catch(undefined),
  /** vLLM and SGLang: the window, and where the files come from. */
  max_model_len: optionalCount,
  root: optionalText,
  /** llama-server. */
  meta: z
    .object({ n_ctx_train: optionalCount, size: optionalCount, n_params: optionalCount, n_vocab: optionalCount })
    .nullish()
    .catch(undefined),
});
type Entry = z.infer<typeof entrySchema>;
const listSchema = z.object({ data: z.array(entrySchema) });

/** llama-server's page about itself and its model. */
const propsSchema = z.object({
  build_info: optionalText,
  default_generation_settings: z.object({ n_ctx: optionalCount }).optional().catch(undefined),
  modalities: z.object({ vision: z.boolean().optional() }).optional().catch(undefined),
  chat_template: z.string().optional().catch(undefined),
});
type Props = z.infer<typeof propsSchema>;

/** Kinds of servers, as far as they differ. */
type Engine = 'vllm' | 'llama-server' | 'other';
interface About {
  readonly engine: Engine;
  readonly version: string;
  readonly props: Props | null;
}

/** Pages about a server hold for so long; it may have been started anew since. */
const ABOUT_VALID_MS = 30_000;
const abouts = new Memo<About>({ limit: 200, keptMs: ABOUT_VALID_MS });

const addressKey = ({ url, key }: ServerAddress): string => `${url} ${key ?? ''}`;

/** The models that a server lists. @throws DeckhandError `model_unreachable` where the address is not that of such a server */
async function listModels(address: ServerAddress, { signal }: AskContext): Promise<readonly Entry[]> {
  const list = await askPage(address, '/models', listSchema, signal);
  if (list !== null) return list.data;
  const message = `${address.url} is no server of OpenAI's protocol: it has no /v1/models`;
  throw new DeckhandError('model_unreachable', message, {
    userMessage: `The server at ${address.url} does not speak OpenAI's protocol.`,
    hint: 'Name the address up to /v1, such as http://gpu-1:8000/v1, or another kind of server.',
  });
}

/** Asks the pages that only some servers have. */
async function lookAbout(address: ServerAddress, context: AskContext): Promise<About> {
  const entries = await listModels(address, context);
  const owner = entries[0]?.owned_by;
  const { signal } = context;
  if (owner === 'llamacpp') {
    const props = await askPage(address, '/props', propsSchema, signal);
    return { engine: 'llama-server', version: `llama-server ${props?.build_info ?? ''}`.trim(), props };
  }
  if (owner === 'vllm' || owner === 'sglang') {
    const said = await askPage(address, '/version', z.object({ version: z.string() }), signal);
    return {
      engine: 'vllm',
      version: `${owner === 'vllm' ? 'vLLM' : 'SGLang'} ${said?.version ?? ''}`.trim(),
      props: null,
    };
  }
  return { engine: 'other', version: `OpenAI protocol (${owner ?? 'unnamed server'})`, props: null };
}

const about = (address: ServerAddress, context: AskContext): Promise<About> =>
  abouts.get(addressKey(address), () => lookAbout(address, context));

/** See `ModelServer.version`. A server that cannot answer yet, or whose engine has died, says so on its page `/health`. */
export async function serverVersion(address: ServerAddress, context: AskContext): Promise<string> {
  const { engine, version } = await about(address, context);
  if (engine === 'other') await listModels(address, context);
  else await askPage(address, '/health', z.unknown(), context.signal);
  return version;
}

/** The entry of a model. @throws DeckhandError `model_not_ready` with the names that the server has */
async function entryOf(address: ServerAddress, model: string, context: AskContext): Promise<Entry> {
  const entries = await listModels(address, context);
  const found = entries.find(({ id, aliases }) => id === model || aliases?.includes(model));
  if (found !== undefined) return found;
  throw new DeckhandError('model_not_ready', `model ${model} is not on ${address.url}`, {
    userMessage: `The model ${model} is not on the model server.`,
    hint:
      entries.length === 0
        ? 'The server has no model. Start it with one.'
        : `The server has ${entries.map(({ id }) => id).join(', ')}.`,
  });
}

/** Revision of a repository of models, in the path or name of the files: `…@8f3a…`. */
const REVISION = /@[0-9a-f]{40,64}$/u;

/** The identity of a model: a revision where the server names one, else what it says of the model and of itself. */
async function digestOf(
  address: ServerAddress,
  { id, root, meta }: Entry,
  { engine }: About,
  context: AskContext,
): Promise<string> {
  const revision = root !== undefined && REVISION.test(root) ? root : null;
  if (revision !== null) return hashOf([engine, id, revision]);
  const { size = null, n_params: parameters = null, n_vocab: vocabulary = null } = meta ?? {};
  const fingerprint = engine === 'other' ? (await firstLook(address, id, context)).fingerprint : null;
  return weakDigest(hashOf([engine, id, root ?? null, size, parameters, vocabulary, fingerprint]));
}

const hashOf = (said: readonly (string | number | null)[]): string =>
  createHash('sha256').update(JSON.stringify(said)).digest('hex');

/** See `ModelServer.inspect`. */
export async function inspectModel(address: ServerAddress, model: string, context: AskContext): Promise<ModelInfo> {
  const entry = await entryOf(address, model, context);
  const known = await about(address, context);
  return {
    name: entry.id,
    digest: await digestOf(address, entry, known, context),
    capabilities: await capabilitiesOf(address, model, context),
    family: entry.owned_by ?? 'unknown',
    serverVersion: known.version,
    trainedWindowTokens: entry.meta?.n_ctx_train ?? null,
  };
}

/**
 * See `ModelServer.capabilities`. Senses and the template, which shows whether a model can think, stand on llama-server's page; elsewhere both are
 * tried.
 */
export async function capabilitiesOf(
  address: ServerAddress,
  model: string,
  context: AskContext,
): Promise<readonly string[]> {
  const { props } = await about(address, context);
  const { modalities, chat_template: template } = props ?? {};
  const look = (): Promise<FirstLook> => firstLook(address, model, context);
  const sees = modalities?.vision ?? (await look()).takesPictures;
  const thinks = template === undefined ? (await look()).thinks : /enable_thinking|<think|reasoning/u.test(template);
  return ['completion', ...(sees ? ['vision'] : []), ...(thinks ? ['thinking'] : [])];
}

/** See `ModelServer.file`. */
export async function modelFile(address: ServerAddress, model: string, context: AskContext): Promise<ModelFile> {
  await entryOf(address, model, context);
  const { props } = await about(address, context);
  return { info: {}, template: props?.chat_template };
}

/** See `ModelServer.bytesOnDisk`. */
export async function bytesOnDisk(address: ServerAddress, model: string, context: AskContext): Promise<number | null> {
  const entries = await listModels(address, context);
  return entries.find(({ id }) => id === model)?.meta?.size ?? null;
}

async function runningOf(address: ServerAddress, entry: Entry, context: AskContext): Promise<RunningModel> {
  const known = await about(address, context);
  return {
    name: entry.id,
    digest: await digestOf(address, entry, known, context),
    vramBytes: null,
    sizeBytes: entry.meta?.size ?? 0,
    windowTokens: entry.max_model_len ?? known.props?.default_generation_settings?.n_ctx ?? null,
  };
}

/** The models of a server: one that is listed is in memory, or is brought there by its first request. */
export async function runningModels(address: ServerAddress, context: AskContext): Promise<RunningModel[]> {
  const entries = await listModels(address, context);
  return Promise.all(entries.map((entry) => runningOf(address, entry, context)));
}

/** See `ModelServer.findLoaded`. The window was chosen when the server was started. */
export async function findLoaded(
  address: ServerAddress,
  model: string,
  context: AskContext,
): Promise<RunningModel | null> {
  return runningOf(address, await entryOf(address, model, context), context);
}
