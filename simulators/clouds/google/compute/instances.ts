/** Instances: get, list, stop, start, reset, setMachineType, setDiskAutoDelete, delete. */
import { z } from 'zod';
import { CloudRefusal } from '../../core/refusal.ts';
import type { SimInstance } from '../../core/state.ts';
import { recordOf, type Awaited, type Call } from '../account.ts';
import { googleType } from '../catalogue.ts';
import { GoogleError, invalid, type OperationError } from '../errors.ts';
import { instanceIn, listedInstances, volumeNamed, zoneOf } from './find.ts';
import { checkedType, readBody } from './body.ts';
import { guestAccelerators, instanceTree } from './instance-tree.ts';
import { resourceName } from './links.ts';
import { aggregatedAnswer, listAnswer } from './lists.ts';
import { answerWith, beginOperation } from './operations.ts';
import { disposalsOf } from './phases.ts';
import { noCapacity, quotaFault } from './quotas.ts';

export const getInstance = (call: Call): unknown => instanceTree(call, instanceIn(call));

export function listInstances(call: Call): unknown {
  const zone = zoneOf(call);
  const rows = listedInstances(call)
    .filter(({ location }) => location === zone)
    .map((instance) => instanceTree(call, instance));
  return listAnswer(call, 'compute#instanceList', `/zones/${zone}/instances`, rows);
}

export const aggregatedInstances = (call: Call): unknown =>
  aggregatedAnswer(
    call,
    'compute#instanceAggregatedList',
    'instances',
    listedInstances(call).map((instance) => ({ zone: instance.location, row: instanceTree(call, instance) })),
  );

/** Begins the operation of a change. */
function changed(
  call: Call,
  type: string,
  instance: SimInstance,
  how: { readonly awaits?: Awaited; readonly error?: OperationError } = {},
): unknown {
  const target = `/zones/${instance.location}/instances/${recordOf(call.sim, instance.id).name}`;
  const zone = instance.location;
  return answerWith(call, beginOperation(call, { type, zone, target, instanceId: instance.id, ...how }));
}

const notReady = (call: Call, instance: SimInstance): GoogleError =>
  new GoogleError(
    400,
    'resourceNotReady',
    `The resource '${resourceName(call.sim, `/zones/${instance.location}/instances/${recordOf(call.sim, instance.id).name}`)}' is not ready`,
  );

export function stopInstance(call: Call): unknown {
  const instance = instanceIn(call);
  if (instance.phase === 'stopped') return changed(call, 'stop', instance);
  if (instance.phase !== 'running' && instance.phase !== 'stopping') throw notReady(call, instance);
  call.sim.cloud.stop(instance.id);
  return changed(call, 'stop', instance, { awaits: instance.phase === 'stopping' ? 'stopped' : null });
}

export function startInstance(call: Call): unknown {
  const { sim } = call;
  const instance = instanceIn(call);
  const { instanceType, location, market, phase } = instance;
  if (phase === 'running' || phase === 'starting') return changed(call, 'start', instance);
  if (phase !== 'stopped') throw notReady(call, instance);
  const fault = quotaFault(sim, instanceType, location, market);
  if (fault !== null) return changed(call, 'start', instance, { error: fault });
  // A scripted fault: the start is accepted and finds nothing.
  if (call.createFault.noCapacity !== undefined)
    return changed(call, 'start', instance, { error: noCapacity(sim, instanceType, location, market) });
  try {
    sim.cloud.start(instance.id);
  } catch (error) {
    if (!(error instanceof CloudRefusal) || error.reason !== 'no_capacity') throw error;
    return changed(call, 'start', instance, { error: noCapacity(sim, instanceType, location, market) });
  }
  return changed(call, 'start', instance, { awaits: 'running' });
}

export function resetInstance(call: Call): unknown {
  const instance = instanceIn(call);
  if (instance.phase !== 'running') throw notReady(call, instance);
  call.sim.cloud.machines.reboot(instance, call.nowMs);
  return changed(call, 'reset', instance);
}

export function setMachineType(call: Call): unknown {
  const instance = instanceIn(call);
  const { machineType } = readBody(z.looseObject({ machineType: z.string() }), call.body);
  const isAttached = googleType(instance.instanceType)?.series.attached !== undefined;
  const kept = isAttached ? guestAccelerators(instance.instanceType, instance.location) : [];
  const instanceType = checkedType(instance.location, machineType, [...kept]);
  if (instance.phase !== 'stopped') {
    const { message } = notReady(call, instance);
    return changed(call, 'setMachineType', instance, {
      error: { code: 'RESOURCE_NOT_READY', message, httpStatus: 400 },
    });
  }
  const [now, wanted] = [googleType(instance.instanceType), googleType(instanceType)];
  if (now?.series.accelerator !== wanted?.series.accelerator)
    throw invalid('machineType', machineType, 'The machine type cannot be changed to one with another kind of GPU.');
  call.sim.cloud.changeType(instance.id, instanceType);
  return changed(call, 'setMachineType', instance);
}

export function setDiskAutoDelete(call: Call): unknown {
  const { sim, query } = call;
  const instance = instanceIn(call);
  const disk = recordOf(sim, instance.id).disks.find(({ deviceName }) => deviceName === query.get('deviceName'));
  if (disk === undefined)
    throw invalid('deviceName', query.get('deviceName') ?? '', 'No attached disk found with device name.');
  disk.autoDelete = query.get('autoDelete') === 'true';
  const volume = volumeNamed(sim, instance.location, disk.diskName);
  if (volume !== undefined) volume.onEviction = disk.autoDelete ? 'purge' : 'keep';
  return changed(call, 'setDiskAutoDelete', instance);
}

export function deleteInstance(call: Call): unknown {
  const { sim } = call;
  const instance = instanceIn(call);
  if (instance.phase !== 'deleting') sim.cloud.delete(instance.id, disposalsOf(sim, instance));
  return changed(call, 'delete', instance, { awaits: instance.phase === 'deleting' ? 'gone' : null });
}
