/**
 * Builds the Temporal server from source with Go, into the user's cache: what is left where nothing can be downloaded but Go modules.
 *
 * It takes minutes, once per user, so it says what it is doing. The result appears in one step, so a build that was killed is never
 * mistaken for a finished one; Go's own build cache makes the next try shorter.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../platform/config.ts';
import { failureOf, guarded, RELEASE_LINE } from './supervisor/guard.ts';
import { findOnPath } from '../platform/processes/find-executable.ts';
import type { ObtainOutcome } from './temporal-version.ts';

/** Version of the Temporal CLI that is built; it contains server 1.29.1 and UI 2.42.1. */
export const CLI_VERSION = 'v1.5.1';
const MODULE = `github.com/temporalio/cli/cmd/temporal@${CLI_VERSION}`;
const REPORT_INTERVAL_MS = 5_000;

function elapsed(sinceMs: number): string {
  const seconds = Math.round((performance.now() - sinceMs) / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Go wants to know where its caches are, also in an environment without HOME. */
function goEnvironment(config: Config, binDir: string): Record<string, string | undefined> {
  const env = { ...config.environment, GOBIN: binDir, GOFLAGS: '-mod=mod' };
  if ((config.environment['HOME'] ?? '') !== '') return env;
  return { GOCACHE: join(config.cacheDir, 'go-build'), GOPATH: join(config.cacheDir, 'go'), ...env };
}

/** Compiles the server. */
export async function buildTemporal(config: Config, onProgress: (message: string) => void): Promise<ObtainOutcome> {
  const go = findOnPath('go', config.environment);
  if (go === undefined) return { problem: 'Go, to build the server from source, is not installed' };
  const directory = mkdtempSync(join(config.cacheDir, 'building-'));
  const startedAt = performance.now();
  onProgress(`Building the Temporal server from source with Go (once, about 4 to 7 minutes)`);
  let modules = 0;
  let packages = 0;
  const words: string[] = [];
  const timer = setInterval(() => {
    const what = packages === 0 ? `${modules} modules fetched` : `${packages} packages compiled`;
    onProgress(`Building the Temporal server: ${what}, ${elapsed(startedAt)}`);
  }, REPORT_INTERVAL_MS);
  try {
    const line = guarded(go, ['install', '-v', '-trimpath', '-ldflags=-s -w', MODULE], {
      stopSignal: 'SIGTERM',
      stopGraceMs: 2_000,
    });
    const child = spawn(line.command, line.args, {
      cwd: directory,
      env: goEnvironment(config, directory),
      stdio: ['pipe', 'ignore', 'pipe'],
      detached: true,
    });
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stderr }).on('line', (text) => {
      if (text.startsWith('go: downloading')) modules += 1;
      else packages += 1;
      words.push(text);
      if (words.length > 20) words.shift();
    });
    const failure = await failureOf(child);
    child.stdin.end(RELEASE_LINE);
    if (failure !== undefined || !existsSync(join(directory, 'temporal'))) {
      return { problem: `building ${MODULE} failed (${failure ?? 'no executable'}): ${words.slice(-3).join(' | ')}` };
    }
    const target = join(config.cacheDir, `temporal-cli-${CLI_VERSION}`);
    mkdirSync(target, { recursive: true });
    renameSync(join(directory, 'temporal'), join(target, 'temporal'));
    onProgress(`Built the Temporal server in ${elapsed(startedAt)}`);
    return { path: join(target, 'temporal') };
  } finally {
    clearInterval(timer);
    rmSync(directory, { recursive: true, force: true });
  }
}
