/**
 * Collects the facts for a GPU diagnosis: from the machine over its shell, from the model server over HTTP, and by one real generation.
 *
 * A part that fails is recorded as a fact, so the diagnosis continues when something is broken.
 */
import { asDeckhandError } from '../../domain/errors.ts';
import { diagnoseCommand, MEASURE_LIMIT_MS, MEASURE_OUTPUT_CHARS, unitOf } from '../../domain/health/gpu/commands.ts';
import type {
  DiagnosisFacts,
  GenerationFacts,
  MachineFacts,
  ModelFacts,
} from '../../domain/health/gpu/diagnosis/facts.ts';
import { kvCacheBytes } from '../../domain/models/footprint/kv-cache.ts';
import { readDiagnosis } from '../../domain/health/gpu/diagnosis/read-machine.ts';
import type { LoadedModelReading } from '../../domain/health/types.ts';
import type { ModelFile, ModelServer } from '../models/client/model-server.ts';
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
  readonly server: ModelServer;
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
  const { target, parallel, signal } = options;
  const { machine, machineMessage } = await machineFacts(options, signal);
  const server = await serverFacts(options.server, signal);
  // Read again, because the machine's own figures are from before the generation.
  const loaded = server.message === null ? await loadedNow(options.server, signal) : [];
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
  { shell, server }: GpuFactsOptions,
  signal: AbortSignal,
): Promise<{ readonly machine: MachineFacts | null; readonly machineMessage: string | null }> {
  if (shell === null) return { machine: null, machineMessage: null };
  const limits = { outputChars: MEASURE_OUTPUT_CHARS, timeoutMs: MEASURE_LIMIT_MS };
  try {
    const { output } = await shell.run(diagnoseCommand(unitOf(server.kind)), signal, limits);
    return { machine: readDiagnosis(output), machineMessage: null };
  } catch (error) {
    signal.throwIfAborted();
    return { machine: null, machineMessage: asDeckhandError(error).message };
  }
}

const within = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]);

async function serverFacts(
  server: ModelServer,
  signal: AbortSignal,
): Promise<Omit<DiagnosisFacts['server'], 'isReader'>> {
  const { kind, url, supportedVersions } = server;
  try {
    const version = await server.version({ signal: within(signal) });
    return { kind, url, version, support: server.supportOf(version), supportedVersions, message: null };
  } catch (error) {
    signal.throwIfAborted();
    return { kind, url, version: null, support: null, supportedVersions, message: asDeckhandError(error).message };
  }
}

async function loadedNow(server: ModelServer, signal: AbortSignal): Promise<LoadedModelReading[]> {
  try {
    const loaded = await server.running({ signal: within(signal) });
    return loaded.flatMap(({ name, sizeBytes, vramBytes }) =>
      vramBytes === null ? [] : [{ name, sizeBytes, vramBytes }],
    );
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** Sizes as the server has them where it does, else as configured. */
async function modelFacts(
  { server, models, signal }: GpuFactsOptions,
  answers: boolean,
  cacheType: string | undefined,
): Promise<ModelFacts[]> {
  const facts: ModelFacts[] = [];
  for (const model of models) {
    const { installed, sizeBytes } = answers ? await presenceOf(server, model.name, signal) : UNKNOWN;
    const info = installed === true ? await infoOf(server, model.name, signal) : {};
    const cacheBytes = kvCacheBytes(info, model.numCtx, cacheType);
    facts.push({
      name: model.name,
      numCtx: model.numCtx,
      installed,
      weightsBytes: sizeBytes ?? model.weightsGib * GIB,
      kvCacheBytesPerSlot: cacheBytes ?? model.kvCacheGibPerSlot * GIB,
      cacheFrom: cacheBytes === null ? 'configuration' : 'model',
    });
  }
  return facts;
}

/** Whether a server has a model, and how large it is; null = it does not say. */
type Presence = Pick<ModelFacts, 'installed'> & { readonly sizeBytes: number | null };

const UNKNOWN: Presence = { installed: null, sizeBytes: null };

async function presenceOf(server: ModelServer, model: string, signal: AbortSignal): Promise<Presence> {
  try {
    const sizeBytes = await server.bytesOnDisk(model, { signal: within(signal) });
    if (sizeBytes !== null) return { installed: true, sizeBytes };
    // Many servers list their models and do not say how large they are.
    const names = await server.names({ signal: within(signal) });
    return { installed: names.some((name) => server.isSameModel(name, model)), sizeBytes };
  } catch {
    signal.throwIfAborted();
    return UNKNOWN;
  }
}

async function infoOf(server: ModelServer, model: string, signal: AbortSignal): Promise<ModelFile['info']> {
  try {
    return (await server.file(model, { signal: within(signal) })).info;
  } catch {
    signal.throwIfAborted();
    return {};
  }
}

/** Uses the smallest installed model, which is enough to check the GPU. */
async function generationFacts(
  { server, models, generate, signal }: GpuFactsOptions,
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
      const { loadMs, generationMs, sizeBytes, vramBytes } = await probeGeneration(server, model, { signal: own });
      return { kind: 'answered', model: model.name, loadMs, generationMs, sizeBytes, vramBytes };
    } catch (error) {
      signal.throwIfAborted();
      own.throwIfAborted();
      return { kind: 'failed', model: model.name, message: asDeckhandError(error).message };
    }
  });
}
