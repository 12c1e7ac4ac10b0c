/**
 * The rest of a DataCrunch project, beside instances and volumes: keys, scripts, tokens, tags, call counts, container deployments. Plain JSON.
 */
import type { SimulatedCloud } from '../core/simulated-cloud.ts';
import type { CloudState } from '../core/state.ts';
import type { CreateFault } from '../core/instances.ts';
import { z } from 'zod';

export const dialectSchema = z.strictObject({
  /** A delete that names no volumes: the OS disk goes to the trash (documented), or stays and costs (observed). */
  deleteWithoutVolumeIds: z.enum(['trash_os', 'leave_detached']).default('trash_os'),
  /** Delete of what is gone: refused (matched by clients), or 204 (changelog). */
  doubleDelete: z.enum(['403', '204']).default('403'),
  /** Delete of a volume that is purged. */
  purgeTwice: z.enum(['400', '204']).default('204'),
  cloneAnswer: z.enum(['array', 'object']).default('array'),
  /** Id in the answer to a create. */
  idAnswer: z.enum(['raw', 'quoted']).default('raw'),
  hibernateFromRunning: z.enum(['403', '400']).default('403'),
  /** Also use container statuses that the provider's Python SDK does not know. */
  newContainerStatuses: z.boolean().default(false),
});

export type Dialect = z.infer<typeof dialectSchema>;

export interface AccountKey {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly createdAtMs: number;
}

export interface AccountScript {
  readonly id: string;
  readonly name: string;
  readonly script: string;
  readonly createdAtMs: number;
}

export interface Deployment {
  readonly name: string;
  readonly createdAtMs: number;
  /** Body of the create, with later changes. */
  containers: Record<string, unknown>[];
  compute: Record<string, unknown>;
  registry: Record<string, unknown>;
  isSpot: boolean;
  scaling: Record<string, unknown>;
  /** Time of the last change; replicas settle some seconds later. */
  changedAtMs: number;
  paused: boolean;
}

export interface AccountState {
  readonly keys: Record<string, AccountKey>;
  readonly scripts: Record<string, AccountScript>;
  /** Tag ids by `key=value`. */
  readonly tags: Record<string, string>;
  /** End of each token, ms since 1970. */
  readonly tokens: Record<string, number>;
  readonly refreshTokens: Record<string, number>;
  /** Calls in the running minute, by `project` or `METHOD /path`. */
  readonly windows: Record<string, { fromMs: number; calls: number }>;
  readonly deployments: Record<string, Deployment>;
}

export const freshAccount = (): AccountState => ({
  keys: {},
  scripts: {},
  tags: {},
  tokens: {},
  refreshTokens: {},
  windows: {},
  deployments: {},
});

/** The state of a simulated DataCrunch as plain JSON. */
export interface DataCrunchSnapshot {
  readonly cloud: CloudState;
  readonly account: AccountState;
}

/** A simulated DataCrunch as its routes see it. */
export interface Simulation {
  readonly cloud: SimulatedCloud;
  readonly dialect: Dialect;
  readonly clientId: string;
  readonly clientSecret: string;
  account: AccountState;
}

/** One call: the simulation, the body and the effects of a scripted fault. */
export interface CallEnv {
  readonly sim: Simulation;
  /** Parsed body; undefined when there is none. */
  readonly body: unknown;
  readonly createFault: CreateFault;
  /** Lists are answered as of this long ago. */
  readonly staleByMs: number;
  /** Replaces every status in the answer. */
  readonly statusWord: string | null;
}

/** Environment of Hono routes. */
export interface Env {
  Bindings: CallEnv;
}
