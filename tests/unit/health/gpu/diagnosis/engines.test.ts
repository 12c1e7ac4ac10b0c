/**
 * Which engines run on which machine, and what to do where one does not.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnoseCommand } from '../../../../../domain/health/gpu/commands.ts';
import { CUDA_BUILDS } from '../../../../../domain/health/gpu/diagnosis/compatibility.ts';
import { engineFits } from '../../../../../domain/health/gpu/diagnosis/engine-fit.ts';
import { type EngineFit, ENGINES } from '../../../../../domain/health/gpu/diagnosis/engines.ts';
import type { MachineFacts } from '../../../../../domain/health/gpu/diagnosis/facts.ts';
import { readDiagnosis } from '../../../../../domain/health/gpu/diagnosis/read-machine.ts';
import { answerCommand } from '../../../../../simulators/machine/shell.ts';
import { bootMachine } from '../../../../../simulators/machine/state.ts';
import { forAll } from '../../../../../testing/property.ts';
import { factsOf } from '../facts.ts';

/** A simulated machine as its own commands describe it, with another driver and another GPU. */
function machineWith(driver: string, gpu: string, capability: number | null): MachineFacts {
  const gpus = { name: gpu, count: 1, vramGibEach: 24 };
  const said = answerCommand(
    { state: bootMachine(0), gpus, capability: capability?.toFixed(1) ?? '', parallel: 4 },
    diagnoseCommand('ollama'),
    0,
  );
  const output = said.kind === 'said' ? said.output : '';
  return readDiagnosis(output.replaceAll('580.95.05', driver));
}

const fitsOf = (machine: MachineFacts | null): [EngineFit | undefined, EngineFit | undefined] => {
  const fits = engineFits(factsOf(machine));
  return [fits.find((fit) => fit.engine === 'ollama'), fits.find((fit) => fit.engine === 'vllm')];
};

describe('an engine is judged by driver and GPU', () => {
  it('a current driver on a current GPU runs both', () => {
    const [ollama, vllm] = fitsOf(machineWith('580.95.05', 'L4', 8.9));
    expect([ollama?.suffices, vllm?.suffices]).toEqual([true, true]);
    expect(vllm).toMatchObject({
      needs: { driver: 580, cuda: '13.0', computeCapability: 7.5 },
      has: { driver: '580.95.05', cuda: '13.0', gpus: [{ name: 'NVIDIA L4', computeCapability: 8.9 }] },
      reason: null,
      next: null,
    });
  });

  it('a driver of 2024 runs Ollama and is too old for vLLM, with the driver to install', () => {
    const [ollama, vllm] = fitsOf(machineWith('550.90.07', 'L4', 8.9));
    expect(ollama?.suffices).toBe(true);
    expect(vllm).toMatchObject({ suffices: false, reason: 'driver 550 is older than 580' });
    expect(vllm?.next).toContain('Install driver 580 or newer');
  });

  it('a V100 runs Ollama, and vLLM on no driver: the GPU is named, and the engine that runs on it', () => {
    const [ollama, vllm] = fitsOf(machineWith('595.10', 'V100', 7));
    expect(ollama?.suffices).toBe(true);
    expect(vllm).toMatchObject({ suffices: false, reason: 'compute capability 7.0 is below 7.5' });
    expect(vllm?.next).toContain('use Ollama');
  });

  it('a Pascal GPU needs a newer driver for Ollama than others', () => {
    expect(fitsOf(machineWith('565.57.01', 'P40', 6.1))[0]).toMatchObject({ suffices: false, needs: { driver: 570 } });
    expect(fitsOf(machineWith('570.10', 'P40', 6.1))[0]).toMatchObject({ suffices: true });
  });

  it('a K80 runs neither', () =>
    expect(fitsOf(machineWith('470.256.02', 'K80', 3.7)).map((fit) => fit?.suffices)).toEqual([false, false]));

  it('without a driver nothing runs, and which one to install depends on the engine', () => {
    const answered = machineWith('580.95.05', 'L4', 8.9);
    const machine: MachineFacts = { ...answered, driver: { answered: false, message: 'not there' }, gpus: [] };
    const [ollama, vllm] = fitsOf(machine);
    expect(ollama).toMatchObject({ suffices: false, has: { driver: null, cuda: null, gpus: [] } });
    expect(ollama?.next).toContain('driver 531');
    expect(vllm?.next).toContain('driver 580');
  });

  it('what is not known is said to be unknown', () => {
    expect(fitsOf(null).map((fit) => fit?.suffices)).toEqual([null, null]);
    const nameless = machineWith('580.95.05', 'Graphics Device', null);
    expect(fitsOf({ ...nameless, capabilities: {} })[0]).toMatchObject({
      suffices: null,
      reason: expect.stringContaining('compute capability'),
    });
  });
});

it('a newer driver or a newer GPU never turns an engine off, and every refusal says what to do', () => {
  const capabilities = fc.constantFrom(3.7, 5, 6.1, 7, 7.5, 8.9, 12);
  return forAll([fc.integer({ min: 300, max: 700 }), fc.nat(100), capabilities], (branch, newer, capability) => {
    const [before, after] = [branch, branch + newer].map((b) => fitsOf(machineWith(`${b}.10.01`, 'X', capability)));
    for (const index of [0, 1] as const) {
      if (before?.[index]?.suffices === true) expect(after?.[index]?.suffices).toBe(true);
      expect(before?.[index]?.next === null).toBe(before?.[index]?.suffices === true);
    }
  });
});

it('Ollama asks for the CUDA version of its oldest build, and every row has sources', () => {
  const [ollama] = ENGINES;
  const oldest = CUDA_BUILDS.at(-1)?.library.replace('cuda_v', '');
  expect(ollama?.leastCuda.split('.')[0]).toBe(oldest);
  for (const { sources } of ENGINES) for (const source of sources) expect(source).toMatch(/^https:\/\//u);
});
