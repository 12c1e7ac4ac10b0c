/** The command line as a process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { REPOSITORY_DIR, type Environment } from '../platform/config.ts';

/** The program of `deckhand`, for Node. */
export const COMMAND = path.join(REPOSITORY_DIR, 'cli/main.ts');

/** How a command ended, and what it wrote. */
export interface CommandRun {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `deckhand` with these arguments and waits for its end. */
export async function runCommand(args: readonly string[], environment: Environment): Promise<CommandRun> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
