/**
 * Collects the facts for a GPU diagnosis: from the machine over its shell, from the model server over HTTP, and by one real generation.
 *
 * A part that fails is recorded as a fact, so the diagnosis continues when something is broken.
 */
import { asDeckhandError } from '../../domain/errors.ts';
import { DIAGNOSE_COMMAND, MEASURE_LIMIT_MS, MEASURE_OUTPUT_CHARS } from '../../domain/health/gpu/commands.ts';
import type {
  DiagnosisFacts,
  GenerationFacts,
  MachineFacts,
  ModelFacts,
} from '../../domain/health/gpu/diagnosis/facts.ts';
import { kvCacheBytes } from '../../domain/models/footprint/kv-cache.ts';
import { readDiagnosis } from '../../domain/health/gpu/diagnosis/read-machine.ts';
import type { LoadedModelReading } from '../../domain/health/types.ts';
import {
  canonicalName,
  modelFile,
  modelsOnDisk,
  runningModels,
  serverVersion,
  type ModelFile,
} from '../models/client/inspect.ts';
import { SUPPORTED_OLLAMA, versionSupport } from '../models/client/versions.ts';
import { probeGeneration } from '../models/probes/generation.ts';
import type { RequiredModel } from '../models/host/required-models.ts';
import type { MachineShell } from './machine.ts';

const GIB = 1024 ** 3;
const ANSWER_LIMIT_MS = 10_000;
/** Version suffix of the built-in reader, which is not a language model. */
const READER_VERSION = '-deckhand-reader';

/** The machine and the facts to collect. */
export interface GpuFactsOptions {
  readonly target: string;
  readonly url: string;
  readonly shell: MachineShell | null;
  readonly models: readonly RequiredModel[];
  /** Parallel calls that Deckhand makes. */
  readonly parallel: number;
  /** Runs a generation, in a call slot where there are slots; null = none is wanted or possible now. */
  readonly generate: ((run: (signal: AbortSignal) => Promise<GenerationFacts>) => Promise<GenerationFacts>) | null;
  readonly signal: AbortSignal;
}

/** See the file's header. @throws the signal's reason when cancelled, and nothing else */
export async function collectGpuFacts(options: GpuFactsOptions): Promise<DiagnosisFacts> {
  const { target, url, shell, parallel, signal } = options;
  const { machine, machineMessage } = await machineFacts(shell, signal);
  const server = await serverFacts(url, signal);
  // Read again, because the machine's own figures are from before the generation.
  const loaded = server.message === null ? await loadedNow(url, signal) : [];
  const cacheType = machine?.settings?.['OLLAMA_KV_CACHE_TYPE'];
  const models = await modelFacts(options, server.message === null, cacheType === '' ? undefined : cacheType);
  const generation = await generationFacts(options, models, server.message === null);
  return {
    target,
    atMs: Date.now(),
    machine,
    machineMessage,
    server: { ...server, isReader: server.version?.endsWith(READER_VERSION) === true },
    loaded,
    models,
    generation,
    parallel,
  };
}

async function machineFacts(
  shell: MachineShell | null,
  signal: AbortSignal,
): Promise<{ readonly machine: MachineFacts | null; readonly machineMessage: string | null }> {
  if (shell === null) return { machine: null, machineMessage: null };
  const limits = { outputChars: MEASURE_OUTPUT_CHARS, timeoutMs: MEASURE_LIMIT_MS };
  try {
    const { output } = await shell.run(DIAGNOSE_COMMAND, signal, limits);
    return { machine: readDiagnosis(output), machineMessage: null };
  } catch (error) {
    signal.throwIfAborted();
    return { machine: null, machineMessage: asDeckhandError(error).message };
  }
}

const within = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]);

async function serverFacts(url: string, signal: AbortSignal): Promise<Omit<DiagnosisFacts['server'], 'isReader'>> {
  const supportedVersions = `${SUPPORTED_OLLAMA.oldest} to ${SUPPORTED_OLLAMA.newest}`;
  try {
    const version = await serverVersion(url, { signal: within(signal) });
    return { url, version, support: versionSupport(version), supportedVersions, message: null };
  } catch (error) {
    signal.throwIfAborted();
    return { url, version: null, support: null, supportedVersions, message: asDeckhandError(error).message };
  }
}

async function loadedNow(url: string, signal: AbortSignal): Promise<LoadedModelReading[]> {
  try {
    const loaded = await runningModels(url, { signal: within(signal) });
    return loaded.map(({ name, sizeBytes, vramBytes }) => ({ name, sizeBytes, vramBytes }));
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** Sizes as the server has them where it does, else as configured. */
async function modelFacts(
  { url, models, signal }: GpuFactsOptions,
  answers: boolean,
  cacheType: string | undefined,
): Promise<ModelFacts[]> {
  const onDisk = answers ? await listedModels(url, signal) : null;
  const facts: ModelFacts[] = [];
  for (const model of models) {
    const sizeBytes = onDisk?.get(canonicalName(model.name));
    const info = sizeBytes === undefined ? {} : await infoOf(url, model.name, signal);
    const cacheBytes = kvCacheBytes(info, model.numCtx, cacheType);
    facts.push({
      name: model.name,
      numCtx: model.numCtx,
      installed: onDisk === null ? null : sizeBytes !== undefined,
      weightsBytes: sizeBytes ?? model.weightsGib * GIB,
      kvCacheBytesPerSlot: cacheBytes ?? model.kvCacheGibPerSlot * GIB,
      cacheFrom: cacheBytes === null ? 'configuration' : 'model',
    });
  }
  return facts;
}

/** Sizes of the installed models; null when the server does not answer. */
async function listedModels(url: string, signal: AbortSignal): Promise<Map<string, number> | null> {
  try {
    return await modelsOnDisk(url, { signal: within(signal) });
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

async function infoOf(url: string, model: string, signal: AbortSignal): Promise<ModelFile['info']> {
  try {
    return (await modelFile(url, model, { signal: within(signal) })).info;
  } catch {
    signal.throwIfAborted();
    return {};
  }
}

/** Uses the smallest installed model, which is enough to check the GPU. */
async function generationFacts(
  { url, models, generate, signal }: GpuFactsOptions,
  facts: readonly ModelFacts[],
  answers: boolean,
): Promise<GenerationFacts> {
  if (!answers) return { kind: 'not_tried', reason: 'the model server does not answer' };
  if (generate === null) return { kind: 'not_tried', reason: 'not asked for' };
  const [smallest] = facts
    .filter((model) => model.installed === true)
    .toSorted((a, b) => a.weightsBytes - b.weightsBytes);
  const model = models.find(({ name }) => name === smallest?.name);
  if (model === undefined) return { kind: 'not_tried', reason: 'none of the configured models is installed' };
  return generate(async (own) => {
    try {
      const { loadMs, generationMs, sizeBytes, vramBytes } = await probeGeneration(url, model, { signal: own });
      return { kind: 'answered', model: model.name, loadMs, generationMs, sizeBytes, vramBytes };
    } catch (error) {
      signal.throwIfAborted();
      own.throwIfAborted();
      return { kind: 'failed', model: model.name, message: asDeckhandError(error).message };
    }
  });
}
