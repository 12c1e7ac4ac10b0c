/** Writes headers of GGUF files for tests, valid and hostile ones. */

/** A value with its type in the file. */
export type GgufValue =
  | {
      readonly type: 'uint8' | 'int8' | 'uint16' | 'int16' | 'uint32' | 'int32' | 'float32' | 'float64';
      readonly value: number;
    }
  | { readonly type: 'uint64' | 'int64'; readonly value: bigint }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'array'; readonly of: GgufValue['type']; readonly value: readonly GgufValue[] };

/** Numbers of the types in the file. */
export const GGUF_TYPES: Readonly<Record<GgufValue['type'], number>> = {
  uint8: 0,
  int8: 1,
  uint16: 2,
  int16: 3,
  uint32: 4,
  int32: 5,
  float32: 6,
  bool: 7,
  string: 8,
  array: 9,
  uint64: 10,
  int64: 11,
  float64: 12,
};

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function uint64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

export function ggufText(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function payload(value: GgufValue): Buffer {
  const bytes = Buffer.alloc(8);
  switch (value.type) {
    case 'uint8':
      return bytes.subarray(0, bytes.writeUInt8(value.value));
    case 'int8':
      return bytes.subarray(0, bytes.writeInt8(value.value));
    case 'uint16':
      return bytes.subarray(0, bytes.writeUInt16LE(value.value));
    case 'int16':
      return bytes.subarray(0, bytes.writeInt16LE(value.value));
    case 'uint32':
      return uint32(value.value);
    case 'int32':
      return bytes.subarray(0, bytes.writeInt32LE(value.value));
    case 'float32':
      return bytes.subarray(0, bytes.writeFloatLE(value.value));
    case 'float64':
      return bytes.subarray(0, bytes.writeDoubleLE(value.value));
    case 'uint64':
      return uint64(value.value);
    case 'int64':
      return bytes.subarray(0, bytes.writeBigInt64LE(value.value));
    case 'bool':
      return Buffer.from([value.value ? 1 : 0]);
    case 'string':
      return ggufText(value.value);
    case 'array':
      return Buffer.concat([uint32(GGUF_TYPES[value.of]), uint64(value.value.length), ...value.value.map(payload)]);
  }
}

/** A header. @param counted number of values that it claims, if another than it has */
export const ggufHeader = (
  values: Readonly<Record<string, GgufValue>>,
  { version = 3, counted }: { readonly version?: 2 | 3; readonly counted?: number | bigint } = {},
): Buffer =>
  Buffer.concat([
    Buffer.from('GGUF'),
    uint32(version),
    uint64(0),
    uint64(counted ?? Object.keys(values).length),
    ...Object.entries(values).flatMap(([key, value]) => [
      ggufText(key),
      uint32(GGUF_TYPES[value.type]),
      payload(value),
    ]),
  ]);
