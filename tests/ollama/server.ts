/**
 * Starts a real Ollama server for one test file, on a free port and with the two tiny models.
 *
 * The server reaches nothing outside (no cloud, no registry). Everything it writes lies in a folder that is removed when it stops. The
 * models have random weights: their answers are valid under a schema and mean nothing.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { DeckhandError } from '../../domain/errors.ts';
import { lastLogLines } from '../../runtime/supervisor/child-logs.ts';
import { ensureRealOllama } from './build.ts';

const run = promisify(execFile);
const MODELS_DIR = join(dirname(fileURLToPath(import.meta.url)), 'models');

/** Building takes minutes the first time. */
export const BUILD_TIMEOUT_MS = 20 * 60_000;
/** The models every such server has. `text` cannot see. */
export const TINY_MODELS = { text: 'tiny-text', vision: 'tiny-vision' } as const;
const LOG_END_LINES = 40;
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

export interface RealOllama {
  readonly host: string;
  readonly pid: number;
  /** Pids of the model runners, which are children of the server. */
  runners(): Promise<number[]>;
  /** Creates a model of that name. @param modelfile its text; files are named by their whole paths */
  create(model: string, modelfile: string): Promise<void>;
  /** All of its log. */
  log(): Promise<string>;
  /** The last lines of its log. */
  logEnds(): string;
  /** Kills the server and its runners with -9. */
  kill(): void;
  stop(): Promise<void>;
}

/**
 * Builds the server if it is not in the cache, starts it and creates the tiny models.
 * @param windowTokens window of a model where a request says none
 * @throws DeckhandError `dependency_missing` if it cannot be built, `service_unavailable` with the end of its log if it does not start.
 */
export async function startRealOllama(windowTokens?: number): Promise<RealOllama> {
  const binary = await ensureRealOllama();
  const home = await mkdtemp(join(tmpdir(), 'deckhand-ollama-'));
  const port = await getPort({ host: '127.0.0.1' });
  const address = `127.0.0.1:${port}`;
  const settings = [
    `HOME=${home}`,
    `OLLAMA_MODELS=${join(home, 'models')}`,
    `OLLAMA_HOST=${address}`,
    'OLLAMA_NO_CLOUD=1',
    'OLLAMA_NUM_PARALLEL=4',
    'OLLAMA_KEEP_ALIVE=-1',
    ...(windowTokens === undefined ? [] : [`OLLAMA_CONTEXT_LENGTH=${windowTokens}`]),
  ];
  const logPath = join(home, 'serve.log');
  const log = await open(logPath, 'a');
  // `env` adds to the inherited environment without reading it here, and becomes the server itself.
  // A process group of its own: runners outlive a server that crashes, and are ended with the group.
  const child = spawn('env', [...settings, binary, 'serve'], { stdio: ['ignore', log.fd, log.fd], detached: true });
  await log.close();
  const killAtExit = (): void => killGroup(child);
  process.once('exit', killAtExit);
  const stop = async (): Promise<void> => {
    process.off('exit', killAtExit);
    await endProcess(child);
    await rm(home, { recursive: true, force: true });
  };
  const createFrom = async (model: string, file: string): Promise<void> => {
    await run('env', [...settings, binary, 'create', model, '-f', file], { cwd: MODELS_DIR });
  };
  try {
    await waitUntilUp(`http://${address}`, child, logPath);
    for (const model of Object.values(TINY_MODELS)) await createFrom(model, `${model}.modelfile`);
  } catch (error) {
    await stop();
    throw error;
  }
  const pid = child.pid ?? 0;
  const create = async (model: string, modelfile: string): Promise<void> => {
    const file = join(home, `${model}.modelfile`);
    await writeFile(file, modelfile);
    await createFrom(model, file);
  };
  const logEnds = (): string =>
    `\nthe end of Ollama's log:\n${lastLogLines(home, 'serve', LOG_END_LINES).join('\n')}\n`;
  return {
    host: `http://${address}`,
    pid,
    runners: () => childrenOf(pid),
    create,
    log: () => readFile(logPath, 'utf8'),
    logEnds,
    kill: () => killGroup(child),
    stop,
  };
}

async function waitUntilUp(host: string, child: ChildProcess, logPath: string): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const up = await fetch(`${host}/api/version`).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return;
    if (child.exitCode !== null || performance.now() > deadlineMs) {
      const tail = (await readFile(logPath, 'utf8')).slice(-2000);
      throw new DeckhandError('service_unavailable', `the real Ollama did not start:\n${tail}`);
    }
    await sleep(50);
  }
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

/** Children of all threads of a process, read from /proc (Linux, like the build itself). */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(threads.map((tid) => readFile(`/proc/${pid}/task/${tid}/children`, 'utf8')));
  return lists.flatMap((list) => list.trim().split(/\s+/).filter(Boolean).map(Number));
}
