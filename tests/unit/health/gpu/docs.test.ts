/**
 * docs/monitoring.md against the code: what is measured, what can go wrong with simulated machines, which drivers are asked for, and which models
 * fit into which GPU.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  capabilityByName,
  COMPATIBILITY_SOURCES,
  CUDA_BUILDS,
  cudaBuildFor,
  OLLAMA_DRIVERS,
  OLLAMA_LEAST_CAPABILITY,
} from '../../../../domain/health/gpu/diagnosis/compatibility.ts';
import { mostSlots } from '../../../../domain/fleet/selection/model-fit.ts';
import { MODEL_CONFIGURATIONS } from '../../../../prisma/seed/model-configurations.ts';
import { machineFaultSchema, REMEDIES } from '../../../../simulators/machine/faults.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/monitoring.md'), 'utf8');

it('every fault of a simulated machine, and every remedy', () => {
  for (const option of machineFaultSchema.options) expect(text).toContain(`\`${option.shape.kind.value}\``);
  for (const remedy of REMEDIES) expect(text).toContain(`\`${remedy}\``);
});

it('the drivers that are asked for, with their sources', () => {
  const { least, asked, upToCapability, leastForThose } = OLLAMA_DRIVERS;
  expect(text).toContain(`compute capability ${OLLAMA_LEAST_CAPABILITY.toFixed(1)} and driver ${least}`);
  expect(text).toContain(`asks for driver ${asked}, and for driver ${leastForThose} on GPUs up to ${upToCapability}`);
  for (const { library, leastDriver } of CUDA_BUILDS)
    expect(text).toMatch(new RegExp(`\`${library}\`.* driver ${leastDriver}`, 'u'));
  expect(text).toContain(COMPATIBILITY_SOURCES.ollama);
  expect(text).toContain(COMPATIBILITY_SOURCES.cuda);
});

it('which driver and which libraries GPUs of each generation need', () => {
  const rows = [...text.matchAll(/^\| \w[^|]*\(([A-Z0-9a-z, ]+)\) \| [^|]* \| ([^|]*) \| ([^|]*) \|$/gmu)];
  expect(rows).toHaveLength(4);
  for (const [, names = '', driver = '', libraries = ''] of rows)
    for (const name of names.split(', ')) {
      const capability = capabilityByName(name) ?? 0;
      const built = [579, 580].map((branch) => cudaBuildFor(branch, capability)?.library ?? 'the CPU');
      for (const library of built) expect(libraries, name).toContain(library);
      expect(libraries.includes('cuda_v13'), name).toBe(built.includes('cuda_v13'));
      if (capability < OLLAMA_LEAST_CAPABILITY) continue;
      const { least, upToCapability, leastForThose } = OLLAMA_DRIVERS;
      expect(driver, name).toContain(`${capability <= upToCapability ? leastForThose : least} or newer`);
    }
});

it('how many calls fit into which graphics memory', () => {
  const needOf = (modelName: string) =>
    MODEL_CONFIGURATIONS.filter((model) => model.modelName === modelName).slice(0, 1);
  const [qwen, gemma, phi] = [needOf('qwen3-vl:8b-instruct'), needOf('gemma3:12b'), needOf('phi4:latest')];
  const rows = [...text.matchAll(/^\| (\d+) GiB \| [^|]* \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gmu)];
  expect(rows).toHaveLength(7);
  for (const [, gib, ...slots] of rows)
    expect(slots.map(Number), `${gib} GiB`).toEqual(
      [qwen, gemma, phi, [...gemma, ...phi]].map((models) => mostSlots(models, Number(gib))),
    );
});
