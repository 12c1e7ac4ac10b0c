/** Volumes: DescribeVolumes, CreateVolume, AttachVolume, DetachVolume, DeleteVolume. */
import { attachVolume, detachVolume, orderVolume, purgeVolume } from '../../core/volumes.ts';
import type { SimInstance, SimVolume, VolumeStatus } from '../../core/state.ts';
import type { Call } from '../account.ts';
import { regionOf } from '../catalogue.ts';
import { AwsError } from '../errors.ts';
import {
  coreTags,
  filters,
  flag,
  listOf,
  pageOf,
  paging,
  passes,
  read,
  tagSpecifications,
  text,
  whole,
} from '../parameters.ts';
import { isoTime, setOf, type XmlTree } from '../xml.ts';
import { zonesOf } from './capacity.ts';
import { instanceIn, volumeIn } from './find.ts';
import { ROOT_DEVICE, tagSet } from './instance-item.ts';
import { fingerprintOf } from './run.ts';

const STATES: Readonly<Record<VolumeStatus, string>> = {
  ordered: 'creating',
  cloning: 'creating',
  detached: 'available',
  attached: 'in-use',
  detaching: 'in-use',
  trashed: 'deleting',
  purged: 'deleted',
};

function attachmentTree({ sim }: Call, volume: SimVolume, status: string): XmlTree {
  const attachment = sim.account.attachments[volume.id];
  return {
    volumeId: volume.id,
    instanceId: volume.instanceId ?? '',
    device: attachment?.device ?? ROOT_DEVICE,
    status,
    attachTime: isoTime(attachment?.atMs ?? volume.createdAtMs),
    deleteOnTermination: volume.onEviction === 'purge',
  };
}

function volumeTree(call: Call, volume: SimVolume): Record<string, XmlTree> {
  const isAttached = volume.status === 'attached' || volume.status === 'detaching';
  return {
    volumeId: volume.id,
    size: volume.sizeGib,
    snapshotId: '',
    availabilityZone: volume.location,
    status: STATES[volume.status],
    createTime: isoTime(volume.createdAtMs),
    attachmentSet: isAttached
      ? setOf([volume], (v) => attachmentTree(call, v, v.status === 'attached' ? 'attached' : 'detaching'))
      : '',
    tagSet: tagSet(volume.tags),
    volumeType: volume.type,
    iops: 3000,
    throughput: 125,
    encrypted: false,
    multiAttachEnabled: false,
  };
}

export function describeVolumes(call: Call): XmlTree {
  const p = read(call.parameters, { VolumeId: listOf(text), Filter: filters, ...paging });
  const asOfMs = call.nowMs - call.staleByMs;
  const all =
    p.VolumeId.length > 0
      ? p.VolumeId.map((id) => volumeIn(call, id))
      : call.sim.cloud
          .volumes()
          .filter((v) => v.status !== 'purged' && regionOf(v.location) === call.region && v.createdAtMs <= asOfMs);
  const found = all.filter((v) =>
    passes(
      p.Filter,
      {
        'volume-id': v.id,
        status: STATES[v.status],
        'availability-zone': v.location,
        'volume-type': v.type,
        size: String(v.sizeGib),
        'attachment.instance-id': v.instanceId,
        'attachment.delete-on-termination': v.instanceId === null ? null : String(v.onEviction === 'purge'),
        'attachment.device': v.instanceId === null ? null : (call.sim.account.attachments[v.id]?.device ?? null),
      },
      v.tags,
    ),
  );
  const { items, nextToken } = pageOf(found, p);
  return { volumeSet: setOf(items, (v) => volumeTree(call, v)), nextToken };
}

const MOST_GIB = 16_384;

export function createVolume(call: Call): XmlTree {
  const p = read(call.parameters, {
    AvailabilityZone: text,
    Size: whole,
    VolumeType: text.default('gp2'),
    Iops: whole.optional(),
    Throughput: whole.optional(),
    Encrypted: flag.optional(),
    TagSpecification: tagSpecifications,
    ClientToken: text.optional(),
  });
  if (!zonesOf(call.region).includes(p.AvailabilityZone))
    throw new AwsError('InvalidZone.NotFound', `The zone '${p.AvailabilityZone}' does not exist.`);
  if (p.Size < 1 || p.Size > MOST_GIB)
    throw new AwsError('InvalidParameterValue', `Volume of ${p.Size}GiB is not valid: expecting 1 to ${MOST_GIB}GiB`);
  const { cloud, account } = call.sim;
  const tokenKey = `${call.region}/${p.ClientToken ?? ''}`;
  const request = fingerprintOf(call.parameters);
  const use = p.ClientToken === undefined ? undefined : account.volumeTokens[tokenKey];
  if (use !== undefined && use.request !== request)
    throw new AwsError(
      'IdempotentParameterMismatch',
      'Arguments on this idempotent request are inconsistent with arguments used in previous request(s).',
    );
  if (use !== undefined) return volumeTree(call, volumeIn(call, use.volumeId));
  const tags = coreTags(p.TagSpecification);
  const volume = orderVolume(cloud.context, call.nowMs, {
    name: tags.find((t) => t.key === 'Name')?.value ?? '',
    sizeGib: p.Size,
    type: p.VolumeType,
    location: p.AvailabilityZone,
    tags,
  });
  if (p.ClientToken !== undefined) account.volumeTokens[tokenKey] = { request, volumeId: volume.id };
  return volumeTree(call, volume);
}

