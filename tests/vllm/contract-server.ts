/** A real vLLM with the tiny model that sees, as the contracts want one. */
import type { ContractServer } from '../contract/model-server.ts';
import type { DeckServer } from '../contract/deck.ts';
import type { ServerProcess } from '../../testing/server-process.ts';
import { startVllm, TINY_MODELS } from './server.ts';

const WINDOW = 16_384;
const SLOTS = 4;

/** Makes it if it is not in the cache, and starts it. */
export async function contractVllm(): Promise<ServerProcess & ContractServer & DeckServer> {
  // Reading in chunks ends vLLM for the CPU at a request with a seed ("CPU Generator does not use offset").
  const whole = ['--no-enable-chunked-prefill', '--max-num-batched-tokens', String(WINDOW)];
  const options = [
    ...whole,
    '--enable-log-requests',
    '--structured-outputs-config',
    '{"backend": "xgrammar", "disable_any_whitespace": true}',
  ];
  const server = await startVllm({ model: 'vision', windowTokens: WINDOW, slots: SLOTS, extraArgs: options });
  return {
    ...server,
    kind: 'openai',
    model: TINY_MODELS.vision,
    blindModel: null,
    windowTokens: WINDOW,
    slots: SLOTS,
    refusesLongPrompts: true,
    version: /^vLLM 0\.\d+/u,
    endedRequests: async () => (await server.log()).match(/Aborted request/gu)?.length ?? 0,
  };
}
