/**
 * What a model server says about itself and its models, without generating anything.
 *
 * Used at start-up, by health checks and before routing: which digest stands behind a model's name, what it can do, what is loaded.
 */
import type { Ollama, ShowResponse } from 'ollama';
import { DeckhandError } from '../../../domain/errors.ts';
import { withOllama } from './connection.ts';
import { toModelError } from './errors.ts';

/** A model as a server has it on disk. */
export interface ModelInfo {
  readonly name: string;
  /** Hex SHA-256 of the manifest: the identity that is pinned and stored with results. */
  readonly digest: string;
  /** "completion", "vision", "thinking", … */
  readonly capabilities: string[];
  readonly family: string;
  readonly serverVersion: string;
  /** Window that it was trained with, in tokens; null where its file does not say. */
  readonly trainedWindowTokens: number | null;
}

/** A model in memory. */
export interface RunningModel {
  readonly name: string;
  readonly digest: string;
  readonly vramBytes: number;
  readonly sizeBytes: number;
  /** Context window it was loaded with, in tokens; null where the server does not say. */
  readonly contextLength: number | null;
}

export interface InspectContext {
  readonly signal: AbortSignal;
}

/** Runs one request and turns its failure into one of our errors; a cancelled signal's reason is thrown as it is. */
export async function ask<T>(
  host: string,
  what: string,
  signal: AbortSignal,
  request: (ollama: Ollama) => Promise<T>,
): Promise<T> {
  try {
    return await withOllama(host, signal, request);
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(error, `${what} at ${host}`);
  }
}

/** "gemma3" and "gemma3:latest" are the same model. */
export const canonicalName = (model: string): string => (/:[^/]*$/.test(model) ? model : `${model}:latest`);

/** The server's version string. */
export async function serverVersion(host: string, context: InspectContext): Promise<string> {
  const { version } = await ask(host, 'version', context.signal, (ollama) => ollama.version());
  return version;
}

/**
 * Digest, capabilities and size of a model on a server.
 * @throws DeckhandError `model_not_ready` if the server does not have it, or an error of the connection.
 */
export async function inspectModel(host: string, model: string, context: InspectContext): Promise<ModelInfo> {
  const [version, list, shown] = await Promise.all([
    serverVersion(host, context),
    ask(host, 'list of models', context.signal, (ollama) => ollama.list()),
    ask(host, `show ${model}`, context.signal, (ollama) => ollama.show({ model })),
  ]);
  const entry = list.models.find((candidate) => canonicalName(candidate.name) === canonicalName(model));
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

/** What a model can do, straight from its file. */
export async function modelCapabilities(
  host: string,
  model: string,
  context: InspectContext,
): Promise<readonly string[]> {
  const shown = await ask(host, `show ${model}`, context.signal, (ollama) => ollama.show({ model }));
  return shown.capabilities ?? [];
}

/** Values of a model's file by their names, such as `gemma3.block_count`. */
type ModelFileInfo = Readonly<Record<string, unknown>>;

/** Facts from the file of a model. */
export interface ModelFile {
  readonly info: ModelFileInfo;
  /** The template of a conversation; null where the model has none. */
  readonly template: string | null;
}

/**
 * Reads the facts from the file of a model.
 *
 * @param lists with the values of lists, such as those with one for each layer; they come with the vocabulary, which may be megabytes
 * @throws DeckhandError `model_not_ready` if the server does not have it
 */
export async function modelFile(
  host: string,
  model: string,
  { signal }: InspectContext,
  lists = false,
): Promise<ModelFile> {
  // Missing in the client's types.
  const request = { model, ...(lists && { verbose: true }) };
  return fileOf(await ask(host, `show ${model}`, signal, (ollama) => ollama.show(request)));
}

function fileOf(shown: ShowResponse): ModelFile {
  // The client calls it a map; it is the object that came with the answer.
  const info: unknown = shown.model_info;
  const template: unknown = shown.template;
  return {
    info: typeof info === 'object' && info !== null ? (info as ModelFileInfo) : {},
    // Servers make up this template for a model without one.
    template:
      typeof template === 'string' && !/^(?:\{\{-? *\.Prompt *-?\}\})?$/u.test(template.trim()) ? template : null,
  };
}

function trainedWindow(info: ModelFileInfo): number | null {
  const window = info[`${String(info['general.architecture'])}.context_length`];
  return typeof window === 'number' ? window : null;
}

/** Bytes of every model on the server's disk, by canonical name. */
export async function modelsOnDisk(host: string, context: InspectContext): Promise<Map<string, number>> {
  const { models } = await ask(host, 'list of models', context.signal, (ollama) => ollama.list());
  return new Map(models.map((model) => [canonicalName(model.name), model.size]));
}

export function missingModel(host: string, model: string): DeckhandError {
  return new DeckhandError('model_not_ready', `model ${model} is not on ${host}`, {
    userMessage: `The model ${model} is not on the model server.`,
    hint: `ollama pull ${model}`,
  });
}

/** The models in memory. */
export async function runningModels(host: string, context: InspectContext): Promise<RunningModel[]> {
  const { models } = await ask(host, 'list of loaded models', context.signal, (ollama) => ollama.ps());
  return models.map((model) => ({
    name: model.name,
    digest: model.digest,
    vramBytes: model.size_vram ?? 0,
    sizeBytes: model.size,
    // Missing in the client's types.
    contextLength: 'context_length' in model && typeof model.context_length === 'number' ? model.context_length : null,
  }));
}
