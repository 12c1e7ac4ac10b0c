/**
 * Finds a Temporal server for one machine, in a fixed order: the executable that TEMPORAL_CLI_PATH names, `temporal` on the PATH, the
 * user's cache, the SDK's own download, a build from source with Go. The first that is recent enough, and can open the database that
 * is already there, is taken.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeckhandError } from '../domain/errors.ts';
import type { Config } from '../platform/config.ts';
import { fileLock } from '../platform/processes/file-lock.ts';
import { findOnPath, isExecutable } from '../platform/processes/find-executable.ts';
import { buildTemporal } from './temporal-build.ts';
import { downloadTemporal } from './temporal-download.ts';
import {
  askServerVersion,
  canOpenDatabaseOf,
  compareVersions,
  formatVersion,
  OLDEST_SERVER,
} from './temporal-version.ts';
import type { ServerVersion } from './temporal-version.ts';

/** Where an executable came from. */
export type TemporalSource = 'TEMPORAL_CLI_PATH' | 'PATH' | 'cache' | 'download' | 'build';

/** A Temporal server that can be started. */
export interface TemporalBinary {
  readonly path: string;
  readonly source: TemporalSource;
  readonly serverVersion: ServerVersion;
}

/** What was looked at and not taken, and why, in the order of the search. */
export interface TemporalSearch {
  readonly found: TemporalBinary | undefined;
  readonly rejected: readonly string[];
}

/** Why a server of this version does not do; undefined if it does. */
export function whyUnfit(
  version: ServerVersion | undefined,
  databaseMadeBy: ServerVersion | undefined,
): string | undefined {
  if (version === undefined) return 'does not run or names no server version';
  if (compareVersions(version, OLDEST_SERVER) < 0) {
    return `has server ${formatVersion(version)}, at least ${formatVersion(OLDEST_SERVER)} is needed`;
  }
  if (databaseMadeBy !== undefined && !canOpenDatabaseOf(version, databaseMadeBy)) {
    return `has server ${formatVersion(version)}, the database was made by ${formatVersion(databaseMadeBy)}`;
  }
  return undefined;
}

/** Executables in the user's cache, from a build or a download. */
function cachedExecutables(cacheDir: string): string[] {
  if (!existsSync(cacheDir)) return [];
  return readdirSync(cacheDir)
    .filter((directory) => directory.startsWith('temporal-'))
    .sort()
    .reverse()
    .map((directory) => join(cacheDir, directory, 'temporal'))
    .filter(isExecutable);
}

/** Removes what a killed download or build left; the caller holds the lock, so no other process works on it. */
function removeUnfinished(cacheDir: string): void {
  for (const entry of readdirSync(cacheDir)) {
    if (/^(downloading|building)-/.test(entry)) rmSync(join(cacheDir, entry), { recursive: true, force: true });
  }
}

/**
 * Looks for a server that is there already; downloads and builds nothing.
 *
 * @param databaseMadeBy version that made the database to be opened, if there is one
 */
export async function searchTemporal(config: Config, databaseMadeBy?: ServerVersion): Promise<TemporalSearch> {
  const onPath = findOnPath('temporal', config.environment);
  const candidates: { path: string; source: TemporalSource }[] = [
    ...(config.temporalCliPath === undefined
      ? []
      : [{ path: config.temporalCliPath, source: 'TEMPORAL_CLI_PATH' as const }]),
    ...(onPath === undefined ? [] : [{ path: onPath, source: 'PATH' as const }]),
    ...cachedExecutables(config.cacheDir).map((path) => ({ path, source: 'cache' as const })),
  ];
  const rejected: string[] = [];
  for (const candidate of candidates) {
    const serverVersion = await askServerVersion(candidate.path);
    const reason = whyUnfit(serverVersion, databaseMadeBy);
    if (reason === undefined && serverVersion !== undefined) {
      return { found: { ...candidate, serverVersion }, rejected };
    }
    rejected.push(`${candidate.path} (${candidate.source}) ${reason}`);
    if (candidate.source === 'TEMPORAL_CLI_PATH') {
      // What the user named is what the user means: no silent substitute.
      throw new DeckhandError('usage', `TEMPORAL_CLI_PATH=${candidate.path} ${reason}`, {
        hint: 'Point TEMPORAL_CLI_PATH at a recent `temporal`, or unset it.',
      });
    }
  }
  return { found: undefined, rejected };
}

/**
 * Finds a Temporal server, or gets one.
 *
 * @param onProgress told what takes long, in plain lines
 * @throws DeckhandError `dependency_missing` when there is none and none can be had
 */
export async function findOrBuildTemporal(
  config: Config,
  databaseMadeBy: ServerVersion | undefined,
  onProgress: (message: string) => void,
): Promise<TemporalBinary> {
  const first = await searchTemporal(config, databaseMadeBy);
  if (first.found !== undefined) return first.found;

  mkdirSync(config.cacheDir, { recursive: true, mode: 0o700 });
  const lock = await fileLock(join(config.cacheDir, 'temporal.lock'), () =>
    onProgress('Another Deckhand is getting the Temporal server; waiting for it'),
  );
  try {
    removeUnfinished(config.cacheDir);
    // The former holder of the lock may have put one there.
    const second = await searchTemporal(config, databaseMadeBy);
    if (second.found !== undefined) return second.found;
    const problems = [...second.rejected];
    for (const [source, obtain] of [['download', downloadTemporal] as const, ['build', buildTemporal] as const]) {
      const outcome = await obtain(config, onProgress);
      if ('problem' in outcome) {
        problems.push(outcome.problem);
        continue;
      }
      const serverVersion = await askServerVersion(outcome.path);
      const reason = whyUnfit(serverVersion, databaseMadeBy);
      if (reason === undefined && serverVersion !== undefined) return { path: outcome.path, source, serverVersion };
      problems.push(`${outcome.path} ${reason}`);
    }
    throw new DeckhandError('dependency_missing', `no Temporal server: ${problems.join('; ')}`, {
      userMessage: `No Temporal server was found, and none could be downloaded or built:\n${problems.map((line) => `  - ${line}`).join('\n')}`,
      hint:
        'Install Go (https://go.dev/dl) or the Temporal CLI (https://docs.temporal.io/cli), ' +
        'or set TEMPORAL_ADDRESS to a Temporal server of your own.',
    });
  } finally {
    lock.release();
  }
}
