/** Temporal servers that run already: how they are found, their versions, and workers that are lost. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { LOST_WORKER_MEMO, lostWorkerAfterMs } from '../../../domain/temporal/lost-worker.ts';
import { type Config, loadConfig } from '../../../platform/config.ts';
import { lostWorkerInterceptors } from '../../../platform/lost-worker.ts';
import { DEFAULT_BACKOFF, failuresInARow, restartDelayMs } from '../../../runtime/supervisor/backoff.ts';
import { findOrBuildTemporal, searchTemporal, whyUnfit } from '../../../runtime/temporal-find.ts';
import {
  canOpenDatabaseOf,
  compareVersions,
  formatVersion,
  parseServerVersion,
  serverVersionOfCli,
} from '../../../runtime/temporal-version.ts';
import { forAll } from '../../../testing/property.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

let directory: string;

beforeEach(() => {
  directory = folderPerTest();
});

/** Puts an executable there that calls itself a Temporal CLI with this server. */
function putCli(path: string, server: string): string {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "temporal version 9.9.9 (Server ${server}, UI 2.0.0)"\n`);
  chmodSync(file, 0o755);
  return file;
}

function config(extra: Record<string, string> = {}): Config {
  return loadConfig({ PATH: join(directory, 'path'), XDG_CACHE_HOME: directory, ...extra });
}

describe('the search for a Temporal server', () => {
  it('takes the named one, then the PATH, then the cache', async () => {
    const cached = putCli('deckhand/temporal-cli-v1.5.1/temporal', '1.29.1');
    expect((await searchTemporal(config())).found).toMatchObject({ source: 'cache', path: cached });
    const onPath = putCli('path/temporal', '1.30.0');
    expect((await searchTemporal(config())).found).toMatchObject({ source: 'PATH', path: onPath });
    const named = putCli('named', '1.31.0');
    const search = await searchTemporal(config({ TEMPORAL_CLI_PATH: named }));
    expect(search.found).toMatchObject({ source: 'TEMPORAL_CLI_PATH', path: named });
  });

  it('passes over a server that is too old, and says so', async () => {
    putCli('path/temporal', '1.24.2');
    const cached = putCli('deckhand/temporal-cli-v1.5.1/temporal', '1.29.1');
    const search = await searchTemporal(config());
    expect(search.found?.path).toBe(cached);
    expect(search.rejected).toEqual([expect.stringContaining('1.24.2')]);
  });

  it('takes none that is older than the one that made the database', async () => {
    putCli('path/temporal', '1.29.1');
    const newer = putCli('deckhand/temporal-download/temporal', '1.32.0');
    const search = await searchTemporal(config(), { major: 1, minor: 32, patch: 0 });
    expect(search.found?.path).toBe(newer);
  });

  it('does not replace a named one that does not do', async () => {
    putCli('path/temporal', '1.30.0');
    const named = putCli('named', '1.20.0');
    await expect(searchTemporal(config({ TEMPORAL_CLI_PATH: named }))).rejects.toMatchObject({ code: 'usage' });
  });

  it('does not download or build what is there', async () => {
    putCli('path/temporal', '1.30.0');
    const progress: string[] = [];
    const found = await findOrBuildTemporal(config(), undefined, (message) => progress.push(message));
    expect(found.source).toBe('PATH');
    expect(progress).toEqual([]);
  });

  it('finds nothing where nothing is', async () =>
    expect(await searchTemporal(config())).toEqual({ found: undefined, rejected: [] }));
});

const version = fc.record({ major: fc.nat(3), minor: fc.nat(60), patch: fc.nat(20) });

it('versions of Temporal servers reads the server, not the CLI or the UI, from what the CLI prints', () => {
  const expected = { major: 1, minor: 29, patch: 1 };
  expect(serverVersionOfCli('temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)\n')).toEqual(expected);
  expect(serverVersionOfCli('tctl version 1.18.0')).toBeUndefined();
});

it('versions of Temporal servers reads back what it writes', () =>
  forAll([version], (v) => expect(parseServerVersion(formatVersion(v))).toEqual(v)));

it('versions of Temporal servers orders versions totally', () =>
  forAll([version, version, version], (a, b, c) => {
    expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)));
    if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
  }));

it('versions of Temporal servers never lets an older server open a newer database', () =>
  forAll([version, version], (server, maker) => {
    if (server.minor < maker.minor) expect(canOpenDatabaseOf(server, maker)).toBe(false);
    expect(canOpenDatabaseOf(server, server)).toBe(true);
  }));

it('versions of Temporal servers refuses servers before 1.29 and takes later ones', () => {
  expect(whyUnfit({ major: 1, minor: 28, patch: 9 }, undefined)).toContain('1.29.0 is needed');
  expect(whyUnfit(undefined, undefined)).toContain('does not run');
  expect(whyUnfit({ major: 1, minor: 29, patch: 0 }, { major: 1, minor: 32, patch: 0 })).toContain('1.32.0');
  expect(whyUnfit({ major: 1, minor: 32, patch: 0 }, { major: 1, minor: 29, patch: 1 })).toBeUndefined();
});

it('restart delays grow with the failures in a row and never pass the ceiling', () =>
  forAll([fc.integer({ min: 1, max: 10_000 })], (failures) => {
    const delay = restartDelayMs(failures);
    expect(delay).toBeGreaterThanOrEqual(DEFAULT_BACKOFF.initialMs);
    expect(delay).toBeLessThanOrEqual(DEFAULT_BACKOFF.maximumMs);
    expect(restartDelayMs(failures + 1)).toBeGreaterThanOrEqual(delay);
  }));

it('restart delays begin again after a good run', () => {
  expect(failuresInARow(7, DEFAULT_BACKOFF.resetAfterMs)).toBe(1);
  expect(failuresInARow(7, DEFAULT_BACKOFF.resetAfterMs - 1)).toBe(8);
});

it('a client adds nothing where the time is not configured', () =>
  expect(lostWorkerInterceptors({ lostWorkerAfterMs: undefined })).toEqual([]));

it('a workflow finds the configured time in its memo, beside what stood there', async () => {
  const [interceptor] = lostWorkerInterceptors({ lostWorkerAfterMs: 5000 });
  let memo: Record<string, unknown> | undefined;
  const options = { args: [], workflowId: 'w', taskQueue: 'q', memo: { other: 1 } };
  const call = { workflowType: 'w', signalName: 's', signalArgs: [], headers: {}, options };
  await interceptor?.signalWithStart?.(call, (input) => {
    memo = input.options.memo;
    return Promise.resolve('run');
  });
  expect(memo).toEqual({ other: 1, [LOST_WORKER_MEMO]: 5000 });
  expect(lostWorkerAfterMs(memo)).toBe(5000);
});

it.each([undefined, {}, { [LOST_WORKER_MEMO]: 'soon' }, { [LOST_WORKER_MEMO]: 0 }])('memo %j says no time', (memo) =>
  expect(lostWorkerAfterMs(memo)).toBeNull(),
);
