/**
 * The launcher, run by the real shell and the real npm in a small checkout of its own: one whose only package is a stand-in for
 * `node`, so that nothing comes from the network.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import type { ExecFileException } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { loadConfig, REPOSITORY_DIR } from '../../../platform/config.ts';
import { startTimeOf } from '../../../platform/processes/process-identity.ts';
import { findOnPath } from '../../../platform/processes/find-executable.ts';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const inherited = loadConfig().environment;
let parent: string;
let template: string;
let checkout: string;

/** Runs the launcher; the environment is small on purpose, with an empty home directory. */
function launch(args: readonly string[], options: { cwd?: string; path?: string; as?: string } = {}): Promise<Outcome> {
  const home = join(parent, 'home');
  mkdirSync(home, { recursive: true });
  return new Promise((resolveRun) => {
    const command = options.as ?? join(checkout, 'deckhand');
    const env = { HOME: home, PATH: options.path ?? inherited['PATH'], npm_config_offline: 'true' };
    execFile(
      command,
      [...args],
      { cwd: options.cwd ?? checkout, env },
      (error: ExecFileException | null, stdout, stderr) => {
        resolveRun({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
      },
    );
  });
}

beforeAll(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-launcher-')));
  template = join(parent, 'template');
  // The stand-in brings its program by an install script, as the real package does.
  const standIn = join(parent, 'stand-in');
  mkdirSync(standIn);
  writeFileSync(
    join(standIn, 'package.json'),
    JSON.stringify({ name: 'node', version: '24.0.0', scripts: { install: 'node bring.cjs' } }),
  );
  writeFileSync(
    join(standIn, 'bring.cjs'),
    `const fs = require('fs'); fs.mkdirSync('bin'); fs.symlinkSync(${JSON.stringify(process.execPath)}, 'bin/node');`,
  );
  mkdirSync(join(template, 'cli'), { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', template], { cwd: standIn, env: inherited });
  writeFileSync(
    join(template, 'package.json'),
    JSON.stringify({ name: 'small', version: '1.0.0', dependencies: { node: 'file:node-24.0.0.tgz' } }),
  );
  writeFileSync(
    join(template, 'cli', 'main.ts'),
    'const said: object = { args: process.argv.slice(2), cwd: process.cwd() };\nconsole.log(JSON.stringify(said));\n',
  );
  execFileSync('npm', ['install', '--package-lock-only', '--silent', '--offline'], { cwd: template, env: inherited });
});
afterAll(() => {
  rmSync(parent, { recursive: true });
});
beforeEach(() => {
  checkout = mkdtempSync(join(parent, 'checkout-'));
  mkdirSync(join(checkout, 'cli'));
  for (const file of ['package.json', 'package-lock.json', 'node-24.0.0.tgz', 'cli/main.ts']) {
    copyFileSync(join(template, file), join(checkout, file));
  }
  copyFileSync(join(REPOSITORY_DIR, 'deckhand'), join(checkout, 'deckhand'));
});

it('the launcher installs on first use, telling on stderr only, and just runs from then on', async () => {
  const first = await launch(['analyze', 'a b.pdf', '--json']);
  expect(first.code).toBe(0);
  expect(JSON.parse(first.stdout)).toEqual({ args: ['analyze', 'a b.pdf', '--json'], cwd: checkout });
  expect(first.stderr).toContain('Installing packages');
  const second = await launch([]);
  expect(second).toMatchObject({ code: 0, stderr: '' });
});

it("the launcher keeps compiled code in the user's cache", async () => {
  expect(await launch([])).toMatchObject({ code: 0 });
  expect(readdirSync(join(parent, 'home', '.cache', 'deckhand', 'compiled'))).not.toEqual([]);
});

it('the launcher works from any directory and through links', async () => {
  const bin = mkdtempSync(join(parent, 'bin-'));
  symlinkSync(join('..', checkout.slice(parent.length + 1), 'deckhand'), join(bin, 'direct'));
  symlinkSync('direct', join(bin, 'deckhand'));
  const outcome = await launch(['--help'], { cwd: bin, as: './deckhand' });
  expect(outcome.code).toBe(0);
  expect(JSON.parse(outcome.stdout)).toEqual({ args: ['--help'], cwd: bin });
});

it('the launcher installs again when the lock file has changed', async () => {
  await launch([]);
  const lockFile = join(checkout, 'package-lock.json');
  const lock = execFileSync('cat', [lockFile], { encoding: 'utf8' });
  writeFileSync(lockFile, `${lock}\n`);
  // Newer than what npm noted down, as after a pull.
  const later = new Date(Date.now() + 5_000);
  utimesSync(lockFile, later, later);
  expect((await launch([])).stderr).toContain('Installing packages');
});

it('the launcher survives two first starts at the same time', async () => {
  const outcomes = await Promise.all([launch(['one']), launch(['two']), launch(['three'])]);
  expect(outcomes.map((outcome) => outcome.code)).toEqual([0, 0, 0]);
  expect(outcomes.filter((outcome) => outcome.stderr.includes('Installing packages')).length).toBe(1);
  expect(existsSync(join(checkout, '.deckhand-install.lock'))).toBe(false);
});

it('the launcher takes over the lock of a start that was killed', async () => {
  const lock = join(checkout, '.deckhand-install.lock');
  mkdirSync(lock);
  const dead = execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' });
  writeFileSync(join(lock, 'pid'), dead);
  expect((await launch([])).code).toBe(0);
  expect(existsSync(lock)).toBe(false);
});

it('the launcher ends its installation and gives the lock back when it is interrupted', async () => {
  const slow = mkdtempSync(join(parent, 'slow-'));
  const noted = join(slow, 'pid');
  writeFileSync(join(slow, 'npm'), `#!/bin/sh\necho $$ >${noted}.new && mv ${noted}.new ${noted}\nexec sleep 60\n`, {
    mode: 0o755,
  });
  const env = { HOME: slow, PATH: [slow, inherited['PATH']].join(delimiter) };
  const launcher = spawn(join(checkout, 'deckhand'), [], { env, stdio: 'ignore' });
  const ended = new Promise((resolveExit) => launcher.once('exit', resolveExit));
  await vi.waitFor(() => expect(existsSync(noted)).toBe(true), { timeout: 20_000 });
  launcher.kill('SIGTERM');
  expect(await ended).toBe(130);
  expect(startTimeOf(Number(readFileSync(noted, 'utf8')))).toBeUndefined();
  expect(existsSync(join(checkout, '.deckhand-install.lock'))).toBe(false);
});

it('the launcher shows what npm said when it fails', async () => {
  writeFileSync(join(checkout, 'package.json'), '{"name":"small","dependencies":{"absent":"file:absent.tgz"}}');
  const outcome = await launch([]);
  expect(outcome).toMatchObject({ code: 3, stdout: '' });
  expect(outcome.stderr).toContain('absent.tgz');
  expect(outcome.stderr).toContain('hint: ');
});

it('the launcher brings Node also where npm was told to run no install scripts', async () => {
  writeFileSync(join(checkout, '.npmrc'), 'ignore-scripts=true\n');
  const outcome = await launch([]);
  expect(outcome.code).toBe(0);
  expect(outcome.stderr).toContain('install scripts are switched off');
});

it('the launcher names what is missing and how to get it', async () => {
  const bare = mkdtempSync(join(parent, 'path-'));
  for (const tool of 'sh dirname readlink mkdir cat cksum rm find grep mktemp sleep tail'.split(' ')) {
    const path = findOnPath(tool, inherited);
    if (path !== undefined) symlinkSync(path, join(bare, tool));
  }
  const without = await launch([], { path: bare });
  expect(without).toMatchObject({ code: 3, stdout: '' });
  expect(without.stderr).toContain('Node.js is not installed');
  expect(without.stderr).toContain('https://nodejs.org');

  writeFileSync(join(bare, 'node'), '#!/bin/sh\n[ "$1" = --version ] && echo v18.0.0 || echo 18\n', { mode: 0o755 });
  expect((await launch([], { path: bare })).stderr).toContain('v18.0.0 is too old');

  const onlyNode = [dirname(process.execPath), bare].join(delimiter);
  rmSync(join(bare, 'node'));
  const withoutNpm = await launch([], { path: onlyNode });
  expect(withoutNpm.code).toBe(3);
  expect(withoutNpm.stderr).toContain('npm is not installed');
  expect(existsSync(join(checkout, '.deckhand-install.lock'))).toBe(false);
});
