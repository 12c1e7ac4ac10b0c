/** Reading the header of a GGUF file: all value types, bytes that end early, and files that lie about themselves. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readGguf } from '../../../../domain/models/footprint/gguf.ts';
import { GGUF_TYPES, ggufHeader, ggufText, type GgufValue, uint32, uint64 } from '../../../../testing/gguf-writer.ts';

const MODELS = path.join(import.meta.dirname, '../../../ollama/models');

const integer = <T extends GgufValue['type']>(type: T, min: number, max: number) =>
  fc.record({ type: fc.constant(type), value: fc.integer({ min, max }) });
const scalars = [
  integer('uint8', 0, 255),
  integer('int8', -128, 127),
  integer('uint16', 0, 65_535),
  integer('int16', -32_768, 32_767),
  integer('uint32', 0, 4_294_967_295),
  integer('int32', -2_147_483_648, 2_147_483_647),
  fc.record({ type: fc.constant('float32' as const), value: fc.float({ noNaN: true }) }),
  fc.record({ type: fc.constant('float64' as const), value: fc.double({ noNaN: true }) }),
  fc.record({ type: fc.constant('bool' as const), value: fc.boolean() }),
  fc.record({ type: fc.constant('uint64' as const), value: fc.bigInt(0n, 2n ** 53n - 1n) }),
  fc.record({ type: fc.constant('int64' as const), value: fc.bigInt(-(2n ** 53n) + 1n, 2n ** 53n - 1n) }),
] as const satisfies readonly fc.Arbitrary<GgufValue>[];
const words: fc.Arbitrary<GgufValue> = fc.record({
  type: fc.constant('string' as const),
  value: fc.string({ unit: 'grapheme' }),
});
const list: fc.Arbitrary<GgufValue> = fc.oneof(
  ...[...scalars, words].map((one: fc.Arbitrary<GgufValue>) =>
    fc
      .array(one, { maxLength: 20 })
      .map((value): GgufValue => ({ type: 'array', of: value[0]?.type ?? 'uint8', value })),
  ),
);
const nested: fc.Arbitrary<GgufValue> = fc
  .array(list, { maxLength: 4 })
  .map((value) => ({ type: 'array', of: 'array', value }));
const header = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(...scalars, words, list, nested), { maxKeys: 12 });

/** The kept part of a value: texts in lists are passed over. */
function kept(value: GgufValue): unknown {
  if (value.type === 'array') return value.of === 'string' ? undefined : value.value.map(kept);
  return typeof value.value === 'bigint' ? Number(value.value) : value.value;
}

it('a header that was written is read back, whatever its values', () => {
  fc.assert(
    fc.property(header, fc.constantFrom(2 as const, 3 as const), (values, version) => {
      const { facts, endsIn } = readGguf(ggufHeader(values, { version }), 'test');
      expect(endsIn).toBeNull();
      const whole = Object.entries(values).filter(([, value]) => kept(value) !== undefined);
      expect(Object.keys(facts).toSorted()).toEqual(whole.map(([key]) => key).toSorted());
      for (const [key, value] of whole) expect(facts[key]).toEqual(kept(value));
    }),
  );
});

it('bytes that end early say in which value, and give those before it', () => {
  fc.assert(
    fc.property(header, fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (values, share) => {
      const bytes = ggufHeader(values);
      const cut = bytes.subarray(0, Math.max(24, Math.floor(bytes.length * share)));
      const { facts, endsIn } = readGguf(cut, 'test');
      const names = Object.keys(values);
      if (cut.length === bytes.length) expect(endsIn).toBeNull();
      else expect(endsIn === '' || names.includes(endsIn ?? '?')).toBe(true);
      for (const [key, value] of Object.entries(facts)) expect(value).toEqual(kept(values[key] as GgufValue));
    }),
  );
});

it('bytes of any kind are read or refused by name, and nothing else happens', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isGguf) => {
      const file = isGguf ? Buffer.concat([Buffer.from('GGUF'), uint32(3), bytes]) : bytes;
      try {
        readGguf(file, 'model.gguf');
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_request' });
        expect(String(error)).toContain('model.gguf');
      }
    }),
  );
});

const one = (type: number, ...rest: Buffer[]): Buffer =>
  Buffer.concat([ggufHeader({}, { counted: 1 }), ggufText('key'), uint32(type), ...rest]);
const nest = (depth: number): GgufValue =>
  depth === 0 ? { type: 'array', of: 'uint8', value: [] } : { type: 'array', of: 'array', value: [nest(depth - 1)] };

it.each([
  ['another format', Buffer.from('ggml0000'), 'it does not begin with GGUF'],
  ['the first version', Buffer.concat([Buffer.from('GGUF'), uint32(1)]), 'GGUF of version 1'],
  ['big-endian numbers', Buffer.concat([Buffer.from('GGUF'), uint32(0x03_00_00_00)]), 'big-endian'],
  ['more values than a model has', ggufHeader({}, { counted: 2n ** 63n }), 'the number of values is'],
  ['a text without end', one(GGUF_TYPES.string, uint64(2n ** 64n - 1n)), 'the length of a text is'],
  [
    'a list without end',
    one(GGUF_TYPES.array, uint32(GGUF_TYPES.float64), uint64(2n ** 40n)),
    'the length of a list is',
  ],
  [
    'a list larger than a header',
    one(GGUF_TYPES.array, uint32(GGUF_TYPES.float64), uint64(15_000_000)),
    'longer than 64 MiB',
  ],
  ['an unknown type', one(13), '13 is no type of a value'],
  ['lists in lists', ggufHeader({ key: nest(5) }), 'nested more than 4 deep'],
  [
    'a name longer than names are',
    Buffer.concat([ggufHeader({}, { counted: 1 }), uint64(70_000)]),
    'a name of 70000 bytes',
  ],
])('%s is refused by name', (_, bytes, reason) => {
  expect(() => readGguf(bytes, 'hostile.gguf\u0000')).toThrow(
    expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(`hostile.gguf: `) }),
  );
  expect(() => readGguf(bytes, 'hostile.gguf')).toThrow(reason);
});

it('a name cannot reach the prototype of what is read', () => {
  const bytes = ggufHeader({ ['__proto__']: { type: 'uint8', value: 1 }, a: { type: 'uint8', value: 2 } });
  const { facts } = readGguf(bytes, 'test');
  expect(facts['a']).toBe(2);
  expect(Object.getPrototypeOf(facts)).toBe(Object.prototype);
});

it('the headers of real files are read', () => {
  const text = readGguf(readFileSync(path.join(MODELS, 'tiny-text.gguf')), 'tiny-text.gguf');
  expect(text.endsIn).toBeNull();
  expect(text.facts).toMatchObject({
    'general.architecture': 'llama',
    'llama.context_length': 131_072,
    'llama.embedding_length': 64,
    'llama.block_count': 2,
    'llama.attention.head_count_kv': 4,
    'tokenizer.ggml.add_bos_token': true,
  });
  const clip = readGguf(readFileSync(path.join(MODELS, 'tiny-clip.gguf')), 'tiny-clip.gguf');
  expect(clip.facts).toMatchObject({ 'general.architecture': 'clip', 'clip.vision.image_mean': [0.5, 0.5, 0.5] });
});
