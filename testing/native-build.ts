/** Programs that tests build from C and C++ sources. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { DeckhandError } from '../domain/errors.ts';
import { loadConfig, type Environment } from '../platform/config.ts';
import type { Progress } from './cached-file.ts';

const run = promisify(execFile);

const REPORT_INTERVAL_MS = 10_000;
const TAIL_LINES = 20;

/** The named instruction sets that this processor has, as the kernel names them; none where the kernel does not say, as on macOS. */
export function processorVectors<Name extends string>(names: readonly Name[]): Name[] {
  const file = '/proc/cpuinfo';
  const words = existsSync(file) ? new Set(readFileSync(file, 'utf8').split(/\s+/u)) : new Set<string>();
  return names.filter((name) => words.has(name));
}

/** @param purpose in words that follow a hint @throws DeckhandError `dependency_missing` that names the missing compiler */
export async function requireCompilers(purpose: string): Promise<void> {
  for (const [tool, hint] of [
    ['gcc', 'apt-get install gcc g++'],
    ['g++', 'apt-get install g++'],
  ] as const) {
    await run(tool, ['--version']).catch((cause: unknown) => {
      throw new DeckhandError('dependency_missing', `${purpose} needs ${tool}`, { hint, cause });
    });
  }
}

/** A program that builds, and where it runs. */
interface BuildStep {
  /** For people, such as `go build`. */
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** Added to the inherited environment. */
  readonly environment?: Environment;
}

/**
 * Runs a program that builds, reporting every ten seconds how many lines it wrote.
 * @throws DeckhandError `dependency_missing` with its last lines
 */
export async function runBuild({ title, command, cwd, environment }: BuildStep, onProgress: Progress): Promise<void> {
  const [program, ...args] = command;
  const env = { ...loadConfig().environment, ...environment };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  const tail: string[] = [];
  let lines = 0;
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      lines += 1;
      tail.push(line);
      if (tail.length > TAIL_LINES) tail.shift();
    });
  }
  const ticker = setInterval(() => onProgress(`  ${title}: ${lines} steps done`), REPORT_INTERVAL_MS);
  try {
    const code = await ended;
    if (code !== 0)
      throw new DeckhandError('dependency_missing', `${command.join(' ')} ended with ${code}:\n${tail.join('\n')}`);
  } finally {
    clearInterval(ticker);
  }
}
