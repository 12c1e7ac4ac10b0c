/**
 * Settings of a pool whose capacity is an HTTP endpoint: one that runs already at a URL, or a deployment that Deckhand makes and scales.
 */
import { z } from 'zod';
import type { Reach } from '../../models/inside-address.ts';
import { serverUrl } from '../../models/server-url.ts';
import { SERVER_KINDS, type ServerKind } from '../../models/server-kind.ts';
import { settings } from '../../settings.ts';

/** Names of keys are letters and digits: they stand in an environment variable, before `=`. */
const keyName = z.string().regex(/^[a-z][a-z0-9]{0,30}$/u, 'must be up to 31 lower-case letters and digits');
const port = z.number().int().min(1).max(65_535);
const path = z.string().regex(/^\/[\w./-]*$/u, 'must be a path such as /api/health');

/** True for an image that is the same whenever it is pulled: by digest, or by a tag other than `latest`. */
const isFixedImage = (image: string): boolean => /@sha256:[0-9a-f]{64}$|:(?!latest$)[\w][\w.-]{0,127}$/u.test(image);

export const endpointDeploymentSchema = settings({
  /** Image of the model server, by digest (`@sha256:…`) or by a tag other than `latest`. */
  image: z.string().refine(isFixedImage, 'must end in a digest (@sha256:…) or a tag other than latest'),
  /** Name of the provider's container GPU, such as `H100`, and how many of them a replica has. */
  compute: z.string().min(1),
  computeSize: z.number().int().min(1).max(32).default(1),
  /** Port of the container at which the model server answers. */
  port: port.default(11_434),
  /** Port and path at which a replica says that it is ready. A path on `port` itself is asked by Deckhand too. */
  healthPort: port.default(8080),
  healthPath: path.default('/api/health'),
  /** Environment of the container. Not for secrets: they are kept at the provider and named in `secrets`. */
  env: z.record(z.string(), z.string()).default({}),
  /** Environment variables of the container that hold a secret which the provider keeps, each with the secret's name there. */
  secrets: z.record(z.string(), z.string()).default({}),
  /** Name of the registry credentials that the provider keeps; null = the image is public. */
  registryCredentials: z.string().nullable().default(null),
  /** A call that no replica takes is given up by the provider after this time. */
  queueTtlMs: z.number().int().min(1000).default(120_000),
});

/** A deployment that Deckhand makes, scales and deletes. */
export type EndpointDeployment = z.infer<typeof endpointDeploymentSchema>;

export const endpointSchema = settings({
  /** Base URL of a model server that runs already. */
  url: serverUrl.optional(),
  /** The server at `url` may be outside the network: slides leave it then. */
  dataLeavesHost: z.boolean().default(false),
  /** Protocol of the model server. */
  kind: z.enum(SERVER_KINDS).default('ollama'),
  /** Path at `url` that answers 200 only while the model server is ready; without one only the model server itself is asked. */
  healthPath: path.optional(),
  deployment: endpointDeploymentSchema.optional(),
  /** Name of the key in DECKHAND_ENDPOINT_KEYS that is sent with every request; without one none is sent. */
  key: keyName.optional(),
  /** File with the key, where the gateway runs, instead of its name. */
  keyFile: z.string().min(1).optional(),
  /** Header that carries the key; in `authorization` it stands after `Bearer`. */
  keyHeader: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/u, 'must be a header name in lower case')
    .default('authorization'),
  /** Calls that a replica takes at the same time; without it as many as every other machine. */
  slotsPerReplica: z.number().int().min(1).max(64).optional(),
});

/** The endpoint of a pool. */
export type EndpointConfig = z.infer<typeof endpointSchema>;

/**
 * What is known of the server that answers, for the provenance of results: an image by digest is proof, one by name is what the provider had under
 * that name, and of an address only what it says of itself is known.
 */
export function endpointOrigin({ url, deployment }: EndpointConfig): string {
  if (deployment === undefined) return `at ${url ?? 'an endpoint'}, by its own word`;
  const { image } = deployment;
  return image.includes('@sha256:') ? `image ${image}` : `image ${image}, by name only`;
}

