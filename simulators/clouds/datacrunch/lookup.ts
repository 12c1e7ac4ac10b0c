/** Finds what a call names. Machines and clusters share the core's instances; a call on one kind does not find the other. */
import { CloudRefusal } from '../core/refusal.ts';
import type { SimInstance } from '../core/state.ts';
import type { Simulation } from './account.ts';
import { CLUSTER_TYPES, type ClusterType } from './catalogue.ts';
import { ApiError } from './errors.ts';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u;

const clusterTypes: ReadonlyMap<string, ClusterType> = new Map(CLUSTER_TYPES.map((t) => [t.instanceType, t]));

/** The type of a cluster; undefined for machines and unknown types. */
export const clusterTypeOf = (type: string): ClusterType | undefined => clusterTypes.get(type);

/** True for machines, false for clusters and replicas of containers. */
export const isMachine = (instance: SimInstance): boolean =>
  !clusterTypes.has(instance.instanceType) && !instance.isReplica;

/** A machine, also one that has ended. @throws CloudRefusal `unknown_instance` */
export function machineOf({ cloud }: Simulation, id: string): SimInstance {
  const instance = cloud.instance(id);
  if (!isMachine(instance)) throw new CloudRefusal('unknown_instance', id);
  return instance;
}

/** A cluster, also one that has ended. @throws ApiError 404 */
export function clusterOf({ cloud }: Simulation, id: string): SimInstance {
  const cluster = cloud.allInstances().find((i) => i.id === id && clusterTypes.has(i.instanceType));
  if (cluster === undefined) throw new ApiError('not_found', 'Cluster not found');
  return cluster;
}

/** Keys for a first boot. @throws ApiError when one is unknown */
export function sshKeysOf({ account }: Simulation, ids: readonly string[]): readonly string[] {
  for (const id of ids) {
    if (!UUID.test(id)) throw new ApiError('invalid_request', 'Invalid ssh-key ID');
    if (account.keys[id] === undefined) throw new ApiError('not_found', 'SSH key not found');
  }
  return ids;
}

/** @throws ApiError 404 */
export function scriptOf({ account }: Simulation, id: string | undefined): string | null {
  if (id !== undefined && account.scripts[id] === undefined)
    throw new ApiError('not_found', 'Startup script not found');
  return id ?? null;
}
