/** DescribeRegions, DescribeAvailabilityZones, DescribeInstanceTypes, DescribeInstanceTypeOfferings and DescribeImages. */
import { z } from 'zod';
import type { Call } from '../account.ts';
import { AWS_TYPES, isOffered, REGIONS, type AwsType } from '../catalogue.ts';
import { AwsError } from '../errors.ts';
import { imageIn, IMAGES, type AwsImage } from '../images.ts';
import { filters, flag, listOf, pageOf, paging, passes, read, text, type FilterValues } from '../parameters.ts';
import { setOf, type XmlTree } from '../xml.ts';
import { zonesOf } from './capacity.ts';
import { checkId } from './find.ts';
import { ROOT_DEVICE } from './instance-item.ts';

export function describeRegions(call: Call): XmlTree {
  const p = read(call.parameters, { RegionName: listOf(text), AllRegions: flag.optional(), Filter: filters });
  for (const name of p.RegionName)
    if (!REGIONS.some((r) => r.name === name))
      throw new AwsError('InvalidParameterValue', `Invalid value for region: '${name}'`);
  const endpoint = (name: string): string => `ec2.${name}.amazonaws.com`;
  const found = REGIONS.filter((r) => p.RegionName.length === 0 || p.RegionName.includes(r.name)).filter((r) =>
    passes(p.Filter, { 'region-name': r.name, endpoint: endpoint(r.name), 'opt-in-status': 'opt-in-not-required' }),
  );
  return {
    regionInfo: setOf(found, ({ name }) => ({
      regionName: name,
      regionEndpoint: endpoint(name),
      optInStatus: 'opt-in-not-required',
    })),
  };
}

export function describeAvailabilityZones(call: Call): XmlTree {
  const p = read(call.parameters, {
    ZoneName: listOf(text),
    ZoneId: listOf(text),
    AllAvailabilityZones: flag.optional(),
    Filter: filters,
  });
  const zones = REGIONS.find((r) => r.name === call.region)?.zones ?? [];
  for (const name of p.ZoneName)
    if (!zones.some((zone) => zone.name === name))
      throw new AwsError('InvalidParameterValue', `Invalid availability zone: [${name}]`);
  const found = zones
    .filter((zone) => p.ZoneName.length === 0 || p.ZoneName.includes(zone.name))
    .filter((zone) => p.ZoneId.length === 0 || p.ZoneId.includes(zone.id))
    .filter((zone) =>
      passes(p.Filter, {
        'zone-name': zone.name,
        'zone-id': zone.id,
        'zone-type': 'availability-zone',
        'region-name': call.region,
        'group-name': call.region,
        state: 'available',
        'opt-in-status': 'opt-in-not-required',
      }),
    );
  return {
    availabilityZoneInfo: setOf(found, ({ name, id }) => ({
      zoneName: name,
      zoneState: 'available',
      zoneId: id,
      zoneType: 'availability-zone',
      regionName: call.region,
      groupName: call.region,
      networkBorderGroup: call.region,
      optInStatus: 'opt-in-not-required',
      messageSet: '',
    })),
  };
}

const gpuInfo = (type: AwsType): XmlTree => ({
  gpus: setOf([type], ({ name, gpuCount, gpuMemoryMib }) => ({
    name,
    manufacturer: 'NVIDIA',
    count: gpuCount,
    logicalGpuCount: gpuCount,
    gpuPartitionSize: 1,
    memoryInfo: { sizeInMiB: gpuMemoryMib },
  })),
  totalGpuMemoryInMiB: type.gpuCount * type.gpuMemoryMib,
});

const usageClasses = ({ family }: AwsType): string[] => [
  'on-demand',
  'spot',
  ...(family.startsWith('p') ? ['capacity-block'] : []),
];

const typeTree = (type: AwsType): XmlTree => ({
  instanceType: type.instanceType,
  currentGeneration: true,
  freeTierEligible: false,
  supportedUsageClasses: setOf(usageClasses(type), (name) => name),
  supportedRootDeviceTypes: setOf(['ebs'], (name) => name),
  supportedVirtualizationTypes: setOf(['hvm'], (name) => name),
  bareMetal: type.instanceType.endsWith('.metal'),
  hypervisor: type.instanceType.endsWith('.metal') ? undefined : 'nitro',
  processorInfo: {
    supportedArchitectures: setOf(['x86_64'], (name) => name),
    sustainedClockSpeedInGhz: type.clockGhz,
    manufacturer: type.cpu,
  },
  vCpuInfo: { defaultVCpus: type.vcpu, defaultCores: type.vcpu / 2, defaultThreadsPerCore: 2 },
  memoryInfo: { sizeInMiB: type.memoryMib },
  instanceStorageSupported: type.localDiskGb > 0,
  instanceStorageInfo:
    type.localDiskGb === 0
      ? undefined
      : { totalSizeInGB: type.localDiskGb, nvmeSupport: 'required', encryptionSupport: 'required' },
  ebsInfo: { ebsOptimizedSupport: 'default', encryptionSupport: 'supported', nvmeSupport: 'required' },
  gpuInfo: type.gpuCount === 0 ? undefined : gpuInfo(type),
  hibernationSupported: false,
  burstablePerformanceSupported: type.family === 't3',
  dedicatedHostsSupported: type.family !== 't3',
  autoRecoverySupported: type.localDiskGb === 0,
  supportedBootModes: setOf(['legacy-bios', 'uefi'], (name) => name),
  supportedInRegion: true,
});

