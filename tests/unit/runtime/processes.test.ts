import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tryFileLock } from '../../../platform/processes/file-lock.ts';
import { guarded, RELEASE_LINE } from '../../../runtime/supervisor/guard.ts';
import { identify, isSameProcessAlive } from '../../../platform/processes/process-identity.ts';
import type { ProcessIdentity } from '../../../platform/processes/process-identity.ts';
import { ManagedChild, type ChildEvent } from '../../../runtime/supervisor/managed-child.ts';
import { ChildRecords } from '../../../platform/processes/records.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

let directory: string;
const started: ChildProcess[] = [];

beforeEach(() => {
  directory = folderPerTest();
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function start(command: string, args: readonly string[]): { child: ChildProcess; identity: ProcessIdentity } {
  const child = spawn(command, [...args], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  started.push(child);
  const identity = identify(child.pid ?? -1);
  if (identity === undefined) throw new Error(`${command} did not start`);
  return { child, identity };
}

/** A shell that becomes a sleep to which SIGTERM does nothing. */
const STUBBORN = ['-c', "trap '' TERM; exec sleep 60"];
const asleep = ({ pid }: ProcessIdentity): Promise<void> =>
  vi.waitFor(() => expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/^sleep/u), { timeout: 10_000 });

const RECORD = { command: [], startedAt: '', restarts: 0, stopSignal: 'SIGTERM' as const };

async function expectGone(identity: ProcessIdentity): Promise<void> {
  await vi.waitFor(() => expect(isSameProcessAlive(identity)).toBe(false), { timeout: 10_000 });
}

it('the identity of a process holds while it lives and not after', async () => {
  const { child, identity } = start('sleep', ['60']);
  expect(isSameProcessAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await expectGone(identity);
});

it('the identity of a process tells two processes with the same number apart', () => {
  const { identity } = start('sleep', ['60']);
  expect(isSameProcessAlive({ ...identity, startTime: '1' })).toBe(false);
});

it('child records end the recorded processes and leave a stranger with a reused number alone', async () => {
  const records = new ChildRecords(directory);
  const [ours, stranger] = [start('sleep', ['60']).identity, start('sleep', ['60']).identity];
  records.write({ ...RECORD, ...ours, name: 'ours' });
  records.write({ ...RECORD, ...stranger, name: 'reused', startTime: '1' });
  await records.endAll(1_000);
  expect(isSameProcessAlive(ours)).toBe(false);
  expect(isSameProcessAlive(stranger)).toBe(true);
  expect(records.list()).toEqual([]);
});

it('child records end a process that does not listen by force', async () => {
  const records = new ChildRecords(directory);
  const { identity } = start('sh', STUBBORN);
  await asleep(identity);
  records.write({ ...identity, ...RECORD, name: 'stubborn' });
  await records.endAll(300);
  expect(isSameProcessAlive(identity)).toBe(false);
});

describe('the guard', () => {
  const guard = (command: string, args: readonly string[], stopGraceMs = 500) => {
    const line = guarded(command, args, { stopSignal: 'SIGTERM', stopGraceMs });
    return start(line.command, line.args);
  };

  it('becomes the command, under the pid that was started', async () => {
    // It lives until it has been identified.
    const { child } = guard('sh', ['-c', 'sleep 0.5; exit 7']);
    const code = await new Promise((resolveExit) => child.once('exit', resolveExit));
    expect(code).toBe(7);
  });

  it.each([
    ['a command', 'sleep', ['60']],
    ['a command that does not listen, by force,', 'sh', STUBBORN],
  ])('ends %s when the pipe breaks', async (_, command, args) => {
    const { child, identity } = guard(command, args);
    await asleep(identity);
    child.stdin?.destroy();
    await expectGone(identity);
  });

  it('leaves the command alone once it is released', async () => {
    const { child, identity } = guard('sleep', ['60'], 100);
    child.stdin?.end(RELEASE_LINE);
    // The watcher has nothing left to wait for: once it is gone nothing is there to end the command.
    await vi.waitFor(() => expect(child.stdin?.destroyed).toBe(true), { timeout: 10_000 });
    expect(isSameProcessAlive(identity)).toBe(true);
  });
});

/** Processes with this word in their command line. */
const running = (word: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/u.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      // Ended meanwhile.
      return false;
    }
  });

it('a child that is kept running is ended before the next try when it started and could not be written down', async () => {
  const events: ChildEvent[] = [];
  // `sleep` adds up its arguments: the second one marks these processes.
  const word = `0.${randomInt(1e9, 1e10)}`;
  const launch = { command: 'sleep', args: ['60', word], env: {}, cwd: directory };
  const child = new ManagedChild(
    { name: 'noted', prepare: () => Promise.resolve(launch), stopGraceMs: 500 },
    {
      records: new ChildRecords(join(directory, 'records')),
      logDir: directory,
      onEvent: (event) => events.push(event),
    },
  );
  await child.start();
  try {
    // It has started when it is no longer its guard.
    const first = await vi.waitFor(() => running(word)[0] ?? expect.unreachable('it does not run'), {
      timeout: 10_000,
    });
    // As on a full disk: nothing can be written down any more.
    rmSync(join(directory, 'records'), { recursive: true });
    process.kill(Number(first), 'SIGKILL');
    await vi.waitFor(() => expect(events.filter((e) => e.type === 'exited').length).toBeGreaterThan(3), {
      timeout: 20_000,
    });
    await vi.waitFor(() => expect(running(word).length).toBeLessThanOrEqual(1), { timeout: 10_000 });
  } finally {
    await child.stop();
  }
  await vi.waitFor(() => expect(running(word)).toEqual([]), { timeout: 10_000 });
});

it('a child that is kept running is ended and started again when it hangs at its restart', async () => {
  let starts = 0;
  const launch = { command: 'sleep', args: ['60'], env: {}, cwd: directory };
  const child = new ManagedChild(
    {
      name: 'hanging',
      prepare: () => {
        starts += 1;
        return Promise.resolve(launch);
      },
      // The second start never answers.
      probe: () => Promise.resolve(starts !== 2),
      readyTimeoutMs: 300,
      stopGraceMs: 500,
    },
    { records: new ChildRecords(join(directory, 'records')), logDir: directory, onEvent: () => undefined },
  );
  await child.start();
  try {
    const { pid } = child.status();
    if (pid === undefined) throw new Error('the child has no process');
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect([starts, child.status().ready]).toEqual([3, true]), { timeout: 20_000 });
    expect(child.status().restarts).toBe(2);
  } finally {
    await child.stop();
  }
});

it('the file lock has one holder at a time', () => {
  const path = join(directory, 'lock');
  const first = tryFileLock(path);
  expect(first).toBeDefined();
  expect(tryFileLock(path)).toBeUndefined();
  first?.release();
  const second = tryFileLock(path);
  expect(second).toBeDefined();
  second?.release();
});

it('the file lock is given up by the system when its holder is killed', async () => {
  const path = join(directory, 'lock');
  const module = new URL('../../../platform/processes/file-lock.ts', import.meta.url).pathname;
  const program = `
      const { tryFileLock } = await import(${JSON.stringify(module)});
      process.stdout.write(tryFileLock(${JSON.stringify(path)}) === undefined ? 'busy' : 'held');
      setInterval(() => undefined, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(holder);
  const said = await new Promise((resolveData) => holder.stdout.once('data', (data) => resolveData(String(data))));
  expect(said).toBe('held');
  expect(tryFileLock(path)).toBeUndefined();
  const gone = new Promise((resolveExit) => holder.once('exit', resolveExit));
  holder.kill('SIGKILL');
  await gone;
  const lock = tryFileLock(path);
  expect(lock).toBeDefined();
  lock?.release();
});
