/**
 * `deckhand watch` as a command, without an API behind it: its checks, its status, its refusals.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckResult } from '../../../drop-folder/check.ts';
import type { DropStatus } from '../../../drop-folder/status.ts';
import { loadConfig, REPOSITORY_DIR, type Environment } from '../../../platform/config.ts';
import { COMMAND } from '../../../testing/command.ts';
import { until } from '../../../testing/until.ts';
import { Drop, killWatchers, startWatcher } from '../../../testing/watchers.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

/** The watcher as a process of its own. */
const PROGRAM = path.join(REPOSITORY_DIR, 'drop-folder/main.ts');

let scratch: string;
beforeEach(() => {
  scratch = folderPerTest();
});
afterEach(async () => {
  await killWatchers();
});

/** Nothing listens on port 9. */
const environment = () => ({
  ...loadConfig().environment,
  DECKHAND_HOME: path.join(scratch, 'home'),
  DECKHAND_API_URL: 'http://127.0.0.1:9',
});

function watch(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [COMMAND, 'watch', ...args], { env: environment(), encoding: 'utf8' });
}

describe('--check', () => {
  it('watch --check makes the sub-folders, passes what works, names what does not, and ends with its code', () => {
    const dir = path.join(scratch, 'drop');
    mkdirSync(dir);
    const { status, stdout } = watch(dir, '--check', '--json');
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: CheckResult[] };
    expect(ok).toBe(false);
    expect(checks.filter((check) => check.ok).map((check) => check.name)).toEqual([
      'directory',
      'mount',
      'folders',
      'writable',
      'rename',
      'clock',
      'space',
      'identity',
    ]);
    expect(checks.at(-1)).toMatchObject({ name: 'api', ok: false, code: 'service_unavailable' });
    expect(status).toBe(5);
    expect(['queue', 'claimed', 'results', 'archive', 'bad'].every((each) => existsSync(path.join(dir, each)))).toBe(
      true,
    );
  });

  it('watch --check says it in lines for people, and refuses a folder that has to be a mount and is none', () => {
    const { status, stdout } = watch(scratch, '--check', '--require-mount');
    expect(stdout).toContain(`pass  directory  `);
    expect(stdout).toMatch(/^FAIL {2}mount .*nothing is mounted/mu);
    expect(stdout).toMatch(/→ Mount the share/u);
    expect(stdout).toContain('checks failed');
    expect(status).toBe(5);
  });

  it('a directory that is not there is not made', () => {
    const dir = path.join(scratch, 'none');
    const { stdout } = watch(dir, '--check');
    expect(stdout).toMatch(/^FAIL {2}directory/mu);
    expect(existsSync(dir)).toBe(false);
  });
});

it('watch --status tells every job’s state from the files alone', () => {
  const drop = new Drop(path.join(scratch, 'drop'));
  drop.job('job_missing', { file_path: 'decks/none.pdf', priority: 'low' });
  drop.job('job_bad', { file_path: '../outside.pdf' });
  writeFileSync(drop.at('queue', 'job_half.json'), '{"job_id": "job_ha');
  mkdirSync(drop.at('claimed', 'host-1-abc'));
  writeFileSync(
    drop.at('claimed', 'host-1-abc', '.lease.json'),
    JSON.stringify({
      watcher: 'host-1-abc',
      host: 'host',
      pid: 1,
      started_at: '',
      lease_seconds: 60,
      released: true,
    }),
  );
  writeFileSync(drop.at('claimed', 'host-1-abc', 'job_mine.json'), '{}');
  writeFileSync(
    drop.at('claimed', 'host-1-abc', 'job_mine.started'),
    JSON.stringify({
      analysis_id: 'an-1',
      tenant_id: 'acme',
      deck_sha256: 'a',
      attempt: 1,
      started_at: new Date().toISOString(),
    }),
  );
  mkdirSync(drop.at('archive', '2026-01-01'));
  writeFileSync(drop.at('archive', '2026-01-01', 'job_old.json'), '{}');

  const status = JSON.parse(watch(drop.dir, '--status', '--json').stdout) as DropStatus;
  expect(Object.fromEntries(status.queue.map(({ job, state }) => [job, state]))).toEqual({
    job_missing: 'waiting',
    job_bad: 'refused',
    job_half: 'waiting',
  });
  expect(status.queue.at(-1)).toMatchObject({ job: 'job_missing', priority: 4, reason: 'the PDF is not there yet' });
  expect(status.watchers).toMatchObject([
    {
      watcher: 'host-1-abc',
      state: 'released',
      pid: 1,
      jobs: [{ job: 'job_mine', analysisId: 'an-1', tenantId: 'acme' }],
    },
  ]);
  expect(status.done).toEqual({ results: 0, archive: [{ day: '2026-01-01', jobs: 1 }] });

  const { stdout } = watch(drop.dir, '--status');
  expect(stdout).toMatch(/^Queue: 3$/mu);
  expect(stdout).toMatch(/job_mine {2}since .* analysis an-1 of tenant acme$/mu);
});

