/** Logs of children that go on writing while their log is put aside. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Supervisor, supervisorPaths } from '../../../runtime/supervisor/supervisor.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

const MEBIBYTE = 1024 * 1024;
const LOOK_MS = 30_000;

let home: string;
beforeEach(() => {
  home = folderPerTest();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Writes as many MiB as each new number in a file says, and a line after them. */
const WRITER = `
  const { readFileSync, writeSync } = require('node:fs');
  let done = '';
  setInterval(() => {
    const order = readFileSync(process.argv[1], 'utf8');
    if (order === '' || order === done) return;
    done = order;
    for (let i = 0; i < Number(order); i += 1) writeSync(2, 'x'.repeat(1024 * 1024 - 1) + '\\n');
    writeSync(2, 'wrote ' + order + '\\n');
  }, 10);`;

it('a log that grows large is put aside while its child runs, which goes on writing into an empty one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const supervisor = new Supervisor(home, () => undefined);
  const { logDir } = supervisorPaths(home);
  const log = join(logDir, 'writer.log');
  const order = join(home, 'order');
  const write = async (mebibytes: string): Promise<void> => {
    writeFileSync(order, mebibytes);
    await vi.waitFor(() => expect(readFileSync(log, 'utf8').endsWith(`wrote ${mebibytes}\n`)).toBe(true), 20_000);
  };
  writeFileSync(order, '');
  await supervisor.start(0, {
    name: 'writer',
    prepare: () => ({ command: process.execPath, args: ['-e', WRITER, order], env: {}, cwd: home }),
  });
  try {
    await write('1');
    vi.advanceTimersByTime(LOOK_MS);
    expect(readdirSync(logDir)).toEqual(['writer.log']);

    for (const mebibytes of ['9', '10', '11', '12']) {
      await write(mebibytes);
      vi.advanceTimersByTime(LOOK_MS);
      expect(statSync(log).size).toBe(0);
    }
    await write('2');
    expect(statSync(log).size).toBe(2 * MEBIBYTE + 'wrote 2\n'.length);
    expect(readdirSync(logDir)).toEqual(['writer.log', 'writer.log.1', 'writer.log.2', 'writer.log.3']);
    const lastLines = [1, 2, 3].map((kept) => readFileSync(`${log}.${kept}`, 'utf8').trim().split('\n').at(-1));
    expect(lastLines).toEqual(['wrote 12', 'wrote 11', 'wrote 10']);
  } finally {
    await supervisor.stopAll();
  }
});
