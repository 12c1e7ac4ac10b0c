/** Files that a recorded test used: in a real process, in one that is killed, and in a workflow bundle. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { importGraph } from '../../../cli/test/import-graph.ts';
import { executedFiles } from '../../../cli/test/record/executed.ts';
import { REPOSITORY_DIR } from '../../../platform/config.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { until } from '../../../testing/until.ts';

const PRELOAD = pathToFileURL(path.join(REPOSITORY_DIR, 'cli/test/record/preload.ts')).href;
const NO_IMPORTS = importGraph(new Map());

const recorded = (folder: string, ...args: readonly string[]) => {
  const child = spawn(process.execPath, ['--import', `${PRELOAD}?folder=${encodeURIComponent(folder)}`, ...args], {
    cwd: REPOSITORY_DIR,
    stdio: 'ignore',
    env: {},
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

it('A process used the files whose functions it called, and not those that it only loaded', async () => {
  const folder = folderPerTest();
  await once(recorded(folder, 'cli/main.ts', 'test', 'no-such-suite'), 'exit');
  const used = executedFiles(REPOSITORY_DIR, folder, NO_IMPORTS);
  expect([...used.keys()]).toEqual(
    expect.arrayContaining(['cli/main.ts', 'cli/commands/test.ts', 'cli/test/suites.ts']),
  );
  // Loaded with the command line, and given nothing to do.
  expect(used.has('drop-folder/job.ts')).toBe(false);
  expect(used.has('runtime/temporal-find.ts')).toBe(false);
});

it('A process that is killed has said what it used until then', async () => {
  const folder = folderPerTest();
  const script =
    "const { isErrorCode } = await import('./domain/errors.ts'); isErrorCode('x'); setInterval(() => {}, 1000)";
  const child = recorded(folder, '--input-type=module', '--eval', script);
  await until(() => readdirSync(folder).length > 0 && executedFiles(REPOSITORY_DIR, folder, NO_IMPORTS).size > 0).is(
    true,
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect([...executedFiles(REPOSITORY_DIR, folder, NO_IMPORTS).keys()]).toContain('domain/errors.ts');
});

it('Modules of a workflow bundle are used by their own functions, not by being loaded or by giving an export away', () => {
  const folder = folderPerTest();
  const bundleFolder = path.join(folderPerTest(), 'workflows');
  mkdirSync(bundleFolder);
  const bundle = path.join(bundleFolder, '0123456789abcdef.js');
  const module = (file: string): string => String.raw`/***/ "./${file}"
/*!***!*\
  !*** ./${file} ***!
  \***/
(module, exports) {
get(() => (/* binding */ run));
function run() {}
},
`;
  const text = `${module('workflows/called.ts')}${module('workflows/loaded.ts')}`;
  writeFileSync(bundle, text);
  const second = text.indexOf('workflows/loaded.ts');
  const starts = [
    text.indexOf('(module'),
    text.indexOf('function run'),
    text.indexOf('(module', second),
    text.indexOf('() => (/* binding */', second),
  ];
  writeFileSync(path.join(folder, '1-0.txt'), starts.map((start) => `${start} ${bundle}\n`).join(''));
  const root = folderPerTest();
  mkdirSync(path.join(root, 'workflows'));
  for (const name of ['called', 'loaded']) {
    writeFileSync(path.join(root, `workflows/${name}.ts`), 'export const run = (): void => undefined;');
  }
  expect(executedFiles(root, folder, NO_IMPORTS)).toEqual(new Map([['workflows/called.ts', 1]]));
});
