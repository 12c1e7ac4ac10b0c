/**
 * Catalogue of the simulated Google: regions, zones, types with built-in GPUs, those that GPUs are attached to, and the prices of their parts. The
 * series of types are in catalogue.json.
 *
 * Hardware is that of the published machine types. Prices of parts are those that Google published for us-central1 in 2025, to within 2 % for A3;
 * those of G4 are made up so that its smallest type costs the published 4.50 USD. In the other regions they are these times a factor. Spot prices
 * are made up: a share of the price on demand. Deckhand rents no A4, which are for clusters: their price is that of the GPUs alone.
 */
import { z } from 'zod';
import type { Catalogue, CoreType } from '../core/context.ts';
import { draw, type RandomState } from '../core/random.ts';
import seriesRows from './catalogue.json' with { type: 'json' };

export interface GoogleRegion {
  readonly name: string;
  /** Name in the price list. */
  readonly priceListName: string;
  /** Letters of its zones. */
  readonly zones: string;
  /** Price as a multiple of that in us-central1. */
  readonly factor: number;
}

export const REGIONS: readonly GoogleRegion[] = [
  { name: 'europe-west1', priceListName: 'Belgium', zones: 'bcd', factor: 1.1 },
  { name: 'europe-west4', priceListName: 'Netherlands', zones: 'abc', factor: 1.1011 },
  { name: 'us-central1', priceListName: 'Americas', zones: 'abcf', factor: 1 },
];

export const ZONES: readonly string[] = REGIONS.flatMap((region) =>
  region.zones.split('').map((z) => `${region.name}-${z}`),
);

/** Region of a zone. */
export const regionOf = (zone: string): string => zone.slice(0, -2);

/** A series of machines with one kind of GPU. */
const seriesSchema = z.strictObject({
  /** First two parts of its types. */
  name: z.string(),
  /** Name in the price list. */
  sku: z.string(),
  accelerator: z.string(),
  /** Name of the GPU in the price list. */
  gpuSku: z.string(),
  gpu: z.string(),
  gpuMemoryGib: z.number(),
  /** USD per hour in us-central1: a virtual CPU, a GiB of memory, a GPU. */
  parts: z.strictObject({ core: z.number(), ram: z.number(), gpu: z.number() }),
  /** Spot prices are this share of those on demand. */
  spotShare: z.number(),
  /** Letters of the zones that have it, by region. */
  zones: z.record(z.string(), z.string()),
  /** Last part of the type: vCPUs, memory GiB, GPUs, local disks. */
  sizes: z.record(z.string(), z.tuple([z.number(), z.number(), z.number(), z.number()])),
  /** Set where the GPUs are attached at a create: by their number, the most vCPUs that a machine may have then. */
  attached: z.record(z.string(), z.number()).optional(),
});
export type Series = z.infer<typeof seriesSchema>;

export const SERIES = z.array(seriesSchema).parse(seriesRows);

/** USD per hour of a GiB of local disk in us-central1, and its share as spot. */
export const LOCAL_SSD = { usdPerGibMonth: 0.08, spotShare: 0.4, gib: 375 } as const;
const HOURS_PER_MONTH = 730;

/** A type with everything that its description shows. */
export interface GoogleType extends CoreType {
  readonly series: Series;
  readonly memoryGib: number;
  readonly localSsds: number;
  /** Its name at Google; `instanceType` also has the GPUs that are attached to it. */
  readonly machineType: string;
}

/** Prices are published with six decimals. */
export const round = (usd: number): number => Number(usd.toFixed(6));

/** Name of a machine with GPUs attached to it. */
export const withAttached = (machineType: string, accelerator: string, count: number): string =>
  `${machineType}+${accelerator}x${count}`;

function typesOf(series: Series): GoogleType[] {
  return Object.entries(series.sizes).flatMap(([size, [vcpu, memoryGib, builtIn, localSsds]]) => {
    const machineType = `${series.name}-${size}`;
    const { core, ram, gpu } = series.parts;
    const ssd = (localSsds * LOCAL_SSD.gib * LOCAL_SSD.usdPerGibMonth) / HOURS_PER_MONTH;
    const type = (instanceType: string, gpuCount: number): GoogleType => {
      const usd = vcpu * core + memoryGib * ram + gpuCount * gpu + ssd;
      return {
        instanceType,
        machineType,
        series,
        name: gpuCount === 0 ? '' : series.gpu,
        gpuCount,
        vcpu,
        memoryGib,
        localSsds,
        ondemandUsdPerHour: usd,
        spotUsdPerHour: usd * series.spotShare,
        vramGib: gpuCount * series.gpuMemoryGib,
      };
    };
    const counts = Object.entries(series.attached ?? {}).filter(([, mostCpus]) => vcpu <= mostCpus);
    return [
      type(machineType, builtIn),
      ...counts.map(([count]) => type(withAttached(machineType, series.accelerator, Number(count)), Number(count))),
    ];
  });
}

export const GOOGLE_TYPES: readonly GoogleType[] = SERIES.flatMap(typesOf);

const typesByName = new Map(GOOGLE_TYPES.map((t) => [t.instanceType, t]));

/** The type of a name; undefined for one that does not exist. */
export const googleType = (instanceType: string): GoogleType | undefined => typesByName.get(instanceType);

const hasZone = (series: Series, zone: string): boolean =>
  series.zones[regionOf(zone)]?.includes(zone.slice(-1)) === true;

/** True when a zone offers a type, whether or not it has any now. */
export const isOffered = (instanceType: string, zone: string): boolean => {
  const series = typesByName.get(instanceType)?.series;
  return series !== undefined && hasZone(series, zone);
};

/** Kinds of GPUs of a zone. */
export const acceleratorsOf = (zone: string): readonly Series[] =>
  SERIES.filter((series) => series.accelerator !== '' && hasZone(series, zone));

/** Machines with fewer than eight H100 are sold as spot only. */
export const isSpotOnly = (instanceType: string): boolean => /^a3-highgpu-[124]g$/u.test(instanceType);

/** An id of Compute Engine: a number of 19 digits. */
export const numericId = (random: RandomState): string =>
  `${1 + Math.floor(draw(random) * 8)}${Array.from({ length: 18 }, () => Math.floor(draw(random) * 10)).join('')}`;

export const GOOGLE_CATALOGUE: Catalogue = {
  provider: 'google',
  types: typesByName,
  locations: ZONES,
  isSold: isOffered,
  priceFactor: (_type, zone) => REGIONS.find(({ name }) => name === regionOf(zone))?.factor ?? 1,
  newId: (_kind, random) => numericId(random),
};
