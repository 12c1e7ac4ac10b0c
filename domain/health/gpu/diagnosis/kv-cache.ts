/**
 * Memory that a model's cache of keys and values takes, from what the model's file says of itself (`model_info` of `/api/show`).
 *
 * Each layer keeps a key and a value per head and token. Models whose layers mostly look back over a window only keep that window (and a batch)
 * in those; how many of their layers look back over all is part of the architecture and not in the file.
 */

/** Bytes of one number of the cache by its type (OLLAMA_KV_CACHE_TYPE); quantised types carry a scale for each block of 32. */
const CACHE_BYTES: Readonly<Record<string, number>> = { f16: 2, q8_0: 34 / 32, q4_0: 18 / 32 };
/** Of so many layers one looks back over everything. */
const FULL_LAYER_EVERY: Readonly<Record<string, number>> = {
  gemma2: 2,
  gemma3: 6,
  gemma3n: 5,
  gptoss: 2,
  'gpt-oss': 2,
  mistral3: 1,
};
/** Tokens that are read at once, which a window keeps besides its own. */
const BATCH_TOKENS = 512;

type ModelInfo = Readonly<Record<string, unknown>>;

/**
 * Bytes of the cache of one parallel call; null when the model does not say enough.
 *
 * @param tokens window the model is loaded with
 * @param cacheType as Ollama names it; `f16` unless set
 */
export function kvCacheBytes(info: ModelInfo, tokens: number, cacheType = 'f16'): number | null {
  const architecture = info['general.architecture'];
  if (typeof architecture !== 'string') return null;
  const number = (name: string): number | null => positive(info[`${architecture}.${name}`]);
  const layers = number('block_count');
  const heads = number('attention.head_count');
  const embedding = number('embedding_length');
  const headSize = number('attention.key_length') ?? (embedding !== null && heads !== null ? embedding / heads : null);
  const valueSize = number('attention.value_length') ?? headSize;
  if (layers === null || headSize === null || valueSize === null) return null;
  const kvHeads =
    headsOf(info[`${architecture}.attention.head_count_kv`], layers) ??
    (heads === null ? null : Array<number>(layers).fill(heads));
  if (kvHeads === null) return null;
  const window = number('attention.sliding_window');
  const every = FULL_LAYER_EVERY[architecture] ?? 1;
  const bytesPerNumber = CACHE_BYTES[cacheType] ?? CACHE_BYTES['f16'] ?? 2;
  return kvHeads.reduce((sum, headCount, layer) => {
    const isFull = window === null || (layer + 1) % every === 0;
    const kept = isFull ? tokens : Math.min(tokens, window + BATCH_TOKENS);
    return sum + headCount * (headSize + valueSize) * bytesPerNumber * kept;
  }, 0);
}

const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;

/** One number for all layers, or one for each. */
function headsOf(value: unknown, layers: number): readonly number[] | null {
  const one = positive(value);
  if (one !== null) return Array<number>(layers).fill(one);
  if (!Array.isArray(value) || value.length === 0) return null;
  const each: unknown[] = value;
  return each.every((count) => typeof count === 'number' && count >= 0) ? (each as number[]) : null;
}