const typeFilterValues = (type: AwsType): FilterValues => ({
  'instance-type': type.instanceType,
  'current-generation': 'true',
  'bare-metal': String(type.instanceType.endsWith('.metal')),
  hypervisor: 'nitro',
  'processor-info.supported-architecture': 'x86_64',
  'supported-usage-class': usageClasses(type),
  'supported-root-device-type': 'ebs',
  'supported-virtualization-type': 'hvm',
  'hibernation-supported': 'false',
  'instance-storage-supported': String(type.localDiskGb > 0),
  'vcpu-info.default-vcpus': String(type.vcpu),
  'memory-info.size-in-mib': String(type.memoryMib),
});

const TYPE_PAGE = [5, 100] as const;

export function describeInstanceTypes(call: Call): XmlTree {
  const p = read(call.parameters, { InstanceType: listOf(text), Filter: filters, ...paging });
  const here = AWS_TYPES.filter((t) => zonesOf(call.region).some((zone) => isOffered(t.instanceType, zone)));
  const missing = p.InstanceType.filter((name) => !here.some((t) => t.instanceType === name));
  if (missing.length > 0)
    throw new AwsError(
      'InvalidInstanceType',
      `The following supplied instance types do not exist: [${missing.join(', ')}]`,
    );
  const found = here
    .filter((t) => p.InstanceType.length === 0 || p.InstanceType.includes(t.instanceType))
    .filter((t) => passes(p.Filter, typeFilterValues(t)));
  const { items, nextToken } = pageOf(found, p, TYPE_PAGE);
  return { instanceTypeSet: setOf(items, typeTree), nextToken };
}

export function describeInstanceTypeOfferings(call: Call): XmlTree {
  const p = read(call.parameters, {
    LocationType: z.enum(['region', 'availability-zone', 'availability-zone-id']).default('region'),
    Filter: filters,
    ...paging,
  });
  const zones = REGIONS.find((r) => r.name === call.region)?.zones ?? [];
  const rows = AWS_TYPES.flatMap(({ instanceType }) => {
    const offering = zones.filter((zone) => isOffered(instanceType, zone.name));
    if (p.LocationType === 'region') return offering.length === 0 ? [] : [{ instanceType, location: call.region }];
    return offering.map((zone) => ({
      instanceType,
      location: p.LocationType === 'availability-zone' ? zone.name : zone.id,
    }));
  }).filter((row) => passes(p.Filter, { 'instance-type': row.instanceType, location: row.location }));
  const { items, nextToken } = pageOf(rows, p);
  return {
    instanceTypeOfferingSet: setOf(items, ({ instanceType, location }) => ({
      instanceType,
      locationType: p.LocationType,
      location,
    })),
    nextToken,
  };
}

const imageTree = (image: AwsImage): XmlTree => ({
  imageId: image.id,
  imageLocation: `amazon/${image.name}`,
  imageState: 'available',
  imageOwnerId: image.ownerId,
  imageOwnerAlias: image.owner,
  creationDate: image.createdAt,
  isPublic: true,
  architecture: 'x86_64',
  imageType: 'machine',
  name: image.name,
  description: image.description,
  rootDeviceType: 'ebs',
  rootDeviceName: ROOT_DEVICE,
  blockDeviceMapping: setOf([image], ({ id, rootGib }) => ({
    deviceName: ROOT_DEVICE,
    ebs: {
      snapshotId: `snap-${id.slice(4)}`,
      volumeSize: rootGib,
      deleteOnTermination: true,
      volumeType: 'gp3',
      encrypted: false,
    },
  })),
  virtualizationType: 'hvm',
  hypervisor: 'xen',
  enaSupport: true,
  platformDetails: 'Linux/UNIX',
  usageOperation: 'RunInstances',
  bootMode: 'uefi-preferred',
  tagSet: '',
});

const imageFilterValues = (image: AwsImage): FilterValues => ({
  'image-id': image.id,
  name: image.name,
  description: image.description,
  architecture: 'x86_64',
  state: 'available',
  'owner-alias': image.owner,
  'owner-id': image.ownerId,
  'is-public': 'true',
  'root-device-type': 'ebs',
  'virtualization-type': 'hvm',
});

export function describeImages(call: Call): XmlTree {
  const p = read(call.parameters, {
    ImageId: listOf(text),
    Owner: listOf(text),
    ExecutableBy: listOf(text),
    IncludeDeprecated: flag.optional(),
    Filter: filters,
    ...paging,
  });
  for (const id of p.ImageId) {
    checkId('ami', id, 'InvalidAMIID.Malformed');
    if (imageIn(call.region, id) === undefined)
      throw new AwsError('InvalidAMIID.NotFound', `The image id '[${id}]' does not exist`);
  }
  const found = IMAGES.filter((i) => i.region === call.region)
    .filter((i) => p.ImageId.length === 0 || p.ImageId.includes(i.id))
    .filter((i) => p.Owner.length === 0 || p.Owner.includes(i.owner) || p.Owner.includes(i.ownerId))
    .filter((i) => passes(p.Filter, imageFilterValues(i)));
  const { items, nextToken } = pageOf(found, p);
  return { imagesSet: setOf(items, imageTree), nextToken };
}
