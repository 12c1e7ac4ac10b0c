/** Servers of others as processes of a test. Each has a process group, and a folder that is removed with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeckhandError } from '../domain/errors.ts';
import { lastLogLines, logPath } from '../runtime/supervisor/child-logs.ts';

const LOG_NAME = 'serve';
const LOG_END_LINES = 40;
/** It ends what hangs: some servers import for a minute on a busy machine. */
const START_TIMEOUT_MS = 4 * 60_000;
const STOP_TIMEOUT_MS = 5_000;

/** A server that runs. */
export interface ServerProcess {
  readonly pid: number;
  /** Folder for all that it writes; it runs there. */
  readonly home: string;
  /** Its whole log. */
  log(): Promise<string>;
  /** The last lines of its log, with a heading. */
  logEnds(): string;
  /** Kills the whole process group with -9. */
  kill(): void;
  /** Starts it again in the same folder, after it was killed. @throws as starting does */
  startAgain(): Promise<void>;
  /** Ends the whole process group and removes the folder. */
  stop(): Promise<void>;
}

/** A server program to start. */
interface Program {
  /** For people, such as `Ollama`. */
  readonly title: string;
  /** Answers with a status of success once the server is up. */
  readonly upUrl: string;
  /** Settings of the environment, added to the inherited ones, then the program and its arguments. */
  readonly commandIn: (home: string) => readonly string[];
}

/** Starts a server and waits until it is up. @throws DeckhandError `service_unavailable` with the end of its log if it does not start */
export async function startServerProcess({ title, upUrl, commandIn }: Program): Promise<ServerProcess> {
  const home = await mkdtemp(join(tmpdir(), 'deckhand-server-'));
  const file = logPath(home, LOG_NAME);
  const spawnIt = async (): Promise<ChildProcess> => {
    const log = await open(file, 'a');
    // `env` adds to the inherited environment without reading it here, and becomes the server itself.
    // A process group of its own: children outlive a server that crashes, and are ended with the group.
    const spawned = spawn('env', commandIn(home), { cwd: home, stdio: ['ignore', log.fd, log.fd], detached: true });
    await log.close();
    return spawned;
  };
  let child = await spawnIt();
  const killAtExit = (): void => killGroup(child);
  process.once('exit', killAtExit);
  const stop = async (): Promise<void> => {
    process.off('exit', killAtExit);
    await endProcess(child);
    await rm(home, { recursive: true, force: true });
  };
  const logEnds = (): string =>
    `\nthe end of the log of ${title}:\n${lastLogLines(home, LOG_NAME, LOG_END_LINES).join('\n')}\n`;
  const untilUp = async (): Promise<void> => {
    if (await isUp(upUrl, child)) return;
    const end = logEnds();
    await stop();
    throw new DeckhandError('service_unavailable', `${title} did not start${end}`);
  };
  await untilUp();
  return {
    pid: child.pid ?? 0,
    home,
    log: () => readFile(file, 'utf8'),
    logEnds,
    kill: () => killGroup(child),
    startAgain: async () => {
      await endProcess(child);
      child = await spawnIt();
      await untilUp();
    },
    stop,
  };
}

/** False when the process ended or the time is over. */
async function isUp(url: string, child: ChildProcess): Promise<boolean> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null && performance.now() < deadlineMs) {
    const up = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return true;
    await sleep(50);
  }
  return false;
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(patience);
  }
  killGroup(child);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // No such process: the group is empty.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
