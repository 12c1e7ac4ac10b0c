/**
 * Simulated machines seen as Deckhand sees real ones: what each fault shows, and what each remedy ends.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  diagnoseCommand,
  MEASURE_COMMAND,
  partsOf,
  REBOOT_COMMAND,
  restartCommand,
} from '../../../../domain/health/gpu/commands.ts';
import { readMachine, type MachineReading } from '../../../../domain/health/gpu/measurement.ts';
import type { GpuReading } from '../../../../domain/health/types.ts';
import { machineFaultSchema, REMEDIES, type MachineFaultInput } from '../../../../simulators/machine/faults.ts';
import { answerCommand, type ShellMachine } from '../../../../simulators/machine/shell.ts';
import {
  activeFaults,
  addFaults,
  bootMachine,
  modelEffect,
  rebootMachine,
  restartModelServer,
} from '../../../../simulators/machine/state.ts';
import { forAll } from '../../../../testing/property.ts';

const GIB = 1024 ** 3;

function machineWith(...faults: MachineFaultInput[]): ShellMachine {
  const state = bootMachine(0);
  addFaults(
    state,
    faults.map((fault) => machineFaultSchema.parse(fault)),
    0,
  );
  return { state, gpus: { name: 'H100 SXM5 80GB', count: 2, vramGibEach: 80 }, capability: '9.0', parallel: 4 };
}

function measure(machine: ShellMachine, atMs = 0): MachineReading {
  const answer = answerCommand(machine, MEASURE_COMMAND, atMs);
  if (answer.kind !== 'said') throw new Error(answer.kind);
  return readMachine(answer.output);
}

const sound: Partial<GpuReading> = {
  name: 'NVIDIA H100 SXM5 80GB',
  memoryTotalBytes: 80 * GIB,
  temperatureC: 41,
  slowdownMarginC: 46,
  throttleReasons: [],
  xids: [],
  xidEvents: 0,
  eccUncorrected: 0,
  rowRemapPending: false,
  rowRemapFailed: false,
};

describe('what is measured of a simulated machine', () => {
  it('of a machine in health', () => {
    const { gpus, gpuMessage, disk } = measure(machineWith());
    expect(gpus).toMatchObject([sound, { ...sound, index: 1 }]);
    expect(gpuMessage).toBeNull();
    expect(disk).toEqual({ totalBytes: 200 * GIB, freeBytes: 100 * GIB });
  });

  it.each<[MachineFaultInput, Partial<GpuReading>]>([
    [
      { kind: 'overheating', gpu: 1, marginC: 2 },
      { slowdownMarginC: 2, temperatureC: 85, throttleReasons: ['hw_slowdown', 'hw_thermal_slowdown'] },
    ],
    [
      { kind: 'xid', xid: 94, gpu: 1 },
      { xids: [94], xidEvents: 1, eccUncorrected: 1 },
    ],
    [
      { kind: 'xid', xid: 79, gpu: 1 },
      { xids: [79], temperatureC: null },
    ],
    [
      { kind: 'gpu_lost', gpu: 1 },
      { xids: [79], xidEvents: 0, temperatureC: null },
    ],
    [
      { kind: 'row_remap', gpu: 1 },
      { rowRemapPending: true, rowRemapFailed: false },
    ],
    [
      { kind: 'row_remap', gpu: 1, state: 'failed' },
      { rowRemapPending: false, rowRemapFailed: true },
    ],
    [{ kind: 'ecc', gpu: 1, uncorrected: 3 }, { eccUncorrected: 3 }],
  ])('of one with %j: on its GPU and on no other', (fault, shown) => {
    const { gpus } = measure(machineWith(fault));
    expect(gpus).toMatchObject([sound, shown]);
  });

  it('of one whose driver shows no GPU, whose disk is full, that does not answer', () => {
    expect(measure(machineWith({ kind: 'no_gpu' })).gpus).toEqual([]);
    expect(measure(machineWith({ kind: 'disk_full' })).disk?.freeBytes).toBeLessThan(GIB);
    expect(answerCommand(machineWith({ kind: 'no_answer' }), MEASURE_COMMAND, 0)).toEqual({ kind: 'no_answer' });
    expect(answerCommand(machineWith(), 'rm -rf /', 0)).toMatchObject({ kind: 'said', exitCode: 127 });
  });

  it('begins and ends with the fault', () => {
    const machine = machineWith({ kind: 'no_answer', afterSec: 10, forSec: 5 });
    expect(measure(machine, 9999).gpus).toHaveLength(2);
    expect(answerCommand(machine, MEASURE_COMMAND, 10_000)).toEqual({ kind: 'no_answer' });
    expect(measure(machine, 15_000).gpus).toHaveLength(2);
  });

  it('the diagnosis has the measurement’s parts and its own', () => {
    const answer = answerCommand(machineWith(), diagnoseCommand('ollama'), 0);
    const parts = partsOf(answer.kind === 'said' ? answer.output : '');
    expect([...parts.keys()]).toEqual([
      'gpu',
      'gpu-exit',
      'kernel',
      'disk',
      'capability',
      'module',
      'modules',
      'service',
      'model-log',
      'uptime',
      'amd',
      'rocm',
      'end',
    ]);
    expect([...diagnoseCommand('ollama').matchAll(/^part (\S+)$/gmu)].map((m) => m[1])).toEqual([...parts.keys()]);
  });
});

describe('what a remedy ends on a simulated machine', () => {
  const effect = (machine: ShellMachine, atMs: number): string => modelEffect(machine.state, atMs).effect;

  it('a restart: what is wedged, on the CPU, or an error of the application, whose line stays in the log', () => {
    const machine = machineWith({ kind: 'wedged' }, { kind: 'cpu_only' }, { kind: 'xid', xid: 94 });
    expect(effect(machine, 0)).toBe('wedged');
    restartModelServer(machine.state, 1000);
    expect(effect(machine, 1000)).toBe('none');
    expect(measure(machine, 1000).gpus?.[0]).toMatchObject({ xids: [94], xidEvents: 1 });
    expect(machine.state.starts).toBe(1);
    // The same again later is another line.
    addFaults(machine.state, [machineFaultSchema.parse({ kind: 'xid', xid: 94 })], 2000);
    expect(measure(machine, 2000).gpus?.[0]).toMatchObject({ xids: [94], xidEvents: 2 });
  });

  it('a reboot: what a GPU wants a reset for, and the log', () => {
    const machine = machineWith(
      { kind: 'xid', xid: 119 },
      { kind: 'ecc' },
      { kind: 'row_remap' },
      { kind: 'gpu_lost', gpu: 1 },
    );
    restartModelServer(machine.state, 1000);
    expect(effect(machine, 1000)).toBe('wedged');
    rebootMachine(machine.state, 2000, 12_000);
    expect(answerCommand(machine, MEASURE_COMMAND, 11_999)).toEqual({ kind: 'no_answer' });
    expect(measure(machine, 12_000).gpus).toMatchObject([sound, sound]);
    expect(effect(machine, 12_000)).toBe('none');
  });

  it('nothing but another machine: a GPU off the bus is logged again after each boot', () => {
    const machine = machineWith({ kind: 'xid', xid: 79, gpu: 1 });
    rebootMachine(machine.state, 2000, 3000);
    expect(measure(machine, 3000).gpus?.[1]).toMatchObject({ xids: [79] });
    expect(effect(machine, 3000)).toBe('wedged');
  });

  it('commands say which remedy is asked for', () => {
    expect(answerCommand(machineWith(), restartCommand('ollama'), 0)).toEqual({ kind: 'restart' });
    const withVllm = { ...machineWith(), vllm: { name: 'm', root: '/models/a/b@0', windowTokens: 1 } };
    expect(answerCommand(withVllm, restartCommand('vllm'), 0)).toEqual({ kind: 'restart' });
    expect(answerCommand(withVllm, restartCommand('ollama'), 0)).toMatchObject({ exitCode: 127 });
    expect(answerCommand(machineWith(), REBOOT_COMMAND, 0)).toEqual({ kind: 'reboot' });
  });

  it('a stronger one ends all that a weaker one ends, whatever the faults', async () => {
    const fault = fc
      .record({
        kind: fc.constantFrom(
          'wedged',
          'cpu_only',
          'slow',
          'overheating',
          'gpu_lost',
          'no_gpu',
          'row_remap',
          'ecc',
          'disk_full',
        ),
        healedBy: fc.option(fc.constantFrom(...REMEDIES), { nil: undefined }),
        afterSec: fc.nat(20),
      })
      .map(
        ({ healedBy, ...rest }): MachineFaultInput =>
          ({ ...rest, ...(healedBy === undefined ? {} : { healedBy }) }) as MachineFaultInput,
      );
    await forAll([fc.array(fault, { maxLength: 6 }), fc.nat(20_000)], (faults, atMs) => {
      const [restarted, rebooted] = [machineWith(...faults), machineWith(...faults)];
      restartModelServer(restarted.state, atMs);
      rebootMachine(rebooted.state, atMs, atMs);
      const left = activeFaults(restarted.state, atMs);
      for (const remaining of activeFaults(rebooted.state, atMs)) expect(left).toContainEqual(remaining);
      // Faults to come are not ended beforehand.
      const later = faults.filter((f) => (f.afterSec ?? 0) * 1000 > atMs).length;
      expect(activeFaults(rebooted.state, 30_000).length).toBeGreaterThanOrEqual(later);
    });
  });
});