it('--status outlives a folder with more jobs than it may open files, and shows no control characters', () => {
  const drop = new Drop(path.join(scratch, 'many'));
  for (let i = 0; i < 600; i += 1) drop.job(`job_${i}`, { file_path: 'decks/none.pdf' });
  drop.deck('a.pdf', Buffer.from('x'));
  writeFileSync(drop.at('queue', 'job_\u001b[31m@.json'), '{}');
  writeFileSync(drop.at('queue', 'job_red.json'), '\u001b[31m');
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 200 && exec "$0" "$@"', process.execPath, COMMAND, 'watch', drop.dir, '--status'],
    { env: environment(), encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Queue: 602$/mu);
  expect(stdout).not.toContain('\u001b');
});

it('--systemd prints a unit that runs a watcher with these settings, and holds no key', () => {
  const { status, stdout } = watch(scratch, '--systemd', '--concurrency', '4', '--require-mount', '--user', 'me');
  expect(status).toBe(0);
  expect(stdout).toContain(`ExecStart=${process.execPath} ${PROGRAM} ${scratch} --concurrency 4 --require-mount`);
  expect(stdout).toContain('Environment=DECKHAND_API_URL=http://127.0.0.1:9');
  expect(stdout).toContain('User=me');
  expect(stdout).not.toMatch(/DECKHAND_API_KEY=dh_/u);
});

it('the watcher refuses to watch what is not there or is not named', () => {
  const missing = watch(path.join(scratch, 'none'));
  expect(missing.status).toBe(4);
  expect(missing.stderr).toContain('There is no directory');
  const unnamed = watch();
  expect(unnamed.status).toBe(2);
  expect(unnamed.stderr).toContain('DECKHAND_DROP_DIR');
  expect(watch(scratch, '--concurrency', '0').status).toBe(2);
  expect(watch(scratch, '--check', '--status').status).toBe(2);
});

it('the process takes the drop folder from DECKHAND_DROP_DIR and ends with the codes of the command', () => {
  const start = (env: Environment, ...args: string[]) =>
    spawnSync(process.execPath, [PROGRAM, ...args], { env: { ...environment(), ...env }, encoding: 'utf8' });
  const status = start({ DECKHAND_DROP_DIR: scratch }, '--status');
  expect(status.stdout).toMatch(/^Queue: 0$/mu);
  expect(status.status).toBe(0);
  expect(start({}).stderr).toContain('DECKHAND_DROP_DIR');
  expect(start({}).status).toBe(2);
  expect(start({}, '--poll-seconds', 'x').status).toBe(2);
  expect(start({ DECKHAND_DROP_DIR: path.join(scratch, 'none') }).status).toBe(4);
});

it('bad jobs get their error files, good ones wait for the API, and Ctrl-C leaves them to others at once', async () => {
  const drop = new Drop(path.join(scratch, 'drop'));
  drop.deck('a.pdf', Buffer.from('%PDF-1.7\n%%EOF\n'));
  const watcher = startWatcher(
    drop.dir,
    ['--poll-seconds', '0.1', '--settle-seconds', '0', '--job-wait-seconds', '0.5', '--file-wait-seconds', '0.5'],
    environment(),
  );
  drop.job('job_good', { file_path: 'decks/a.pdf' });
  drop.job('job_escape', { file_path: '../../etc/passwd', pitch_deck_id: 7 });
  drop.job('job_nothing', { file_path: 'decks/none.pdf' });
  writeFileSync(drop.at('queue', 'job_half.json'), '{"job_id": "job_ha');
  writeFileSync(drop.at('queue', 'job_odd@name.json'), '{}');
  await until(() => drop.names('bad').filter((name) => name.endsWith('.json'))).is((names) => names.length === 4);
  await until(() => watcher.events.map((event) => event.event)).is((events) => events.includes('api_away'));
  expect(await watcher.stop()).toBe(0);

  expect(drop.error('job_escape')).toMatchObject({
    job_id: 'job_escape',
    error: { code: 'job_invalid', message: 'file_path: leads out of the drop folder' },
    analysis_id: null,
    job: { pitch_deck_id: 7 },
  });
  expect(drop.error('job_nothing').error.code).toBe('not_found');
  expect(drop.error('job_half').error.code).toBe('job_invalid');
  expect(drop.names('results').filter((name) => name.startsWith('job_@refused-'))).toHaveLength(1);
  // Each bad job is kept beside a copy of its error.
  for (const name of ['job_escape', 'job_nothing', 'job_half']) {
    expect(drop.names('bad')).toEqual(expect.arrayContaining([`${name}.json`, `${name}.error`]));
  }
  expect(drop.names('results').filter((name) => name.includes('good'))).toEqual([]);
  expect(watcher.events.at(-1)).toMatchObject({ event: 'stopped' });
  const { queue, watchers } = JSON.parse(watch(drop.dir, '--status', '--json').stdout) as DropStatus;
  const claimed = watchers.filter((each) => each.state === 'released').flatMap((each) => each.jobs);
  expect([...queue, ...claimed].map(({ job }) => job)).toEqual(['job_good']);
});
