/**
 * Runs a command once and waits for it, with its output in a log: database creation, migrations, builds.
 *
 * It runs behind the same guard as a child, so it does not outlive the supervisor either.
 */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync } from 'node:fs';
import { DeckhandError } from '../../domain/errors.ts';
import { lastLogLines, logPath, openLog } from './child-logs.ts';
import { failureOf, guarded, RELEASE_LINE } from './guard.ts';
import type { Launch } from './managed-child.ts';
import { endProcess, identify } from '../../platform/processes/process-identity.ts';

/** What to say when it fails. */
export interface RunToEndOptions {
  readonly logDir: string;
  /** Names the log. */
  readonly name: string;
  /** For people: `Preparing the database`. */
  readonly what: string;
  readonly hint?: string;
  /** Ends the command; the promise settles once it has ended. */
  readonly signal?: AbortSignal;
}

const STOP_GRACE_MS = 1_000;

/**
 * Runs a command to its end.
 *
 * @throws DeckhandError `service_unavailable` with the last lines of its output when it does not end with 0, `cancelled` on abort
 */
export async function runToEnd(launch: Launch, options: RunToEndOptions): Promise<void> {
  const line = guarded(launch.command, launch.args, { stopSignal: 'SIGTERM', stopGraceMs: STOP_GRACE_MS });
  const log = openLog(options.logDir, options.name);
  const fromByte = fstatSync(log).size;
  const child = spawn(line.command, line.args, {
    cwd: launch.cwd,
    env: launch.env,
    stdio: ['pipe', log, log],
    detached: true,
  });
  closeSync(log);
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  const giveUp = (): void => {
    if (identity !== undefined) void endProcess(identity, 'SIGTERM', STOP_GRACE_MS);
  };
  options.signal?.addEventListener('abort', giveUp, { once: true });
  if (options.signal?.aborted === true) giveUp();
  child.stdin?.on('error', () => undefined);
  const reason = await failureOf(child);
  child.stdin?.end(RELEASE_LINE);
  options.signal?.removeEventListener('abort', giveUp);
  if (options.signal?.aborted === true) throw new DeckhandError('cancelled', `${options.what} was given up`);
  if (reason === undefined) return;
  const tail = lastLogLines(options.logDir, options.name, 6, fromByte).join('\n');
  throw new DeckhandError('service_unavailable', `${options.what} failed: ${reason}\n${tail}`, {
    userMessage: `${options.what} failed.${tail === '' ? '' : ` The last lines:\n${tail}`}`,
    hint: options.hint ?? `The whole output is in ${logPath(options.logDir, options.name)}.`,
  });
}
