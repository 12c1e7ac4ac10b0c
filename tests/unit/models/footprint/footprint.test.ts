/** The need of models, from their published shapes, and the same from a configuration beside safetensors files. */
import { expect, it } from 'vitest';
import { footprintOf, upToTenth, type FootprintFacts } from '../../../../domain/models/footprint/footprint.ts';
import { kvCacheBytes, missingForCache, type ModelFacts } from '../../../../domain/models/footprint/kv-cache.ts';
import { configFacts } from '../../../../domain/models/footprint/safetensors.ts';

const GIB = 1024 ** 3;

/** Facts of an architecture by their short names. */
const shape = (architecture: string, values: Readonly<Record<string, unknown>>): ModelFacts => ({
  'general.architecture': architecture,
  ...Object.fromEntries(Object.entries(values).map(([key, value]) => [`${architecture}.${key}`, value])),
});
const source = (facts: ModelFacts, weightsBytes: number | null): FootprintFacts => ({
  facts,
  weightsBytes,
  digest: null,
  hasProjector: null,
  template: undefined,
});

const GEMMA3_12B = shape('gemma3', {
  block_count: 48,
  context_length: 131_072,
  'attention.head_count': 16,
  'attention.head_count_kv': 8,
  'attention.key_length': 256,
  'attention.value_length': 256,
  'attention.sliding_window': 1024,
  'vision.block_count': 27,
});
const PHI4 = shape('phi3', {
  block_count: 40,
  context_length: 16_384,
  embedding_length: 5120,
  'attention.head_count': 40,
  'attention.head_count_kv': 10,
});
const QWEN25_7B = shape('qwen2', {
  block_count: 28,
  embedding_length: 3584,
  'attention.head_count': 28,
  'attention.head_count_kv': 4,
});
const QWEN3_30B_A3B = shape('qwen3moe', {
  block_count: 48,
  embedding_length: 2048,
  expert_count: 128,
  'attention.head_count': 32,
  'attention.head_count_kv': 4,
  'attention.key_length': 128,
  'attention.value_length': 128,
});
const QWEN3_NEXT_80B = shape('qwen3next', {
  block_count: 48,
  embedding_length: 2048,
  full_attention_interval: 4,
  'attention.head_count': 16,
  'attention.head_count_kv': 2,
  'attention.key_length': 256,
  'attention.value_length': 256,
  'ssm.inner_size': 4096,
  'ssm.state_size': 128,
  'ssm.group_count': 16,
  'ssm.conv_kernel': 4,
});

it.each([
  // Bytes as Ollama's library shows them, to two digits.
  ['gemma3:12b, five of six layers with a window', GEMMA3_12B, 8_100_000_000, 32_768, 7.6, 2.5],
  ['phi4, every layer keeps all', PHI4, 9_100_000_000, 16_384, 8.5, 3.2],
  ['Qwen2.5 7B, seven heads share a key', QWEN25_7B, 4_700_000_000, 32_768, 4.4, 1.8],
  ['Qwen3 30B A3B, a mixture of experts', QWEN3_30B_A3B, 19_000_000_000, 32_768, 17.7, 3],
  ['Qwen3-Next 80B, one of four layers keeps tokens', QWEN3_NEXT_80B, 50_000_000_000, 32_768, 46.6, 0.9],
])('%s: the need at its window', (_, facts, weightsBytes, window, weightsGib, kvCacheGibPerSlot) => {
  const footprint = footprintOf(source(facts, weightsBytes));
  expect(upToTenth(footprint.weightsGib ?? 0)).toBe(weightsGib);
  expect(upToTenth(footprint.kvCacheGibPerSlot(window) ?? 0)).toBe(kvCacheGibPerSlot);
});

it('the cache is exactly the formula', () => {
  expect((kvCacheBytes(GEMMA3_12B, 32_768) ?? 0) / GIB).toBeCloseTo(2.47, 2);
  expect((kvCacheBytes(GEMMA3_12B, 32_768, 'q8_0') ?? 0) / GIB).toBeCloseTo(2.47 * (34 / 64), 2);
  expect((kvCacheBytes(PHI4, 16_384) ?? 0) / GIB).toBe(3.125);
  expect((kvCacheBytes(QWEN25_7B, 32_768) ?? 0) / GIB).toBe(1.75);
  expect((kvCacheBytes(QWEN3_30B_A3B, 32_768) ?? 0) / GIB).toBe(3);
  // Gemma 3 270M as its file has it.
  const small = shape('gemma3', {
    block_count: 18,
    embedding_length: 640,
    'attention.head_count': 4,
    'attention.head_count_kv': 1,
    'attention.key_length': 256,
    'attention.value_length': 256,
    'attention.sliding_window': 512,
  });
  expect(kvCacheBytes(small, 32_768)).toBe((3 * 32_768 + 15 * 1024) * 512 * 2);
  const state = 36 * (3 * (4096 + 2 * 16 * 128) + 128 * 4096) * 4;
  expect(kvCacheBytes(QWEN3_NEXT_80B, 32_768)).toBe(12 * 2 * 512 * 2 * 32_768 + state);
  // As Ollama itself writes this model: heads for each layer, no interval.
  const heads = Array.from({ length: 48 }, (__, layer) => (layer % 4 === 3 ? 2 : 0));
  const written = { ...QWEN3_NEXT_80B, 'qwen3next.attention.head_count_kv': heads };
  expect(kvCacheBytes(written, 32_768)).toBe(kvCacheBytes(QWEN3_NEXT_80B, 32_768));
});

