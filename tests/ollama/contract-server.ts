/** A real Ollama as the contract of model servers wants one, by either of its protocols. */
import type { ServerKind } from '../../domain/models/server-kind.ts';
import type { ContractServer } from '../contract/model-server.ts';
import { startRealOllama, TINY_MODELS } from './server.ts';

const WINDOW = 16_384;
/** Written when a request has ended, on its server or on its client's side. */
const ENDED = /POST\s+"\/(?:api\/chat|v1\/chat\/completions)"/gu;

/** @param kind protocol by which it is asked */
export async function contractOllama(
  kind: ServerKind,
): Promise<ContractServer & { logEnds(): string; stop(): Promise<void> }> {
  const { host, log, logEnds, kill, stop } = await startRealOllama(WINDOW);
  const names =
    kind === 'ollama' ? TINY_MODELS : { text: `${TINY_MODELS.text}:latest`, vision: `${TINY_MODELS.vision}:latest` };
  return {
    kind,
    url: host,
    model: names.vision,
    blindModel: names.text,
    windowTokens: WINDOW,
    slots: 4,
    // By OpenAI's protocol it cuts them without a word.
    refusesLongPrompts: kind === 'ollama',
    endedRequests: async () => (await log()).match(ENDED)?.length ?? 0,
    kill,
    logEnds,
    stop,
  };
}
