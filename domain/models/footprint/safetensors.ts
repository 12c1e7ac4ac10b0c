/**
 * Reads what safetensors files and the configuration beside them say of a model: bytes of its weights, and the shape of its cache in the names
 * of GGUF. (https://huggingface.co/docs/safetensors: eight bytes with the header's length, then the header, which is JSON.)
 */
import { z } from 'zod';
import { DeckhandError } from '../../errors.ts';
import { plainText } from '../../text/plain-text.ts';
import { tryJson } from '../../text/json.ts';
import type { ModelFacts } from './kv-cache.ts';

/** Bytes that hold the header's length. */
export const LENGTH_BYTES = 8;
/** The format's own limit of a header. */
const MOST_HEADER_BYTES = 100_000_000;

/** Length of the header that follows. @throws DeckhandError `invalid_request` where it is no safetensors file */
export function safetensorsHeaderBytes(start: Uint8Array, name: string): number {
  if (start.byteLength < LENGTH_BYTES) throw refused(name, 'it is too short for a safetensors file');
  const length = Number(new DataView(start.buffer, start.byteOffset).getBigUint64(0, true));
  if (length < 2 || length > MOST_HEADER_BYTES)
    throw refused(name, `its header would have ${length} bytes; a safetensors file has at most ${MOST_HEADER_BYTES}`);
  return length;
}

const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const tensor = z.object({
  dtype: z.string(),
  shape: z.array(count),
  data_offsets: z.tuple([count, count]).refine(([from, to]) => to >= from),
});
const header = z.record(z.string(), z.unknown());

/** Weights of one file. */
export interface SafetensorsHeader {
  readonly weightsBytes: number;
  /** Numbers of all tensors; of packed ones the packed numbers. */
  readonly parameters: number;
}

/** Sums up a header. @param bytes the header alone @throws DeckhandError `invalid_request` */
export function readSafetensors(bytes: Uint8Array, name: string): SafetensorsHeader {
  const parsed = header.safeParse(tryJson(new TextDecoder().decode(bytes)));
  if (!parsed.success) throw refused(name, 'its header is no JSON object');
  let weightsBytes = 0;
  let parameters = 0;
  for (const [key, value] of Object.entries(parsed.data)) {
    if (key === '__metadata__') continue;
    const { data, success } = tensor.safeParse(value);
    if (!success) throw refused(name, `its tensor ${plainText(key, 100)} has no type, shape and place`);
    weightsBytes += data.data_offsets[1] - data.data_offsets[0];
    parameters += data.shape.reduce((product, one) => product * one, 1);
  }
  if (weightsBytes === 0) throw refused(name, 'it holds no tensors');
  return { weightsBytes, parameters };
}

const index = z.object({ metadata: z.object({ total_size: count }), weight_map: z.record(z.string(), z.string()) });

/** A model in several files: bytes of all weights, and the files' names. @throws DeckhandError `invalid_request` */
export function readSafetensorsIndex(
  text: string,
  name: string,
): { readonly weightsBytes: number; readonly files: readonly string[] } {
  const { data, success } = index.safeParse(tryJson(text));
  if (!success) throw refused(name, 'it is no index of safetensors files');
  return { weightsBytes: data.metadata.total_size, files: [...new Set(Object.values(data.weight_map))] };
}

