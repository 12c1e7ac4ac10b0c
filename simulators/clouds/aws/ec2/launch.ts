/** The parameters of RunInstances, read and checked. */
import { z } from 'zod';
import type { Market } from '../../../../domain/fleet/selection/offer.ts';
import type { Tag } from '../../core/state.ts';
import { defaultGroupOf, subnetOf, type Call, type Ec2Record } from '../account.ts';
import { imageIn, type AwsImage } from '../images.ts';
import { AwsError } from '../errors.ts';
import { coreTags, flag, listOf, read, tagSpecifications, text, whole } from '../parameters.ts';
import { checkOffered, zonesOf } from './capacity.ts';
import { checkId, groupIn, groupNamed } from './find.ts';
import { ROOT_DEVICE } from './instance-item.ts';

/** Raw size that EC2 takes. */
const MOST_USER_DATA_BYTES = 16_384;
const MOST_AT_ONCE = 20;
const MOST_TOKEN = 64;

const ebs = z.strictObject({
  VolumeSize: whole.optional(),
  VolumeType: text.optional(),
  DeleteOnTermination: flag.optional(),
  Encrypted: flag.optional(),
  Iops: whole.optional(),
  Throughput: whole.optional(),
  SnapshotId: text.optional(),
});

const networkInterface = z.strictObject({
  DeviceIndex: whole,
  SubnetId: text.optional(),
  SecurityGroupId: listOf(text),
  AssociatePublicIpAddress: flag.optional(),
  DeleteOnTermination: flag.optional(),
});

/** A parameter that the simulator takes and does nothing with. */
const ignored = z.unknown().optional();

const SHAPE = {
  ImageId: text,
  InstanceType: text,
  MinCount: whole,
  MaxCount: whole,
  KeyName: text.optional(),
  SecurityGroupId: listOf(text),
  SecurityGroup: listOf(text),
  SubnetId: text.optional(),
  Placement: z.strictObject({ AvailabilityZone: text.optional(), Tenancy: text.optional() }).optional(),
  NetworkInterface: listOf(networkInterface),
  BlockDeviceMapping: listOf(z.strictObject({ DeviceName: text, Ebs: ebs.optional() })),
  UserData: text.optional(),
  TagSpecification: tagSpecifications,
  ClientToken: text.optional(),
  InstanceInitiatedShutdownBehavior: z.enum(['stop', 'terminate']).default('stop'),
  InstanceMarketOptions: z
    .strictObject({
      MarketType: z.enum(['spot']),
      SpotOptions: z
        .strictObject({
          MaxPrice: text.optional(),
          SpotInstanceType: z.enum(['one-time', 'persistent']).default('one-time'),
          InstanceInterruptionBehavior: z.enum(['terminate', 'stop', 'hibernate']).default('terminate'),
        })
        .optional(),
    })
    .optional(),
  MetadataOptions: ignored,
  Monitoring: ignored,
  EbsOptimized: ignored,
  IamInstanceProfile: ignored,
  DisableApiTermination: ignored,
};

export interface LaunchDisk {
  readonly device: string;
  readonly sizeGib: number;
  readonly type: string;
  readonly isDeletedAtEnd: boolean;
}

/** A launch whose parameters are right. */
export interface Launch {
  readonly instanceType: string;
  readonly market: Market;
  readonly image: AwsImage;
  readonly count: { readonly least: number; readonly most: number };
  /** Null if the call leaves it to EC2. */
  readonly zone: string | null;
  /** The first is the root. */
  readonly disks: readonly LaunchDisk[];
  /** Parts of the call that EC2 keeps. */
  readonly kept: Pick<
    Ec2Record,
    'keyName' | 'groupIds' | 'userData' | 'clientToken' | 'shutdownBehavior' | 'maxPriceUsd'
  >;
  readonly instanceTags: readonly Tag[];
  /** Of every disk. */
  readonly volumeTags: readonly Tag[];
}

type Parsed = ReturnType<typeof parse>;
const parse = (call: Call) => read(call.parameters, SHAPE);

function imageOf(call: Call, id: string): AwsImage {
  checkId('ami', id, 'InvalidAMIID.Malformed');
  const image = imageIn(call.region, id);
  if (image === undefined) throw new AwsError('InvalidAMIID.NotFound', `The image id '[${id}]' does not exist`);
  return image;
}

function zoneOf(call: Call, p: Parsed): string | null {
  const zones = zonesOf(call.region);
  const named = p.Placement?.AvailabilityZone;
  if (named !== undefined && !zones.includes(named))
    throw new AwsError('InvalidParameterValue', `Invalid availability zone: [${named}]`);
  const subnetId = p.SubnetId ?? p.NetworkInterface.find((n) => n.DeviceIndex === 0)?.SubnetId;
  if (subnetId === undefined) return named ?? null;
  const zone = zones.find((z) => subnetOf(z) === subnetId);
  if (zone === undefined) throw new AwsError('InvalidSubnetID.NotFound', `The subnet ID '${subnetId}' does not exist`);
  if (named !== undefined && named !== zone)
    throw new AwsError(
      'InvalidParameterValue',
      `The specified availability zone '${named}' does not match the availability zone of the subnet '${subnetId}'`,
    );
  return zone;
}

function groupsOf(call: Call, p: Parsed): string[] {
  if (p.NetworkInterface.length > 0 && (p.SecurityGroupId.length > 0 || p.SubnetId !== undefined))
    throw new AwsError(
      'InvalidParameterCombination',
      'Network interfaces and an instance-level subnet ID or security groups may not be specified on the same request',
    );
  const ids = [...p.SecurityGroupId, ...p.NetworkInterface.flatMap((n) => n.SecurityGroupId)].map(
    (id) => groupIn(call, id).id,
  );
  const all = [...ids, ...p.SecurityGroup.map((name) => groupNamed(call, name).id)];
  return all.length === 0 ? [defaultGroupOf(call.region)] : all;
}

