/** Tools written in Go, built from the Go module proxy into the per-user cache, once each. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeckhandError } from '../domain/errors.ts';
import type { Environment } from '../platform/config.ts';
import { cachedFile, type CachedFile, type Progress } from './cached-file.ts';
import { runBuild } from './native-build.ts';

const run = promisify(execFile);

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

/** Runs go. @throws DeckhandError with its last lines */
export const go = (
  cwd: string,
  args: readonly string[],
  onProgress: Progress,
  environment: Environment = {},
): Promise<void> => runBuild({ title: `go ${args[0]}`, command: ['go', ...args], cwd, environment }, onProgress);
