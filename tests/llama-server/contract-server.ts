/** A real llama-server with the tiny model that sees, as the contracts want one. */
import { resolve } from 'node:path';
import type { ContractServer } from '../contract/model-server.ts';
import type { DeckServer } from '../contract/deck.ts';
import type { ServerProcess } from '../../testing/server-process.ts';
import { startLlamaServer } from './server.ts';

const MODELS_DIR = resolve(import.meta.dirname, '../ollama/models');
const NAME = 'tiny-vision';
const WINDOW = 16_384;
const SLOTS = 4;

/** Builds it if it is not in the cache, and starts it. */
export async function contractLlamaServer(): Promise<ServerProcess & ContractServer & DeckServer> {
  const server = await startLlamaServer({
    model: resolve(MODELS_DIR, 'tiny-text.gguf'),
    projector: resolve(MODELS_DIR, 'tiny-clip.gguf'),
    windowTokens: WINDOW,
    slots: SLOTS,
    extraArgs: ['--alias', NAME, '--threads', '1'],
  });
  return {
    ...server,
    kind: 'openai',
    model: NAME,
    blindModel: null,
    windowTokens: WINDOW,
    slots: SLOTS,
    refusesLongPrompts: true,
    version: /^llama-server b\d+/u,
    endedRequests: async () => (await server.log()).match(/stop: cancel task/gu)?.length ?? 0,
  };
}
