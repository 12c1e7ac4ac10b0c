/**
 * Catalogue of the simulated AWS: regions, zones, GPU types and their prices.
 *
 * Hardware and zones are those of DescribeInstanceTypes and DescribeInstanceTypeOfferings in September 2026 (as packed with moto 5.2.5).
 * On-demand prices are those that AWS published for Linux in us-east-1 in the second half of 2025, after the cut for P4 and P5; in the other
 * regions they are this price times a factor, which gives the published prices to within 0.3 %. Spot prices are made up: a share of the price
 * on demand.
 */
import type { Catalogue, CoreType } from '../core/context.ts';
import { drawUuid } from '../core/random.ts';

export interface AwsRegion {
  readonly name: string;
  /** Name in the price list. */
  readonly priceListName: string;
  /** Begins the usage types of its price list. */
  readonly usagePrefix: string;
  readonly zones: readonly { readonly name: string; readonly id: string }[];
}

const region = (
  name: string,
  priceListName: string,
  usagePrefix: string,
  zones: Readonly<Record<string, string>>,
): AwsRegion => ({
  name,
  priceListName,
  usagePrefix,
  zones: Object.entries(zones).map(([letter, id]) => ({ name: `${name}${letter}`, id })),
});

export const REGIONS: readonly AwsRegion[] = [
  region('eu-central-1', 'EU (Frankfurt)', 'EUC1-', { a: 'euc1-az2', b: 'euc1-az3', c: 'euc1-az1' }),
  region('eu-west-1', 'EU (Ireland)', 'EU-', { a: 'euw1-az3', b: 'euw1-az1', c: 'euw1-az2' }),
  region('us-east-1', 'US East (N. Virginia)', '', { a: 'use1-az4', b: 'use1-az6', d: 'use1-az2' }),
];

/** Region of a zone. */
export const regionOf = (zone: string): string => zone.slice(0, -1);

/** A type with everything that its description shows. */
export interface AwsType extends CoreType {
  readonly family: string;
  readonly name: string;
  readonly memoryMib: number;
  /** Of each GPU. */
  readonly gpuMemoryMib: number;
  readonly cpu: string;
  readonly clockGhz: number;
  /** Local disks, GB; 0 = none. */
  readonly localDiskGb: number;
}

interface Family {
  readonly gpu: string;
  readonly gpuMemoryMib: number;
  readonly cpu: string;
  readonly clockGhz: number;
  readonly spotShare: number;
  /** Letters of the zones that have it, by region. */
  readonly zones: Readonly<Record<string, string>>;
  /** Price as a multiple of that in us-east-1. */
  readonly factors: Readonly<Record<string, number>>;
  /** Size: vCPUs, memory GiB, GPUs, local disk GB, USD per hour in us-east-1. */
  readonly sizes: Readonly<Record<string, readonly [number, number, number, number, number]>>;
}

const FRANKFURT = 1.2505;

