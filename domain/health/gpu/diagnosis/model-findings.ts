/**
 * Do the configured models fit: each alone, all at once, and onto the disk?
 */
import { mostSlots, neededVramGib } from '../../../fleet/selection/model-fit.ts';
import type { ModelNeed } from '../../../fleet/selection/ladder.ts';
import type { DiskReading } from '../disk.ts';
import type { DiagnosisFacts, ModelFacts } from './facts.ts';
import { findingsIn, gib, type GpuFinding } from './finding.ts';

const { ok, warn, fail, skipped } = findingsIn('models');
const inDisk = findingsIn('disk');
const DISK = 'disk of the models';
const GIB = 1024 ** 3;
const LEAST_FREE_BYTES = GIB;
/** Ollama needs some of the disk while it pulls. */
const LOW_FREE_RATIO = 0.05;

export function modelFindings(facts: DiagnosisFacts): GpuFinding[] {
  return [...diskFindings(facts), ...(facts.server.isReader ? [] : fitFindings(facts))];
}

const withShare = (finding: GpuFinding, share: number): GpuFinding => ({ ...finding, share });

function diskFindings({ machine, models, server }: DiagnosisFacts): GpuFinding[] {
  if (machine === null || machine.disk === null) return [inDisk.skipped(DISK, 'cannot be looked at from here')];
  const { freeBytes, totalBytes } = machine.disk;
  const finding = diskFinding(machine.disk, models, server);
  return [totalBytes === 0 ? finding : withShare(finding, 1 - freeBytes / totalBytes)];
}

function diskFinding(
  disk: DiskReading,
  models: readonly ModelFacts[],
  { isReader, kind }: DiagnosisFacts['server'],
): GpuFinding {
  const name = DISK;
  const remove = `Remove models that are not used${kind === 'ollama' ? ': `ollama list`, `ollama rm NAME`' : ''}.`;
  const { freeBytes, totalBytes } = disk;
  const found = `${gib(freeBytes)} of ${gib(totalBytes)} free`;
  const missing = models.filter((model) => model.installed === false && !isReader);
  const wanted = missing.reduce((sum, model) => sum + model.weightsBytes, 0);
  if (freeBytes < LEAST_FREE_BYTES) return inDisk.fail(name, found, remove);
  if (freeBytes < wanted)
    return inDisk.fail(
      name,
      `${found}; ${missing.map((m) => m.name).join(' and ')} to be pulled need ${gib(wanted)}`,
      'Remove models that are not used, or take a larger disk.',
    );
  if (freeBytes < totalBytes * LOW_FREE_RATIO) return inDisk.warn(name, found, remove);
  return inDisk.ok(name, found);
}

/** Graphics memory of all GPUs together, GiB; null = not known. A model that does not fit into one is spread over several. */
function memoryGib({ machine }: DiagnosisFacts): number | null {
  if (machine === null || !machine.driver.answered) return null;
  const sizes = machine.driver.gpus.map((gpu) => gpu.memoryTotalBytes).filter((bytes) => bytes !== null);
  const sum = sizes.reduce((total, bytes) => total + bytes, 0);
  return sum === 0 ? null : sum / GIB;
}

const needOf = (model: ModelFacts): ModelNeed => ({
  modelName: model.name,
  weightsGib: model.weightsBytes / GIB,
  kvCacheGibPerSlot: model.kvCacheBytesPerSlot / GIB,
});

function fitFindings(facts: DiagnosisFacts): GpuFinding[] {
  const { models, parallel } = facts;
  if (models.length === 0) return [skipped('models', 'none is configured')];
  const memory = memoryGib(facts);
  const findings = models.map((model) => {
    const finding = fitOf(model, memory, facts);
    return memory === null ? finding : withShare(finding, neededVramGib([needOf(model)], parallel) / memory);
  });
  if (memory === null || models.length < 2) return findings;
  const together = neededVramGib(models.map(needOf), parallel);
  const found = `all ${models.length} with ${parallel} calls need ${together.toFixed(1)} of ${memory.toFixed(1)} GiB`;
  const fits = together <= memory;
  return [...findings, withShare(fits ? ok('together', found) : tooMany(found), together / memory)];
}

const tooMany = (found: string): GpuFinding =>
  warn(
    'together',
    `${found}: they push each other out`,
    'Give the classes of work a machine each, make fewer calls at a time (DECKHAND_MODEL_CONCURRENCY), or take a larger GPU.',
  );

function fitOf(
  model: ModelFacts,
  memory: number | null,
  { parallel, server }: Pick<DiagnosisFacts, 'parallel' | 'server'>,
): GpuFinding {
  const needed = neededVramGib([needOf(model)], parallel);
  const cache = `cache ${gib(model.kvCacheBytesPerSlot)} × ${parallel} at ${model.numCtx} tokens${model.cacheFrom === 'configuration' ? ' (estimate)' : ''}`;
  const parts = `weights ${gib(model.weightsBytes)} + ${cache} + 10 % = ${needed.toFixed(1)} GiB`;
  const missing = (found: string): GpuFinding =>
    warn(
      model.name,
      `${found}; not installed`,
      server.kind === 'ollama' ? `\`ollama pull ${model.name}\`` : 'Start the server with it.',
    );
  if (memory === null) {
    const found = `${parts}; the graphics memory is not known`;
    return model.installed === false ? missing(found) : skipped(model.name, found);
  }
  const room = mostSlots([needOf(model)], memory);
  const found = `${parts} of ${memory.toFixed(1)} GiB${Number.isFinite(room) ? `: room for ${room} ${room === 1 ? 'call' : 'calls'}` : ''}`;
  if (needed > memory)
    return fail(
      model.name,
      found,
      'Make fewer calls at a time (DECKHAND_MODEL_CONCURRENCY), use a smaller window, model or quantisation, or take a larger GPU.',
    );
  if (model.installed === false) return missing(found);
  return ok(model.name, found);
}
