/**
 * Memory that a model's cache of keys and values takes, from what the model's file says of itself.
 *
 * A layer keeps a key and a value per head and token: (key size + value size) × heads × 2 bytes × tokens. Three things make it less:
 * - A layer that looks back over a window keeps that window and a batch. Which layers do is in the file of newer architectures
 *   (`sliding_window_pattern`), and known of older ones.
 * - A layer of linear attention, or a recurrent one, keeps a state of fixed size (`full_attention_interval`, or no heads for its number).
 * - The last layers of some architectures use the cache of earlier ones (`shared_kv_layers`).
 *
 * The formula is that of Ollama 0.24 (`GraphSize` in `fs/ggml/ggml.go`, cells in `kvcache/causal.go`, states in `convert_qwen3next.go`).
 * Where an architecture keeps less in a way that its file does not say, the figure is too large, never too small: windows of architectures
 * that are not listed here count as whole, and a value that is part of the key (DeepSeek's) counts beside it.
 */

/** Facts of a model's file, by the names of GGUF: `gemma3.block_count`. An array that a server left out is null. */
export type ModelFacts = Readonly<Record<string, unknown>>;

/** Bytes of one number of the cache by its type (OLLAMA_KV_CACHE_TYPE); quantised types carry a scale for each block of 32. */
const CACHE_BYTES: Readonly<Record<string, number>> = { f16: 2, q8_0: 34 / 32, q4_0: 18 / 32 };
/** Of so many layers one looks back over everything, where the file does not say which. */
const FULL_LAYER_EVERY: Readonly<Record<string, number>> = {
  gemma2: 2,
  gemma3: 6,
  gemma3n: 5,
  gptoss: 2,
  'gpt-oss': 2,
};
/** Tokens that layers with a window keep at least. */
const LEAST_KEPT_TOKENS: Readonly<Record<string, number>> = { gptoss: 4096, 'gpt-oss': 4096, gemma4: 4096 };
/** Size of a head where the file leaves it out, and it is not the width of the model divided by its heads. */
const HEAD_SIZE: Readonly<Record<string, number>> = { gemma2: 256, gemma3: 256, gemma3n: 256 };
/** Tokens that are read at once, which a window keeps besides its own. */
const BATCH_TOKENS = 512;
/** States of recurrent layers are kept in full precision. */
const STATE_BYTES = 4;
/** No model has as many; a file that claims more is not believed. */
const MOST_LAYERS = 2048;

/** Cache of one layer. */
interface LayerCache {
  /** Numbers per token. */
  readonly width: number;
  /** Tokens that it keeps at most; null = all. */
  readonly windowTokens: number | null;
  /** Numbers that it keeps whatever the tokens. */
  readonly state: number;
}

/** Cache of every layer, or the name of the fact without which it is not known. */
type CacheShape = readonly LayerCache[] | { readonly missing: string };

/**
 * Bytes of the cache of one parallel call; null when the model does not say enough.
 *
 * @param tokens window the model is loaded with
 * @param cacheType as Ollama names it; `f16` unless set
 */
export function kvCacheBytes(facts: ModelFacts, tokens: number, cacheType = 'f16'): number | null {
  const shape = cacheShape(facts);
  if ('missing' in shape) return null;
  const bytesPerNumber = CACHE_BYTES[cacheType] ?? CACHE_BYTES['f16'] ?? 2;
  return shape.reduce((sum, { width, windowTokens, state }) => {
    const kept = windowTokens === null ? tokens : Math.min(tokens, windowTokens);
    return sum + width * bytesPerNumber * kept + state * STATE_BYTES;
  }, 0);
}

/** The fact that is missing to know the cache, such as `attention.head_count_kv`; null = nothing is. */
export function missingForCache(facts: ModelFacts): string | null {
  const shape = cacheShape(facts);
  return 'missing' in shape ? shape.missing : null;
}

