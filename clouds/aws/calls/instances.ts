/**
 * Calls on EC2 instances.
 */
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { providerError } from '../../errors.ts';
import type { ImageRequest } from '../../provider.ts';
import { command, query, queryAll, type QueryInput } from '../http/query.ts';
import type { AwsTransport } from '../http/transport.ts';
import { flag, id, listOf, nullableText, nullableTime, requiredList, tagSet, text } from '../http/xml.ts';
import type { RegionalId } from '../settings.ts';

const mapping = z.object({
  deviceName: text,
  ebs: z.object({ volumeId: text, deleteOnTermination: flag }).catch({ volumeId: '', deleteOnTermination: false }),
});

const instanceSchema = z.object({
  instanceId: id,
  instanceType: text,
  instanceState: z.object({ name: text }).catch({ name: '' }),
  stateReason: z.object({ code: text, message: text }).catch({ code: '', message: '' }),
  instanceLifecycle: text,
  placement: z.object({ availabilityZone: text }).catch({ availabilityZone: '' }),
  ipAddress: nullableText,
  privateIpAddress: nullableText,
  launchTime: nullableTime,
  clientToken: text,
  rootDeviceName: text,
  blockDeviceMapping: listOf(mapping),
  networkInterfaceSet: listOf(
    z.object({ attachment: z.object({ attachTime: nullableTime }).catch({ attachTime: null }) }),
  ),
  tagSet,
});

/** An instance as EC2 describes it. */
export type InstanceData = z.infer<typeof instanceSchema>;

const reservations = z
  .object({ reservationSet: requiredList(z.object({ instancesSet: listOf(instanceSchema) })) })
  .transform(({ reservationSet }) => reservationSet.flatMap(({ instancesSet }) => instancesSet));

/** All instances of a region, those that ended lately included. */
export const listInstances = (http: AwsTransport, region: string): Promise<readonly InstanceData[]> =>
  queryAll(http, { region, action: 'DescribeInstances', input: { MaxResults: 1000 } }, reservations);

/** One instance. @throws DeckhandError `provider_gone` for an id that EC2 does not know (any more) */
export async function describeInstance(
  http: AwsTransport,
  { region, id: instanceId }: RegionalId,
): Promise<InstanceData> {
  const [found] = await query(
    http,
    { kind: 'read', region, action: 'DescribeInstances', input: { InstanceId: [instanceId] } },
    reservations,
  );
  if (found === undefined) throw providerError('gone', `DescribeInstances: ${instanceId} is not in ${region}`);
  return found;
}

/** What a create needs beside the request. */
export interface LaunchPlace {
  readonly region: string;
  readonly imageId: string;
  readonly rootDeviceName: string;
  /** At least as large as the image. */
  readonly osVolumeGib: number;
  readonly subnetId: string;
  readonly securityGroupId: string;
}

/** User data may have this many bytes before it is encoded. */
const MOST_USER_DATA_BYTES = 16_384;
const TAG_PREFIX = 'deckhand:';

/**
 * Starts an instance, once.
 *
 * @returns its id
 * @throws DeckhandError `provider_transient` = whether it was made is unknown; `provider_config` for a script that is too long
 */
export async function runInstance(http: AwsTransport, request: ImageRequest, place: LaunchPlace): Promise<string> {
  const { region } = place;
  const { instanceType, hostname } = request;
  const input = launchInput(request, place);
  const answer = z.object({ instancesSet: requiredList(z.object({ instanceId: id })) });
  const { instancesSet } = await query(
    http,
    { kind: 'create', region, action: 'RunInstances', input, offer: { region, instanceType } },
    answer,
  );
  const [made] = instancesSet;
  if (made === undefined) throw providerError('transient', `RunInstances: ${hostname} was accepted without an id`);
  return made.instanceId;
}

