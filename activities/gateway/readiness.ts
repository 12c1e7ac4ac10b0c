/**
 * The readiness check of a machine: its server answers, it has the pinned digests (missing models are pulled), and a real generation runs on
 * its GPU. This is one attempt; the attachment repeats it.
 */
import { asDeckhandError, DeckhandError, type ErrorCode } from '../../domain/errors.ts';
import type { ReadinessFacts } from '../../domain/fleet/instance-life/types.ts';
import { serverVersion } from '../models/client/inspect.ts';
import type { ModelHost } from '../models/host/model-host.ts';
import { probeAnswer, probeGeneration } from '../models/host/probe.ts';
import { requiredModels, type RequiredModel } from '../models/host/required-models.ts';
import type { MachineShell } from './machine.ts';
import { bringModel, comparePins } from './readiness-models.ts';
import { failed, type ReadinessOptions, type ReadinessResult } from './readiness-result.ts';

/**
 * Checks the machine once.
 *
 * @throws the signal's reason when cancelled, and errors of the database. Faults of the machine are in the result.
 */
export async function checkReadiness(options: ReadinessOptions): Promise<ReadinessResult> {
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
  const differing = await comparePins(models, options);
  if (differing !== null) return differing;
  if (options.rented) return tryGenerations(models, options);
  return options.provesAnswers ? tryAnswers(models, options) : facts(models, options);
}

/** Behind an address there may be several servers, so that where a model was loaded says nothing: that it answers is the proof. */
async function tryAnswers(models: readonly RequiredModel[], options: ReadinessOptions): Promise<ReadinessResult> {
  const { host, signal, onStage } = options;
  let loadMs = 0;
  let generationMs = 0;
  for (const model of models) {
    onStage({ state: 'proving', message: `trying ${model.name}` });
    try {
      const probe = await probeAnswer(host.url, model, { signal });
      loadMs += probe.loadMs;
      generationMs += probe.generationMs;
    } catch (error) {
      const { code } = asDeckhandError(error);
      return failed(signal, error, isSilence(code) ? 'timeout' : 'unreachable', false);
    }
  }
  const held = await facts(models, options);
  return held.ready ? { ready: true, facts: { ...held.facts, loadMs, generationMs } } : held;
}

const isSilence = (code: ErrorCode): boolean => code === 'model_stalled' || code === 'model_too_slow';

async function tryGenerations(models: readonly RequiredModel[], options: ReadinessOptions): Promise<ReadinessResult> {
  const { host, shell, signal, onStage } = options;
  const tried: ReadinessFacts['models'][number][] = [];
  let loadMs = 0;
  let generationMs = 0;
  for (const model of models) {
    onStage({ state: 'proving', message: `trying ${model.name}` });
    try {
      const { digest } = await host.inspect(model.name, signal);
      const probe = await probeGeneration(host.url, model, { signal });
      if (probe.vramBytes === 0) return await withoutGpu(model.name, shell, signal);
      tried.push({ name: model.name, digest, sizeBytes: probe.sizeBytes, vramBytes: probe.vramBytes });
      loadMs += probe.loadMs;
      generationMs += probe.generationMs;
    } catch (error) {
      const { code } = asDeckhandError(error);
      // Waiting does not help a hanging generation. It may help while a model loads or a server restarts.
      const gone = code === 'model_unreachable' || code === 'host_not_ready';
      return failed(signal, error, gone ? 'unreachable' : 'timeout', code === 'model_stalled');
    }
  }
  return { ready: true, facts: { models: tried, loadMs, generationMs } };
}

/** Finds out whether there is no GPU or the model server does not use it. */
async function withoutGpu(model: string, shell: MachineShell | null, signal: AbortSignal): Promise<ReadinessResult> {
  const onCpu = `${model} runs on the CPU: nothing of it is in the GPU's memory`;
  if (shell === null) return { ready: false, failure: 'cpu_only', message: onCpu, certain: true };
  const driver = await shell.run('nvidia-smi -L', signal);
  if (driver.exitCode === 0) return { ready: false, failure: 'cpu_only', message: onCpu, certain: true };
  return {
    ready: false,
    failure: 'no_gpu',
    message: `the driver shows no GPU: ${driver.output.trim().slice(0, 200)}`,
    certain: true,
  };
}

/** Static servers are not checked further. */
async function facts(models: readonly RequiredModel[], options: ReadinessOptions): Promise<ReadinessResult> {
  const { host, signal } = options;
  const held = await Promise.all(
    models.map(async ({ name }) => ({
      name,
      digest: (await host.inspect(name, signal)).digest,
      sizeBytes: 0,
      vramBytes: 0,
    })),
  );
  return { ready: true, facts: { models: held, loadMs: 0, generationMs: 0 } };
}

/** True when the model server answers at all. Asked while serving. */
export async function machineAnswers(host: ModelHost, limitMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await serverVersion(host.url, { signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]) });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    // A timeout and any server error both mean no.
    if (error instanceof DeckhandError || (error instanceof DOMException && error.name === 'TimeoutError'))
      return false;
    throw error;
  }
}