export function attach(call: Call): XmlTree {
  const p = read(call.parameters, { VolumeId: text, InstanceId: text, Device: text });
  const volume = volumeIn(call, p.VolumeId);
  const instance = instanceIn(call, p.InstanceId);
  if (volume.status === 'attached' || volume.status === 'detaching')
    throw new AwsError('VolumeInUse', `${volume.id} is already attached to an instance`);
  if (volume.status !== 'detached')
    throw new AwsError('IncorrectState', `Volume '${volume.id}' is in the '${STATES[volume.status]}' state.`);
  if (volume.location !== instance.location)
    throw new AwsError(
      'InvalidVolume.ZoneMismatch',
      `The volume '${volume.id}' is not in the same availability zone as instance '${instance.id}'`,
    );
  if (instance.phase !== 'running' && instance.phase !== 'stopped')
    throw new AwsError('IncorrectState', `Instance '${instance.id}' is not 'running'.`);
  if (deviceHolder(call, instance, p.Device) !== undefined)
    throw new AwsError(
      'InvalidParameterValue',
      `Invalid value '${p.Device}' for unixDevice. Attachment point ${p.Device} is already in use`,
    );
  attachVolume(call.sim.cloud.context, volume, instance.id, call.nowMs);
  volume.onEviction = 'keep';
  instance.volumeIds.push(volume.id);
  if (p.Device === ROOT_DEVICE) instance.osVolumeId = volume.id;
  call.sim.account.attachments[volume.id] = { device: p.Device, atMs: call.nowMs };
  return attachmentTree(call, volume, 'attaching');
}

const deviceHolder = ({ sim }: Call, instance: SimInstance, device: string): string | undefined =>
  instance.volumeIds.find((id) => sim.account.attachments[id]?.device === device);

export function detach(call: Call): XmlTree {
  const p = read(call.parameters, {
    VolumeId: text,
    InstanceId: text.optional(),
    Device: text.optional(),
    Force: flag.optional(),
  });
  const volume = volumeIn(call, p.VolumeId);
  const { cloud, account } = call.sim;
  const instance = volume.instanceId === null ? undefined : cloud.state.instances[volume.instanceId];
  if (volume.status !== 'attached' || instance === undefined)
    throw new AwsError('IncorrectState', `Volume '${volume.id}' is in the '${STATES[volume.status]}' state.`);
  if (p.InstanceId !== undefined && p.InstanceId !== instance.id)
    throw new AwsError(
      'InvalidAttachment.NotFound',
      `The volume '${volume.id}' is not attached to instance '${p.InstanceId}'`,
    );
  const device = account.attachments[volume.id]?.device ?? ROOT_DEVICE;
  if (device === ROOT_DEVICE && instance.phase !== 'stopped')
    throw new AwsError(
      'OperationNotPermitted',
      `Unable to detach root volume '${device}' from instance '${instance.id}'`,
    );
  const tree = attachmentTree(call, volume, 'detaching');
  instance.volumeIds = instance.volumeIds.filter((id) => id !== volume.id);
  if (instance.osVolumeId === volume.id) instance.osVolumeId = null;
  detachVolume(cloud.context, volume, call.nowMs);
  volume.onEviction = 'keep';
  delete account.attachments[volume.id];
  return tree;
}

export function deleteVolume(call: Call): XmlTree {
  const volume = volumeIn(call, read(call.parameters, { VolumeId: text }).VolumeId);
  if (volume.status === 'attached' || volume.status === 'detaching')
    throw new AwsError('VolumeInUse', `Volume ${volume.id} is currently attached to ${volume.instanceId}`);
  purgeVolume(call.sim.cloud.context, volume, call.nowMs);
  return { return: true };
}
