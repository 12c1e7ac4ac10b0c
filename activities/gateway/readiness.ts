/**
 * The readiness check of a machine: its server answers, it has the pinned digests (missing models are pulled), a real generation runs on its
 * GPU, and each language model can be used. This is one attempt; the attachment repeats it.
 */
import { asDeckhandError, DeckhandError, type ErrorCode } from '../../domain/errors.ts';
import { GPU_MEMORY_COMMAND } from '../../domain/health/gpu/commands.ts';
import type { ReadinessFacts } from '../../domain/fleet/instance-life/types.ts';
import { checkNeed } from '../../domain/models/footprint/need.ts';
import type { ModelHost } from '../models/host/model-host.ts';
import { probeAnswer, probeGeneration } from '../models/probes/generation.ts';
import { heldProfile, requiredModels, type RequiredModel } from '../models/host/required-models.ts';
import { proveModel, storeWindow } from '../models/probes/prove-model.ts';
import type { MachineShell } from './machine.ts';
import { bringModel, comparePins } from './readiness-models.ts';
import { awaitAnswer } from './readiness-start.ts';
import { failed, type ReadinessOptions, type ReadinessResult } from './readiness-result.ts';

/** Time for finding out all of a machine, without loading models. */
export const PROBE_BUDGET_MS = 180_000;
/** A measured speed counts for so long; a rented machine may be another one when it is attached the next time. */
const SPEED_VALID_MS = 7 * 86_400_000;
const RENTED_SPEED_VALID_MS = 3_600_000;

/**
 * Checks the machine once.
 *
 * @throws the signal's reason when cancelled, and errors of the database. Faults of the machine are in the result.
 */
export async function checkReadiness(asked: ReadinessOptions): Promise<ReadinessResult> {
  const { db, classes, signal } = asked;
  const profile = await heldProfile(db, asked.profile);
  const options = { ...asked, profile };
  const models = await requiredModels(db, profile, classes);
  if (models.length === 0) {
    throw new DeckhandError('model_not_configured', `profile ${profile} has no models for ${classes.join(' and ')}`, {
      hint: '`./deckhand models list` shows the profiles; one that was removed can be added again under its name.',
    });
  }
  options.onStage({ state: 'connecting', message: 'waiting for the model server' });
  const silence = await awaitAnswer(models, options);
  if (silence !== null) return failed(signal, silence, 'unreachable', false);
  for (const model of models) {
    const missing = await bringModel(model, options);
    if (missing !== null) return missing;
  }
  const unseen = await findWindows(models, options);
  if (unseen !== null) return unseen;
  const differing = await comparePins(models, options);
  if (differing !== null) return differing;
  const tried = await tryModels(models, options);
  if (!tried.ready) return tried;
  const proved = await proveModels(models, options);
  if ('ready' in proved) return proved;
  // Of a vLLM the share of the memory is chosen, whatever its model needs.
  if (options.rented && options.host.server.kind === 'ollama') await compareNeeds(models, tried.facts, options);
  const { loadMs, generationMs } = tried.facts;
  const sum = { loadMs: loadMs + proved.loadMs, generationMs: generationMs + proved.trialMs };
  return { ready: true, facts: { ...tried.facts, ...sum } };
}

/** Stores how the memory that loaded models take differs from the need that the machine was chosen by. */
async function compareNeeds(
  models: readonly RequiredModel[],
  { models: loaded }: ReadinessFacts,
  { db, host, slots }: ReadinessOptions,
): Promise<void> {
  for (const { name, digest, sizeBytes, vramBytes } of loaded) {
    const model = models.find((each) => each.name === name);
    const found = model === undefined ? null : checkNeed({ ...model, digest }, { sizeBytes, vramBytes, slots });
    await db.machineSpeed.updateMany({
      where: { instanceName: host.name, digest },
      data: { needFinding: found?.message ?? null },
    });
  }
}

function tryModels(models: readonly RequiredModel[], options: ReadinessOptions): Promise<ReadinessResult> {
  if (options.rented) return tryGenerations(models, options);
  return options.provesAnswers ? tryAnswers(models, options) : facts(models, options);
}