function disksOf(p: Parsed, image: AwsImage): LaunchDisk[] {
  const disks = p.BlockDeviceMapping.map(({ DeviceName, Ebs }): LaunchDisk => {
    const isRoot = DeviceName === ROOT_DEVICE;
    const sizeGib = Ebs?.VolumeSize ?? (isRoot ? image.rootGib : undefined);
    if (sizeGib === undefined)
      throw new AwsError('MissingParameter', 'The request must contain the parameter size or snapshotId');
    if (isRoot && sizeGib < image.rootGib)
      throw new AwsError(
        'InvalidBlockDeviceMapping',
        `Volume of size ${sizeGib}GB is smaller than snapshot 'snap-${image.id.slice(4)}', expect size >= ${image.rootGib}GB`,
      );
    return {
      device: DeviceName,
      sizeGib,
      type: Ebs?.VolumeType ?? 'gp3',
      isDeletedAtEnd: Ebs?.DeleteOnTermination ?? true,
    };
  });
  const root = disks.find((d) => d.device === ROOT_DEVICE) ?? {
    device: ROOT_DEVICE,
    sizeGib: image.rootGib,
    type: 'gp3',
    isDeletedAtEnd: true,
  };
  return [root, ...disks.filter((d) => d !== root)];
}

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/u;

function checkUserData(data: string): void {
  if (!BASE64.test(data)) throw new AwsError('InvalidParameterValue', 'Invalid BASE64 encoding of user data.');
  if (Buffer.from(data, 'base64').length > MOST_USER_DATA_BYTES)
    throw new AwsError('InvalidParameterValue', `User data is limited to ${MOST_USER_DATA_BYTES} bytes`);
}

function checkCount(least: number, most: number): void {
  if (least < 1 || most < least)
    throw new AwsError(
      'InvalidParameterValue',
      `Value (${least}) for parameter minCount is invalid. Minimum count must be at least 1 and no more than maxCount.`,
    );
  if (most > MOST_AT_ONCE)
    throw new AwsError('InstanceLimitExceeded', `Your quota allows for ${MOST_AT_ONCE} more running instance(s).`);
}

const TAGGED: ReadonlySet<string> = new Set(['instance', 'volume', 'spot-instances-request', 'network-interface']);

function checkTagged(p: Parsed): void {
  for (const { ResourceType: type } of p.TagSpecification)
    if (!TAGGED.has(type))
      throw new AwsError(
        'InvalidParameterValue',
        `'${type}' is not a valid taggable resource type for this operation.`,
      );
}

/** @returns the highest price to pay, null = the price on demand */
function maxPriceOf(p: Parsed): number | null {
  const spot = p.InstanceMarketOptions?.SpotOptions;
  if (spot === undefined) return null;
  if (spot.SpotInstanceType === 'one-time' && spot.InstanceInterruptionBehavior !== 'terminate')
    throw new AwsError(
      'InvalidParameterCombination',
      'An interruption behavior other than terminate requires a persistent Spot Instance request.',
    );
  if (spot.SpotInstanceType === 'persistent')
    throw new AwsError('UnsupportedOperation', 'The simulator has no persistent Spot Instance requests.');
  if (spot.MaxPrice === undefined) return null;
  const price = Number(spot.MaxPrice);
  if (!(price > 0)) throw new AwsError('InvalidParameterValue', `Invalid value '${spot.MaxPrice}' for MaxPrice`);
  return price;
}

/** A key is visible to a create a while after its import only. */
const seesKey = ({ sim, region, nowMs }: Call, name: string): boolean =>
  Object.values(sim.account.keys).some(
    (key) =>
      key.region === region &&
      key.name === name &&
      nowMs - key.createdAtMs >= sim.cloud.scenario.visibility.keyLagSec * 1000,
  );

/** Reads and checks a RunInstances. @throws AwsError */
export function launchOf(call: Call): Launch {
  const p = parse(call);
  checkCount(p.MinCount, p.MaxCount);
  if (!call.sim.cloud.catalogue.types.has(p.InstanceType))
    throw new AwsError('InvalidParameterValue', `Invalid value '${p.InstanceType}' for InstanceType.`);
  const image = imageOf(call, p.ImageId);
  if (p.KeyName !== undefined && !seesKey(call, p.KeyName))
    throw new AwsError('InvalidKeyPair.NotFound', `The key pair '${p.KeyName}' does not exist`);
  checkTagged(p);
  const zone = zoneOf(call, p);
  const groupIds = groupsOf(call, p);
  if (zone !== null) checkOffered(call, p.InstanceType, zone);
  checkUserData(p.UserData ?? '');
  const clientToken = p.ClientToken ?? '';
  if (clientToken.length > MOST_TOKEN)
    throw new AwsError(
      'InvalidParameterValue',
      `Value (${clientToken}) for parameter clientToken is invalid. Length exceeds maximum of ${MOST_TOKEN}.`,
    );
  return {
    instanceType: p.InstanceType,
    market: p.InstanceMarketOptions === undefined ? 'ondemand' : 'spot',
    image,
    count: { least: p.MinCount, most: p.MaxCount },
    zone,
    disks: disksOf(p, image),
    kept: {
      keyName: p.KeyName ?? null,
      groupIds,
      userData: p.UserData ?? '',
      clientToken,
      shutdownBehavior: p.InstanceInitiatedShutdownBehavior,
      maxPriceUsd: maxPriceOf(p),
    },
    instanceTags: coreTags(p.TagSpecification, 'instance'),
    volumeTags: coreTags(p.TagSpecification, 'volume'),
  };
}