const FAMILIES: Readonly<Record<string, Family>> = {
  t3: {
    gpu: '',
    gpuMemoryMib: 0,
    cpu: 'Intel',
    clockGhz: 3.1,
    spotShare: 0.4,
    zones: { 'us-east-1': 'abd', 'eu-west-1': 'abc', 'eu-central-1': 'abc' },
    factors: { 'eu-west-1': 1.0962, 'eu-central-1': 1.1538 },
    sizes: { medium: [2, 4, 0, 0, 0.0416] },
  },
  g4dn: {
    gpu: 'T4',
    gpuMemoryMib: 16_384,
    cpu: 'Intel',
    clockGhz: 2.5,
    spotShare: 0.42,
    zones: { 'us-east-1': 'abd', 'eu-west-1': 'abc', 'eu-central-1': 'abc' },
    factors: { 'eu-west-1': 1.1152, 'eu-central-1': FRANKFURT },
    sizes: {
      xlarge: [4, 16, 1, 125, 0.526],
      '2xlarge': [8, 32, 1, 225, 0.752],
      '4xlarge': [16, 64, 1, 225, 1.204],
      '8xlarge': [32, 128, 1, 900, 2.176],
      '12xlarge': [48, 192, 4, 900, 3.912],
      '16xlarge': [64, 256, 1, 900, 4.352],
      metal: [96, 384, 8, 1800, 7.824],
    },
  },
  g5: {
    gpu: 'A10G',
    gpuMemoryMib: 22_888,
    cpu: 'AMD',
    clockGhz: 3.3,
    spotShare: 0.45,
    zones: { 'us-east-1': 'abd', 'eu-west-1': 'abc', 'eu-central-1': 'abc' },
    factors: { 'eu-west-1': 1.1163, 'eu-central-1': FRANKFURT },
    sizes: {
      xlarge: [4, 16, 1, 250, 1.006],
      '2xlarge': [8, 32, 1, 450, 1.212],
      '4xlarge': [16, 64, 1, 600, 1.624],
      '8xlarge': [32, 128, 1, 900, 2.448],
      '12xlarge': [48, 192, 4, 3800, 5.672],
      '16xlarge': [64, 256, 1, 1900, 4.096],
      '24xlarge': [96, 384, 4, 3800, 8.144],
      '48xlarge': [192, 768, 8, 7600, 16.288],
    },
  },
  g6: {
    gpu: 'L4',
    gpuMemoryMib: 22_888,
    cpu: 'AMD',
    clockGhz: 3.4,
    spotShare: 0.45,
    zones: { 'us-east-1': 'abd', 'eu-central-1': 'abc' },
    factors: { 'eu-central-1': FRANKFURT },
    sizes: {
      xlarge: [4, 16, 1, 250, 0.8048],
      '2xlarge': [8, 32, 1, 450, 0.9776],
      '4xlarge': [16, 64, 1, 600, 1.3232],
      '8xlarge': [32, 128, 1, 900, 2.0144],
      '12xlarge': [48, 192, 4, 3760, 4.6016],
      '16xlarge': [64, 256, 1, 1880, 3.3968],
      '24xlarge': [96, 384, 4, 3760, 6.6752],
      '48xlarge': [192, 768, 8, 7520, 13.3504],
    },
  },
  gr6: {
    gpu: 'L4',
    gpuMemoryMib: 22_888,
    cpu: 'AMD',
    clockGhz: 3.4,
    spotShare: 0.4,
    zones: { 'us-east-1': 'abd', 'eu-central-1': 'ab' },
    factors: { 'eu-central-1': FRANKFURT },
    sizes: { '4xlarge': [16, 128, 1, 600, 1.5392], '8xlarge': [32, 256, 1, 900, 2.4464] },
  },
  g6e: {
    gpu: 'L40S',
    gpuMemoryMib: 45_776,
    cpu: 'AMD',
    clockGhz: 3.4,
    spotShare: 0.48,
    zones: { 'us-east-1': 'abd', 'eu-central-1': 'abc' },
    factors: { 'eu-central-1': FRANKFURT },
    sizes: {
      xlarge: [4, 32, 1, 250, 1.861],
      '2xlarge': [8, 64, 1, 450, 2.24208],
      '4xlarge': [16, 128, 1, 600, 3.00424],
      '8xlarge': [32, 256, 1, 900, 4.52856],
      '12xlarge': [48, 384, 4, 3800, 10.49264],
      '16xlarge': [64, 512, 1, 1900, 7.57719],
      '24xlarge': [96, 768, 4, 3800, 15.06559],
      '48xlarge': [192, 1536, 8, 7600, 30.13118],
    },
  },
  p4d: {
    gpu: 'A100',
    gpuMemoryMib: 40_960,
    cpu: 'Intel',
    clockGhz: 3,
    spotShare: 0.5,
    zones: { 'us-east-1': 'abd', 'eu-west-1': 'c', 'eu-central-1': 'abc' },
    factors: { 'eu-west-1': 1.08, 'eu-central-1': 1.2494 },
    sizes: { '24xlarge': [96, 1152, 8, 8000, 21.957642] },
  },
  p4de: {
    gpu: 'A100',
    gpuMemoryMib: 81_920,
    cpu: 'Intel',
    clockGhz: 3,
    spotShare: 0.5,
    zones: { 'us-east-1': 'b', 'eu-central-1': 'ac' },
    factors: { 'eu-central-1': 1.25 },
    sizes: { '24xlarge': [96, 1152, 8, 8000, 27.44705] },
  },
  p5: {
    gpu: 'H100',
    gpuMemoryMib: 81_920,
    cpu: 'AMD',
    clockGhz: 3.6,
    spotShare: 0.45,
    zones: { 'us-east-1': 'abd' },
    factors: {},
    sizes: { '4xlarge': [16, 256, 1, 3800, 6.88], '48xlarge': [192, 2048, 8, 30_400, 55.04] },
  },
  p5en: {
    gpu: 'H200',
    gpuMemoryMib: 144_384,
    cpu: 'Intel',
    clockGhz: 2.4,
    spotShare: 0.45,
    zones: { 'us-east-1': 'a' },
    factors: {},
    sizes: { '48xlarge': [192, 2048, 8, 30_400, 63.296] },
  },
};

