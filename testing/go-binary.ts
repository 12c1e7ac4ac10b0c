/**
 * Tools written in Go, built from the Go module proxy into the per-user cache, once each.
 *
 * A lock makes a second build wait for the first, and the finished binary is renamed into place, so one that exists is whole.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { DeckhandError } from '../domain/errors.ts';
import { loadConfig, type Environment } from '../platform/config.ts';
import { fileLock } from '../platform/processes/file-lock.ts';

const run = promisify(execFile);

const REPORT_INTERVAL_MS = 10_000;

/** Receives one line per step. */
export type Progress = (line: string) => void;

/** What is built. */
export interface GoTool {
  /** Name of the binary, and with the version of its folder in the cache. */
  readonly name: string;
  /** For people, such as `Docker Compose`. */
  readonly title: string;
  readonly package: string;
  readonly version: string;
  /** What it is needed for, in words that follow a hint to install Go. */
  readonly purpose: string;
  /** How long a build takes on two cores, in words. */
  readonly takes: string;
}

/**
 * Path of the binary, built first if it is not in the cache.
 *
 * @throws DeckhandError `dependency_missing` without Go, or with the last lines of a failed build
 */
export const goBinary = (tool: GoTool, onProgress: Progress): Promise<string> =>
  cachedBinary(tool, onProgress, async (work) => {
    await go(work, ['mod', 'init', tool.name], onProgress);
    await go(work, ['get', '-tool', `${tool.package}@${tool.version}`], onProgress);
    await go(work, ['build', '-v', '-o', join(work, tool.name), tool.package], onProgress);
  });

/**
 * Path of a binary in the cache, built first if it is not there.
 * @param build writes the binary under its name into the folder it is given, which is removed afterwards
 * @throws DeckhandError `dependency_missing` without Go, or what `build` throws
 */
export async function cachedBinary(
  { name, version, title, purpose, takes }: Omit<GoTool, 'package'>,
  onProgress: Progress,
  build: (work: string) => Promise<void>,
): Promise<string> {
  const dir = join(loadConfig().cacheDir, `${name}-${version}`);
  const binary = join(dir, name);
  if (existsSync(binary)) return binary;
  await mkdir(dir, { recursive: true });
  const lock = await fileLock(join(dir, 'build.lock'), () =>
    onProgress(`another process is building ${title}; waiting`),
  );
  const work = await mkdtemp(join(dir, 'building-'));
  try {
    if (existsSync(binary)) return binary;
    await run('go', ['version']).catch((cause: unknown) => {
      const hint = 'Install Go 1.26 or newer from https://go.dev/dl';
      throw new DeckhandError('dependency_missing', `${purpose} needs Go`, { hint, cause });
    });
    onProgress(`building ${title} ${version} (once, ${takes})`);
    await build(work);
    await rename(join(work, name), binary);
    return binary;
  } finally {
    await rm(work, { recursive: true, force: true });
    lock.release();
  }
}

/** Runs go, reporting every ten seconds how many lines of progress it wrote. @throws DeckhandError with its last lines */
export async function go(
  cwd: string,
  args: readonly string[],
  onProgress: Progress,
  environment: Environment = {},
): Promise<void> {
  const env = { ...loadConfig().environment, ...environment };
  const child = spawn('go', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
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
