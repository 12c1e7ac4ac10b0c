/** Disks: get, list, insert, delete. */
import { z } from 'zod';
import { orderVolume, purgeVolume } from '../../core/volumes.ts';
import type { SimVolume, VolumeStatus } from '../../core/state.ts';
import { recordOf, type Call } from '../account.ts';
import { GoogleError } from '../errors.ts';
import { volumeIn, volumeNamed, zoneOf } from './find.ts';
import { labels, readBody, tagsOf, wholeText } from './body.ts';
import { linkTo, resourceName, writtenTime } from './links.ts';
import { aggregatedAnswer, listAnswer, type Row } from './lists.ts';
import { answerWith, beginOperation } from './operations.ts';

const STATUSES: Readonly<Record<VolumeStatus, string>> = {
  ordered: 'CREATING',
  cloning: 'CREATING',
  detached: 'READY',
  attached: 'READY',
  detaching: 'READY',
  trashed: 'DELETING',
  purged: 'DELETING',
};

function diskTree({ sim }: Call, volume: SimVolume): Row {
  const { location: zone, instanceId } = volume;
  const user = instanceId === null ? null : recordOf(sim, instanceId).name;
  return {
    kind: 'compute#disk',
    id: volume.id,
    creationTimestamp: writtenTime(volume.createdAtMs),
    name: volume.name,
    sizeGb: String(volume.sizeGib),
    zone: linkTo(sim, `/zones/${zone}`),
    status: STATUSES[volume.status],
    type: linkTo(sim, `/zones/${zone}/diskTypes/${volume.type}`),
    ...(volume.isOs
      ? { sourceImage: 'https://www.googleapis.com/compute/v1/projects/simulated/global/images/simulated' }
      : {}),
    ...(user === null ? {} : { users: [linkTo(sim, `/zones/${zone}/instances/${user}`)] }),
    ...(volume.tags.length === 0
      ? {}
      : { labels: Object.fromEntries(volume.tags.map(({ key, value }) => [key, value])) }),
    physicalBlockSizeBytes: '4096',
    selfLink: linkTo(sim, `/zones/${zone}/disks/${volume.name}`),
  };
}

export const getDisk = (call: Call): unknown => diskTree(call, volumeIn(call));

const shown = ({ sim, nowMs, staleByMs }: Call): readonly SimVolume[] =>
  sim.cloud
    .volumes()
    .filter((v) => v.status !== 'purged' && v.status !== 'trashed' && v.createdAtMs <= nowMs - staleByMs);

export function listDisks(call: Call): unknown {
  const zone = zoneOf(call);
  const rows = shown(call)
    .filter(({ location }) => location === zone)
    .map((volume) => diskTree(call, volume));
  return listAnswer(call, 'compute#diskList', `/zones/${zone}/disks`, rows);
}

export const aggregatedDisks = (call: Call): unknown =>
  aggregatedAnswer(
    call,
    'compute#diskAggregatedList',
    'disks',
    shown(call).map((volume) => ({ zone: volume.location, row: diskTree(call, volume) })),
  );

const newDisk = z.looseObject({
  name: z.string(),
  sizeGb: wholeText.default(10),
  type: z.string().default('pd-standard'),
  labels,
});

export function insertDisk(call: Call): unknown {
  const { sim, nowMs } = call;
  const zone = zoneOf(call);
  const { name, sizeGb, type, labels: given } = readBody(newDisk, call.body);
  const target = `/zones/${zone}/disks/${name}`;
  if (volumeNamed(sim, zone, name) !== undefined)
    throw new GoogleError(409, 'alreadyExists', `The resource '${resourceName(sim, target)}' already exists`);
  const volume = orderVolume(sim.cloud.context, nowMs, {
    name,
    sizeGib: sizeGb,
    type: type.slice(type.lastIndexOf('/') + 1),
    location: zone,
    tags: tagsOf(given),
  });
  return answerWith(call, beginOperation(call, { type: 'insert', zone, target, targetId: volume.id }));
}

export function deleteDisk(call: Call): unknown {
  const { sim, nowMs } = call;
  const volume = volumeIn(call);
  const target = `/zones/${volume.location}/disks/${volume.name}`;
  if (volume.instanceId !== null) {
    const user = resourceName(sim, `/zones/${volume.location}/instances/${recordOf(sim, volume.instanceId).name}`);
    throw new GoogleError(
      400,
      'resourceInUseByAnotherResource',
      `The disk resource '${resourceName(sim, target)}' is already being used by '${user}'`,
    );
  }
  purgeVolume(sim.cloud.context, volume, nowMs);
  return answerWith(call, beginOperation(call, { type: 'delete', zone: volume.location, target, targetId: volume.id }));
}
