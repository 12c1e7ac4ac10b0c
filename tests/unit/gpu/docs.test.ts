/**
 * docs/monitoring.md against the code: what is measured, what can go wrong with simulated machines, and which drivers are asked for.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  COMPATIBILITY_SOURCES,
  CUDA_BUILDS,
  OLLAMA_DRIVERS,
  OLLAMA_LEAST_CAPABILITY,
} from '../../../domain/gpu/diagnosis/compatibility.ts';
import { machineFaultSchema, REMEDIES } from '../../../simulators/machine/faults.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/monitoring.md'), 'utf8');

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