function launchInput(request: ImageRequest, place: LaunchPlace): QueryInput {
  const { boot, hostname, market, instanceType, location } = request;
  const own = Object.entries(request.tags).map(([key, value]) => ({ Key: `${TAG_PREFIX}${key}`, Value: value }));
  const tagsOf = (ResourceType: string, name: string): QueryInput => ({
    ResourceType,
    Tag: [{ Key: 'Name', Value: name }, ...own],
  });
  return {
    ImageId: place.imageId,
    InstanceType: instanceType,
    MinCount: 1,
    MaxCount: 1,
    ClientToken: hostname,
    KeyName: boot.sshKey.id ?? undefined,
    SubnetId: place.subnetId,
    SecurityGroupId: [place.securityGroupId],
    Placement: { AvailabilityZone: location },
    BlockDeviceMapping: [
      {
        DeviceName: place.rootDeviceName,
        // No machine of EC2 boots a kept disk, so one that ends unseen takes its own along.
        Ebs: { VolumeSize: place.osVolumeGib, VolumeType: 'gp3', DeleteOnTermination: true },
      },
    ],
    // A machine that its dead-man shuts down costs nothing but its disk, and can be started again. One on the spot market cannot stop.
    InstanceInitiatedShutdownBehavior: market === 'spot' ? 'terminate' : 'stop',
    InstanceMarketOptions:
      market === 'spot'
        ? {
            MarketType: 'spot',
            SpotOptions: { SpotInstanceType: 'one-time', InstanceInterruptionBehavior: 'terminate' },
          }
        : undefined,
    MetadataOptions: { HttpTokens: 'required' },
    UserData: boot.startupScript === null ? undefined : userData(boot.startupScript.text),
    TagSpecification: [tagsOf('instance', hostname), tagsOf('volume', boot.osVolumeName)],
  };
}

/** The script as EC2 takes it; compressed where it is longer than that. @throws DeckhandError `provider_config` when it is too long even so */
export function userData(script: string): string {
  const plain = Buffer.from(script, 'utf8');
  if (plain.length <= MOST_USER_DATA_BYTES) return plain.toString('base64');
  const packed = gzipSync(plain, { level: 9 });
  if (packed.length > MOST_USER_DATA_BYTES) {
    throw providerError(
      'config',
      `the startup script has ${packed.length} bytes compressed; EC2 takes ${MOST_USER_DATA_BYTES}`,
    );
  }
  return packed.toString('base64');
}

/** Tags of ours among those of a resource, as they were given. */
export const ownTags = (tags: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(tags).flatMap(([key, value]) =>
      key.startsWith(TAG_PREFIX) ? [[key.slice(TAG_PREFIX.length), value]] : [],
    ),
  );

export const stopInstance = (http: AwsTransport, { region, id: instanceId }: RegionalId): Promise<void> =>
  command(http, { region, action: 'StopInstances', input: { InstanceId: [instanceId] } });

export const startInstance = (http: AwsTransport, { region, id: instanceId }: RegionalId): Promise<void> =>
  command(http, { region, action: 'StartInstances', input: { InstanceId: [instanceId] } });

export const terminateInstance = (http: AwsTransport, { region, id: instanceId }: RegionalId): Promise<void> =>
  command(http, { region, action: 'TerminateInstances', input: { InstanceId: [instanceId] } });

/** @throws DeckhandError `provider_not_yet` while it runs */
export const modifyInstanceType = (
  http: AwsTransport,
  { region, id: instanceId }: RegionalId,
  instanceType: string,
): Promise<void> =>
  command(http, {
    region,
    action: 'ModifyInstanceAttribute',
    input: { InstanceId: instanceId, InstanceType: { Value: instanceType } },
  });

/** Which disks go with the instance when it ends, by device. */
export const setDeleteOnTermination = (
  http: AwsTransport,
  { region, id: instanceId }: RegionalId,
  devices: readonly { readonly deviceName: string; readonly deleted: boolean }[],
): Promise<void> =>
  command(http, {
    region,
    action: 'ModifyInstanceAttribute',
    input: {
      InstanceId: instanceId,
      BlockDeviceMapping: devices.map(({ deviceName, deleted }) => ({
        DeviceName: deviceName,
        Ebs: { DeleteOnTermination: deleted },
      })),
    },
  });
