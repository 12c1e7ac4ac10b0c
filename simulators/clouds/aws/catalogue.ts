/**
 * Catalogue of the simulated AWS: regions, zones, GPU types and their prices. The families of types are in catalogue.json.
 *
 * Hardware and zones are those of DescribeInstanceTypes and DescribeInstanceTypeOfferings in September 2026 (as packed with moto 5.2.5).
 * On-demand prices are those that AWS published for Linux in us-east-1 in the second half of 2025, after the cut for P4 and P5; in the other
 * regions they are this price times a factor, which gives the published prices to within 0.3 %. Spot prices are made up: a share of the price
 * on demand.
 */
import { z } from 'zod';
import type { Catalogue, CoreType } from '../core/context.ts';
import { drawUuid } from '../core/random.ts';
import families from './catalogue.json' with { type: 'json' };

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

/** A family of types: what its GPUs are, and its sizes. */
const familySchema = z.strictObject({
  gpu: z.string(),
  gpuMemoryMib: z.number(),
  cpu: z.string(),
  clockGhz: z.number(),
  spotShare: z.number(),
  /** Letters of the zones that have it, by region. */
  zones: z.record(z.string(), z.string()),
  /** Price as a multiple of that in us-east-1. */
  factors: z.record(z.string(), z.number()),
  /** Size: vCPUs, memory GiB, GPUs, local disk GB, USD per hour in us-east-1. */
  sizes: z.record(z.string(), z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()])),
});
type Family = z.infer<typeof familySchema>;

const FAMILIES = z.record(z.string(), familySchema).parse(families);

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