/** Where the endpoint may be. A deployment is ours by how it was made, wherever it answers. */
export function endpointReach({ deployment, dataLeavesHost }: EndpointConfig): Reach {
  if (deployment !== undefined) return 'ours';
  return dataLeavesHost ? 'allowed' : 'inside';
}

/** An endpoint of an endpoint pool as a gateway reaches it: directly, with a key that it knows by a name or reads from a file. */
export interface ReachedEndpoint {
  readonly kind: 'endpoint';
  readonly url: string;
  readonly key: string | null;
  /** File with the key where the gateway runs, instead of its name. */
  readonly keyFile?: string;
  readonly keyHeader: string;
  /** Path at `url` that answers 200 only while the model server is ready; null = there is none. */
  readonly healthPath: string | null;
  readonly reach: Reach;
  /** Facts about the server, for the provenance of its results. */
  readonly origin: string;
}

/** How a gateway serves an endpoint. */
export interface EndpointServing {
  readonly endpoint: ReachedEndpoint;
  /** Protocol of its model server; absent = that of Ollama. */
  readonly serverKind?: ServerKind;
  /** Calls at the same time; absent = as many as every other machine takes. */
  readonly slots?: number;
}

/** How a gateway serves what answers at this URL with the settings of an endpoint. */
export function endpointServing(settings: EndpointConfig, url: string): EndpointServing {
  const { key = null, keyFile, keyHeader, deployment, kind, slotsPerReplica } = settings;
  const ownPath = deployment?.healthPort === deployment?.port ? deployment?.healthPath : undefined;
  return {
    endpoint: {
      kind: 'endpoint',
      url,
      key,
      keyHeader,
      ...(keyFile === undefined ? {} : { keyFile }),
      healthPath: settings.healthPath ?? ownPath ?? null,
      reach: endpointReach(settings),
      origin: endpointOrigin(settings),
    },
    ...(kind === 'ollama' ? {} : { serverKind: kind }),
    ...(slotsPerReplica === undefined ? {} : { slots: slotsPerReplica }),
  };
}

/** What {@link endpointMistake} reads of a pool. */
interface EndpointPool {
  readonly endpoint?: EndpointConfig | undefined;
  readonly selector: string;
  readonly image: string | null;
  readonly locations: readonly string[];
  readonly excludeTypes: readonly string[];
  readonly providers: readonly string[];
  readonly market: string;
}

/** Settings that choose a machine, at their defaults. */
const CHOOSES_NOTHING = { selector: 'h100-or-less', image: null, locations: [], excludeTypes: [] } as const;

/** What contradicts the endpoint of a pool; null = nothing. */
export function endpointMistake(pool: EndpointPool): string | null {
  const { endpoint } = pool;
  if (endpoint === undefined) return null;
  const { url, deployment } = endpoint;
  if ((url === undefined) === (deployment === undefined))
    return 'endpoint: give either "url" or "deployment", not both and not neither';
  const chosen = Object.entries(CHOOSES_NOTHING).find(
    ([name, unset]) => JSON.stringify(pool[name as keyof typeof CHOOSES_NOTHING]) !== JSON.stringify(unset),
  );
  if (chosen !== undefined)
    return `"${chosen[0]}" and "endpoint" contradict each other: an endpoint pool chooses no machine; leave "${chosen[0]}" out`;
  if (url !== undefined && pool.providers.length > 0)
    return '"providers" and "endpoint.url" contradict each other: what runs already at a URL is not rented; leave "providers" out';
  if (deployment === undefined) return null;
  if (endpoint.dataLeavesHost)
    return 'endpoint: "dataLeavesHost" belongs to "url"; a deployment that Deckhand makes is its own';
  if (endpoint.healthPath !== undefined)
    return 'endpoint: "healthPath" belongs into "deployment" where Deckhand makes the deployment';
  if (pool.providers.length > 1) return 'an endpoint pool has its deployment at one provider; name one in "providers"';
  if (pool.market === 'any') return 'a deployment is either "ondemand" or "spot"; "market": "any" is neither';
  const both = Object.keys(deployment.env).find((name) => Object.hasOwn(deployment.secrets, name));
  return both === undefined ? null : `endpoint: ${both} is in "env" and in "secrets"; leave one out`;
}
