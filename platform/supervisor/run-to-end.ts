/**
 * Runs a command once and waits for it, with its output in a log: database creation, migrations, builds.
 *
 * It runs behind the same guard as a child, so it does not outlive the supervisor either.
 */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { DeckhandError } from '../../domain/errors.ts';
import { lastLogLines, logPath, openLog } from './child-logs.ts';
import { guarded, RELEASE_LINE } from './guard.ts';
import type { Launch } from './managed-child.ts';

/** What to say when it fails. */
export interface RunToEndOptions {
  readonly logDir: string;
  /** Names the log. */
  readonly name: string;
  /** For people: `Preparing the database`. */
  readonly what: string;
  readonly hint?: string;
  readonly signal?: AbortSignal;
}

/**
 * Runs a command to its end.
 *
 * @throws DeckhandError `service_unavailable` with the last lines of its output when it does not end with 0
 */
export async function runToEnd(launch: Launch, options: RunToEndOptions): Promise<void> {
  const line = guarded(launch.command, launch.args, { stopSignal: 'SIGTERM', stopGraceMs: 2_000 });
  const log = openLog(options.logDir, options.name);
  const child = spawn(line.command, line.args, {
    cwd: launch.cwd,
    env: launch.env,
    stdio: ['pipe', log, log],
    detached: true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  closeSync(log);
  child.stdin?.on('error', () => undefined);
  const reason = await new Promise<string | undefined>((resolveExit) => {
    child.once('error', (error) => resolveExit(error.message));
    child.once('exit', (code, signal) => resolveExit(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
  child.stdin?.end(RELEASE_LINE);
  if (reason === undefined) return;
  const tail = lastLogLines(options.logDir, options.name, 6).join('\n');
  throw new DeckhandError('service_unavailable', `${options.what} failed: ${reason}\n${tail}`, {
    userMessage: `${options.what} failed.${tail === '' ? '' : ` The last lines:\n${tail}`}`,
    hint: options.hint ?? `The whole output is in ${logPath(options.logDir, options.name)}.`,
  });
}
