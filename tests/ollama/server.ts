/**
 * Starts a real Ollama server for one test file, on a free port and with the two tiny models.
 *
 * The server reaches nothing outside (no cloud, no registry). Everything it writes lies in a folder that is removed when it stops. The
 * models have random weights: their answers are valid under a schema and mean nothing.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts';
import { ensureRealOllama } from './build.ts';

const run = promisify(execFile);
const MODELS_DIR = join(dirname(fileURLToPath(import.meta.url)), 'models');

/** Building takes minutes the first time. */
export const BUILD_TIMEOUT_MS = 20 * 60_000;
/** The models every such server has. `text` cannot see. */
export const TINY_MODELS = { text: 'tiny-text', vision: 'tiny-vision' } as const;

export interface RealOllama extends ServerProcess {
  readonly host: string;
  /** Pids of the model runners, which are children of the server. */
  runners(): Promise<number[]>;
  /** Creates a model of that name. @param modelfile its text; files are named by their whole paths */
  create(model: string, modelfile: string): Promise<void>;
}

/**
 * Builds the server if it is not in the cache, starts it and creates the tiny models.
 * @param windowTokens window of a model where a request says none
 * @throws DeckhandError `dependency_missing` if it cannot be built, `service_unavailable` with the end of its log if it does not start.
 */
export async function startRealOllama(windowTokens?: number): Promise<RealOllama> {
  const binary = await ensureRealOllama();
  const address = `127.0.0.1:${await getPort({ host: '127.0.0.1' })}`;
  const host = `http://${address}`;
  const settingsIn = (home: string): string[] => [
    `HOME=${home}`,
    `OLLAMA_MODELS=${join(home, 'models')}`,
    `OLLAMA_HOST=${address}`,
    'OLLAMA_NO_CLOUD=1',
    'OLLAMA_NUM_PARALLEL=4',
    'OLLAMA_KEEP_ALIVE=-1',
    ...(windowTokens === undefined ? [] : [`OLLAMA_CONTEXT_LENGTH=${windowTokens}`]),
  ];
  const server = await startServerProcess({
    title: 'Ollama',
    upUrl: `${host}/api/version`,
    commandIn: (home) => [...settingsIn(home), binary, 'serve'],
  });
  const createFrom = async (model: string, file: string): Promise<void> => {
    await run('env', [...settingsIn(server.home), binary, 'create', model, '-f', file], { cwd: MODELS_DIR });
  };
  const create = async (model: string, modelfile: string): Promise<void> => {
    const file = join(server.home, `${model}.modelfile`);
    await writeFile(file, modelfile);
    await createFrom(model, file);
  };
  try {
    for (const model of Object.values(TINY_MODELS)) await createFrom(model, `${model}.modelfile`);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, host, runners: () => childrenOf(server.pid), create };
}

/** Children of all threads of a process, read from /proc (Linux, like the build itself). */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(threads.map((tid) => readFile(`/proc/${pid}/task/${tid}/children`, 'utf8')));
  return lists.flatMap((list) => list.trim().split(/\s+/).filter(Boolean).map(Number));
}
