/** Starts a real llama-server for one test file, on a free port of loopback. It reaches nothing outside. */
import getPort from 'get-port';
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts';
import { ensureLlamaServer } from './build.ts';

/** How it is started. */
interface LlamaServerOptions {
  /** Path of the weights (GGUF). */
  readonly model: string;
  /** Path of the part that sees pictures (GGUF); without it, the model sees none. */
  readonly projector?: string;
  /** Window of each slot. llama-server divides the window it is given by its slots. */
  readonly windowTokens: number;
  /** Requests that are answered at a time; others wait. */
  readonly slots: number;
  readonly extraArgs?: readonly string[];
}

/** A llama-server that runs. */
interface LlamaServer extends ServerProcess {
  readonly url: string;
}

/**
 * Builds the server if it is not in the cache, starts it and waits until the model is loaded.
 * @throws DeckhandError `dependency_missing` if it cannot be built, `service_unavailable` with the end of its log if it does not start
 */
export async function startLlamaServer(options: LlamaServerOptions): Promise<LlamaServer> {
  const { model, projector, windowTokens, slots, extraArgs = [] } = options;
  const binary = await ensureLlamaServer();
  const port = await getPort({ host: '127.0.0.1' });
  const url = `http://127.0.0.1:${port}`;
  const args = ['--offline', '--host', '127.0.0.1', '--port', String(port), '--model', model];
  if (projector !== undefined) args.push('--mmproj', projector);
  args.push('--ctx-size', String(windowTokens * slots), '--parallel', String(slots), '--metrics', '--slots', '--jinja');
  const server = await startServerProcess({
    title: 'llama-server',
    upUrl: `${url}/health`,
    commandIn: (home) => [`HOME=${home}`, binary, ...args, ...extraArgs],
  });
  return { ...server, url };
}