/** Prices are published with five decimals. */
const round = (usd: number): number => Number(usd.toFixed(5));

const typesOf = ([family, f]: readonly [string, Family]): AwsType[] =>
  Object.entries(f.sizes).map(([size, [vcpu, memoryGib, gpuCount, localDiskGb, usd]]) => ({
    instanceType: `${family}.${size}`,
    family,
    name: f.gpu,
    gpuCount,
    vcpu,
    ondemandUsdPerHour: usd,
    spotUsdPerHour: round(usd * f.spotShare),
    vramGib: (gpuCount * f.gpuMemoryMib) / 1024,
    memoryMib: memoryGib * 1024,
    gpuMemoryMib: f.gpuMemoryMib,
    cpu: f.cpu,
    clockGhz: f.clockGhz,
    localDiskGb,
  }));

export const AWS_TYPES: readonly AwsType[] = Object.entries(FAMILIES).flatMap(typesOf);

const typesByName = new Map(AWS_TYPES.map((t) => [t.instanceType, t]));

/** @throws Error when a type is not in the catalogue: a defect */
export function awsType(instanceType: string): AwsType {
  const type = typesByName.get(instanceType);
  if (type === undefined) throw new Error(`no data sheet of ${instanceType}`);
  return type;
}

const familyOf = (instanceType: string): Family | undefined => FAMILIES[instanceType.split('.')[0] ?? ''];

/** True when a zone offers a type, whether or not it has any now. */
export const isOffered = (instanceType: string, zone: string): boolean =>
  familyOf(instanceType)?.zones[regionOf(zone)]?.includes(zone.slice(-1)) === true;

/** An id of AWS: a prefix and 17 hexadecimal digits. */
export const awsId = (prefix: string, random: Parameters<typeof drawUuid>[0]): string =>
  `${prefix}-0${drawUuid(random).replaceAll('-', '').slice(0, 16)}`;

export const AWS_CATALOGUE: Catalogue = {
  provider: 'aws',
  types: typesByName,
  locations: REGIONS.flatMap((r) => r.zones.map((z) => z.name)),
  isSold: isOffered,
  priceFactor: (instanceType, zone) => {
    const usd = typesByName.get(instanceType)?.ondemandUsdPerHour ?? 0;
    const factor = familyOf(instanceType)?.factors[regionOf(zone)] ?? 1;
    return factor === 1 || usd === 0 ? 1 : round(usd * factor) / usd;
  },
  newId: (kind, random) => awsId(kind === 'instance' ? 'i' : 'vol', random),
};
