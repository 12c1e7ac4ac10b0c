/**
 * A payload as bytes: the message `temporal.api.common.v1.Payload` of the protocol, as codecs of every language write it inside.
 */
import type { Payload } from '@temporalio/common';
import protobuf from 'protobufjs/minimal.js';

/** Numbers and wire type of the message's fields; a map entry has its key as field 1 and its value as field 2. */
const METADATA = 1;
const DATA = 2;
const KEY = 1;
const VALUE = 2;
const LENGTH_DELIMITED = 2;

const tag = (field: number): number => (field << 3) | LENGTH_DELIMITED;

/** The bytes of a payload. */
export function writePayload({ metadata, data }: Payload): Uint8Array {
  const writer = protobuf.Writer.create();
  for (const [name, value] of Object.entries(metadata ?? {})) {
    writer.uint32(tag(METADATA)).fork();
    writer.uint32(tag(KEY)).string(name).uint32(tag(VALUE)).bytes(value).ldelim();
  }
  if (data !== undefined && data !== null) writer.uint32(tag(DATA)).bytes(data);
  return writer.finish();
}

/** The payload of some bytes. Fields of a later protocol are left out. @throws RangeError or Error for bytes that are no message */
export function readPayload(bytes: Uint8Array): Payload {
  const reader = protobuf.Reader.create(bytes);
  const entries: [string, Uint8Array][] = [];
  let data: Uint8Array | undefined;
  while (reader.pos < reader.len) {
    const field = reader.uint32();
    if (field === tag(METADATA)) entries.push(readEntry(reader));
    else if (field === tag(DATA)) data = reader.bytes();
    else reader.skipType(field & 7);
  }
  const metadata = Object.fromEntries(entries);
  return data === undefined ? { metadata } : { metadata, data };
}

function readEntry(reader: protobuf.Reader): [string, Uint8Array] {
  const end = reader.uint32() + reader.pos;
  let name = '';
  let value: Uint8Array = new Uint8Array();
  while (reader.pos < end) {
    const field = reader.uint32();
    if (field === tag(KEY)) name = reader.string();
    else if (field === tag(VALUE)) value = reader.bytes();
    else reader.skipType(field & 7);
  }
  return [name, value];
}
