/** docs/gpu-platforms.md against the code: the sentences beside its generated tables. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { memoryGib, ownGpu } from '../../../domain/fleet/setup/gpus.ts';
import { mostSlots, neededVramGib } from '../../../domain/fleet/selection/model-fit.ts';
import { GPU_CLASSES } from '../../../domain/models/model-tasks.ts';
import { modelsToSetUp } from '../../../domain/models/catalog/lookup.ts';
import { DEFAULT_LANGUAGE_PROFILE, PRESETS } from '../../../domain/models/catalog/presets.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/gpu-platforms.md'), 'utf8').replaceAll(
  /\s+/gu,
  ' ',
);
const BOTH = modelsToSetUp(PRESETS, 'ollama', GPU_CLASSES);
const DEFAULT = modelsToSetUp(PRESETS, DEFAULT_LANGUAGE_PROFILE, GPU_CLASSES);
const VISUAL = modelsToSetUp(PRESETS, 'ollama', ['gpu-visual']);
const most = (gpu: string, models: typeof BOTH): number => mostSlots(models, memoryGib(ownGpu(gpu)));

it('an L4 holds the model for slides and not both, with the memory that is named', () => {
  expect(text).toContain(
    `an L4 of 24 GB has ${memoryGib(ownGpu('l4')).toFixed(1)} GiB and does not hold both models of \`ollama\``,
  );
  expect(most('l4', BOTH)).toBe(0);
  expect(most('l4', VISUAL)).toBeGreaterThan(0);
});

it('an RTX 4090 holds both with as little to spare as it says', () => {
  const spare = memoryGib(ownGpu('rtx-4090')) - neededVramGib(BOTH, 1);
  expect(text).toContain(`holds both models of \`ollama\` with ${spare.toFixed(2)} GiB to spare`);
});

it.each(['t4', 'v100'])(
  '%s does one call at a time of the default profile, and of the pair is for slides only',
  (gpu) => {
    expect(most(gpu, DEFAULT)).toBe(1);
    expect(most(gpu, BOTH)).toBe(0);
    expect(most(gpu, VISUAL)).toBeGreaterThan(0);
  },
);

it('each class of work uses the models that it says', () => {
  expect(text).toContain(
    'Of `ollama` the class `gpu-visual` uses `gemma3:12b` alone, the class `gpu-text` both models',
  );
  expect(VISUAL.map((model) => model.modelName)).toEqual(['gemma3:12b']);
  expect(modelsToSetUp(PRESETS, 'ollama', ['gpu-text'])).toHaveLength(BOTH.length);
});

it('the default profile needs one model for both classes, which an L4 and an RTX 4090 hold', () => {
  expect(text).toContain(`\`${DEFAULT_LANGUAGE_PROFILE}\` uses one model for both classes, so an L4 or an RTX 4090`);
  expect(DEFAULT).toHaveLength(1);
  for (const gpu of ['l4', 'rtx-4090']) expect(most(gpu, DEFAULT)).toBeGreaterThan(0);
});

it('the weights for each billion parameters are those of the seeded models', () => {
  const rows = [...text.matchAll(/`([a-z0-9:]+)`: ([\d.]+) GiB for ([\d.]+)/gu)];
  expect(rows).toHaveLength(2);
  for (const [, name = '', gib, billions] of rows) {
    expect(BOTH.find((model) => model.modelName.startsWith(name))?.weightsGib).toBe(Number(gib));
    expect(Number(gib) / Number(billions)).toBeCloseTo(0.6, 1);
  }
});
