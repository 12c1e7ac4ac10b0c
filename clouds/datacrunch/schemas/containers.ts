/**
 * Container deployments as DataCrunch describes them. Statuses are open sets; disabled parts come with nulls.
 */
import { z } from 'zod';
import { flag, nullableNumber, nullableText, nullableTime, text } from './lenient.ts';

const envSchema = z.looseObject({ name: text, value_or_reference_to_secret: z.string().catch(''), type: text });

const containerSchema = z.looseObject({
  /** Given by the server, `<deployment>-0`; a PATCH addresses the container by it. */
  name: text,
  /** An object in answers, where requests have a string. */
  image: z.union([z.string().transform((image) => ({ image })), z.looseObject({ image: text })]).catch({ image: '' }),
  exposed_port: nullableNumber,
  env: z.array(envSchema).catch([]),
});

/** One deployment; neither its status nor its scaling is in here. */
export const deploymentSchema = z.looseObject({
  name: z.string().min(1),
  containers: z.array(containerSchema).catch([]),
  endpoint_base_url: nullableText,
  created_at: nullableTime,
  compute: z.looseObject({ name: text, size: nullableNumber }).nullable().catch(null),
  container_registry_settings: z
    .looseObject({ is_private: flag, credentials: z.looseObject({ name: text }).nullable().catch(null) })
    .nullable()
    .catch(null),
  is_spot: flag,
});

/** An open set of words: `initializing`, `healthy`, `paused`, `quota_reached`, `updating` … */
export const deploymentStatusSchema = z.looseObject({ status: z.string().catch('unknown') });

const triggerSchema = z.looseObject({ enabled: flag, threshold: nullableNumber }).nullable().catch(null);
const delaySchema = z.looseObject({ delay_seconds: nullableNumber }).nullable().catch(null);

export const scalingSchema = z.looseObject({
  min_replica_count: nullableNumber,
  max_replica_count: nullableNumber,
  scale_down_policy: delaySchema,
  scale_up_policy: delaySchema,
  queue_message_ttl_seconds: nullableNumber,
  concurrent_requests_per_replica: nullableNumber,
  scaling_triggers: z
    .looseObject({
      queue_load: z.looseObject({ threshold: nullableNumber }).nullable().catch(null),
      cpu_utilization: triggerSchema,
      gpu_utilization: triggerSchema,
    })
    .nullable()
    .catch(null),
});

export const replicasSchema = z.looseObject({
  list: z.array(
    z.looseObject({
      id: z.string(),
      status: z.string().catch('unknown'),
      started_at: nullableTime,
      image: nullableText,
    }),
  ),
});

/** Environment by container. */
export const environmentSchema = z.array(z.looseObject({ container_name: text, env: z.array(envSchema).catch([]) }));

/** A line of a container's log; `timestamp` in nanoseconds, as text or number. */
export const logLineSchema = z.looseObject({
  timestamp: z.union([z.string(), z.number().transform(String)]).catch(''),
  container_name: text,
  replica: text,
  message: text,
});

/** What the scheduler says of a deployment: `SchedulingFailed`, pull errors. */
export const systemLogLineSchema = z.looseObject({
  timestamp: z.union([z.string(), z.number().transform(String)]).catch(''),
  reason: text,
  message: text,
  involved_object: text,
  count: nullableNumber,
});

/** GPU and number of them that containers can have. */
export const computeResourceSchema = z.looseObject({
  name: z.string().min(1),
  size: nullableNumber,
  is_available: flag,
});
