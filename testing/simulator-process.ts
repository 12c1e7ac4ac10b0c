/** Simulators as processes of their own, for tests that kill them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { ScenarioInput } from '../simulators/clouds/core/scenario.ts';
import { folderPerTest } from './per-file.ts';

const MAIN = path.resolve(import.meta.dirname, '../simulators/clouds/main.ts');

/** A simulated provider as a process. */
export interface CloudProcess {
  readonly port: number;
  control<T>(path: string, body?: unknown): Promise<T>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  readonly child: ChildProcess;
}

/** A simulated DataCrunch as a process. */
export interface SimulatorProcess extends CloudProcess {
  /** Calls the API with a fresh token. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
}

/** Starts the simulator of a provider and waits until it listens. @throws Error with what it wrote when it ends instead */
export async function startCloud(
  provider: 'aws' | 'azure' | 'datacrunch' | 'google',
  ...args: readonly string[]
): Promise<CloudProcess> {
  const child = spawn(process.execPath, [MAIN, provider, '--exit-with-parent', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString('utf8')));
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const end = once(child, 'exit').then(() => null);
  const first = await Promise.race([line, end]);
  if (first === null) throw new Error(words.trim());
  const { listening: port } = JSON.parse(first[0]) as { listening: number };
  return {
    port,
    child,
    control: async <T>(to: string, body?: unknown) => (await send(port, `/_control${to}`, body)).json() as Promise<T>,
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
    },
  };
}

const send = (
  port: number,
  to: string,
  body?: unknown,
  {
    method = body === undefined ? 'GET' : 'POST',
    token = '',
  }: { readonly method?: string; readonly token?: string } = {},
): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${to}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const LOGIN = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo' };

/** Starts a simulated DataCrunch and waits until it listens. @throws Error with what it wrote when it ends instead */
export async function startSimulator(...args: readonly string[]): Promise<SimulatorProcess> {
  const cloud = await startCloud('datacrunch', ...args);
  return {
    ...cloud,
    call: async (method, to, body) => {
      const login = (await (await send(cloud.port, '/v1/oauth2/token', LOGIN)).json()) as { access_token: string };
      return send(cloud.port, `/v1${to}`, body, { method, token: login.access_token });
    },
  };
}

/** {@link startSimulator} for the test that runs, with a quick scenario unless the arguments name one. */
export async function simulatorPerTest(...args: readonly string[]): Promise<SimulatorProcess> {
  const scenario = args.includes('--scenario') ? [] : ['--scenario', scenarioFile()];
  const simulator = await startSimulator(...scenario, ...args);
  onTestFinished(() => simulator.kill('SIGTERM'));
  return simulator;
}

/** Machines that boot and end at once. */
export const QUICK_MACHINES: ScenarioInput = {
  boot: { orderedSec: 0.1, provisioningSec: 0.1, startSec: 0.1 },
  end: { stopSec: 0.1, deleteSec: 0.1, diskLingerSec: 0 },
  modelServer: { pullMs: 10 },
};

/** Writes a scenario, which may be wrong, to a file of this test. Returns its path. */
export function scenarioFile(scenario: unknown = QUICK_MACHINES): string {
  const file = path.join(folderPerTest(), 'scenario.json');
  writeFileSync(file, JSON.stringify(scenario));
  return file;
}

/** Creates an instance with sensible fields; `fields` replace them. Returns its id. @throws Error when it is refused */
export async function createInstance(
  simulator: SimulatorProcess,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const key = await (
    await simulator.call('POST', '/ssh-keys', { name: 'k', key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 k' })
  ).text();
  const answer = await simulator.call('POST', '/instances', {
    instance_type: '1L40S.20V',
    image: 'ubuntu-24.04-cuda-13.0-open-docker',
    hostname: 'test',
    location_code: 'FIN-01',
    ssh_key_ids: [key],
    ...fields,
  });
  if (answer.status !== 202) throw new Error(await answer.text());
  return answer.text();
}
