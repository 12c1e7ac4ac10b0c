/**
 * Machines of the simulated DataCrunch from inside, over its socket and with real model servers: measured, restarted and rebooted the way the
 * gateway does it.
 */
import { expect, it } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import type { MachineShell } from '../../../activities/gateway/machine.ts';
import { probeGeneration } from '../../../activities/models/probes/generation.ts';
import {
  MEASURE_COMMAND,
  MEASURE_OUTPUT_CHARS,
  REBOOT_COMMAND,
  restartCommand,
} from '../../../domain/health/gpu/commands.ts';
import { readMachine, type MachineReading } from '../../../domain/health/gpu/measurement.ts';
import type { ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import type { MachineFaultInput } from '../../../simulators/machine/faults.ts';
import { simulatedMachine } from '../../../workers/gateway/simulated-machine.ts';
import { until } from '../../../testing/until.ts';
import { simulatorPerTest, QUICK_MACHINES, scenarioFile, createInstance } from '../../../testing/simulator-process.ts';

const never = new AbortController().signal;
/** On the CPU its few words take almost two seconds. */
const MODEL = { name: 'reader-text:1', numCtx: 4096, loadTimeoutMs: 10_000, attemptTimeoutMs: 3000 };

/** A reboot takes a second. */
const QUICK: ScenarioInput = { ...QUICK_MACHINES, boot: { ...QUICK_MACHINES.boot, startSec: 1 } };

interface Machine {
  readonly id: string;
  readonly port: number;
  readonly url: string;
  readonly shell: MachineShell;
  readonly measure: () => Promise<MachineReading>;
  readonly run: (command: string) => Promise<number>;
  readonly set: (faults: readonly MachineFaultInput[]) => Promise<unknown>;
  readonly generate: () => Promise<number>;
}

async function machineOf(scenario: ScenarioInput = QUICK): Promise<Machine> {
  const simulator = await simulatorPerTest('--scenario', scenarioFile(scenario));
  const id = await createInstance(simulator, {
    instance_type: '2H100.80S.60V',
    hostname: 'dh-test1-visual-0-1',
    description: 'test',
  });
  // Not by the API, whose calls are limited.
  const { url } = await until(() => simulator.control<{ url: string | null }>(`/instances/${id}/model`)).is(
    (model) => model.url !== null,
  );
  const modelUrl = url ?? '';
  await (await fetch(`${modelUrl}/api/pull`, { method: 'POST', body: JSON.stringify({ model: MODEL.name }) })).text();
  const { shell } = simulatedMachine({
    providerUrl: `http://127.0.0.1:${simulator.port}/v1`,
    installationId: 'test1',
    instance: 'visual-0',
    kind: 'ollama',
    modelUrl,
  });
  if (shell === null) throw new Error('no shell');
  return {
    id,
    port: simulator.port,
    url: modelUrl,
    shell,
    measure: async () => {
      const { output } = await shell.run(MEASURE_COMMAND, never, { outputChars: MEASURE_OUTPUT_CHARS });
      return readMachine(output);
    },
    run: async (command) => (await shell.run(command, never)).exitCode,
    set: (faults) => simulator.control(`/instances/${id}/faults`, faults),
    generate: async () =>
      (await probeGeneration(openModelServer({ kind: 'ollama', url: modelUrl }), MODEL, { signal: never })).vramBytes ??
      0,
  };
}

it('a simulated machine is measured as a real one is', async () => {
  const machine = await machineOf();
  expect(await machine.measure()).toMatchObject({
    gpus: [{ name: 'NVIDIA H100 SXM5 80GB', xids: [] }, { index: 1 }],
    gpuMessage: null,
  });
  expect((await machine.shell.run('nvidia-smi -L', never)).output.split('\n')).toHaveLength(2);
  expect(await machine.generate()).toBeGreaterThan(0);
});

it('a wedged runner is freed by a restart of the model server, which is a new process at the same address', async () => {
  const machine = await machineOf();
  const calls = async (): Promise<number> =>
    ((await (await fetch(`${machine.url}/_control/stats`)).json()) as { calls: number }).calls;
  expect(await machine.generate()).toBeGreaterThan(0);
  const before = await calls();
  await machine.set([{ kind: 'wedged' }]);
  await until(() => machine.generate().catch((error: unknown) => String(error))).is(
    (said) => typeof said === 'string' && said.includes('did not answer within'),
  );
  expect(await machine.run(restartCommand('ollama'))).toBe(0);
  expect(
    await until(() => machine.generate().catch((error: unknown) => String(error))).is(
      (vram) => typeof vram === 'number' && vram > 0,
    ),
  ).toBeGreaterThan(0);
  expect(await calls()).toBeLessThan(before + 2);
});

it('a model that fell back to the CPU shows it, and an error of the application stays in the log after the restart', async () => {
  const machine = await machineOf();
  expect(await machine.generate()).toBeGreaterThan(0);
  await machine.set([{ kind: 'cpu_only' }, { kind: 'xid', xid: 63, gpu: 1 }]);
  await until(() => machine.generate()).is(0);
  expect((await machine.measure()).gpus?.map((g) => g.xids)).toEqual([[], [63]]);
  await machine.run(restartCommand('ollama'));
  await until(() => machine.generate().catch(() => 0)).is((vram) => vram > 0);
  expect((await machine.measure()).gpus?.[1]?.xids).toEqual([63]);
});

it('a reboot takes its time, and the log and what it heals with it', async () => {
  const machine = await machineOf({
    ...QUICK,
    machineFaults: [{ match: { types: '*H100*', nth: 1 }, faults: [{ kind: 'xid', xid: 119 }] }],
  });
  expect((await machine.measure()).gpus?.[0]).toMatchObject({ xids: [119] });
  await machine.run(restartCommand('ollama'));
  await until(() => machine.generate().catch((error: unknown) => String(error))).is(
    (said) => typeof said === 'string' && said.includes('did not answer within'),
  );
  expect(await machine.run(REBOOT_COMMAND)).toBe(0);
  await expect(machine.measure()).rejects.toThrow('visual-0 does not answer');
  const back = await until(() => machine.measure().catch((error: unknown) => String(error))).is(
    (reading) => typeof reading !== 'string',
  );
  expect(typeof back === 'string' ? back : back.gpus?.[0]).toMatchObject({ xids: [] });
  expect(await until(() => machine.generate().catch(() => 0)).is((vram) => vram > 0)).toBeGreaterThan(0);
});

it('an instance that is not there does not answer', async () => {
  const machine = await machineOf();
  const { shell } = simulatedMachine({
    providerUrl: `http://127.0.0.1:${machine.port}`,
    installationId: 'other',
    instance: 'visual-0',
    kind: 'ollama',
    modelUrl: machine.url,
  });
  await expect(shell?.run('nvidia-smi -L', never)).rejects.toThrow('503');
});
