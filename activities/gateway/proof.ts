/**
 * The proof of a machine: its server answers, it holds the pinned digests (missing models are pulled), and a real generation ran on its
 * GPU. One try; the attachment repeats it.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import type { ProofFacts, ProofFailure } from '../../domain/fleet/instance-life/types.ts';
import type { MachineShell } from './machine.ts';
import { inspectModel, serverVersion } from '../models/client/inspect.ts';
import { pullModel } from '../models/client/load.ts';
import { pinModels, type ModelHost, type PinDifference } from '../models/host/model-host.ts';
import { probeGeneration } from '../models/host/probe.ts';
import { requiredModels, type RequiredModel } from '../models/host/required-models.ts';
import { PullPercent } from './pull-percent.ts';

/** Where a proof stands. */
export type ProofStage =
  | { readonly state: 'connecting' | 'proving'; readonly message: string }
  | { readonly state: 'pulling'; readonly message: string; readonly percent: number };

/** What one try came to. */
export type ProofResult =
  | { readonly proved: true; readonly facts: ProofFacts }
  | {
      readonly proved: false;
      readonly failure: ProofFailure;
      readonly message: string;
      /** False where time alone may mend it: a machine that is still booting is not reachable. */
      readonly certain: boolean;
    };

export interface ProofOptions {
  readonly db: PrismaClient;
  readonly host: ModelHost;
  readonly shell: MachineShell | null;
  readonly profile: string;
  readonly classes: readonly string[];
  /** Pull what is missing and demand a generation on the GPU; see `ServeInput.rented`. */
  readonly rented: boolean;
  readonly signal: AbortSignal;
  readonly onStage: (stage: ProofStage) => void;
}

/**
 * Tries the machine once.
 *
 * @throws the signal's reason when cancelled, and errors of the database; the machine's own faults are in the result.
 */
export async function proveMachine(options: ProofOptions): Promise<ProofResult> {
  const { db, host, profile, classes, signal } = options;
  const models = await requiredModels(db, profile, classes);
  if (models.length === 0) {
    throw new DeckhandError('model_not_configured', `profile ${profile} has no models for ${classes.join(' and ')}`, {
      hint: 'Run `./deckhand migrate` to seed the default model configuration.',
    });
  }
  try {
    options.onStage({ state: 'connecting', message: 'waiting for the model server' });
    await serverVersion(host.url, { signal });
  } catch (error) {
    return failed(signal, error, 'unreachable', false);
  }
  for (const model of models) {
    const missing = await bringModel(model, options);
    if (missing !== null) return missing;
  }
  const differing = await pinned(models, options);
  if (differing !== null) return differing;
  return options.rented ? await proveGenerations(models, options) : facts(models, options);
}

/** Null once the machine holds the model. */
async function bringModel(model: RequiredModel, options: ProofOptions): Promise<ProofResult | null> {
  const { host, signal } = options;
  try {
    await inspectModel(host.url, model.name, { signal });
    return null;
  } catch (error) {
    const { code } = asDeckhandError(error);
    const missing = code === 'model_not_ready';
    if (!missing || !options.rented) return failed(signal, error, missing ? 'model_missing' : 'unreachable', false);
  }
  return pull(model, options);
}

async function pull(model: RequiredModel, options: ProofOptions): Promise<ProofResult | null> {
  const { host, signal, onStage } = options;
  const percent = new PullPercent();
  const report = (): void => onStage({ state: 'pulling', message: `pulling ${model.name}`, percent: percent.value });
  report();
  try {
    await pullModel(host.url, model.name, {
      signal,
      onProgress: (progress) => {
        percent.add(progress);
        report();
      },
    });
    host.forget(model.name);
    return null;
  } catch (error) {
    // No registry has it: waiting does not help.
    const unknown = /file does not exist|manifest unknown/iu.test(asDeckhandError(error).message);
    return failed(signal, error, 'model_missing', unknown);
  }
}