/** Windows of models that no machine has shown yet, before they are pinned; null = they are known. */
async function findWindows(
  models: readonly RequiredModel[],
  options: ReadinessOptions,
): Promise<ReadinessResult | null> {
  const { db, host, profile, signal, onStage } = options;
  const names = models.map(({ name }) => name);
  const unpinned = await db.modelConfiguration.findMany({
    where: { profile, modelName: { in: names }, pinnedDigest: null },
    distinct: ['modelName'],
    select: { modelName: true },
  });
  try {
    for (const model of models.filter(({ name }) => unpinned.some(({ modelName }) => modelName === name))) {
      if ((await host.inspect(model.name, signal)).engineKind === 'rules') continue;
      onStage({ state: 'proving', message: `loading ${model.name}` });
      await storeWindow(model, { db, host, signal });
    }
    return null;
  } catch (error) {
    return failed(signal, error, 'unreachable', false);
  }
}

/** Finds out what language models can do here and how fast; the built-in reader is known. The sums of the times, or why one cannot be used. */
async function proveModels(
  models: readonly RequiredModel[],
  options: ReadinessOptions,
): Promise<{ readonly loadMs: number; readonly trialMs: number } | Extract<ReadinessResult, { ready: false }>> {
  const { db, host, rented, slots, signal, onStage } = options;
  const speedValidMs = rented ? RENTED_SPEED_VALID_MS : SPEED_VALID_MS;
  let sum = { loadMs: 0, trialMs: 0 };
  for (const [index, model] of models.entries()) {
    try {
      if ((await host.inspect(model.name, signal)).engineKind === 'rules') continue;
      const budgetMs = (PROBE_BUDGET_MS - sum.trialMs) / (models.length - index);
      const onStep = (step: string): void => onStage({ state: 'proving', message: `trying ${model.name}: ${step}` });
      const { loadMs, trialMs } = await proveModel(model, { db, host, slots, signal, speedValidMs, budgetMs, onStep });
      sum = { loadMs: sum.loadMs + loadMs, trialMs: sum.trialMs + trialMs };
    } catch (error) {
      const { code } = asDeckhandError(error);
      if (code === 'model_cannot_answer') return failed(signal, error, 'cannot_answer', true);
      return failed(
        signal,
        error,
        code === 'model_stalled' ? 'timeout' : 'unreachable',
        rented && code === 'model_stalled',
      );
    }
  }
  return sum;
}

/**
 * Behind an address there may be several servers, so that where a model was loaded says nothing: that it answers is the proof. Language models
 * answer the probes that follow.
 */
async function tryAnswers(models: readonly RequiredModel[], options: ReadinessOptions): Promise<ReadinessResult> {
  const { host, signal, onStage } = options;
  let loadMs = 0;
  let generationMs = 0;
  for (const model of models) {
    try {
      if ((await host.inspect(model.name, signal)).engineKind !== 'rules') continue;
      onStage({ state: 'proving', message: `trying ${model.name}` });
      const probe = await host.prove(signal, () => probeAnswer(host.server, model, { signal }));
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
      const probe = await probeGeneration(host.server, model, { signal });
      const vramBytes = probe.vramBytes ?? (await bytesOnGpu(shell, signal));
      if (vramBytes === 0) return await withoutGpu(model.name, shell, signal);
      tried.push({ name: model.name, digest, sizeBytes: probe.sizeBytes, vramBytes });
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

const MIB = 1024 ** 2;

/** Memory of the GPUs that programs use, for a server that does not say where its model is. */
async function bytesOnGpu(shell: MachineShell | null, signal: AbortSignal): Promise<number> {
  if (shell === null) return 0;
  const used = await shell.run(GPU_MEMORY_COMMAND, signal);
  if (used.exitCode !== 0) return 0;
  return used.output.split('\n').reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0) * MIB, 0);
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

/** Models that static servers hold. */
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
    await host.server.version({ signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]) });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    // A timeout and any server error both mean no.
    if (error instanceof DeckhandError || (error instanceof DOMException && error.name === 'TimeoutError'))
      return false;
    throw error;
  }
}
