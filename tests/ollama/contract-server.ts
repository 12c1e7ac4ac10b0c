/** A real Ollama as the contracts of model servers want one, by either of its protocols. */
import type { ServerKind } from '../../domain/models/server-kind.ts';
import type { ContractServer } from '../contract/model-server.ts';
import type { DeckServer } from '../contract/deck.ts';
import { type RealOllama, startRealOllama, TINY_MODELS } from './server.ts';

const WINDOW = 16_384;
/** Written when a request has ended, on its server or on its client's side. */
const ENDED = /POST\s+"\/(?:api\/chat|v1\/chat\/completions)"/gu;

/** @param kind protocol by which it is asked */
export async function contractOllama(kind: ServerKind): Promise<RealOllama & ContractServer & DeckServer> {
  const server = await startRealOllama(WINDOW);
  const nameOf = (model: string): string => (kind === 'ollama' ? model : `${model}:latest`);
  return {
    ...server,
    kind,
    url: server.host,
    model: nameOf(TINY_MODELS.vision),
    blindModel: nameOf(TINY_MODELS.text),
    windowTokens: WINDOW,
    slots: 4,
    // By OpenAI's protocol it cuts them without a word.
    refusesLongPrompts: kind === 'ollama',
    version: kind === 'ollama' ? /^0\.24/u : /^OpenAI protocol/u,
    endedRequests: async () => (await server.log()).match(ENDED)?.length ?? 0,
  };
}
