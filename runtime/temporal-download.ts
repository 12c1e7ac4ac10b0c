/**
 * Gets a Temporal server by the SDK's own download, into the user's cache.
 *
 * The download is native code that cannot be called off, so it runs in a process of its own, which is ended when nothing has arrived
 * for ten seconds: behind a firewall the answer is often no answer. It is tried once per start.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempDisposableSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../platform/config.ts';
import type { ObtainOutcome } from './temporal-version.ts';

const STALL_LIMIT_MS = 10_000;
const LOOK_INTERVAL_MS = 500;

function bytesIn(directory: string): number {
  return readdirSync(directory).reduce((sum, file) => {
    const path = join(directory, file);
    return existsSync(path) ? sum + statSync(path).size : sum;
  }, 0);
}

/** Runs the helper until it ends or no more bytes arrive; undefined when it succeeded, else the reason. */
function runHelper(config: Config, directory: string): Promise<string | undefined> {
  const helper = fileURLToPath(new URL('./temporal-download-helper.ts', import.meta.url));
  const child = spawn(process.execPath, [helper, directory], {
    cwd: config.repositoryDir,
    env: config.environment,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words = `${words}${text}`.slice(-2_000)));
  return new Promise((resolveRun) => {
    let seen = 0;
    let seenAt = performance.now();
    const timer = setInterval(() => {
      const now = bytesIn(directory);
      if (now > seen) [seen, seenAt] = [now, performance.now()];
      if (performance.now() - seenAt < STALL_LIMIT_MS) return;
      child.kill('SIGKILL');
    }, LOOK_INTERVAL_MS);
    child.once('exit', (code, signal) => {
      clearInterval(timer);
      if (code === 0) resolveRun(undefined);
      else
        resolveRun(
          signal === null ? (words.trim().split('\n').at(-1) ?? `exit code ${code}`) : 'nothing arrived for 10 s',
        );
    });
    child.once('error', (error) => {
      clearInterval(timer);
      resolveRun(error.message);
    });
  });
}

/** Downloads the server that the SDK was made for. */
export async function downloadTemporal(config: Config, onProgress: (message: string) => void): Promise<ObtainOutcome> {
  onProgress('Looking for a Temporal server to download (at most 10 s without an answer)');
  using temporary = mkdtempDisposableSync(join(config.cacheDir, 'downloading-'));
  const directory = temporary.path;
  const failure = await runHelper(config, directory);
  if (failure !== undefined) return { problem: `the Temporal SDK's download failed: ${failure}` };
  const file = readdirSync(directory).find((name) => !name.endsWith('.downloading'));
  if (file === undefined) return { problem: "the Temporal SDK's download left no file" };
  const target = join(config.cacheDir, 'temporal-download');
  mkdirSync(target, { recursive: true });
  renameSync(join(directory, file), join(target, 'temporal'));
  return { path: join(target, 'temporal') };
}
