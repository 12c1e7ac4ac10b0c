/**
 * Finds out what a model needs before it is loaded: from its files, from a registry, or from a server that has it. Only headers are read.
 */
import { footprintOf, type FootprintFacts, type ModelFootprint } from '../../../domain/models/footprint/footprint.ts';
import { missingForCache } from '../../../domain/models/footprint/kv-cache.ts';
import { openKeyedServer, type KeyedPlace } from '../client/open.ts';
import { fileFacts } from './files.ts';
import { registryFacts } from './registry.ts';

/** Where a model is described. */
export type FootprintSource =
  /** A GGUF file, a safetensors file or a folder of them, and the file of the part that looks at pictures where there is one. */
  | { readonly kind: 'file'; readonly path: string; readonly projectorPath?: string }
  /** A name such as `gemma3:12b`, in the registry that is configured unless the name has its own. */
  | { readonly kind: 'registry'; readonly name: string; readonly registryUrl: string }
  /** A model server that has it. */
  | { readonly kind: 'server'; readonly server: KeyedPlace; readonly model: string };

/**
 * See the file's header. What the source does not say is null in the answer and named in `unknown`.
 *
 * @throws DeckhandError `not_found` or `model_not_ready` where there is no such model, `invalid_request` where what is there is none,
 *   `service_unavailable` or an error of the connection where nobody answers; the signal's reason when cancelled
 */
export async function findFootprint(source: FootprintSource, signal: AbortSignal): Promise<ModelFootprint> {
  switch (source.kind) {
    case 'file':
      return footprintOf(await fileFacts(source.path, source.projectorPath));
    case 'registry':
      return footprintOf(await registryFacts(source.name, source.registryUrl, signal));
    case 'server':
      return footprintOf(await serverFacts(source, signal));
  }
}

type ServerSource = Extract<FootprintSource, { kind: 'server' }>;

async function serverFacts({ model, server: place }: ServerSource, signal: AbortSignal): Promise<FootprintFacts> {
  const context = { signal };
  const server = await openKeyedServer(place);
  const { digest, capabilities } = await server.inspect(model, context);
  const weightsBytes = await server.bytesOnDisk(model, context);
  const short = await server.file(model, context);
  // A short answer leaves lists out; where one of them decides, the long one is asked for.
  const { info, template } = missingForCache(short.info) === null ? short : await server.file(model, context, true);
  return {
    facts: info,
    weightsBytes,
    digest,
    hasProjector: capabilities.includes('vision'),
    template,
    capabilities,
  };
}
