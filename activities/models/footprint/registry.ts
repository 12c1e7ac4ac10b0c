/** Asks a registry of models: the manifest, the template and the first bytes of the weights. Weights are never downloaded. */
import { createHash } from 'node:crypto';
import { asDeckhandError, DeckhandError } from '../../../domain/errors.ts';
import type { FootprintFacts } from '../../../domain/models/footprint/footprint.ts';
import { MOST_HEADER_BYTES, readGguf } from '../../../domain/models/footprint/gguf.ts';
import { missingForCache, type ModelFacts } from '../../../domain/models/footprint/kv-cache.ts';
import {
  readManifest,
  registryPlace,
  type Blob,
  type RegistryPlace,
} from '../../../domain/models/footprint/manifest.ts';

const MANIFEST_BYTES = 4 * 1024 * 1024;
const TEMPLATE_BYTES = 1024 * 1024;
/** Values that decide the cache stand before the vocabulary, mostly within this. */
const FIRST_HEADER_BYTES = 256 * 1024;
const HEADER_GROWTH = 8;
const ANSWER_LIMIT_MS = 30_000;
const HEADER_LIMIT_MS = 120_000;
const MANIFEST_TYPE = 'application/vnd.docker.distribution.manifest.v2+json';

/**
 * @param registryUrl where names are that name no registry of their own
 * @throws DeckhandError `not_found` where the registry has no such model, `service_unavailable` where it does not answer, `invalid_request`
 *   where the answer is no manifest
 */
export async function registryFacts(name: string, registryUrl: string, signal: AbortSignal): Promise<FootprintFacts> {
  const place = registryPlace(name, registryUrl);
  const manifestUrl = `${place.baseUrl}/v2/${place.repository}/manifests/${place.tag}`;
  const bytes = await download(manifestUrl, { name, accept: MANIFEST_TYPE, mostBytes: MANIFEST_BYTES, signal });
  const manifest = readManifest(new TextDecoder().decode(bytes), name);
  const template = await textOf(manifest.template, place, name, signal);
  return {
    facts: manifest.weights === undefined ? {} : await headerFacts(manifest.weights, place, name, signal),
    weightsBytes: manifest.weightsBytes,
    digest: createHash('sha256').update(bytes).digest('hex'),
    hasProjector: manifest.hasProjector,
    template,
  };
}

const blobUrl = ({ baseUrl, repository }: RegistryPlace, { digest }: Blob): string =>
  `${baseUrl}/v2/${repository}/blobs/${digest}`;

async function textOf(
  blob: Blob | undefined,
  place: RegistryPlace,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (blob === undefined || blob.sizeBytes > TEMPLATE_BYTES) return undefined;
  return new TextDecoder().decode(await download(blobUrl(place, blob), { name, mostBytes: TEMPLATE_BYTES, signal }));
}

/** Values of the weights' header up to the vocabulary, from as few bytes as hold them. */
async function headerFacts(
  weights: Blob,
  place: RegistryPlace,
  name: string,
  signal: AbortSignal,
): Promise<ModelFacts> {
  for (let size = FIRST_HEADER_BYTES; ; size *= HEADER_GROWTH) {
    const firstBytes = Math.min(size, weights.sizeBytes, MOST_HEADER_BYTES);
    const bytes = await download(blobUrl(place, weights), { name, firstBytes, mostBytes: firstBytes, signal });
    const { facts, endsIn } = readGguf(bytes, name);
    const isComplete = endsIn === null || (endsIn.startsWith('tokenizer.') && missingForCache(facts) === null);
    if (isComplete || firstBytes < size) return facts;
  }
}

interface Download {
  /** Of the model, for messages. */
  readonly name: string;
  readonly accept?: string;
  /** Only so many bytes are wanted. */
  readonly firstBytes?: number;
  /** A longer answer is refused, or cut where only the first bytes are wanted. */
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

async function download(url: string, options: Download): Promise<Uint8Array> {
  const { name, accept, firstBytes, mostBytes, signal } = options;
  const limit = AbortSignal.timeout(firstBytes === undefined ? ANSWER_LIMIT_MS : HEADER_LIMIT_MS);
  const { host } = new URL(url);
  try {
    const response = await fetch(url, {
      headers: {
        ...(accept !== undefined && { accept }),
        ...(firstBytes !== undefined && { range: `bytes=0-${firstBytes - 1}` }),
      },
      signal: AbortSignal.any([signal, limit]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw refusal(response.status, host, name);
    }
    return await firstOf(response, mostBytes, firstBytes !== undefined);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DeckhandError) throw error;
    const why = limit.aborted ? 'it took too long' : reasonOf(error);
    throw new DeckhandError('service_unavailable', `registry ${host}: ${why}`, {
      userMessage: `The registry ${host} cannot be asked for ${name}: ${why}.`,
      hint: 'Set DECKHAND_MODEL_REGISTRY to one that can be reached, or give the figures yourself (`--weights`, `--cache`, `--digest`).',
      cause: error,
    });
  }
}

/** The part that says something is in the cause of what `fetch` throws. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : asDeckhandError(error).message;

function refusal(status: number, host: string, name: string): DeckhandError {
  if (status === 404)
    return new DeckhandError('not_found', `${host} has no model ${name}`, {
      userMessage: `The registry ${host} has no model ${name}.`,
      hint: 'Look the name up in the library of models, with its tag: gemma3:12b.',
    });
  return new DeckhandError('service_unavailable', `registry ${host} answered ${status} for ${name}`, {
    userMessage: `The registry ${host} answered ${status} for ${name}.`,
    ...((status === 401 || status === 403) && {
      hint: 'Deckhand signs in at no registry: only public models can be looked up.',
    }),
  });
}

/** Reads a body up to so many bytes. What follows is left where `isPart`, and else refused. */
async function firstOf(response: Response, mostBytes: number, isPart: boolean): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes <= mostBytes) continue;
    if (isPart) break;
    throw new Error(`its answer is longer than ${mostBytes} bytes`);
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
}
