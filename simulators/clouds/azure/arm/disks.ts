/** Managed disks: the volumes of the core, each in the group of the machine that it was made with. */
import type { SimVolume } from '../../core/state.ts';
import { purgeVolume } from '../../core/volumes.ts';
import { resourceId, type Call, type Json, type Simulation } from '../account.ts';
import { ArmError, notFound } from '../errors.ts';
import { pageOf } from './page.ts';

const TYPE = 'Microsoft.Compute/disks';

const groupOf = ({ account }: Simulation, { id }: SimVolume): string => account.diskGroups[id] ?? '';

/** The disk of this name that exists; null = there is none. */
export const diskNamed = ({ sim }: Pick<Call, 'sim'>, group: string, name: string): SimVolume | null =>
  sim.cloud
    .volumes()
    .find(
      (volume) =>
        volume.status !== 'purged' &&
        volume.name.toLowerCase() === name.toLowerCase() &&
        groupOf(sim, volume).toLowerCase() === group.toLowerCase(),
    ) ?? null;

/** Azure's own id of a disk. */
export const diskIdOf = (sim: Simulation, volume: SimVolume): string =>
  resourceId(sim, groupOf(sim, volume), TYPE, volume.name);

/** Azure's own id of the machine that a disk hangs on. */
function managedBy(sim: Simulation, { instanceId }: SimVolume): string | undefined {
  const holder = Object.values(sim.account.machines).find((machine) => machine.instanceId === instanceId);
  return holder === undefined
    ? undefined
    : resourceId(sim, holder.group, 'Microsoft.Compute/virtualMachines', holder.name);
}

function stateOf({ cloud }: Simulation, { status, instanceId }: SimVolume): string {
  switch (status) {
    case 'attached':
    case 'detaching':
      return cloud.state.instances[instanceId ?? '']?.phase === 'stopped' ? 'Reserved' : 'Attached';
    case 'detached':
      return 'Unattached';
    default:
      return 'ReadyToUpload';
  }
}

function diskView(sim: Simulation, volume: SimVolume): Json {
  const holder = managedBy(sim, volume);
  return {
    name: volume.name,
    id: diskIdOf(sim, volume),
    type: TYPE,
    location: volume.location,
    tags: Object.fromEntries(volume.tags.map(({ key, value }) => [key, value])),
    sku: { name: volume.type, tier: 'Premium' },
    ...(holder === undefined ? {} : { managedBy: holder }),
    properties: {
      osType: volume.isOs ? 'Linux' : undefined,
      hyperVGeneration: 'V2',
      creationData: { createOption: 'FromImage' },
      diskSizeGB: volume.sizeGib,
      diskSizeBytes: volume.sizeGib * 1024 ** 3,
      timeCreated: new Date(volume.createdAtMs).toISOString(),
      provisioningState: 'Succeeded',
      diskState: stateOf(sim, volume),
      uniqueId: volume.id,
    },
  };
}

/** Answers a call on disks. @throws ArmError */
export function disks(call: Call): Response {
  const { sim, method, target } = call;
  if (target.name === null) {
    const all = sim.cloud.volumes().filter((volume) => volume.status !== 'purged');
    const inGroup = all.filter(
      (volume) => target.group === null || groupOf(sim, volume).toLowerCase() === target.group.toLowerCase(),
    );
    return pageOf(
      call,
      inGroup.map((volume) => diskView(sim, volume)),
    );
  }
  const group = target.group ?? '';
  const disk = diskNamed(call, group, target.name);
  switch (method) {
    case 'GET':
      if (disk === null) throw notFound(TYPE, target.name, group);
      return Response.json(diskView(sim, disk));
    case 'DELETE':
      if (disk === null) return new Response(null, { status: 204 });
      if (disk.status !== 'detached')
        throw new ArmError(
          'OperationNotAllowed',
          `Disk ${disk.name} is attached to VM ${managedBy(sim, disk) ?? ''}.`,
          409,
        );
      purgeVolume(sim.cloud.context, disk, call.nowMs);
      return new Response(null, { status: 202 });
    default:
      throw new ArmError('MethodNotAllowed', `The simulator makes no disks without a machine.`, 405);
  }
}