// A value that is null, or no value at all, is not said.
const positive = z.number().positive().finite().optional().catch(undefined);
const textConfig = z.object({
  model_type: z.string().optional(),
  num_hidden_layers: positive,
  num_attention_heads: positive,
  num_key_value_heads: positive,
  head_dim: positive,
  global_head_dim: positive,
  num_global_key_value_heads: positive,
  num_kv_shared_layers: positive,
  hidden_size: positive,
  max_position_embeddings: positive,
  sliding_window: positive,
  sliding_window_pattern: positive,
  use_sliding_window: z.boolean().optional().catch(undefined),
  layer_types: z.array(z.string()).optional().catch(undefined),
  full_attention_interval: positive,
  linear_conv_kernel_dim: positive,
  linear_key_head_dim: positive,
  linear_value_head_dim: positive,
  linear_num_key_heads: positive,
  linear_num_value_heads: positive,
  kv_lora_rank: positive,
  qk_rope_head_dim: positive,
});
const config = textConfig.extend({
  text_config: textConfig.optional().catch(undefined),
  vision_config: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/**
 * The configuration of a model (`config.json`) in the names of GGUF.
 *
 * @throws DeckhandError `invalid_request` where it is no configuration of a model
 */
export function configFacts(text: string, name: string): ModelFacts {
  const { data, success } = config.safeParse(tryJson(text));
  if (!success) throw refused(name, 'it is no configuration of a model');
  const own = data.text_config ?? data;
  const architecture = (own.model_type ?? data.model_type ?? '').replace(/_text$/u, '');
  if (architecture === '') throw refused(name, 'it names no type of model');
  const { layer_types: types, head_dim: headSize, global_head_dim: globalSize, kv_lora_rank: compressed } = own;
  const facts: Record<string, unknown> = {
    block_count: own.num_hidden_layers,
    context_length: own.max_position_embeddings,
    embedding_length: own.hidden_size,
    full_attention_interval: own.full_attention_interval,
    'attention.head_count': own.num_attention_heads,
    'attention.head_count_kv': kvHeads(own),
    // Compressed keys and values of all heads, and one rotated key (DeepSeek's).
    'attention.key_length':
      compressed === undefined ? (globalSize ?? headSize) : compressed + (own.qk_rope_head_dim ?? 0),
    'attention.value_length': compressed ?? globalSize ?? headSize,
    'attention.key_length_swa': headSize,
    'attention.value_length_swa': headSize,
    'attention.shared_kv_layers': own.num_kv_shared_layers,
    'attention.sliding_window': own.use_sliding_window === false ? undefined : own.sliding_window,
    'attention.sliding_window_pattern':
      types?.map((type) => type === 'sliding_attention') ?? own.sliding_window_pattern,
    'vision.block_count':
      data.vision_config === undefined ? undefined : (data.vision_config['num_hidden_layers'] ?? null),
    ...linearFacts(own),
  };
  return Object.fromEntries([
    ['general.architecture', architecture],
    ...Object.entries(facts)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [`${architecture}.${key}`, value]),
  ]);
}

/** One number for all layers, or one for each where they differ. */
function kvHeads(own: z.infer<typeof textConfig>): number | (number | undefined)[] | undefined {
  if (own.kv_lora_rank !== undefined) return 1;
  const heads = own.num_key_value_heads ?? own.num_attention_heads;
  const ofFull = own.num_global_key_value_heads ?? heads;
  const counts = own.layer_types?.map((type) =>
    type === 'linear_attention' ? 0 : type === 'full_attention' ? ofFull : heads,
  );
  return counts ?? heads;
}

/** Shape of the states of linear attention. */
function linearFacts(own: z.infer<typeof textConfig>): Record<string, number> {
  const { linear_key_head_dim: keys, linear_value_head_dim: values, linear_num_value_heads: valueHeads } = own;
  if (keys === undefined || values === undefined || valueHeads === undefined) return {};
  return {
    'ssm.inner_size': values * valueHeads,
    'ssm.state_size': keys,
    'ssm.group_count': own.linear_num_key_heads ?? valueHeads,
    'ssm.conv_kernel': own.linear_conv_kernel_dim ?? 1,
  };
}

function refused(name: string, reason: string): DeckhandError {
  const shown = plainText(name, 200);
  return new DeckhandError('invalid_request', `${shown}: ${reason}`, {
    userMessage: `${shown} cannot be read as a model: ${reason}.`,
    hint: 'Give a GGUF or safetensors file, or the figures yourself (`--weights`, `--cache`).',
  });
}
