/** The rest of a DataCrunch project, beside instances and volumes: keys, scripts, tokens, tags, call counts, container deployments. Plain JSON. */
import { z } from 'zod';
import type { CallEffects, Simulation as SimulationOf } from '../core/call.ts';
import type { CallWindows } from '../core/rate-limits.ts';
import type { RefusalReason } from '../core/refusal.ts';
import type { Traffic } from './traffic.ts';

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

/** How a deployment scales; times in ms. */
export interface Scaling {
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly scaleUpAfterMs: number;
  readonly scaleDownAfterMs: number;
  /** Longest time of a request in the queue. */
  readonly queueTtlMs: number;
  readonly requestsPerReplica: number;
  /** Waiting requests for which one replica is wanted. */
  readonly queueThreshold: number;
}

/** A line of a log; equal lines in a row of the scheduler's log are counted. */
export interface LogLine {
  readonly atMs: number;
  readonly replica: string;
  /** Of the scheduler's log; empty in logs of containers. */
  readonly reason: string;
  readonly message: string;
  count: number;
}

export interface Deployment {
  readonly name: string;
  readonly createdAtMs: number;
  /** Body of the create, with later changes. */
  containers: Record<string, unknown>[];
  compute: { readonly name: string; readonly size: number };
  registry: Record<string, unknown>;
  isSpot: boolean;
  /** As it was sent, and as it is carried out. */
  scalingBody: Record<string, unknown>;
  scaling: Scaling;
  paused: boolean;
  /** Raised by every change that needs new replicas; older ones are drained. */
  generation: number;
  /** Number of replicas that were ever ordered. */
  ordered: number;
  /** Replicas that have not ended, as instances of the core. */
  replicas: { readonly id: string; readonly generation: number }[];
  /** Why the last order of a replica was refused; null when it was accepted. */
  refusal: RefusalReason | null;
  /** Since when more replicas are wanted than there are, and since when none has had a request. */
  pressedSinceMs: number | null;
  idleSinceMs: number | null;
  /** Time of the next planned look. */
  lookAtMs: number | null;
  logs: LogLine[];
  systemLogs: LogLine[];
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
  readonly windows: CallWindows;
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

/** A simulated DataCrunch as its routes see it. */
export interface Simulation extends SimulationOf<AccountState, Dialect> {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Credential of calls to container deployments. */
  readonly inferenceKey: string;
  /** Requests to container deployments that are under way; not part of the state. */
  readonly traffic: Traffic;
}

/** Invalidates every token. */
export function revokeTokens(sim: Simulation): void {
  sim.account = { ...sim.account, tokens: {} };
}

/** One call. */
export interface CallEnv extends CallEffects {
  readonly sim: Simulation;
  /** Parsed body; undefined when there is none. */
  readonly body: unknown;
}

/** Environment of Hono routes. */
export interface Env {
  Bindings: CallEnv;
}
