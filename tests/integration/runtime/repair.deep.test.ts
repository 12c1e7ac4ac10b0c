/**
 * kill -9 of anything: the supervisor or the next start repairs it, and nothing that was stored is lost.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { readControlFile } from '../../../platform/runtime-info.ts';
import { isZombie, signalProcess, type ProcessIdentity } from '../../../platform/processes/process-identity.ts';
import { until } from '../../../testing/until.ts';
import {
  liveProcessOf,
  processesOf,
  query,
  TestHome,
  waitUntilAllGone,
  waitUntilReplaced,
  withTemporal,
} from './support.ts';
import type { Runtime } from '../../../runtime/runtime.ts';

let home: TestHome;

beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.remove());

/** @throws Error when none is recorded */
function supervisorOf({ config }: TestHome): ProcessIdentity {
  const supervisor = readControlFile(config.home);
  if (supervisor === undefined) throw new Error('no supervisor is recorded');
  return supervisor;
}

/** Starts a workflow that no worker serves: it is there for as long as the server remembers it. */
async function startWaitingWorkflow(runtime: Runtime, workflowId: string): Promise<void> {
  await withTemporal(runtime, (client) => client.workflow.start('waits', { workflowId, taskQueue: 'no-worker' }));
}

async function workflowStatus(runtime: Runtime, workflowId: string): Promise<string> {
  const described = await withTemporal(runtime, (client) => client.workflow.getHandle(workflowId).describe());
  return described.status.name;
}

it('a runtime whose parts are killed gets Postgres back with what was committed', async () => {
  const runtime = await home.start();
  await query(runtime, 'create table kept as select 42 as answer');
  const postgres = await liveProcessOf(runtime, 'postgres');
  process.kill(postgres.pid, 'SIGKILL');
  await waitUntilReplaced(runtime, 'postgres', postgres);
  expect(await query(runtime, 'select answer from kept')).toEqual([{ answer: 42 }]);
  expect((await runtime.status()).children).toContainEqual(expect.objectContaining({ name: 'postgres', restarts: 1 }));
});

it('a runtime whose parts are killed gets Temporal back at the same address with its workflows', async () => {
  const runtime = await home.start();
  await startWaitingWorkflow(runtime, 'remembered');
  const temporal = await liveProcessOf(runtime, 'temporal');
  process.kill(temporal.pid, 'SIGKILL');
  await waitUntilReplaced(runtime, 'temporal', temporal);
  expect(await workflowStatus(runtime, 'remembered')).toBe('RUNNING');
});

it('a runtime whose parts are killed gets one of our own processes back, and those who hold the runtime hear of it', async () => {
  const runtime = await home.start();
  const heard: string[] = [];
  runtime.onRestart((notice) => heard.push(`${notice.name} ${notice.reason} ${notice.restarts}`));
  const echo = await liveProcessOf(runtime, 'echo');
  process.kill(echo.pid, 'SIGKILL');
  await waitUntilReplaced(runtime, 'echo', echo);
  expect(heard).toEqual(['echo SIGKILL 1']);
  expect((await fetch(runtime.apiUrl)).status).toBe(200);
});

it('a runtime whose parts are killed leaves nothing running when the supervisor is killed, and starts again with all data', async () => {
  await home.useUnusualPorts();
  const first = await home.start();
  await query(first, 'create table kept as select 42 as answer');
  await startWaitingWorkflow(first, 'remembered');
  const children = await processesOf(first);
  // Postgres, Temporal, the front of its UI, and the web server.
  expect(children.length).toBe(4);
  signalProcess(supervisorOf(home), 'SIGKILL');
  await first.closed;
  await waitUntilAllGone(children);

  const second = await home.start();
  expect(second.joined).toBe(false);
  expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }]);
  expect(await workflowStatus(second, 'remembered')).toBe('RUNNING');
  expect(second.databaseUrl).toBe(first.databaseUrl);
  expect(second.temporalAddress).toBe(first.temporalAddress);
});

it('a runtime whose parts are killed starts again at once when everything was killed together', async () => {
  const first = await home.start();
  await query(first, 'create table kept as select 42 as answer');
  const children = await processesOf(first);
  for (const one of [supervisorOf(home), ...children]) signalProcess(one, 'SIGKILL');
  const second = await home.start();
  expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

it('a runtime whose parts are killed starts again although the killed database is still a zombie process', async () => {
  const first = await home.start();
  await query(first, 'create table kept as select 42 as answer');
  const children = await processesOf(first);
  for (const one of [supervisorOf(home), ...children]) signalProcess(one, 'SIGKILL');
  await waitUntilAllGone(children);
  // A shell that became `sleep` never collects its child: the lock names a zombie for as long as that lives.
  // It runs as Postgres does: a process of another user could not be its predecessor, and Postgres knows that.
  const { uid, gid } = statSync(join(home.config.home, 'postgres'));
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    uid,
    gid,
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const zombie = Number.parseInt(line.toString(), 10);
  await until(() => isZombie(zombie)).is(Boolean);
  const lock = join(home.config.home, 'postgres', 'postmaster.pid');
  writeFileSync(lock, [String(zombie), ...readFileSync(lock, 'utf8').split('\n').slice(1)].join('\n'));
  const second = await home.start();
  expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }]);
});
