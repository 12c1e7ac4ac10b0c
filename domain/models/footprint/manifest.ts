/**
 * Reads the description of a model in a registry before it is pulled: the manifest of Ollama's registry, its name there, and its digest.
 *
 * The digest by which Ollama lists a model (`/api/tags`) is the SHA-256 of its manifest, byte for byte as the registry sends it: a pull writes
 * those bytes (`PullModel` in Ollama 0.24, `server/images.go`), and a list hashes the file (`ParseNamedManifest`, `manifest/manifest.go`).
 */
import { z } from 'zod';
import { DeckhandError } from '../../errors.ts';
import { plainText } from '../../text/plain-text.ts';
import { tryJson } from '../../text/json.ts';

/** A layer of a model in a registry. */
export interface Blob {
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
  readonly sizeBytes: number;
}

/** Sizes and digests of a manifest. */
export interface ModelManifest {
  /** Weights in one file; undefined where they are in a file per tensor. */
  readonly weights: Blob | undefined;
  /** Bytes of weights, and of the part that looks at pictures. */
  readonly weightsBytes: number;
  /** The part that looks at pictures is a file of its own. */
  readonly hasProjector: boolean;
  readonly template: Blob | undefined;
}

const WEIGHTS = new Set(['application/vnd.ollama.image.model', 'application/vnd.ollama.image.tensor']);
const PROJECTOR = 'application/vnd.ollama.image.projector';
const TEMPLATE = 'application/vnd.ollama.image.template';

const manifest = z.object({
  layers: z
    .array(
      z.object({
        mediaType: z.string(),
        digest: z.string().regex(/^sha256:[0-9a-f]{64}$/u),
        size: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER),
      }),
    )
    .max(100_000),
});

/** @throws DeckhandError `invalid_request` where it is no manifest of a model */
export function readManifest(text: string, name: string): ModelManifest {
  const { data, success } = manifest.safeParse(tryJson(text));
  const layers = data?.layers ?? [];
  const weights = layers.filter(({ mediaType }) => WEIGHTS.has(mediaType));
  if (!success || weights.length === 0) {
    const shown = plainText(name, 200);
    throw new DeckhandError('invalid_request', `the manifest of ${shown} names no weights`, {
      userMessage: `The registry's answer for ${shown} is no manifest of a model.`,
      hint: 'Models that run elsewhere (`:cloud`) have no weights. Is the address a registry of models?',
    });
  }
  const projectors = layers.filter(({ mediaType }) => mediaType === PROJECTOR);
  const blobOf = (layer: (typeof layers)[number] | undefined): Blob | undefined =>
    layer && { digest: layer.digest, sizeBytes: layer.size };
  return {
    weights: weights.length === 1 ? blobOf(weights[0]) : undefined,
    weightsBytes: [...weights, ...projectors].reduce((sum, { size }) => sum + size, 0),
    hasProjector: projectors.length > 0,
    template: blobOf(layers.find(({ mediaType }) => mediaType === TEMPLATE)),
  };
}

/** Where a model is in a registry. */
export interface RegistryPlace {
  /** Of the registry, without a trailing slash. */
  readonly baseUrl: string;
  /** Below `/v2`: `library/gemma3`. */
  readonly repository: string;
  readonly tag: string;
}

/** A part of a name, as Ollama takes it; no part is only dots. */
const PART = /^[\w-][\w.-]{0,79}$/u;

/**
 * Finds the place of a name such as `gemma3:12b`, `someone/model` or `hf.co/someone/model:Q4_K_M`, as `ollama pull` does.
 *
 * @param registryUrl where names are that name no registry of their own
 * @throws DeckhandError `invalid_request`
 */
export function registryPlace(name: string, registryUrl: string): RegistryPlace {
  const [path = '', tag = 'latest', ...rest] = name.split(/:(?!\d+\/)/u);
  const parts = path.split('/');
  const model = parts.at(-1) ?? '';
  const owner = parts.at(-2) ?? 'library';
  const host = parts.at(-3);
  const isName = rest.length === 0 && parts.length <= 3 && [model, owner, tag].every((part) => PART.test(part));
  if (!isName || (host !== undefined && !/^[\w.-]+(?::\d{1,5})?$/u.test(host)))
    throw new DeckhandError('invalid_request', `${plainText(name, 200)} is no name of a model`, {
      userMessage: `${plainText(name, 200)} is no name of a model in a registry.`,
      hint: 'Names are like gemma3:12b, someone/model or hf.co/someone/model:Q4_K_M.',
    });
  return {
    baseUrl: host === undefined ? registryUrl.replace(/\/+$/u, '') : `https://${host}`,
    repository: `${owner}/${model}`,
    tag,
  };
}
