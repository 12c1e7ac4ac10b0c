/** `deckhand dev`: which processes a change restarts, with a real folder and a real process. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { processesOf, restartOnChange } from '../../../cli/dev/restarts.ts';
import { importGraph } from '../../../cli/test/import-graph.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

const graph = importGraph(
  new Map([
    ['api/main.ts', ['api/app.ts']],
    ['api/app.ts', ['domain/errors.ts']],
    ['workers/control.ts', []],
    ['domain/errors.ts', []],
    ['domain/fleet/plan.ts', []],
  ]),
);

it('A file restarts the processes that load it, and the control worker where its bundle may hold it', () => {
  expect(processesOf('api/app.ts', graph)).toEqual(['api']);
  expect(processesOf('domain/errors.ts', graph)).toEqual(['api', 'control']);
  expect(processesOf('domain/fleet/plan.ts', graph)).toEqual(['control']);
  expect(processesOf('cli/main.ts', graph)).toEqual([]);
});

it('A saved file ends the process that loads it, also through an import that is new', async () => {
  const root = folderPerTest();
  execFileSync('git', ['init', '-q'], { cwd: root });
  mkdirSync(path.join(root, 'api'));
  writeFileSync(path.join(root, 'api/main.ts'), '');
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  const ended = once(child, 'exit');
  const watching = new AbortController();
  onTestFinished(() => watching.abort());
  const told: string[] = [];
  const children = [{ name: 'api', ...(child.pid === undefined ? {} : { pid: child.pid }), ready: true, restarts: 0 }];
  const status = () => Promise.resolve({ type: 'status' as const, children, kept: false, holds: 1 });
  restartOnChange(root, { status }, (line) => told.push(line), watching.signal);
  writeFileSync(path.join(root, 'api/app.ts'), 'export const x = 1;');
  writeFileSync(path.join(root, 'api/main.ts'), "import './app.ts';");
  const [, signal] = (await ended) as [number | null, string | null];
  expect(signal).toBe('SIGTERM');
  expect(told.join('\n')).toContain('api starts again');
});
