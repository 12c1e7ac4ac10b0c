/** Reads what the files of a model say of it: a GGUF file, or safetensors files with the configuration beside them. Only headers are read. */
import type { Stats } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { DeckhandError } from '../../../domain/errors.ts';
import type { FootprintFacts } from '../../../domain/models/footprint/footprint.ts';
import { MOST_HEADER_BYTES, readGguf } from '../../../domain/models/footprint/gguf.ts';
import type { ModelFacts } from '../../../domain/models/footprint/kv-cache.ts';
import {
  configFacts,
  LENGTH_BYTES,
  readSafetensors,
  readSafetensorsIndex,
  safetensorsHeaderBytes,
} from '../../../domain/models/footprint/safetensors.ts';
import { tryJson } from '../../../domain/text/json.ts';

const FIRST_BYTES = 64 * 1024;
const GROWTH = 4;
/** Configurations and templates. */
const MOST_TEXT_BYTES = 64 * 1024 * 1024;
const INDEX = 'model.safetensors.index.json';

/**
 * @param file a GGUF file, a safetensors file, or a folder of safetensors files
 * @param projector the part that looks at pictures, where it is a file beside the weights
 * @throws DeckhandError `not_found`, `invalid_request` with what is wrong with the file
 */
export async function fileFacts(file: string, projector?: string): Promise<FootprintFacts> {
  const info = await infoOf(file);
  const facts = info.isDirectory()
    ? await folderFacts(file)
    : (await isGguf(file))
      ? await ggufFacts(file)
      : await safetensorsFacts([file], path.dirname(file));
  if (projector === undefined) return facts;
  const { size } = await infoOf(projector);
  await ggufHeader(projector);
  return { ...facts, weightsBytes: (facts.weightsBytes ?? 0) + size, hasProjector: true };
}

async function infoOf(file: string): Promise<Stats> {
  try {
    return await stat(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new DeckhandError('not_found', `${file} is not there`, { userMessage: `There is no file ${file}.` });
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

async function isGguf(file: string): Promise<boolean> {
  return Buffer.from(await firstBytes(file, 4)).toString('latin1') === 'GGUF';
}

async function ggufFacts(file: string): Promise<FootprintFacts> {
  const facts = await ggufHeader(file);
  const template = facts['tokenizer.chat_template'];
  return {
    facts,
    weightsBytes: await bytesOfParts(file),
    digest: null,
    hasProjector: false,
    template: typeof template === 'string' ? template : null,
  };
}

/** Reads more of the file until its whole header is there. */
async function ggufHeader(file: string): Promise<ModelFacts> {
  for (let size = FIRST_BYTES; ; size *= GROWTH) {
    const bytes = await firstBytes(file, Math.min(size, MOST_HEADER_BYTES));
    const { facts, endsIn } = readGguf(bytes, path.basename(file));
    if (endsIn === null) return facts;
    if (bytes.byteLength < size) throw incomplete(file, 'it ends within its header');
  }
}

/** Bytes of a file, or of all parts where it is one of several (`…-00001-of-00003.gguf`). */
async function bytesOfParts(file: string): Promise<number> {
  const [, start, total] = /^(.*)-\d{5}-of-(\d{5})\.gguf$/u.exec(file) ?? [];
  if (start === undefined || total === undefined) return (await infoOf(file)).size;
  const names = Array.from(
    { length: Number(total) },
    (_, part) => `${start}-${String(part + 1).padStart(5, '0')}-of-${total}.gguf`,
  );
  const sizes = await Promise.all(names.map(async (name) => (await infoOf(name)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function folderFacts(folder: string): Promise<FootprintFacts> {
  const names = await readdir(folder);
  if (names.includes(INDEX)) {
    const { weightsBytes, files } = readSafetensorsIndex(await textOf(path.join(folder, INDEX)), INDEX);
    const missing = files.find((name) => !names.includes(name));
    if (missing !== undefined) throw incomplete(folder, `${missing} is missing, which ${INDEX} names`);
    return beside(folder, weightsBytes);
  }
  const files = names.filter((name) => name.endsWith('.safetensors')).map((name) => path.join(folder, name));
  if (files.length === 0) throw incomplete(folder, 'it holds no safetensors files');
  return safetensorsFacts(files, folder);
}

async function safetensorsFacts(files: readonly string[], folder: string): Promise<FootprintFacts> {
  let weightsBytes = 0;
  for (const file of files) {
    const name = path.basename(file);
    const length = safetensorsHeaderBytes(await firstBytes(file, LENGTH_BYTES), name);
    const whole = await firstBytes(file, LENGTH_BYTES + length);
    const { weightsBytes: own } = readSafetensors(whole.subarray(LENGTH_BYTES), name);
    if (LENGTH_BYTES + length + own > (await infoOf(file)).size)
      throw incomplete(file, 'it ends before its last tensor');
    weightsBytes += own;
  }
  return beside(folder, weightsBytes);
}

const tokenizer = z.object({ chat_template: z.unknown() });

/** Weights, with the configuration and the template beside them. */
async function beside(folder: string, weightsBytes: number): Promise<FootprintFacts> {
  const config = await textIfThere(path.join(folder, 'config.json'));
  if (config === null) throw incomplete(folder, 'there is no config.json beside the weights');
  const ofTokenizer = await textIfThere(path.join(folder, 'tokenizer_config.json'));
  const inTokenizer = tokenizer.safeParse(ofTokenizer === null ? {} : tryJson(ofTokenizer)).data?.chat_template;
  const template = (await textIfThere(path.join(folder, 'chat_template.jinja'))) ?? inTokenizer;
  return {
    facts: configFacts(config, 'config.json'),
    weightsBytes,
    digest: null,
    // A projector is among the weights.
    hasProjector: false,
    // Some models have several, by name.
    template: typeof template === 'string' ? template : template === undefined ? null : JSON.stringify(template),
  };
}

async function textIfThere(file: string): Promise<string | null> {
  try {
    return await textOf(file);
  } catch (error) {
    if (error instanceof DeckhandError && error.code === 'not_found') return null;
    throw error;
  }
}

async function textOf(file: string): Promise<string> {
  if ((await infoOf(file)).size > MOST_TEXT_BYTES) throw incomplete(file, 'it is too large for a configuration');
  return readFile(file, 'utf8');
}

async function firstBytes(file: string, length: number): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const incomplete = (file: string, reason: string): DeckhandError =>
  new DeckhandError('invalid_request', `${file}: ${reason}`, {
    userMessage: `${file} cannot be read as a model: ${reason}.`,
    hint: 'Is the download complete? The figures can be given as well (`--weights`, `--cache`).',
  });
