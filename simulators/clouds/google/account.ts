/** The rest of a simulated project, beside instances and volumes: names, operations, firewall rules, tokens. Plain JSON. */
import { z } from 'zod';
import type { CallEffects, Simulation as SimulationOf } from '../core/call.ts';
import type { CallWindows } from '../core/rate-limits.ts';
import type { OperationError } from './errors.ts';

const limit = z.int().min(0).nullable().optional();

/** GPUs; null or absent = no limit. */
export const quotaSchema = z.strictObject({
  /** `GPUS_ALL_REGIONS`. */
  gpusAllRegions: limit,
  /** Of each kind in each region, such as `NVIDIA_L4_GPUS`; spot machines count apart. */
  gpusPerKind: limit,
  spotGpusPerKind: limit,
});
export type GpuQuotas = z.infer<typeof quotaSchema>;

export const dialectSchema = z.strictObject({
  gpuQuotas: quotaSchema.default({}),
  /** How long an operation takes that only says yes or no, seconds. */
  operationSec: z.number().min(0).default(1.5),
  /** Rows of a page, at most. */
  mostPerPage: z.int().min(1).max(500).default(500),
});
export type Dialect = z.infer<typeof dialectSchema>;

/** A disk of an instance, which may still have to be made. */
export interface AttachedDisk {
  readonly diskName: string;
  readonly deviceName: string;
  readonly boot: boolean;
  autoDelete: boolean;
}

/** What Compute Engine knows about an instance beside what the core does. */
export interface InstanceRecord {
  readonly name: string;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
  readonly networkTags: readonly string[];
  readonly network: string;
  readonly subnetwork: string;
  readonly privateIp: string;
  readonly hasPublicIp: boolean;
  readonly scheduling: Readonly<Record<string, unknown>>;
  disks: readonly AttachedDisk[];
}

/** What an operation waits for: a phase of its instance, or nothing but its time. */
export type Awaited = 'running' | 'stopped' | 'gone' | null;

export interface OperationRecord {
  readonly name: string;
  readonly id: string;
  readonly type: string;
  /** Empty = global. */
  readonly zone: string;
  /** Path below the project, such as `/zones/z/instances/x`. */
  readonly target: string;
  readonly targetId: string;
  readonly insertAtMs: number;
  readonly instanceId: string | null;
  readonly awaits: Awaited;
  /** Null while that is not known. */
  endAtMs: number | null;
  error: OperationError | null;
}

export interface FirewallRule {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface AccountState {
  /** By instance. */
  readonly records: Record<string, InstanceRecord>;
  /** By name. */
  readonly operations: Record<string, OperationRecord>;
  /** By name. */
  readonly firewalls: Record<string, FirewallRule>;
  /** By request id: what it was first used for. */
  readonly requests: Record<string, { readonly request: string; readonly operation: string }>;
  /** Access tokens with their end. */
  readonly tokens: Record<string, number>;
  /** Calls in the running minute. */
  readonly windows: CallWindows;
  quotas: GpuQuotas;
}

export const freshAccount = (dialect: Dialect): AccountState => ({
  records: {},
  operations: {},
  firewalls: {},
  requests: {},
  tokens: {},
  windows: {},
  quotas: { ...dialect.gpuQuotas },
});

/** Who may ask for tokens. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
  /** Service accounts by their address, with the public halves of their keys (PEM). */
  readonly serviceAccounts: Readonly<Record<string, string>>;
}

/** A simulated Google as its operations see it. */
export interface Simulation extends SimulationOf<AccountState, Dialect> {
  readonly project: string;
  readonly credentials: Credentials;
}

/** One call. */
export interface Call extends CallEffects {
  readonly sim: Simulation;
  /** Parts of the path that the route names. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed; undefined = none. */
  readonly body: unknown;
}

/** What Compute Engine knows about an instance. @throws Error when it was not made by an insert: a defect */
export function recordOf({ account }: Simulation, instanceId: string): InstanceRecord {
  const record = account.records[instanceId];
  if (record === undefined) throw new Error(`no record of ${instanceId}`);
  return record;
}
