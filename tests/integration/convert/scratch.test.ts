/** Files that are worked on: what a killed process leaves of them, and who removes it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withReceivedFile } from '../../../api/decks/receive.ts';
import { removeScratchOf, scratchDir, sweepScratch, withScratchFolder } from '../../../platform/scratch.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

const HOLDER = fileURLToPath(new URL('../../fixtures/scratch/hold-folder.ts', import.meta.url));

let home = '';
let holders: ChildProcess[] = [];
beforeEach(() => {
  home = folderPerTest();
  holders = [];
});
afterEach(async () => {
  await Promise.all(holders.map(kill));
});

/** A process that works on a deck. */
async function holder(deckId: string): Promise<{ readonly process: ChildProcess; readonly folder: string }> {
  const child = spawn(process.execPath, [HOLDER, home, deckId], { stdio: ['ignore', 'pipe', 'inherit'] });
  holders.push(child);
  const [folder] = (await once(child.stdout, 'data')) as [Buffer];
  return { process: child, folder: folder.toString() };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

it('a scratch folder lies below the data directory, is readable by its owner only, and is gone afterwards', async () => {
  const folder = await withScratchFolder(home, 'deck-1', async (path) => {
    expect(path.startsWith(`${scratchDir(home)}/process-${process.pid}-`)).toBe(true);
    expect([scratchDir(home), join(path, '..'), path].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
    return path;
  });
  expect(existsSync(folder)).toBe(false);
});

it('a scratch folder is gone also when the work fails', async () => {
  let folder = '';
  const work = withScratchFolder(home, 'deck-1', (path) => {
    folder = path;
    return Promise.reject(new Error('broken off'));
  });
  await expect(work).rejects.toThrow('broken off');
  expect(existsSync(folder)).toBe(false);
});

it('an upload arrives below the data directory, and is gone afterwards', async () => {
  const boundary = 'b';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`;
  async function* body(): AsyncGenerator<Uint8Array, void> {
    yield Buffer.from(`${head}%PDF-1.7\n\r\n--${boundary}--\r\n`);
  }
  const path = await withReceivedFile(body(), boundary, { home, maxUploadBytes: 1000 }, async (file) => {
    expect(file.path.startsWith(`${scratchDir(home)}/`)).toBe(true);
    expect(existsSync(file.path)).toBe(true);
    return file.path;
  });
  expect(existsSync(path)).toBe(false);
});

it('the sweep removes what the dead process left and nothing of a living one', async () => {
  const [dead, living] = await Promise.all([holder('deck-1'), holder('deck-1')]);
  await withScratchFolder(home, 'deck-2', async (ours) => {
    await kill(dead.process);
    expect(existsSync(join(dead.folder, 'page-0001.jpg'))).toBe(true);
    await sweepScratch(home);
    expect([dead, living].map(({ folder }) => existsSync(folder))).toEqual([false, true]);
    expect(existsSync(ours)).toBe(true);
  });
  await kill(living.process);
  await Promise.all([sweepScratch(home), sweepScratch(home)]);
  // What is left is this process' own.
  for (const name of readdirSync(scratchDir(home))) expect(name).toContain(`process-${process.pid}-`);
});

it('the files of a deck go with the deck, those of others stay', async () => {
  const [first, other] = await Promise.all([holder('deck-1'), holder('deck-2')]);
  await kill(first.process);
  await removeScratchOf(home, 'deck-1');
  expect([first, other].map(({ folder }) => existsSync(folder))).toEqual([false, true]);
});

it('after kill -9 there is nothing to sweep or to remove where nothing was worked on', async () => {
  await sweepScratch(home);
  await removeScratchOf(home, 'deck-1');
  expect(existsSync(scratchDir(home))).toBe(false);
});
