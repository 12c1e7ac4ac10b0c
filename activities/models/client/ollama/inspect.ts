/**
 * Asks a model server about itself and its models, without generating anything.
 *
 * Used at start-up, by health checks and before routing: which digest stands behind a model's name, what it can do, what is loaded.
 */
import type { Ollama, ShowResponse } from 'ollama';
import { DeckhandError } from '../../../../domain/errors.ts';
import type { AskContext, ModelFile, ModelInfo, RunningModel } from '../model-server.ts';
import type { ServerAddress } from '../connection.ts';
import { openOllama } from './connection.ts';
import { toModelError } from '../faults.ts';

/** Runs one request and turns its failure into one of our errors; a cancelled signal's reason is thrown as it is. */
export async function ask<T>(
  host: ServerAddress,
  what: string,
  signal: AbortSignal,
  request: (ollama: Ollama) => Promise<T>,
): Promise<T> {
  const { ollama, close } = openOllama(host, signal);
  try {
    return await request(ollama);
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(error, `${what} at ${host.url}`, host.key, host.secret);
  } finally {
    await close();
  }
}

export const canonicalName = (model: string): string => (/:[^/]*$/.test(model) ? model : `${model}:latest`);

/** "gemma3" and "gemma3:latest" are the same model. */
export const isSameModel = (one: string, other: string): boolean => canonicalName(one) === canonicalName(other);

/** The server's version string. */
export async function serverVersion(host: ServerAddress, context: AskContext): Promise<string> {
  const { version } = await ask(host, 'version', context.signal, (ollama) => ollama.version());
  return version;
}

/** See `ModelServer.inspect`. */
export async function inspectModel(host: ServerAddress, model: string, context: AskContext): Promise<ModelInfo> {
  const [version, list, shown] = await Promise.all([
    serverVersion(host, context),
    ask(host, 'list of models', context.signal, (ollama) => ollama.list()),
    show(host, model, context),
  ]);
  const entry = list.models.find(({ name }) => isSameModel(name, model));
  if (entry === undefined) throw missingModel(host, model);
  return {
    name: entry.name,
    digest: entry.digest,
    capabilities: shown.capabilities ?? [],
    family: shown.details?.family ?? 'unknown',
    serverVersion: version,
    trainedWindowTokens: trainedWindow(fileOf(shown).info),
  };
}

/** Capabilities of a model, straight from its file. */
export async function capabilitiesOf(
  host: ServerAddress,
  model: string,
  context: AskContext,
): Promise<readonly string[]> {
  return (await show(host, model, context)).capabilities ?? [];
}

/** See `ModelServer.file`. */
export async function modelFile(
  host: ServerAddress,
  model: string,
  context: AskContext,
  withLists = false,
): Promise<ModelFile> {
  return fileOf(await show(host, model, context, withLists));
}

/** @throws DeckhandError `model_not_ready` with the way to get the model where the server does not have it */
async function show(
  host: ServerAddress,
  model: string,
  { signal }: AskContext,
  withLists = false,
): Promise<ShowResponse> {
  // Missing in the client's types.
  const request = { model, ...(withLists && { verbose: true }) };
  try {
    return await ask(host, `show ${model}`, signal, (ollama) => ollama.show(request));
  } catch (error) {
    throw error instanceof DeckhandError && error.code === 'model_not_ready' ? missingModel(host, model) : error;
  }
}

function fileOf(shown: ShowResponse): ModelFile {
  // The client calls it a map; it is the object that came with the answer.
  const info: unknown = shown.model_info;
  const template: unknown = shown.template;
  return {
    info: typeof info === 'object' && info !== null ? (info as ModelFile['info']) : {},
    // Servers make up this template for a model without one.
    template:
      typeof template === 'string' && !/^(?:\{\{-? *\.Prompt *-?\}\})?$/u.test(template.trim()) ? template : null,
  };
}

function trainedWindow(info: ModelFile['info']): number | null {
  const window = info[`${String(info['general.architecture'])}.context_length`];
  return typeof window === 'number' ? window : null;
}

/** See `ModelServer.names`. */
export async function modelNames(host: ServerAddress, context: AskContext): Promise<string[]> {
  const { models } = await ask(host, 'list of models', context.signal, (ollama) => ollama.list());
  return models.map(({ name }) => name);
}

/** See `ModelServer.bytesOnDisk`. */
export async function bytesOnDisk(host: ServerAddress, model: string, context: AskContext): Promise<number | null> {
  const { models } = await ask(host, 'list of models', context.signal, (ollama) => ollama.list());
  return models.find(({ name }) => isSameModel(name, model))?.size ?? null;
}

function missingModel(host: ServerAddress, model: string): DeckhandError {
  return new DeckhandError('model_not_ready', `model ${model} is not on ${host.url}`, {
    userMessage: `The model ${model} is not on the model server.`,
    hint: `ollama pull ${model}`,
  });
}

/** The models in memory. */
export async function runningModels(host: ServerAddress, context: AskContext): Promise<RunningModel[]> {
  const { models } = await ask(host, 'list of loaded models', context.signal, (ollama) => ollama.ps());
  return models.map((model) => ({
    name: model.name,
    digest: model.digest,
    vramBytes: model.size_vram ?? 0,
    sizeBytes: model.size,
    // Missing in the client's types.
    windowTokens: 'context_length' in model && typeof model.context_length === 'number' ? model.context_length : null,
  }));
}
