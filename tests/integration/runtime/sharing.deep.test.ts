/**
 * One runtime per data directory, held by every command that needs it; two data directories do not get in each other's way.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stopRunningRuntime } from '../../../runtime/runtime.ts';
import { readControlFile } from '../../../platform/runtime-info.ts';
import { isSameProcessAlive } from '../../../platform/processes/process-identity.ts';
import { ChildRecords } from '../../../platform/processes/records.ts';
import { processesOf, query, TestHome, waitUntilAllGone } from './support.ts';

let home: TestHome;

beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.remove());

it('several commands on one data directory share one runtime, which ends with the last of them', async () => {
  const [first, second] = await Promise.all([home.start(), home.start()]);
  expect(second.databaseUrl).toBe(first.databaseUrl);
  expect([first.joined, second.joined].filter((joined) => !joined).length).toBe(1);
  const children = await processesOf(first);
  await first.stop();
  expect((await fetch(second.apiUrl)).status).toBe(200);
  await second.stop();
  expect(children.filter(isSameProcessAlive)).toEqual([]);
  expect(readControlFile(home.config.home)).toBeUndefined();
});

it('several commands on one data directory may leave it up until it is told to end', async () => {
  const first = await home.start();
  await first.detach();
  const second = await home.start();
  expect(second.joined).toBe(true);
  const children = await processesOf(second);
  await second.stop();
  expect(children.filter(isSameProcessAlive)).toEqual(children);
  expect(await stopRunningRuntime(home.config)).toBe(true);
  expect(children.filter(isSameProcessAlive)).toEqual([]);
  expect(await stopRunningRuntime(home.config)).toBe(false);
});

it('several commands on one data directory end it when the only one is killed', async () => {
  const program = fileURLToPath(new URL('./programs/hold.ts', import.meta.url));
  const holder = spawn(process.execPath, [program], {
    env: { ...home.config.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolveData) => holder.stdout.once('data', resolveData));
  const watching = await home.start();
  const children = await processesOf(watching);
  await watching.stop();
  expect(children.filter(isSameProcessAlive)).toEqual(children);
  holder.kill('SIGKILL');
  await waitUntilAllGone(children);
});

it('several commands on one data directory are refused other models than the ones that run', async () => {
  await home.start();
  await expect(home.start({ models: 'ollama' })).rejects.toMatchObject({ code: 'conflict' });
  // Whoever only asks joins whatever runs.
  const joined = await home.start({ models: 'ollama', joinsAny: true });
  expect(joined).toMatchObject({ joined: true, models: 'reader' });
  await joined.stop();
});

it('several commands on one data directory can come while the runtime shuts down', async () => {
  const first = await home.start();
  await query(first, 'create table kept as select 42 as answer');
  const [, second] = await Promise.all([first.stop(), home.start()]);
  expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

it.each([1, 2])(
  'several commands on one data directory can give up a start at its step %i, which leaves nothing behind',
  async (step) => {
    const giveUp = new AbortController();
    let steps = 0;
    const onProgress = (): void => {
      steps += 1;
      if (steps === step) giveUp.abort();
    };
    await expect(home.start({ signal: giveUp.signal, onProgress })).rejects.toMatchObject({ code: 'cancelled' });
    expect(readControlFile(home.config.home)).toBeUndefined();
    expect(new ChildRecords(join(home.config.home, 'run', 'children')).list()).toEqual([]);
    // Nothing goes on writing: what is removed stays removed.
    await home.remove();
    expect(existsSync(home.config.home)).toBe(false);
    const again = await home.start();
    expect(await query(again, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  },
);

it('two data directories at the same time start together on ports of their own and keep their data apart', async () => {
  await using other = new TestHome();
  const [one, two] = await Promise.all([home.start(), other.start()]);
  const addresses = [one, two].flatMap((runtime) => [
    new URL(runtime.databaseUrl).host,
    runtime.temporalAddress,
    runtime.temporalUiUrl,
    runtime.apiUrl,
  ]);
  expect(new Set(addresses).size).toBe(addresses.length);
  await query(one, 'create table mine as select 1');
  await expect(query(two, 'select * from mine')).rejects.toThrow('does not exist');
  await one.stop();
  expect((await fetch(two.apiUrl)).status).toBe(200);
  expect(await query(two, 'select 1 as alive')).toEqual([{ alive: 1 }]);
});
