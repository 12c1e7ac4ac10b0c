/** Bodies of calls on container deployments, and what is refused about them. */
import { z } from 'zod';
import type { Deployment, Scaling, Simulation } from './account.ts';
import { optional, parseBody } from './body.ts';
import { containerTypeName } from './catalogue.ts';
import { ApiError } from './errors.ts';

/** First parts of paths that are no deployments. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['v1', 'status', 'result']);

const name = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/u, 'must be a name of at most 63 lower-case letters, digits and dashes')
  .refine((text) => !RESERVED_NAMES.has(text), 'is reserved');
const registrySchema = z.looseObject({ is_private: optional(z.boolean()), credentials: z.unknown() });
const computeSchema = z.object({ name: z.string(), size: z.int() });
const container = z.looseObject({ image: z.string().min(1), exposed_port: z.number().min(1) });
const delay = z.looseObject({ delay_seconds: z.number().min(0) });
const scalingSchema = z.looseObject({
  min_replica_count: z.int().min(0),
  max_replica_count: z.int().min(1),
  scale_down_policy: delay,
  scale_up_policy: delay,
  queue_message_ttl_seconds: z.number().min(1),
  concurrent_requests_per_replica: z.int().min(1),
  scaling_triggers: z.looseObject({ queue_load: z.looseObject({ threshold: z.number().positive() }) }),
});
/** Body of a create. */
export const createSchema = z.object({
  name,
  container_registry_settings: registrySchema,
  compute: computeSchema,
  containers: z.array(container).min(1),
  scaling: scalingSchema,
  is_spot: optional(z.boolean()),
});
/** Body of a change. */
export const patchSchema = z.object({
  container_registry_settings: optional(registrySchema),
  compute: optional(computeSchema),
  containers: optional(z.array(z.looseObject({ name: z.string() }))),
  is_spot: optional(z.boolean()),
});

/** The body of a scaling as it is carried out. @throws ApiError 400 */
export function scalingOf(body: Readonly<Record<string, unknown>>, where = ''): Scaling {
  const parsed = parseBody(scalingSchema, body);
  if (parsed.max_replica_count < parsed.min_replica_count)
    throw new ApiError('invalid_request', `${where}max_replica_count must not be less than min_replica_count`);
  return {
    minReplicas: parsed.min_replica_count,
    maxReplicas: parsed.max_replica_count,
    scaleUpAfterMs: parsed.scale_up_policy.delay_seconds * 1000,
    scaleDownAfterMs: parsed.scale_down_policy.delay_seconds * 1000,
    queueTtlMs: parsed.queue_message_ttl_seconds * 1000,
    requestsPerReplica: parsed.concurrent_requests_per_replica,
    queueThreshold: parsed.scaling_triggers.queue_load.threshold,
  };
}

/** @throws ApiError 400 for an image without a fixed tag */
export function refuseFloatingImages(containers: readonly Readonly<Record<string, unknown>>[]): void {
  for (const { image } of containers)
    if (typeof image === 'string' && !/[:@](?!latest$)[^/:]+$/u.test(image))
      throw new ApiError('invalid_request', `Image ${image} must have a tag that is not latest`);
}

/** @throws ApiError 400 for a GPU that containers cannot have */
export function refuseUnknownCompute({ cloud }: Simulation, compute: Deployment['compute']): void {
  if (!cloud.catalogue.types.has(containerTypeName(compute.name, compute.size)))
    throw new ApiError('invalid_request', `compute ${compute.name} of size ${compute.size} is not available`);
}

/** @throws ApiError 404 for any credentials: none of a registry can be stored here */
export function refuseCredentials({ credentials }: z.output<typeof registrySchema>): void {
  if (credentials !== null && credentials !== undefined)
    throw new ApiError('not_found', 'Container registry credentials not found');
}
