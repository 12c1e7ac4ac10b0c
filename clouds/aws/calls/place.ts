/**
 * Calls on what an instance needs before it is made: its image, its subnet and the security group that allows SSH.
 */
import { z } from 'zod';
import type { DeckhandError } from '../../../domain/errors.ts';
import { providerError } from '../../errors.ts';
import { command, query, readJson } from '../http/query.ts';
import { refusalCode } from '../../http/refused.ts';
import type { AwsTransport } from '../http/transport.ts';
import { flag, id, listOf, number, requiredList, text } from '../http/xml.ts';

const PARAMETERS = '/aws/service/deeplearning/ami/x86_64';

/** Where a region has no image of a name, it is looked for again after this time. */
const NO_IMAGE_BLOCK_MS = 6 * 3_600_000;

/** An image, and the least disk that holds it. */
export interface Image {
  readonly imageId: string;
  readonly rootDeviceName: string;
  readonly sizeGib: number;
}

const imageSchema = z.object({
  imagesSet: requiredList(
    z.object({
      imageId: id,
      rootDeviceName: text,
      blockDeviceMapping: listOf(
        z.object({ deviceName: text, ebs: z.object({ volumeSize: number }).catch({ volumeSize: 0 }) }),
      ),
    }),
  ),
});

/**
 * The newest image of a name: the last part but two of its public parameter, such as `base-oss-nvidia-driver-gpu-ubuntu-24.04`.
 *
 * @throws DeckhandError `provider_capacity` where the region has no such image: the region is blocked, others may have it
 */
export async function findImage(http: AwsTransport, region: string, name: string): Promise<Image> {
  const noImage = (): DeckhandError =>
    providerError('capacity', `${region} has no image ${name}`, {
      hint: 'Leave the region out of "regions" of the fleet file, or name another "image" in the pool.',
      block: { scope: 'location', locations: `${region}*`, blockMs: NO_IMAGE_BLOCK_MS },
    });
  const parameter = await readJson(
    http,
    {
      service: 'ssm',
      target: 'AmazonSSM',
      region,
      action: 'GetParameter',
      json: { Name: `${PARAMETERS}/${name}/latest/ami-id` },
    },
    z.object({ Parameter: z.object({ Value: z.string().min(1) }) }),
  ).catch(insteadOf(noImage, 'ParameterNotFound'));
  const imageId = parameter.Parameter.Value;
  const { imagesSet } = await query(
    http,
    { kind: 'read', region, action: 'DescribeImages', input: { ImageId: [imageId] } },
    imageSchema,
  ).catch(insteadOf(noImage, 'InvalidAMIID.NotFound', 'InvalidAMIID.Unavailable'));
  const [image] = imagesSet;
  if (image === undefined) throw noImage();
  const { rootDeviceName, blockDeviceMapping } = image;
  const root = blockDeviceMapping.find(({ deviceName }) => deviceName === rootDeviceName);
  return { imageId, rootDeviceName, sizeGib: root?.ebs.volumeSize ?? 0 };
}

/** A subnet and its network. */
export interface Subnet {
  readonly subnetId: string;
  readonly vpcId: string;
}

const subnetSchema = z.object({
  subnetSet: requiredList(z.object({ subnetId: id, vpcId: id, availabilityZone: text, defaultForAz: flag })),
});

/** Throws another error for refusals of these codes. */
const insteadOf =
  (make: () => DeckhandError, ...codes: readonly string[]) =>
  (error: unknown): never => {
    throw codes.includes(refusalCode(error) ?? '') ? make() : error;
  };

/** Where a zone has no subnet, it is looked at again after this time. */
const NO_SUBNET_BLOCK_MS = 3_600_000;

/**
 * The subnet of a zone.
 *
 * @param configured the one to use; null = the default one of the zone
 * @throws DeckhandError `provider_config` for a configured one in another zone, `provider_capacity` (the zone is blocked) without a default one or
 *   where the configured one does not exist
 */
