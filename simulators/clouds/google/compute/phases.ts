/**
 * What happens at Compute Engine when an instance changes its phase: operations end, addresses are given back, an insert that failed takes
 * everything back.
 */
import { deleteInstance } from '../../core/instances.ts';
import type { Disposal, SimInstance } from '../../core/state.ts';
import { recordOf, type Simulation } from '../account.ts';
import type { OperationError } from '../errors.ts';
import { volumeNamed } from './find.ts';
import { endOperations, failOperation, openInsert } from './operations.ts';
import { noCapacity } from './quotas.ts';

/** What becomes of each disk at the end of its instance. */
export function disposalsOf(sim: Simulation, instance: SimInstance): Record<string, Disposal> {
  const disposals = recordOf(sim, instance.id).disks.flatMap(({ diskName, autoDelete }) => {
    const volume = volumeNamed(sim, instance.location, diskName);
    return volume === undefined ? [] : [[volume.id, autoDelete ? 'purge' : 'keep'] as const];
  });
  return Object.fromEntries(disposals);
}

const failureOf = (sim: Simulation, instance: SimInstance): OperationError =>
  instance.failure === 'no_capacity'
    ? noCapacity(sim, instance.instanceType, instance.location, instance.market)
    : {
        code: 'INTERNAL_ERROR',
        message: 'Internal error. Please try again or contact Google Support.',
        httpStatus: 500,
      };

export function followPhases(sim: Simulation): void {
  const { cloud } = sim;
  cloud.onTransition((instance, atMs) => {
    switch (instance.phase) {
      case 'running':
        endOperations(sim, instance.id, 'running', atMs);
        break;
      case 'stopped':
        instance.ip = null;
        endOperations(sim, instance.id, 'stopped', atMs);
        break;
      case 'failed': {
        const insert = openInsert(sim, instance.id);
        if (insert !== undefined) failOperation(insert, failureOf(sim, instance), atMs);
        // Disks that were made for it go with it.
        const made = instance.volumeIds.filter((id) => !instance.bootedFromVolume || id !== instance.osVolumeId);
        const disposals = Object.fromEntries(made.map((id) => [id, 'purge'] as const));
        deleteInstance(cloud.context, instance, disposals, atMs);
        break;
      }
      case 'gone':
        endOperations(sim, instance.id, 'gone', atMs);
        break;
      case 'accepted':
      case 'preparing':
      case 'starting':
      case 'stopping':
      case 'deleting':
    }
  });
}
