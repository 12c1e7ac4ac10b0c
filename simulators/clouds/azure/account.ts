/**
 * The rest of a simulated subscription, beside instances and volumes: tokens, groups, pieces of networks, what was ordered of each machine,
 * operations. Plain JSON.
 */
import { z } from 'zod';
import type { CallEffects, Simulation as SimulationOf } from '../core/call.ts';

const cores = z.int().min(0).nullable().optional();

/** Cores of machines in each location; null or absent = no limit. */
export const quotaSchema = z.strictObject({
  /** Of each family. */
  family: cores,
  /** Of all machines. */
  regional: cores,
  /** Of all machines of the spot market. */
  spot: cores,
});
export type CoreQuotas = z.infer<typeof quotaSchema>;

export const dialectSchema = z.strictObject({
  coreQuotas: quotaSchema.default({}),
  /** How long a piece of a network is being made, and being deleted, seconds. */
  networkSec: z.number().min(0).default(1),
  /** Rows on a page of a list. */
  pageSize: z.int().min(1).default(100),
  tokenSec: z.number().positive().default(3599),
});
export type Dialect = z.infer<typeof dialectSchema>;

export type Tags = Readonly<Record<string, string>>;
export type Json = Readonly<Record<string, unknown>>;

/** A piece of a network as it was put. */
export interface Piece {
  readonly group: string;
  /** `virtualNetworks`, `networkSecurityGroups`, `publicIPAddresses` or `networkInterfaces`. */
  readonly type: string;
  readonly name: string;
  readonly location: string;
  tags: Tags;
  properties: Json;
  readonly sku: Json | null;
  readonly guid: string;
  /** Public addresses only. */
  readonly ip: string | null;
  /** It is `Updating` before this time. */
  readyAtMs: number;
  /** It is `Deleting` until this time, and then gone; null = it stays. */
  goneAtMs: number | null;
}

/** Why the last change of a machine failed. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** What was ordered of a machine. */
export interface MachineRecord {
  readonly instanceId: string;
  readonly group: string;
  readonly name: string;
  readonly imageReference: Json | null;
  /** As it is shown: without secrets and custom data. Null for a machine that boots a disk of its own. */
  readonly osProfile: Json | null;
  readonly customData: string;
  readonly interfaces: readonly { readonly id: string; readonly deleteOption: string }[];
  readonly osDisk: { readonly name: string; readonly createOption: string; deleteOption: string };
  readonly evictionPolicy: string | null;
  tags: Tags;
  failure: Failure | null;
}

/** A change that goes on after its answer. */
export interface Operation {
  readonly startedAtMs: number;
  readonly of: 'create' | 'delete' | 'deallocate' | 'start' | 'network';
  /** Id of the instance; of a piece of a network the time at which it is done. */
  readonly instanceId: string;
  readonly doneAtMs: number;
  readonly failure: Failure | null;
}

export interface AccountState {
  /** Tokens with the time they end. */
  readonly tokens: Record<string, number>;
  /** By name in small letters. */
  readonly groups: Record<string, { readonly name: string; readonly location: string; readonly tags: Tags }>;
  /** By `group/type/name` in small letters. */
  readonly pieces: Record<string, Piece>;
  /** By `group/name` in small letters; machines that are gone are removed. */
  readonly machines: Record<string, MachineRecord>;
  /** Group of each disk, by volume. */
  readonly diskGroups: Record<string, string>;
  readonly operations: Record<string, Operation>;
  quotas: CoreQuotas;
}

export const freshAccount = (dialect: Dialect): AccountState => ({
  tokens: {},
  groups: {},
  pieces: {},
  machines: {},
  diskGroups: {},
  operations: {},
  quotas: { ...dialect.coreQuotas },
});

export interface AzureSecrets {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly subscriptionId: string;
}

/** A simulated Azure as its operations see it. */
export interface Simulation extends SimulationOf<AccountState, Dialect> {
  readonly secrets: AzureSecrets;
}

/** A resource that a call names. */
export interface Target {
  /** Null = of the whole subscription. */
  readonly group: string | null;
  /** Such as `Microsoft.Compute/virtualMachines`; '' for what belongs to no provider. */
  readonly type: string;
  /** Null = the list. */
  readonly name: string | null;
  /** What follows the name, such as `start`. */
  readonly action: string | null;
}

/** One call of an operation. */
export interface Call extends CallEffects {
  readonly sim: Simulation;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly target: Target;
  readonly body: unknown;
}

export const keyOf = (...parts: readonly string[]): string => parts.join('/').toLowerCase();

/** Azure's own id of a resource. */
export const resourceId = ({ secrets }: Simulation, group: string, type: string, name: string): string =>
  `/subscriptions/${secrets.subscriptionId}/resourceGroups/${group}/providers/${type}/${name}`;

/** Group and name of an id of this type; null for another. */
export function readResourceId(id: string, type: string): { readonly group: string; readonly name: string } | null {
  const match = /^\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\/providers\/([^/]+\/[^/]+)\/([^/]+)$/iu.exec(id);
  const [, group = '', found = '', name = ''] = match ?? [];
  return found.toLowerCase() === type.toLowerCase() ? { group, name } : null;
}
