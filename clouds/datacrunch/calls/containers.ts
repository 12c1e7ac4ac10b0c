/**
 * Calls on container deployments: the serverless side of DataCrunch.
 */
import { z } from 'zod';
import { command, get, jsonOf, segment } from '../http/reading.ts';
import type { Transport } from '../http/transport.ts';
import type { Call } from '../../http/wire.ts';
import {
  computeResourceSchema,
  deploymentSchema,
  deploymentStatusSchema,
  environmentSchema,
  logLineSchema,
  replicasSchema,
  scalingSchema,
  systemLogLineSchema,
} from '../schemas/containers.ts';

/** An environment variable; a secret is named, not given. */
export interface EnvironmentVariable {
  readonly name: string;
  readonly value_or_reference_to_secret: string;
  readonly type: 'plain' | 'secret';
}

/** A mount of a container. */
export type VolumeMount =
  | { readonly type: 'scratch'; readonly mount_path: string }
  | { readonly type: 'secret'; readonly mount_path: string; readonly secret_name: string }
  | { readonly type: 'shared'; readonly mount_path: string; readonly volume_id: string }
  | { readonly type: 'memory'; readonly mount_path: string; readonly size_in_mb: number };

/** One container of a deployment. */
export interface NewContainer {
  /** `registry/repository:tag`; a missing tag and `latest` are refused. */
  readonly image: string;
  readonly exposed_port: number;
  readonly should_use_cached_image?: boolean;
  readonly healthcheck?: { readonly enabled: boolean; readonly port: number; readonly path: string };
  readonly entrypoint_overrides?: {
    readonly enabled: boolean;
    readonly entrypoint?: readonly string[];
    readonly cmd?: readonly string[];
  };
  readonly env?: readonly EnvironmentVariable[];
  readonly volume_mounts?: readonly VolumeMount[];
}

/** How a deployment scales. `min_replica_count` 0 = to nothing when idle. */
export interface Scaling {
  readonly min_replica_count: number;
  readonly max_replica_count: number;
  readonly scale_down_policy: { readonly delay_seconds: number };
  readonly scale_up_policy: { readonly delay_seconds: number };
  readonly queue_message_ttl_seconds: number;
  readonly concurrent_requests_per_replica: number;
  readonly scaling_triggers: {
    /** Queued requests per replica. */
    readonly queue_load: { readonly threshold: number };
    readonly cpu_utilization?: { readonly enabled: boolean; readonly threshold?: number };
    readonly gpu_utilization?: { readonly enabled: boolean; readonly threshold?: number };
  };
}

/** Body of `POST /container-deployments`. */
export interface NewDeployment {
  /** RFC 1123, at most 63 characters; for good. */
  readonly name: string;
  readonly container_registry_settings: {
    readonly is_private: boolean;
    readonly credentials: { readonly name: string } | null;
  };
  readonly compute: { readonly name: string; readonly size: number };
  readonly containers: readonly NewContainer[];
  readonly scaling: Scaling;
  readonly is_spot?: boolean;
}

/** Body of `PATCH /container-deployments/{name}`; containers are addressed by the name that the server gave them. */
export interface DeploymentChange {
  readonly container_registry_settings?: NewDeployment['container_registry_settings'];
  readonly compute?: NewDeployment['compute'];
  readonly containers?: readonly (Partial<NewContainer> & { readonly name: string })[];
  readonly is_spot?: boolean;
}

/** Which lines of a log; `since` such as `15m`, times in ISO. At most seven days back. */
export interface LogFilter {
  readonly container_name?: string;
  readonly search_text?: string;
  readonly since?: string;
  readonly start?: string;
  readonly end?: string;
  readonly order?: 'asc' | 'desc';
  /** At most 1000. */
  readonly limit?: number;
}

const ROOT = '/container-deployments';
/** The provider waits for a deletion by itself; our own limit lies this far behind. */
const DELETE_MARGIN_MS = 30_000;

const at = (name: string, rest = ''): string => `${ROOT}/${segment(name)}${rest}`;

export function containerCalls(http: Transport) {
  /** Sends a body and reads what it led to. */
  const write = <T>(call: Call, schema: z.ZodType<T>): Promise<T> => http.send(call, jsonOf(http, call, schema));
  const trigger = (name: string, what: string): Promise<void> =>
    command(http, { kind: 'change', method: 'POST', path: at(name, `/${what}`) });

  return {
    list: () => get(http, ROOT, z.array(deploymentSchema)),

    /** @throws DeckhandError `provider_gone` for an unknown name */
    get: (name: string) => get(http, at(name), deploymentSchema),

    create: (body: NewDeployment) => write({ kind: 'create', method: 'POST', path: ROOT, body }, deploymentSchema),

    update: (name: string, body: DeploymentChange) =>
      write({ kind: 'change', method: 'PATCH', path: at(name), body }, deploymentSchema),

    /** Deletes; the provider waits up to `waitMs` (0–300,000) for the replicas to end before it answers. */
    delete: (name: string, waitMs = 60_000): Promise<void> =>
      command(http, {
        kind: 'change',
        method: 'DELETE',
        path: at(name),
        query: { timeout: waitMs },
        timeoutMs: waitMs + DELETE_MARGIN_MS,
      }),

    /** The provider's word: `initializing`, `healthy`, `degraded`, `paused`, `quota_reached` … An open set. */
    async status(name: string): Promise<string> {
      const { status } = await get(http, at(name, '/status'), deploymentStatusSchema);
      return status;
    },
    restart: (name: string): Promise<void> => trigger(name, 'restart'),
    pause: (name: string): Promise<void> => trigger(name, 'pause'),
    resume: (name: string): Promise<void> => trigger(name, 'resume'),
    purgeQueue: (name: string): Promise<void> => trigger(name, 'purge-queue'),

    scaling: (name: string) => get(http, at(name, '/scaling'), scalingSchema),
    updateScaling: (name: string, body: Partial<Scaling>) =>
      write({ kind: 'change', method: 'PATCH', path: at(name, '/scaling'), body }, scalingSchema),

    async replicas(name: string) {
      const { list } = await get(http, at(name, '/replicas'), replicasSchema);
      return list;
    },

    environment: (name: string) => get(http, at(name, '/environment-variables'), environmentSchema),
    /** Adds variables to a container. What the writes answer differs between versions of the API: read {@link environment} after. */
    addEnvironment: (name: string, container: string, env: readonly EnvironmentVariable[]): Promise<void> =>
      changeEnvironment(http, name, 'POST', { container_name: container, env }),
    updateEnvironment: (name: string, container: string, env: readonly EnvironmentVariable[]): Promise<void> =>
      changeEnvironment(http, name, 'PATCH', { container_name: container, env }),
    removeEnvironment: (name: string, container: string, names: readonly string[]): Promise<void> =>
      changeEnvironment(http, name, 'DELETE', { container_name: container, env: names }),

    logs: (name: string, filter: LogFilter = {}) => get(http, at(name, '/logs'), z.array(logLineSchema), { ...filter }),
    systemLogs: (name: string, filter: Omit<LogFilter, 'container_name'> = {}) =>
      get(http, at(name, '/system-logs'), z.array(systemLogLineSchema), { ...filter }),

    /** Which GPUs containers can have now. */
    computeResources: () => get(http, '/serverless-compute-resources', z.array(computeResourceSchema)),
  };
}

const changeEnvironment = (
  http: Transport,
  name: string,
  method: 'POST' | 'PATCH' | 'DELETE',
  body: unknown,
): Promise<void> => command(http, { kind: 'change', method, path: at(name, '/environment-variables'), body });