it('the file says which layers have a window, how large their heads are, and which have no cache of their own', () => {
  const pattern = [true, true, false, true, true, false];
  const gemma4 = shape('gemma4', {
    block_count: 6,
    'attention.head_count': 8,
    'attention.head_count_kv': [4, 4, 2, 4, 4, 2],
    'attention.key_length': 512,
    'attention.value_length': 512,
    'attention.key_length_swa': 256,
    'attention.value_length_swa': 256,
    'attention.sliding_window': 1024,
    'attention.sliding_window_pattern': pattern,
    'attention.shared_kv_layers': 3,
  });
  expect(kvCacheBytes(gemma4, 32_768)).toBe(2 * (4 * 512 * (4096 + 512)) * 2 + 2 * 1024 * 32_768 * 2);
  expect(kvCacheBytes(gemma4, 2048)).toBe((2 * 4 * 512 + 2 * 1024) * 2048 * 2);
});

it('what is not said is unknown by name, never guessed', () => {
  expect(missingForCache({})).toBe('general.architecture');
  expect(missingForCache(shape('rules', {}))).toBe('block_count');
  expect(missingForCache({ ...PHI4, 'phi3.block_count': 4_000_000_000 })).toBe('block_count');
  // A server leaves lists out of a short answer.
  expect(missingForCache({ ...QWEN3_NEXT_80B, 'qwen3next.attention.head_count_kv': null })).toBe(
    'attention.head_count_kv',
  );
  expect(missingForCache({ ...PHI4, 'phi3.attention.head_count_kv': [10] })).toBe('attention.head_count_kv');
  const windows = { ...PHI4, 'phi3.attention.sliding_window': 2047, 'phi3.attention.sliding_window_pattern': null };
  expect(missingForCache(windows)).toBe('attention.sliding_window_pattern');
  // Of the layers of this architecture it is known.
  expect(missingForCache({ ...GEMMA3_12B, 'gemma3.attention.sliding_window_pattern': null })).toBeNull();
  const nothing = footprintOf(source({}, null));
  expect(nothing).toMatchObject({ weightsGib: null, digest: null, trainedWindow: null, sees: null });
  expect(nothing.kvCacheGibPerSlot(1024)).toBeNull();
  expect(nothing.unknown).toContain('the size of its weights');
  expect(nothing.unknown).toContain('the cache of a call (`general.architecture` is not said)');
});

it('pictures, thoughts and instructions follow from the file', () => {
  const of = (extra: Partial<FootprintFacts>): unknown => {
    const { sees, thinks, followsInstructions, trainedWindow } = footprintOf({ ...source(PHI4, 1), ...extra });
    return { sees, thinks, followsInstructions, trainedWindow };
  };
  expect(of({})).toEqual({ sees: null, thinks: null, followsInstructions: null, trainedWindow: 16_384 });
  expect(of({ hasProjector: false, template: null })).toMatchObject({
    sees: false,
    thinks: false,
    followsInstructions: false,
  });
  expect(of({ hasProjector: true, template: '{% if enable_thinking %}' })).toMatchObject({
    sees: true,
    thinks: true,
    followsInstructions: true,
  });
  expect(of({ facts: GEMMA3_12B, template: '<start_of_turn>' })).toMatchObject({ sees: true, thinks: false });
  expect(of({ capabilities: ['completion', 'thinking'] })).toMatchObject({ sees: false, thinks: true });
  expect(footprintOf(source(PHI4, 1)).unknown).toEqual([
    'the digest',
    'whether it looks at pictures',
    'whether it thinks before it answers',
    'whether it follows instructions',
  ]);
});

it.each([
  [
    'gemma3, whose configuration leaves out what is the same for all',
    GEMMA3_12B,
    {
      model_type: 'gemma3',
      text_config: {
        model_type: 'gemma3_text',
        hidden_size: 3840,
        num_attention_heads: 16,
        num_hidden_layers: 48,
        num_key_value_heads: 8,
        sliding_window: 1024,
      },
      vision_config: { num_hidden_layers: 27 },
    },
  ],
  [
    'Qwen2.5, which has a window that it does not use',
    QWEN25_7B,
    {
      model_type: 'qwen2',
      hidden_size: 3584,
      num_attention_heads: 28,
      num_hidden_layers: 28,
      num_key_value_heads: 4,
      sliding_window: 131_072,
      use_sliding_window: false,
    },
  ],
  [
    'Qwen3-Next, with linear attention',
    QWEN3_NEXT_80B,
    {
      model_type: 'qwen3_next',
      hidden_size: 2048,
      head_dim: 256,
      num_attention_heads: 16,
      num_hidden_layers: 48,
      num_key_value_heads: 2,
      full_attention_interval: 4,
      linear_conv_kernel_dim: 4,
      linear_key_head_dim: 128,
      linear_num_key_heads: 16,
      linear_num_value_heads: 32,
      linear_value_head_dim: 128,
    },
  ],
  [
    'the same, with a type for each layer',
    QWEN3_NEXT_80B,
    {
      model_type: 'qwen3_5_moe',
      text_config: {
        model_type: 'qwen3_5_moe_text',
        hidden_size: 2048,
        head_dim: 256,
        num_attention_heads: 16,
        num_hidden_layers: 48,
        num_key_value_heads: 2,
        layer_types: Array.from({ length: 48 }, (_, i) => (i % 4 === 3 ? 'full_attention' : 'linear_attention')),
        linear_conv_kernel_dim: 4,
        linear_key_head_dim: 128,
        linear_num_key_heads: 16,
        linear_num_value_heads: 32,
        linear_value_head_dim: 128,
      },
    },
  ],
])('a configuration gives the cache that the file gives: %s', (_, facts, config) => {
  const own = configFacts(JSON.stringify(config), 'config.json');
  expect(kvCacheBytes(own, 32_768)).toBe(kvCacheBytes(facts, 32_768));
});