/** Null when every pin is what the machine holds. A machine woken from an old disk gets one pull before it counts as wrong. */
async function pinned(models: readonly RequiredModel[], options: ProofOptions): Promise<ProofResult | null> {
  const { db, host, profile, signal } = options;
  options.onStage({ state: 'proving', message: 'comparing model digests' });
  const look = async (): Promise<PinDifference[]> => {
    for (const model of models) host.forget(model.name);
    return pinModels(db, host, profile, { repin: false, signal, modelNames: models.map((m) => m.name) });
  };
  let differing: PinDifference[];
  try {
    differing = await look();
  } catch (error) {
    return failed(signal, error, 'unreachable', false);
  }
  if (options.rented && differing.length > 0) {
    for (const model of models.filter((m) => differing.some((d) => d.modelName === m.name))) {
      const missing = await pull(model, options);
      if (missing !== null) return missing;
    }
    try {
      differing = await look();
    } catch (error) {
      return failed(signal, error, 'unreachable', false);
    }
  }
  const first = differing[0];
  if (first === undefined) return null;
  return {
    proved: false,
    failure: 'wrong_digest',
    message: `${first.modelName} is pinned to ${first.pinned.slice(0, 12)}, ${host.name} holds ${first.found.slice(0, 12)}; accept it with \`./deckhand models --pin\``,
    certain: true,
  };
}

async function proveGenerations(models: readonly RequiredModel[], options: ProofOptions): Promise<ProofResult> {
  const { host, shell, signal, onStage } = options;
  const proved: ProofFacts['models'][number][] = [];
  let loadMs = 0;
  let generationMs = 0;
  for (const model of models) {
    onStage({ state: 'proving', message: `trying ${model.name}` });
    try {
      const { digest } = await host.inspect(model.name, signal);
      const probe = await probeGeneration(host.url, model, { signal });
      if (probe.vramBytes === 0) return await withoutGpu(model.name, shell, signal);
      proved.push({ name: model.name, digest, sizeBytes: probe.sizeBytes, vramBytes: probe.vramBytes });
      loadMs += probe.loadMs;
      generationMs += probe.generationMs;
    } catch (error) {
      const { code } = asDeckhandError(error);
      // A generation that hangs does not mend itself; a model that is not loaded yet, or a server that restarts, may.
      const gone = code === 'model_unreachable' || code === 'host_not_ready';
      return failed(signal, error, gone ? 'unreachable' : 'timeout', code === 'model_stalled');
    }
  }
  return { proved: true, facts: { models: proved, loadMs, generationMs } };
}

/** Is there no GPU, or does the model server not use it? */
async function withoutGpu(model: string, shell: MachineShell | null, signal: AbortSignal): Promise<ProofResult> {
  const onCpu = `${model} runs on the CPU: nothing of it is in the GPU's memory`;
  if (shell === null) return { proved: false, failure: 'cpu_only', message: onCpu, certain: true };
  const driver = await shell.run('nvidia-smi -L', signal);
  if (driver.exitCode === 0) return { proved: false, failure: 'cpu_only', message: onCpu, certain: true };
  return {
    proved: false,
    failure: 'no_gpu',
    message: `the driver shows no GPU: ${driver.output.trim().slice(0, 200)}`,
    certain: true,
  };
}

/** Servers that run already are taken as they are. */
async function facts(models: readonly RequiredModel[], options: ProofOptions): Promise<ProofResult> {
  const { host, signal } = options;
  const held = await Promise.all(
    models.map(async ({ name }) => ({
      name,
      digest: (await host.inspect(name, signal)).digest,
      sizeBytes: 0,
      vramBytes: 0,
    })),
  );
  return { proved: true, facts: { models: held, loadMs: 0, generationMs: 0 } };
}

/** A fault of the machine as a result; errors that are not the machine's are thrown. */
function failed(signal: AbortSignal, error: unknown, failure: ProofFailure, certain: boolean): ProofResult {
  signal.throwIfAborted();
  if (!(error instanceof DeckhandError)) throw error;
  return { proved: false, failure, message: error.message, certain };
}

/** True when the model server answers at all. Asked while serving. */
export async function machineAnswers(host: ModelHost, limitMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await serverVersion(host.url, { signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]) });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    // The limit's own error and every fault of the server mean the same here.
    if (error instanceof DeckhandError || (error instanceof DOMException && error.name === 'TimeoutError'))
      return false;
    throw error;
  }
}
