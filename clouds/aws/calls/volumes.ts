/**
 * Calls on EBS volumes.
 */
import { z } from 'zod';
import { providerError } from '../../errors.ts';
import { command, query, queryAll } from '../http/query.ts';
import type { AwsTransport } from '../http/transport.ts';
import { id, listOf, nullableTime, number, requiredList, tagSet, text } from '../http/xml.ts';
import type { RegionalId } from '../settings.ts';

const volumeSchema = z.object({
  volumeId: id,
  size: number,
  availabilityZone: text,
  status: text,
  createTime: nullableTime,
  attachmentSet: listOf(z.object({ instanceId: text, device: text, status: text })),
  tagSet,
});

/** A volume as EC2 describes it. */
export type VolumeData = z.infer<typeof volumeSchema>;

const volumes = z.object({ volumeSet: requiredList(volumeSchema) }).transform(({ volumeSet }) => volumeSet);

/** All volumes of a region. */
export const listVolumes = (http: AwsTransport, region: string): Promise<readonly VolumeData[]> =>
  queryAll(http, { region, action: 'DescribeVolumes', input: { MaxResults: 500 } }, volumes);

/** One volume. @throws DeckhandError `provider_gone` for an id that EC2 does not know (any more) */
export async function describeVolume(http: AwsTransport, { region, id: volumeId }: RegionalId): Promise<VolumeData> {
  const [found] = await query(
    http,
    { kind: 'read', region, action: 'DescribeVolumes', input: { VolumeId: [volumeId] } },
    volumes,
  );
  if (found === undefined) throw providerError('gone', `DescribeVolumes: ${volumeId} is not in ${region}`);
  return found;
}

/** Names of data disks at a machine, as AWS recommends them. */
const DATA_DEVICES = Array.from('fghijklmnop', (letter) => `/dev/sd${letter}`);

/**
 * Attaches a volume under the first device name that the machine has free.
 *
 * @throws DeckhandError `provider_not_yet` while it is attached elsewhere or the machine is in no state for it, `provider_config` for another
 *   zone or a machine without a free name
 */
export function attachVolume(
  http: AwsTransport,
  { region, id: volumeId }: RegionalId,
  instanceId: string,
  usedDevices: readonly string[],
): Promise<void> {
  const device = DATA_DEVICES.find((name) => !usedDevices.includes(name));
  if (device === undefined) throw providerError('config', `AttachVolume: ${instanceId} has no device name left`);
  const input = { VolumeId: volumeId, InstanceId: instanceId, Device: device };
  return command(http, { region, action: 'AttachVolume', input });
}

/** Detaches a volume. @throws DeckhandError `provider_config` for the root volume of a machine that runs */
export const detachVolume = (
  http: AwsTransport,
  { region, id: volumeId }: RegionalId,
  instanceId: string,
): Promise<void> =>
  command(http, { region, action: 'DetachVolume', input: { VolumeId: volumeId, InstanceId: instanceId } });

/** Deletes for good. @throws DeckhandError `provider_not_yet` while it is attached, `provider_gone` */
export const removeVolume = (http: AwsTransport, { region, id: volumeId }: RegionalId): Promise<void> =>
  command(http, { region, action: 'DeleteVolume', input: { VolumeId: volumeId } });
