/** Programs as processes, above all the command line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { loadConfig, REPOSITORY_DIR, type Environment } from '../platform/config.ts';

/** The program of `deckhand`, for Node. */
export const COMMAND = path.join(REPOSITORY_DIR, 'cli/main.ts');

/** How a command ended, and what it wrote. */
export interface CommandRun {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with these arguments and waits for its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Environment = loadConfig().environment,
): Promise<CommandRun> {
  const child = spawn(program, args, { env: { ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Runs `deckhand` with these arguments and waits for its end. */
export const runCommand = (args: readonly string[], environment: Environment): Promise<CommandRun> =>
  runProgram(process.execPath, [COMMAND, ...args], environment);
