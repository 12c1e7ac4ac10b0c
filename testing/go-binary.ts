/** Tools written in Go, built from the Go module proxy into the per-user cache, once each. */
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { DeckhandError } from '../domain/errors.ts';
import { loadConfig, type Environment } from '../platform/config.ts';
import { cachedFile, type CachedFile, type Progress } from './cached-file.ts';

const run = promisify(execFile);

const REPORT_INTERVAL_MS = 10_000;

/** What is built. */
interface GoTool extends CachedFile {
  readonly package: string;
  /** What it is needed for, in words that follow a hint to install Go. */
  readonly purpose: string;
}

/**
 * Path of the binary, built first if it is not in the cache.
 *
 * @throws DeckhandError `dependency_missing` without Go, or with the last lines of a failed build
 */
export const goBinary = (tool: GoTool, onProgress: Progress): Promise<string> =>
  cachedFile(tool, onProgress, async (work) => {
    await requireGo(tool.purpose);
    await go(work, ['mod', 'init', tool.name], onProgress);
    await go(work, ['get', '-tool', `${tool.package}@${tool.version}`], onProgress);
    await go(work, ['build', '-v', '-o', join(work, tool.name), tool.package], onProgress);
  });

/** @param purpose what it is needed for, in words that follow a hint @throws DeckhandError `dependency_missing` */
export async function requireGo(purpose: string): Promise<void> {
  await run('go', ['version']).catch((cause: unknown) => {
    const hint = 'Install Go 1.26 or newer from https://go.dev/dl';
    throw new DeckhandError('dependency_missing', `${purpose} needs Go`, { hint, cause });
  });
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
