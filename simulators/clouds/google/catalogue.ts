/**
 * Catalogue of the simulated Google: regions, zones, types with built-in GPUs, those that GPUs are attached to, and the prices of their parts.
 *
 * Hardware is that of the published machine types. Prices of parts are those that Google published for us-central1 in 2025, to within 2 % for A3;
 * those of G4 are made up so that its smallest type costs the published 4.50 USD. In the other regions they are these times a factor. Spot prices
 * are made up: a share of the price on demand.
 */
import type { Catalogue, CoreType } from '../core/context.ts';
import { draw, type RandomState } from '../core/random.ts';

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
export interface Series {
  /** First two parts of its types. */
  readonly name: string;
  /** Name in the price list. */
  readonly sku: string;
  readonly accelerator: string;
  /** Name of the GPU in the price list. */
  readonly gpuSku: string;
  readonly gpu: string;
  readonly gpuMemoryGib: number;
  /** USD per hour in us-central1: a virtual CPU, a GiB of memory, a GPU. */
  readonly parts: { readonly core: number; readonly ram: number; readonly gpu: number };
  /** Spot prices are this share of those on demand. */
  readonly spotShare: number;
  /** Letters of the zones that have it, by region. */
  readonly zones: Readonly<Record<string, string>>;
  /** Last part of the type: vCPUs, memory GiB, GPUs, local disks. */
  readonly sizes: Readonly<Record<string, readonly [number, number, number, number]>>;
  /** Set where the GPUs are attached at a create: by their number, the most vCPUs that a machine may have then. */
  readonly attached?: Readonly<Record<number, number>>;
}

const A2 = { core: 0.031611, ram: 0.004237 };
const A3 = { core: 0.0293227, ram: 0.0025534 };

export const SERIES: readonly Series[] = [
  {
    name: 'n1-standard',
    sku: 'N1 Predefined',
    accelerator: 'nvidia-tesla-t4',
    gpuSku: 'Nvidia Tesla T4',
    gpu: 'T4',
    gpuMemoryGib: 16,
    parts: { core: 0.031611, ram: 0.004237, gpu: 0.35 },
    spotShare: 0.4,
    zones: { 'us-central1': 'abcf', 'europe-west4': 'abc', 'europe-west1': 'bcd' },
    sizes: {
      '1': [1, 3.75, 0, 0],
      '4': [4, 15, 0, 0],
      '8': [8, 30, 0, 0],
      '64': [64, 240, 0, 0],
    },
    attached: { 1: 48, 2: 48, 4: 96 },
  },
  {
    name: 'g2-standard',
    sku: 'G2',
    accelerator: 'nvidia-l4',
    gpuSku: 'Nvidia L4',
    gpu: 'L4',
    gpuMemoryGib: 24,
    parts: { core: 0.024988, ram: 0.002927, gpu: 0.56004 },
    spotShare: 0.4,
    zones: { 'us-central1': 'abc', 'europe-west4': 'abc', 'europe-west1': 'bc' },
    sizes: {
      '4': [4, 16, 1, 0],
      '8': [8, 32, 1, 0],
      '12': [12, 48, 1, 0],
      '16': [16, 64, 1, 0],
      '24': [24, 96, 2, 0],
      '32': [32, 128, 1, 0],
      '48': [48, 192, 4, 0],
      '96': [96, 384, 8, 0],
    },
  },
  {
    name: 'a2-highgpu',
    sku: 'A2',
    accelerator: 'nvidia-tesla-a100',
    gpuSku: 'Nvidia Tesla A100',
    gpu: 'A100',
    gpuMemoryGib: 40,
    parts: { ...A2, gpu: 2.933908 },
    spotShare: 0.4,
    zones: { 'us-central1': 'abcf', 'europe-west4': 'ab' },
    sizes: { '1g': [12, 85, 1, 0], '2g': [24, 170, 2, 0], '4g': [48, 340, 4, 0], '8g': [96, 680, 8, 0] },
  },
  {
    name: 'a2-ultragpu',
    sku: 'A2',
    accelerator: 'nvidia-a100-80gb',
    gpuSku: 'Nvidia Tesla A100 80GB',
    gpu: 'A100',
    gpuMemoryGib: 80,
    parts: { ...A2, gpu: 3.92808 },
    spotShare: 0.4,
    zones: { 'us-central1': 'ac', 'europe-west4': 'a' },
    sizes: { '1g': [12, 170, 1, 1], '2g': [24, 340, 2, 2], '4g': [48, 680, 4, 4], '8g': [96, 1360, 8, 8] },
  },
  {
    name: 'a3-highgpu',
    sku: 'A3',
    accelerator: 'nvidia-h100-80gb',
    gpuSku: 'Nvidia H100 80GB',
    gpu: 'H100',
    gpuMemoryGib: 80,
    parts: { ...A3, gpu: 9.796551 },
    spotShare: 0.4,
    zones: { 'us-central1': 'ac', 'europe-west4': 'bc', 'europe-west1': 'bc' },
    sizes: { '1g': [26, 234, 1, 2], '2g': [52, 468, 2, 4], '4g': [104, 936, 4, 8], '8g': [208, 1872, 8, 16] },
  },
  {
    name: 'a3-megagpu',
    sku: 'A3Plus',
    accelerator: 'nvidia-h100-mega-80gb',
    gpuSku: 'Nvidia H100 80GB Plus',
    gpu: 'H100',
    gpuMemoryGib: 80,
    parts: { ...A3, gpu: 10.209 },
    spotShare: 0.4,
    zones: { 'us-central1': 'ab', 'europe-west4': 'bc' },
    sizes: { '8g': [208, 1872, 8, 16] },
  },
  {
    name: 'g4-standard',
    sku: 'G4',
    accelerator: 'nvidia-rtx-pro-6000',
    gpuSku: 'RTX 6000 96GB',
    gpu: 'RTX PRO 6000',
    gpuMemoryGib: 96,
    parts: { core: 0.035, ram: 0.004, gpu: 1.935616 },
    spotShare: 0.4,
    zones: { 'us-central1': 'b', 'europe-west4': 'bc' },
    sizes: { '48': [48, 180, 1, 4], '96': [96, 360, 2, 8], '192': [192, 720, 4, 16], '384': [384, 1440, 8, 32] },
  },
  // For clusters: Deckhand does not rent it. Its price is that of its GPUs alone.
  {
    name: 'a4-highgpu',
    sku: 'A4',
    accelerator: 'nvidia-b200',
    gpuSku: 'A4 Nvidia B200 (1 gpu slice)',
    gpu: 'B200',
    gpuMemoryGib: 180,
    parts: { core: 0, ram: 0, gpu: 16.11 },
    spotShare: 0.4,
    zones: { 'us-central1': 'b' },
    sizes: { '8g': [224, 3968, 8, 32] },
  },
  // A machine without a GPU.
  {
    name: 'e2-standard',
    sku: 'E2',
    accelerator: '',
    gpuSku: '',
    gpu: '',
    gpuMemoryGib: 0,
    parts: { core: 0.021811, ram: 0.002923, gpu: 0 },
    spotShare: 0.4,
    zones: { 'us-central1': 'abcf', 'europe-west4': 'abc', 'europe-west1': 'bcd' },
    sizes: { '2': [2, 8, 0, 0] },
  },
];

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