export async function findSubnet(
  http: AwsTransport,
  region: string,
  zone: string,
  configured: string | null,
): Promise<Subnet> {
  const input =
    configured === null
      ? {
          Filter: [
            { Name: 'availability-zone', Value: [zone] },
            { Name: 'default-for-az', Value: ['true'] },
          ],
        }
      : { SubnetId: [configured] };
  const noSubnet = (): DeckhandError =>
    providerError('capacity', configured === null ? `${zone} has no default subnet` : `there is no ${configured}`, {
      hint: 'Name a subnet of that zone in "subnetIds" of the fleet file, or leave the zone out of "locations".',
      block: { scope: 'location', blockMs: NO_SUBNET_BLOCK_MS },
    });
  const { subnetSet } = await query(
    http,
    { kind: 'read', region, action: 'DescribeSubnets', input },
    subnetSchema,
  ).catch(insteadOf(noSubnet, 'InvalidSubnetID.NotFound', 'InvalidSubnetId.NotFound'));
  const found = subnetSet.find(
    ({ availabilityZone, defaultForAz }) => availabilityZone === zone && (configured !== null || defaultForAz),
  );
  if (found !== undefined) return found;
  if (configured !== null && subnetSet.length > 0) {
    throw providerError('config', `the subnet ${configured} is not in ${zone}`, {
      hint: 'Correct "subnetIds" in the fleet file.',
    });
  }
  throw noSubnet();
}

const groupSchema = z.object({
  securityGroupInfo: requiredList(
    z.object({
      groupId: id,
      groupName: text,
      vpcId: text,
      ipPermissions: listOf(z.object({ ipProtocol: text, fromPort: text, toPort: text })),
    }),
  ),
});

const SSH = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22 } as const;
/** Machines are reached at their IPv4 address; from where is not known, since gateways may move. */
const EVERYWHERE = { IpRanges: [{ CidrIp: '0.0.0.0/0' }] } as const;

/** Finds or makes the security group of a network that allows SSH and nothing else. May run several times at once. @returns its id */
export async function ensureSecurityGroup(
  http: AwsTransport,
  region: string,
  vpcId: string,
  name: string,
): Promise<string> {
  const found = await findGroup(http, region, vpcId, name);
  if (found?.isOpen === true) return found.groupId;
  const groupId = found?.groupId ?? (await makeGroup(http, region, vpcId, name));
  try {
    const input = { GroupId: groupId, IpPermissions: [{ ...SSH, ...EVERYWHERE }] };
    await command(http, { region, action: 'AuthorizeSecurityGroupIngress', input });
  } catch (error) {
    if (refusalCode(error) !== 'InvalidPermission.Duplicate') throw error;
  }
  return groupId;
}

async function findGroup(
  http: AwsTransport,
  region: string,
  vpcId: string,
  name: string,
): Promise<{ readonly groupId: string; readonly isOpen: boolean } | null> {
  const Filter = [
    { Name: 'vpc-id', Value: [vpcId] },
    { Name: 'group-name', Value: [name] },
  ];
  const { securityGroupInfo } = await query(
    http,
    { kind: 'read', region, action: 'DescribeSecurityGroups', input: { Filter } },
    groupSchema,
  );
  const group = securityGroupInfo.find((one) => one.groupName === name && one.vpcId === vpcId);
  if (group === undefined) return null;
  const isOpen = group.ipPermissions.some((p) => p.ipProtocol === 'tcp' && p.fromPort === '22' && p.toPort === '22');
  return { groupId: group.groupId, isOpen };
}

async function makeGroup(http: AwsTransport, region: string, vpcId: string, name: string): Promise<string> {
  try {
    const { groupId } = await query(
      http,
      {
        kind: 'change',
        region,
        action: 'CreateSecurityGroup',
        input: { GroupName: name, GroupDescription: 'Deckhand: SSH only', VpcId: vpcId },
      },
      z.object({ groupId: id }),
    );
    return groupId;
  } catch (error) {
    // Another process made it, or our first request did whose answer was lost.
    if (refusalCode(error) !== 'InvalidGroup.Duplicate') throw error;
    const found = await findGroup(http, region, vpcId, name);
    if (found !== null) return found.groupId;
    throw providerError('not_yet', `the security group ${name} in ${region} is not visible yet`, { cause: error });
  }
}
