/** The simulated DataCrunch as a process: state that survives a kill, model servers that live and die with their instances. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import type { FaultRuleInput } from '../../../simulators/clouds/core/faults.ts';
import { COMMAND } from '../../../testing/command.ts';
import { until } from '../../../testing/until.ts';
import {
  startSimulator,
  type SimulatorProcess,
  simulatorPerTest,
  QUICK_MACHINES,
  scenarioFile,
  createInstance,
} from '../../../testing/simulator-process.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

/** Where a simulator keeps its state. */
const stateFile = (): string => path.join(folderPerTest(), 'state.json');

interface InstanceBody {
  status: string;
  simulated_model_url: string | null;
  os_volume_id: string;
}

const instance = async (simulator: SimulatorProcess, id: string): Promise<InstanceBody> =>
  (await simulator.call('GET', `/instances/${id}`)).json() as Promise<InstanceBody>;

/** Address of the instance's model server, once it has one. */
const modelUrl = async (simulator: SimulatorProcess, id: string): Promise<string> => {
  const { url } = await until(() => simulator.control<{ url: string | null }>(`/instances/${id}/model`)).is(
    ({ url: address }) => address !== null,
  );
  return url ?? '';
};

const models = async (url: string): Promise<string[]> =>
  ((await (await fetch(`${url}/api/tags`)).json()) as { models: { name: string }[] }).models.map((m) => m.name);

const pull = async (url: string, model: string): Promise<void> => {
  const answer = await fetch(`${url}/api/pull`, { method: 'POST', body: JSON.stringify({ model, stream: false }) });
  expect(answer.status).toBe(200);
  await answer.text();
};

const isGone = async (url: string): Promise<boolean> => {
  try {
    await fetch(`${url}/api/version`);
    return false;
  } catch (error) {
    // Refused by the system: nothing listens there any more.
    if (error instanceof TypeError) return true;
    throw error;
  }
};

it('the simulated provider keeps machines, disks and addresses over kill -9, and models with the disk', async () => {
  const state = stateFile();
  const scenario = scenarioFile();
  const first = await simulatorPerTest('--scenario', scenario, '--state', state);
  const id = await createInstance(first);
  const url = await modelUrl(first, id);
  expect(await models(url)).toEqual([]);
  await pull(url, 'reader-text:1');
  // What was pulled is on the disk as soon as the simulator has looked.
  const { os_volume_id: disk } = await instance(first, id);
  await until(() => first.control<{ volumes: Record<string, { models: string[] }> }>('/state')).is(
    ({ volumes }) => volumes[disk]?.models.join() === 'reader-text:1',
  );
  await first.kill('SIGKILL');
  await until(() => isGone(url)).is(Boolean);

  const second = await simulatorPerTest('--scenario', scenario, '--state', state, '--port', String(first.port));
  expect(await instance(second, id)).toMatchObject({ status: 'running', simulated_model_url: url });
  expect(await models(url)).toEqual(['reader-text:1']);

  await second.call('PUT', '/instances', { id, action: 'delete', volume_ids: [] });
  await until(() => isGone(url)).is(Boolean);
  expect(await until(() => instance(second, id)).is((i) => i.status === 'discontinued')).toMatchObject({
    simulated_model_url: null,
  });
  const woken = await createInstance(second, { image: disk, ssh_key_ids: [] });
  expect(await models(await modelUrl(second, woken))).toEqual(['reader-text:1']);
});

it('the simulated provider ends model servers with their machines: shut down, evicted, and with itself', async () => {
  const simulator = await simulatorPerTest();
  const [stopped, evicted, last] = [
    await createInstance(simulator),
    await createInstance(simulator, { is_spot: true }),
    await createInstance(simulator),
  ];
  const urls = [
    await modelUrl(simulator, stopped),
    await modelUrl(simulator, evicted),
    await modelUrl(simulator, last),
  ] as const;
  await simulator.call('PUT', '/instances', { id: stopped, action: 'shutdown' });
  await simulator.control('/evict', { id: evicted });
  await until(() => isGone(urls[0])).is(Boolean);
  await until(() => isGone(urls[1])).is(Boolean);
  expect(await instance(simulator, evicted)).toMatchObject({ status: 'discontinued' });
  await until(() => instance(simulator, stopped)).is((i) => i.status === 'offline');
  await simulator.call('PUT', '/instances', { id: stopped, action: 'start' });
  // The address is told before the server listens again.
  await until(async () => isGone(await modelUrl(simulator, stopped))).is((gone) => !gone);
  const exit = once(simulator.child, 'exit');
  simulator.child.stdin?.end();
  expect(await exit).toEqual([0, null]);
  await until(() => isGone(urls[2])).is(Boolean);
});

