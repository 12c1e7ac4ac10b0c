import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../platform/config.ts';
import type { Config } from '../../../platform/config.ts';
import { findOrBuildTemporal, searchTemporal } from '../../../runtime/temporal-find.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'deckhand-temporal-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
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
