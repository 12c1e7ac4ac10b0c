/** Machines with GPUs of AMD: what is read of their tools, and what the doctor says of them. */
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderDiagnosis } from '../../../../cli/doctor/gpu-report.ts';
import { parseAmdReport } from '../../../../domain/health/gpu/amd.ts';
import { diagnoseCommand } from '../../../../domain/health/gpu/commands.ts';
import { diagnose } from '../../../../domain/health/gpu/diagnosis/diagnose.ts';
import type { EngineFit } from '../../../../domain/health/gpu/diagnosis/engines.ts';
import type { MachineFacts } from '../../../../domain/health/gpu/diagnosis/facts.ts';
import type { GpuDiagnosis } from '../../../../domain/health/gpu/diagnosis/finding.ts';
import { readDiagnosis } from '../../../../domain/health/gpu/diagnosis/read-machine.ts';
import { folderPerTest } from '../../../../testing/per-file.ts';
import { forAll } from '../../../../testing/property.ts';
import { factsOf } from './facts.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../fixtures/rocm-smi');
const textOf = (name: string): string => readFileSync(path.join(FIXTURES, name), 'utf8');
const MI300X = textOf('mi300x.txt');

const diagnosisOf = (machine: MachineFacts): GpuDiagnosis => diagnose(factsOf(machine));
/** What is made of the output of the diagnosing command. */
const outputOf = (amd: string, rocm: string): string =>
  Object.entries({ gpu: 'sh: 1: nvidia-smi: not found', 'gpu-exit': '127', amd, rocm, end: '' })
    .map(([name, text]) => `\n@@deckhand ${name}\n${text}\n`)
    .join('');
const enginesOf = (amd: string, rocm: string): readonly EngineFit[] =>
  diagnosisOf(readDiagnosis(outputOf(amd, rocm))).engines;

it('reads GPUs, driver and ROCm of rocm-smi and of amd-smi', () => {
  const gpu = { name: 'AMD Instinct MI300X VF', target: 'gfx942' };
  expect(parseAmdReport(MI300X, '7.0.1-42\n')).toEqual({ gpus: [gpu, gpu], driver: '6.14.14', rocm: '7.0.1' });
  const version =
    'AMDSMI Tool: 26.0.0+1 | AMDSMI Library version: 26.0.0 | ROCm version: 7.1.0 | amdgpu version: 6.16.6';
  expect(parseAmdReport(textOf('amd-smi-mi350x.txt'), version)).toEqual({
    gpus: [{ name: 'AMD Instinct MI350X', target: 'gfx950' }],
    driver: '6.16.6',
    rocm: '7.1.0',
  });
  const hidden = parseAmdReport('GPU[0] : Card Series: N/A\nGPU[0] : GFX Version: gfx942', '');
  expect(hidden).toEqual({ gpus: [{ name: 'GPU of AMD', target: 'gfx942' }], driver: null, rocm: null });
  expect(parseAmdReport('sh: 1: amd-smi: not found', '')).toBeNull();
});

it('takes any output for what it is, and nothing of it steers a terminal', () =>
  forAll([fc.string(), fc.string({ unit: 'binary' }), fc.string()], (name, more, rocm) => {
    const report = parseAmdReport(`GPU[0] : Card Series: ${name}\n${more}`, rocm);
    for (const gpu of report?.gpus ?? []) expect(gpu.name).not.toMatch(/\p{Cc}/u);
  }));

describe('each engine is judged by ROCm and GPU', () => {
  it('a current ROCm on an MI300X runs both', () =>
    expect(enginesOf(MI300X, '7.0.1-42')).toMatchObject([
      { engine: 'ollama', suffices: true, reason: null, next: null, amd: { needs: { rocm: '7.0' } } },
      { engine: 'vllm', suffices: true, reason: null, next: null, amd: { needs: { rocm: '6.3' } } },
    ]));

  it('a ROCm of 2025 runs vLLM and is too old for Ollama, with the one to install', () => {
    const [ollama, vllm] = enginesOf(MI300X, '6.4.1-83');
    expect(ollama).toMatchObject({ suffices: false, reason: 'ROCm 6.4.1 is older than 7.0' });
    expect(ollama?.next).toContain('Install ROCm 7.0 or newer');
    expect(vllm?.suffices).toBe(true);
  });

  it('an MI350X needs a newer ROCm for vLLM than others, and a GPU that an engine is not built for is named', () => {
    const [, vllm] = enginesOf(textOf('amd-smi-mi350x.txt'), '6.4.1');
    expect(vllm).toMatchObject({ suffices: false, reason: 'ROCm 6.4.1 is older than 7.0' });
    const [old] = enginesOf(MI300X.replaceAll('gfx942', 'gfx803'), '7.0.1');
    expect(old).toMatchObject({ suffices: false, reason: expect.stringContaining('not built for gfx803') as string });
  });

  it('what is not known is said to be unknown', () =>
    expect(enginesOf(MI300X, '').map(({ suffices }) => suffices)).toEqual([null, null]));
});

it('the command in a real shell finds an MI300X by rocm-smi, and the report says what runs on it and why Deckhand does not use it', async () => {
  const bin = folderPerTest();
  const programs = { 'rocm-smi': `cat ${path.join(FIXTURES, 'mi300x.txt')}`, journalctl: 'exit 1', dmesg: 'exit 1' };
  for (const [name, lines] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const { stdout } = await promisify(execFile)('sh', ['-c', diagnoseCommand('ollama')], { env, maxBuffer: 10_000_000 });
  const machine = readDiagnosis(stdout);
  expect(machine.amd).toMatchObject({ gpus: [{ target: 'gfx942' }, { target: 'gfx942' }], driver: '6.14.14' });

  // A machine that runs this test may have a GPU of NVIDIA.
  const said = renderDiagnosis(diagnosisOf({ ...machine, driver: { answered: false, message: 'not there' } }), {
    colours: false,
    width: 200,
  });
  expect(said).toMatch(/GPU 0 +AMD Instinct MI300X VF \(gfx942\)/u);
  expect(said).toContain('Deckhand rents no GPU of AMD');
  expect(said).toMatch(/Ollama \S+ +needs ROCm 7\.0; here: /u);
  expect(said).not.toContain('nvidia-driver');
});
