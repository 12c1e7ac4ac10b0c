/** Model servers that `deckhand bench models` compares: one of a person, or the real ones that the tests start. */
import type { ServerKind } from '../../domain/models/server-kind.ts';
import { isLlamaServerBuilt } from '../../tests/llama-server/build.ts';
import { contractLlamaServer } from '../../tests/llama-server/contract-server.ts';
import { isOllamaBuilt } from '../../tests/ollama/build.ts';
import { contractOllama } from '../../tests/ollama/contract-server.ts';
import { contractVllm } from '../../tests/vllm/contract-server.ts';
import { isVllmMade } from '../../tests/vllm/environment.ts';

/** A server that runs, and its model. */
export interface RunningServer {
  readonly kind: ServerKind;
  readonly url: string;
  /** As the server calls it. */
  readonly model: string;
  /** Looks at slides, where the model sees none. */
  readonly visual?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Whether slides may leave the network for it; absent = they may not. */
  readonly dataLeavesHost?: boolean | undefined;
  /** Window to ask for; absent = as it is found. */
  readonly windowTokens?: number;
  stop(): Promise<void>;
}

/** A server to measure. */
export interface BenchedServer {
  /** Before its figures. */
  readonly name: string;
  /** Whether it is started here, with nothing in its cache each time; else it runs already, and `start` and `stop` do nothing. */
  readonly isOwn: boolean;
  start(): Promise<RunningServer>;
}

/** A real server that the tests know, with a tiny model of random weights, whose words mean nothing. Ollama and llama-server have the same one. */
interface KnownServer {
  readonly name: string;
  readonly start: () => Promise<RunningServer>;
  readonly isCached: () => boolean;
  /** Command that makes it. */
  readonly build: string;
}

const OLLAMA = { isCached: isOllamaBuilt, build: 'node tests/ollama/build.ts' };
const KNOWN: readonly KnownServer[] = [
  { name: 'Ollama', start: () => contractOllama('ollama'), ...OLLAMA },
  { name: "Ollama by OpenAI's protocol", start: () => contractOllama('openai'), ...OLLAMA },
  {
    name: 'llama-server',
    start: contractLlamaServer,
    isCached: isLlamaServerBuilt,
    build: 'node tests/llama-server/build.ts',
  },
  { name: 'vLLM', start: contractVllm, isCached: isVllmMade, build: 'node tests/vllm/environment.ts' },
];

/** The servers in the cache. @param tell is told which are not, and how they get there */
export function cachedServers(tell: (line: string) => void): readonly BenchedServer[] {
  return KNOWN.flatMap(({ name, start, isCached, build }) => {
    if (isCached()) return [{ name, isOwn: true, start }];
    tell(`${name} is left out, as it is not in the cache; make it with: ${build}`);
    return [];
  });
}