it('the simulated provider gives machines whose models run on the CPU, that never answer, and that have no model server', async () => {
  const fault = (nth: number, kind: 'cpu_only' | 'wedged' | 'dead'): FaultRuleInput => ({
    match: { method: 'POST', path: '/instances', nth },
    effect: 'model_fault',
    fault: kind,
  });
  const faults = [fault(1, 'cpu_only'), fault(2, 'wedged'), fault(3, 'dead')];
  const simulator = await simulatorPerTest('--scenario', scenarioFile({ ...QUICK_MACHINES, faults }));
  const [cpu, wedged, dead, sound] = [
    await createInstance(simulator),
    await createInstance(simulator),
    await createInstance(simulator),
    await createInstance(simulator),
  ];
  const generate = (url: string, signal: AbortSignal | null = null): Promise<Response> =>
    fetch(`${url}/api/generate`, {
      method: 'POST',
      body: JSON.stringify({ model: 'reader-text:1', prompt: 'Say OK', stream: false, options: { num_predict: 1 } }),
      signal,
    });
  const vram = async (id: string): Promise<number | undefined> => {
    const url = await modelUrl(simulator, id);
    await pull(url, 'reader-text:1');
    await (await generate(url)).text();
    return ((await (await fetch(`${url}/api/ps`)).json()) as { models: { size_vram: number }[] }).models[0]?.size_vram;
  };
  expect(await vram(cpu)).toBe(0);
  expect(await vram(sound)).toBeGreaterThan(0);

  const url = await modelUrl(simulator, wedged);
  await pull(url, 'reader-text:1');
  const giveUp = new AbortController();
  const unanswered = expect(generate(url, giveUp.signal)).rejects.toThrow('aborted');
  await until(async () => ((await (await fetch(`${url}/_control/stats`)).json()) as { inFlight: number }).inFlight).is(
    1,
  );
  expect(await models(url)).toEqual(['reader-text:1']);
  giveUp.abort();
  await unanswered;

  await until(() => instance(simulator, dead)).is((i) => i.status === 'running');
  expect((await instance(simulator, dead)).simulated_model_url).toBeNull();
});

it('the simulated provider cuts the connection after the work is done', async () => {
  const simulator = await simulatorPerTest('--no-model-servers');
  const faults: FaultRuleInput[] = [{ match: { method: 'POST', path: '/instances' }, times: 1, effect: 'drop_answer' }];
  expect(await simulator.control('/faults', faults)).toEqual({ ok: true });
  await expect(createInstance(simulator)).rejects.toThrow('fetch failed');
  expect(await (await simulator.call('GET', '/instances')).json()).toHaveLength(1);
  const stats = await simulator.control<{ calls: Record<string, number>; faults: Record<string, number> }>('/stats');
  expect([stats.calls['POST /instances'], stats.faults]).toEqual([1, { drop_answer: 1 }]);
});

it('the simulated provider moves a virtual clock when told to, and keeps it over a restart', async () => {
  const state = stateFile();
  const scenario = scenarioFile({ clock: 'virtual', boot: { orderedSec: 60, provisioningSec: 600 } });
  const args = ['--scenario', scenario, '--state', state, '--no-model-servers'];
  const first = await simulatorPerTest(...args);
  const id = await createInstance(first);
  await first.control('/clock/advance', { ms: 60_000 });
  expect(await instance(first, id)).toMatchObject({ status: 'provisioning' });
  await first.kill('SIGKILL');
  const second = await simulatorPerTest(...args);
  expect(await instance(second, id)).toMatchObject({ status: 'provisioning' });
  await second.control('/clock/advance', { ms: 600_000 });
  expect(await instance(second, id)).toMatchObject({ status: 'running' });
});

it('the simulated provider refuses a scenario that is not valid with one line', async () => {
  await expect(startSimulator('--scenario', scenarioFile({ boot: { orderedSec: 'soon' } }))).rejects.toThrow(
    /boot\.orderedSec/u,
  );
  await expect(startSimulator('--scenario', 'nonsense')).rejects.toThrow(/demo, drought/u);
});

it('the simulated provider is run by `deckhand simulate`, which says where and ends on Ctrl-C', async () => {
  const state = stateFile();
  const args = ['simulate', 'datacrunch', '--scenario', 'demo', '--state', state, '--json'];
  const child = spawn(process.execPath, [COMMAND, ...args]);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const facts = JSON.parse(line) as { baseUrl: string };
  expect(facts).toMatchObject({ clientId: 'demo', clientSecret: 'demo', scenario: 'demo', stateFile: state });
  expect((await fetch(`${facts.baseUrl}/instance-types`)).status).toBe(200);
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
});
