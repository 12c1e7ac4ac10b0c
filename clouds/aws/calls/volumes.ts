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

/** Deletes for good. @throws DeckhandError `provider_not_yet` while it is attached, `provider_gone` */
export const removeVolume = (http: AwsTransport, { region, id: volumeId }: RegionalId): Promise<void> =>
  command(http, { region, action: 'DeleteVolume', input: { VolumeId: volumeId } });