function cacheShape(facts: ModelFacts): CacheShape {
  const architecture = facts['general.architecture'];
  if (typeof architecture !== 'string') return { missing: 'general.architecture' };
  const fact = (name: string): unknown => facts[`${architecture}.${name}`];
  const number = (name: string): number | null => positive(fact(name));
  const layers = number('block_count');
  if (layers === null || !Number.isInteger(layers) || layers > MOST_LAYERS) return { missing: 'block_count' };
  const heads = listOf(fact('attention.head_count'), layers);
  const width = number('embedding_length');
  const mostHeads = heads === null ? 0 : Math.max(...heads);
  const keySize =
    number('attention.key_length') ??
    HEAD_SIZE[architecture] ??
    (width !== null && mostHeads > 0 ? width / mostHeads : null);
  if (keySize === null) return { missing: 'attention.key_length' };
  const valueSize = number('attention.value_length') ?? keySize;
  const kvHeads = kvHeadsOf(fact('attention.head_count_kv'), heads, layers, number('full_attention_interval'));
  if (kvHeads === null) return { missing: 'attention.head_count_kv' };
  const isLocal = localLayers(architecture, fact('attention.sliding_window_pattern'), layers);
  const window = number('attention.sliding_window');
  if (window !== null && isLocal === null) return { missing: 'attention.sliding_window_pattern' };
  const localSize =
    (number('attention.key_length_swa') ?? keySize) + (number('attention.value_length_swa') ?? valueSize);
  const windowTokens = Math.max(window ?? 0, LEAST_KEPT_TOKENS[architecture] ?? 0) + BATCH_TOKENS;
  const state = stateOf(number);
  const ownLayers = layers - (number('attention.shared_kv_layers') ?? 0);
  return kvHeads.slice(0, Math.max(0, ownLayers)).map((count, layer) => {
    if (count === 0) return { width: 0, windowTokens: null, state };
    if (window !== null && isLocal?.[layer] === true) return { width: count * localSize, windowTokens, state: 0 };
    return { width: count * (keySize + valueSize), windowTokens: null, state: 0 };
  });
}

/** Numbers that a recurrent layer keeps: its convolution's last inputs, and its state. 0 where the file says nothing of either. */
function stateOf(number: (name: string) => number | null): number {
  const inner = number('ssm.inner_size') ?? 0;
  const state = number('ssm.state_size') ?? 0;
  const steps = Math.max(0, (number('ssm.conv_kernel') ?? 1) - 1);
  return steps * (inner + 2 * (number('ssm.group_count') ?? 0) * state) + state * inner;
}

/** Heads with a key and a value for each layer; 0 = the layer is recurrent. Null = not known. */
function kvHeadsOf(
  value: unknown,
  heads: readonly number[] | null,
  layers: number,
  fullEvery: number | null,
): readonly number[] | null {
  const counts = value === undefined ? heads : listOf(value, layers);
  if (counts === null) return null;
  if (fullEvery === null || counts.includes(0)) return counts;
  return counts.map((count, layer) => ((layer + 1) % fullEvery === 0 ? count : 0));
}

/** Which layers look back over a window only. Null = the file says it, but the server left it out. */
function localLayers(architecture: string, pattern: unknown, layers: number): readonly boolean[] | null {
  if (Array.isArray(pattern) && pattern.length >= layers && pattern.every((one) => typeof one === 'boolean'))
    return pattern;
  const known = FULL_LAYER_EVERY[architecture];
  const every = positive(pattern) ?? known;
  if (every === undefined && pattern !== undefined) return null;
  return Array.from({ length: layers }, (_, layer) => (layer + 1) % (every ?? 1) !== 0);
}

const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** One number for all layers, or one for each. */
function listOf(value: unknown, layers: number): readonly number[] | null {
  const one = positive(value);
  if (one !== null) return Array<number>(layers).fill(one);
  if (!Array.isArray(value) || value.length < layers) return null;
  const each: unknown[] = value.slice(0, layers);
  return each.every(isCount) ? each : null;
}
