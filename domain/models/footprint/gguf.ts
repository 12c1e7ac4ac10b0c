/**
 * Reads the header of a GGUF file (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md): magic, version, two counts, then named values.
 *
 * The file may come from anyone, so nothing that it says of its own lengths is believed: counts and lengths have limits, and only small values
 * are kept. Vocabularies, the bulk of a header, are passed over.
 */
import { DeckhandError } from '../../errors.ts';
import { plainText } from '../../text/plain-text.ts';
import type { ModelFacts } from './kv-cache.ts';

/** Bytes that a header has at most; those of today's largest vocabularies have 20 MiB. */
export const MOST_HEADER_BYTES = 64 * 1024 * 1024;
const MOST_VALUES = 10_000;
const MOST_NAME_BYTES = 65_535;
const MOST_ELEMENTS = 16_000_000;
/** Longer lists and texts are passed over. */
const MOST_KEPT_ELEMENTS = 4096;
const MOST_KEPT_TEXT_BYTES = 1024 * 1024;
/** Lists within lists. */
const MOST_DEPTH = 4;

/** The header in the first bytes of a file. */
export interface GgufHeader {
  /** Values that the bytes hold whole, by name. */
  readonly facts: ModelFacts;
  /** Name of the value in which the bytes end, empty where they end in a name; null = they hold all values. */
  readonly endsIn: string | null;
}

type Scalar =
  | 'uint8'
  | 'int8'
  | 'uint16'
  | 'int16'
  | 'uint32'
  | 'int32'
  | 'float32'
  | 'bool'
  | 'uint64'
  | 'int64'
  | 'float64';

/** Value types by their number in the file. */
const TYPES: readonly (Scalar | 'string' | 'array')[] = [
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'float32',
  'bool',
  'string',
  'array',
  'uint64',
  'int64',
  'float64',
];

const READ_SCALAR: Readonly<
  Record<Scalar, { readonly bytes: number; read(view: DataView, at: number): number | boolean }>
> = {
  uint8: { bytes: 1, read: (view, at) => view.getUint8(at) },
  int8: { bytes: 1, read: (view, at) => view.getInt8(at) },
  uint16: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  int16: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  uint32: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  int32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  float32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  bool: { bytes: 1, read: (view, at) => view.getUint8(at) !== 0 },
  uint64: { bytes: 8, read: (view, at) => Number(view.getBigUint64(at, true)) },
  int64: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  float64: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
};

/** The bytes end before the value does. */
class EndOfBytes extends Error {}

/**
 * Reads as much of a header as the bytes hold.
 *
 * @param bytes the file from its start on
 * @param name of the file, for messages
 * @throws DeckhandError `invalid_request` where it is no GGUF of version 2 or 3, or claims counts or lengths that no model has
 */
export function readGguf(bytes: Uint8Array, name: string): GgufHeader {
  const reader = new Reader(bytes, name);
  const facts: Record<string, unknown> = {};
  let key = '';
  try {
    const count = reader.start();
    for (let read = 0; read < count; read += 1) {
      key = '';
      const next = reader.text(MOST_NAME_BYTES, 'a name');
      key = next ?? '';
      const value = reader.value();
      // Of two values of one name the first counts, as in llama.cpp's reader; a name cannot reach the object's prototype.
      if (value !== undefined && !Object.hasOwn(facts, key))
        Object.defineProperty(facts, key, { value, enumerable: true });
    }
    return { facts, endsIn: null };
  } catch (error) {
    if (error instanceof EndOfBytes) return { facts, endsIn: key };
    throw error;
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #name: string;
  #at = 0;

  constructor(bytes: Uint8Array, name: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#name = plainText(name, 200);
  }

  /** Reads magic, version and counts. @returns the number of values */
  start(): number {
    const magic = new TextDecoder('latin1').decode(this.#take(4));
    if (magic !== 'GGUF') throw this.#refused('it does not begin with GGUF');
    const version = this.#scalar('uint32');
    if (version === 0x02_00_00_00 || version === 0x03_00_00_00) throw this.#refused('it is a big-endian GGUF');
    if (version !== 2 && version !== 3)
      throw this.#refused(`it is a GGUF of version ${String(version)}; 2 and 3 can be read`);
    this.#scalar('uint64');
    return this.#count('number of values', MOST_VALUES);
  }

  /** Any value with its type; undefined = passed over. */
  value(): unknown {
    const type = this.#type();
    if (type === 'string') return this.text(MOST_KEPT_TEXT_BYTES);
    return type === 'array' ? this.#list(1) : this.#scalar(type);
  }

  /** A text; undefined where it is longer than what is kept. @param refusedAs a longer one is refused by this name */
  text(mostBytes: number, refusedAs?: string): string | undefined {
    const length = this.#count('length of a text', MOST_HEADER_BYTES);
    if (length > mostBytes && refusedAs !== undefined)
      throw this.#refused(`${refusedAs} of ${length} bytes is longer than ${mostBytes}`);
    const bytes = this.#take(length);
    return length > mostBytes ? undefined : new TextDecoder().decode(bytes);
  }

  #list(depth: number): unknown[] | undefined {
    if (depth > MOST_DEPTH) throw this.#refused(`lists are nested more than ${MOST_DEPTH} deep`);
    const type = this.#type();
    const count = this.#count('length of a list', MOST_ELEMENTS);
    const isKept = count <= MOST_KEPT_ELEMENTS && type !== 'string';
    if (type !== 'string' && type !== 'array' && !isKept) {
      this.#take(count * READ_SCALAR[type].bytes);
      return undefined;
    }
    const values: unknown[] = [];
    for (let index = 0; index < count; index += 1) {
      const value =
        type === 'string' ? this.#skipText() : type === 'array' ? this.#list(depth + 1) : this.#scalar(type);
      if (isKept) values.push(value);
    }
    return isKept ? values : undefined;
  }

  #skipText(): void {
    this.#take(this.#count('length of a text', MOST_HEADER_BYTES));
  }

  #type(): (typeof TYPES)[number] {
    const number = this.#scalar('uint32');
    const type = TYPES[Number(number)];
    if (type === undefined) throw this.#refused(`${String(number)} is no type of a value`);
    return type;
  }

  #count(what: string, most: number): number {
    const count = Number(this.#scalar('uint64'));
    if (count > most) throw this.#refused(`the ${what} is ${count}, more than ${most}`);
    return count;
  }

  #scalar(type: Scalar): number | boolean {
    const known = READ_SCALAR[type];
    this.#advance(known.bytes);
    return known.read(this.#view, this.#at - known.bytes);
  }

  #take(length: number): Uint8Array {
    this.#advance(length);
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #advance(length: number): void {
    if (this.#at + length > MOST_HEADER_BYTES)
      throw this.#refused(`its header is longer than ${MOST_HEADER_BYTES / 1024 ** 2} MiB`);
    if (this.#at + length > this.#bytes.byteLength) throw new EndOfBytes();
    this.#at += length;
  }

  #refused(reason: string): DeckhandError {
    return new DeckhandError('invalid_request', `${this.#name}: ${reason}`, {
      userMessage: `${this.#name} cannot be read as a model: ${reason}.`,
      hint: 'Give a GGUF or safetensors file, or the figures yourself (`--weights`, `--cache`).',
    });
  }
}
