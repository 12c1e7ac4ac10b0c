/**
 * Graphics memory that a model needs, and what it can do, before it was ever loaded.
 *
 * Weights are the size of the files: whatever quantisation they have, they are in memory as they are on disk; of a mixture of experts all are.
 * The cache of one parallel call follows from the shape of the model's layers (kv-cache.ts).
 */
import { kvCacheBytes, missingForCache, type ModelFacts } from './kv-cache.ts';

const GIB = 1024 ** 3;

/** Facts of a model from one source. */
export interface FootprintFacts {
  /** By the names of GGUF; empty where the source does not say. */
  readonly facts: ModelFacts;
  readonly weightsBytes: number | null;
  /** By which it is pinned: hex SHA-256 as a server lists it. Files have none before they are on a server. */
  readonly digest: string | null;
  /** The part that looks at pictures is a file beside the weights; null = the source does not say. */
  readonly hasProjector: boolean | null;
  /** The template of a conversation; undefined = the source does not say, null = the model has none. */
  readonly template: string | null | undefined;
  /** Capabilities of the model as a server lists them (`vision`, `thinking`); left out where no server was asked. */
  readonly capabilities?: readonly string[];
}

/** Known properties of a model. Null = not known. */
export interface ModelFootprint {
  readonly architecture: string | null;
  readonly digest: string | null;
  readonly weightsGib: number | null;
  /** GiB of the cache of one parallel call whose prompt and answer have so many tokens together. */
  kvCacheGibPerSlot(windowTokens: number): number | null;
  /** Longest window that it was trained with, tokens. */
  readonly trainedWindow: number | null;
  /** It looks at pictures. */
  readonly sees: boolean | null;
  /** It can write what it thinks before it answers; by its template, where no server was asked. */
  readonly thinks: boolean | null;
  /** It was trained to follow instructions: it has a template of a conversation. A base model goes on writing. */
  readonly followsInstructions: boolean | null;
  /** Names of what the source does not say. */
  readonly unknown: readonly string[];
}

/** Names of what may not be known, for people. */
const WORDS = {
  architecture: 'the architecture',
  digest: 'the digest',
  weightsGib: 'the size of its weights',
  trainedWindow: 'the window it was trained with',
  sees: 'whether it looks at pictures',
  thinks: 'whether it thinks before it answers',
  followsInstructions: 'whether it follows instructions',
} as const;

/** See the file's header. */
export function footprintOf(source: FootprintFacts): ModelFootprint {
  const { facts, weightsBytes, digest, hasProjector, template, capabilities } = source;
  const architecture = typeof facts['general.architecture'] === 'string' ? facts['general.architecture'] : null;
  const window = architecture === null ? undefined : facts[`${architecture}.context_length`];
  const missing = missingForCache(facts);
  const known: Omit<ModelFootprint, 'kvCacheGibPerSlot' | 'unknown'> = {
    architecture,
    digest,
    weightsGib: weightsBytes === null || weightsBytes <= 0 ? null : weightsBytes / GIB,
    trainedWindow: typeof window === 'number' && window > 0 ? window : null,
    sees: capabilities?.includes('vision') ?? looksAtPictures(facts, architecture, hasProjector),
    thinks: capabilities?.includes('thinking') ?? thinksAloud(architecture, template),
    followsInstructions: template === undefined ? null : template !== null,
  };
  return {
    ...known,
    kvCacheGibPerSlot: (windowTokens) => {
      const bytes = kvCacheBytes(facts, windowTokens);
      return bytes === null ? null : bytes / GIB;
    },
    unknown: [
      ...Object.entries(WORDS).flatMap(([name, words]) => (known[name as keyof typeof WORDS] === null ? [words] : [])),
      ...(missing === null ? [] : [`the cache of a call (\`${missing}\` is not said)`]),
    ],
  };
}

function looksAtPictures(facts: ModelFacts, architecture: string | null, hasProjector: boolean | null): boolean | null {
  if (hasProjector === true || architecture === 'clip' || architecture === 'mmproj') return true;
  if (Object.keys(facts).some((key) => key.includes('.vision.'))) return true;
  // Without a projector beside it, a file that says nothing of pictures sees none.
  return architecture === null || hasProjector === null ? null : false;
}

/** Models that think have a template that says how their thoughts are marked, or whether they are to think. */
function thinksAloud(architecture: string | null, template: string | null | undefined): boolean | null {
  if (architecture === 'gptoss' || architecture === 'gpt-oss') return true;
  if (template === undefined) return null;
  return template !== null && /think|reasoning_content|<\|channel\|?>/iu.test(template);
}

/** Up to the next tenth, so that a configured need is read easily and never too small. */
export const upToTenth = (gib: number): number => Math.ceil(gib * 10 - 1e-9) / 10;
