/** Starts a real vLLM for one test file, on a free port of loopback. It reaches nothing outside. */
import { join } from 'node:path';
import getPort from 'get-port';
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts';
import { ensureVllm, type TinyModel } from './environment.ts';

/** Names of the tiny models at a server, which has one of them. `text` cannot see. */
export const TINY_MODELS = { text: 'tiny-text', vision: 'tiny-vision' } as const satisfies Record<TinyModel, string>;

/** Folder of the file that has Python collect garbage, without which vLLM misses that a caller hung up. */
const COLLECT_GARBAGE = join(import.meta.dirname, 'collect-garbage');

/** How it is started. */
interface VllmOptions {
  /** `text` by default. */
  readonly model?: TinyModel;
  /** Window of each request, at most 131,072. */
  readonly windowTokens: number;
  /** Requests that are answered at a time; others wait. */
  readonly slots: number;
  readonly extraArgs?: readonly string[];
}

/** A vLLM that runs. */
interface VllmServer extends ServerProcess {
  readonly url: string;
}

/**
 * Makes vLLM if it is not in the cache, starts it and waits until the model is loaded: 20 seconds on two idle cores, and more than a
 * minute beside other work, as three processes import torch one after the other. They take 2.8 GB of memory.
 * @throws DeckhandError `dependency_missing` if it cannot be made, `service_unavailable` with the end of its log if it does not start
 */
export async function startVllm(options: VllmOptions): Promise<VllmServer> {
  const { model = 'text', windowTokens, slots, extraArgs = [] } = options;
  const { python, models, cache } = await ensureVllm();
  const port = await getPort({ host: '127.0.0.1' });
  const url = `http://127.0.0.1:${port}`;
  const settings = [
    `VLLM_CACHE_ROOT=${cache}`,
    'VLLM_NO_USAGE_STATS=1',
    'HF_HUB_OFFLINE=1',
    'VLLM_CPU_KVCACHE_SPACE=1',
    `PYTHONPATH=${COLLECT_GARBAGE}`,
  ];
  // The command `vllm` asks for a package of that name, and does not find it beside the one for the CPU.
  const args = ['-m', 'vllm.entrypoints.openai.api_server', '--host', '127.0.0.1', '--port', String(port)];
  args.push('--model', join(models, model), '--served-model-name', TINY_MODELS[model], '--dtype', 'float32');
  args.push('--enforce-eager', '--max-model-len', String(windowTokens), '--max-num-seqs', String(slots));
  const server = await startServerProcess({
    title: 'vLLM',
    upUrl: `${url}/health`,
    commandIn: (home) => [`HOME=${home}`, `TMPDIR=${home}`, ...settings, python, ...args, ...extraArgs],
  });
  return { ...server, url };
}
