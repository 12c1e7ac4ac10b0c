/** What a render process may do: neither see the data directory nor start programs nor gain rights. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { confined } from '../../../activities/convert/render/confinement.ts';
import { closeRenderer, prepareRenderer } from '../../../activities/convert/render/window.ts';
import { renderProcesses } from './helpers.ts';
import { folderPerFile } from '../../../testing/per-file.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const folder = folderPerFile();
beforeAll(() => {
  writeFileSync(path.join(folder, 'operator.key'), 'secret');
});
afterAll(() => closeRenderer());

/** What a piece of code says in a process that is started as a render process is: its output, or the code of its error. */
function inside(code: string): string {
  const { execPath, execArgv } = confined();
  const program = `try { console.log(${code}) } catch (error) { console.log(error.code) }`;
  const { stdout, stderr } = spawnSync(execPath, [...execArgv, '--input-type=commonjs', '-e', program], {
    encoding: 'utf8',
    env: {},
  });
  return stdout.trim() === '' ? stderr : stdout.trim();
}

const quoted = (file: string): string => JSON.stringify(file);

it('a render process reads its own code', () => {
  expect(inside(`require('node:fs').existsSync(${quoted(path.join(ROOT, 'domain/decks/pdf.ts'))})`)).toBe('true');
  expect(inside(`typeof require(${quoted(path.join(ROOT, 'node_modules/sharp'))})`)).toBe('function');
});

it.each([
  ['a file of the user', () => path.join(folder, 'operator.key')],
  ['the data directory, where it lies in the checkout', () => path.join(ROOT, '.deckhand')],
  ['the configuration of the system', () => '/etc/passwd'],
  ['the environment of its parent', () => `/proc/${process.pid}/environ`],
  ['the rest of the checkout', () => path.join(ROOT, 'cli/main.ts')],
])('a render process does not read %s', (_, file) => {
  expect(inside(`require('node:fs').readFileSync(${quoted(file())}, 'utf8')`)).toBe('ERR_ACCESS_DENIED');
});

it('a render process writes nothing, not even into its own code', () => {
  const file = path.join(folder, 'new.txt');
  expect(inside(`require('node:fs').writeFileSync(${quoted(file)}, 'x')`)).toBe('ERR_ACCESS_DENIED');
  const code = path.join(ROOT, 'domain/new.ts');
  expect(inside(`require('node:fs').writeFileSync(${quoted(code)}, 'x')`)).toBe('ERR_ACCESS_DENIED');
  expect([file, code].map((name) => existsSync(name))).toEqual([false, false]);
});

it('a render process starts no program', () => {
  expect(inside(`require('node:child_process').execFileSync('/bin/true')`)).toBe('ERR_ACCESS_DENIED');
});

it.runIf(process.platform === 'linux' && existsSync('/usr/bin/setpriv'))(
  'a render process has no capability and can gain none',
  async () => {
    closeRenderer();
    await expect.poll(() => renderProcesses().length).toBe(0);
    prepareRenderer('pdfium');
    await expect.poll(() => renderProcesses().length, { timeout: 30_000 }).toBeGreaterThan(1);
    for (const pid of renderProcesses()) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(/^NoNewPrivs:\s*(\d)/m.exec(status)?.[1]).toBe('1');
      expect(/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1]).toMatch(/^0+$/);
    }
  },
);
