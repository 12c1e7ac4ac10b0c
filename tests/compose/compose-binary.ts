/**
 * Docker Compose itself, built from the Go module proxy into the per-user cache, once: it checks compose files without an engine.
 *
 * A lock makes a second build wait for the first, and the finished binary is renamed into place, so one that exists is whole.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';
import { fileLock } from '../../platform/supervisor/file-lock.ts';

const run = promisify(execFile);

const VERSION = 'v5.5.1';
const PACKAGE = 'github.com/docker/compose/v5/cmd';
const REPORT_INTERVAL_MS = 10_000;

/**
 * Path of the binary, built first if it is not in the cache (one to three minutes on two cores).
 *
 * @throws DeckhandError `dependency_missing` without Go, or with the last lines of a failed build
 */
export async function composeBinary(onProgress: (line: string) => void): Promise<string> {
  const dir = join(loadConfig().cacheDir, `compose-${VERSION}`);
  const binary = join(dir, 'compose');
  if (existsSync(binary)) return binary;
  await mkdir(dir, { recursive: true });
  const lock = await fileLock(join(dir, 'build.lock'), () =>
    onProgress('another process is building Docker Compose; waiting'),
  );
  try {
    if (!existsSync(binary)) await build(dir, binary, onProgress);
    return binary;
  } finally {
    lock.release();
  }
}

async function build(dir: string, binary: string, onProgress: (line: string) => void): Promise<void> {
  await run('go', ['version']).catch((cause: unknown) => {
    throw new DeckhandError('dependency_missing', 'checking docker-compose.yml needs Go', {
      hint: 'Install Go 1.26 or newer from https://go.dev/dl',
      cause,
    });
  });
  const work = await mkdtemp(join(dir, 'building-'));
  try {
    onProgress(`building Docker Compose ${VERSION} (once, one to three minutes)`);
    await go(work, ['mod', 'init', 'compose'], onProgress);
    await go(work, ['get', '-tool', `${PACKAGE}@${VERSION}`], onProgress);
    await go(work, ['build', '-v', '-o', join(work, 'compose'), PACKAGE], onProgress);
    await rename(join(work, 'compose'), binary);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Runs go, reporting every ten seconds how many lines of progress it wrote. */
async function go(cwd: string, args: readonly string[], onProgress: (line: string) => void): Promise<void> {
  const child = spawn('go', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  const tail: string[] = [];
  let lines = 0;
  const ticker = setInterval(() => onProgress(`  go ${args[0]}: ${lines} steps done`), REPORT_INTERVAL_MS);
  try {
    for await (const line of createInterface({ input: child.stderr })) {
      lines += 1;
      tail.push(line);
      if (tail.length > 20) tail.shift();
    }
    const code = await ended;
    if (code !== 0)
      throw new DeckhandError('dependency_missing', `go ${args.join(' ')} ended with ${code}:\n${tail.join('\n')}`);
  } finally {
    clearInterval(ticker);
  }
}
