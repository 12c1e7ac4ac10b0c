/** Catalogue of the simulated DataCrunch: types, prices of October 2026, locations and images. */
import type { Catalogue } from '../core/context.ts';

/** What machines and clusters are made of. */
export interface Hardware {
  readonly instanceType: string;
  /** GPU family; `CPU` for machines without a GPU. */
  readonly model: string;
  readonly name: string;
  readonly gpuCount: number;
  readonly vramGib: number;
  readonly vcpu: number;
  readonly memoryGib: number;
  readonly ondemandUsdPerHour: number;
  readonly images: readonly string[];
}

/** A machine type with everything its payload shows. */
export interface MachineType extends Hardware {
  readonly spotUsdPerHour: number;
}

/** A type of cluster; sizes and prices are those of all its nodes. */
export interface ClusterType extends Hardware {
  readonly nodes: number;
  /** Clusters are not sold on the spot market. */
  readonly spotUsdPerHour: null;
}

interface Family {
  readonly model: string;
  readonly name: string;
  /** Per GPU. */
  readonly vramGib: number;
  readonly vcpu: number;
  readonly memoryGib: number;
  readonly usd: number;
  readonly spotUsd: number;
  /** Numbers of GPUs sold together. */
  readonly counts: readonly number[];
  readonly nameOf: (count: number, vcpu: number) => string;
  readonly images: readonly string[];
}

const BASE_IMAGES = ['ubuntu-24.04', 'ubuntu-22.04'] as const;
/** Open kernel modules: everything since Turing. */
const OPEN_IMAGES = [
  'ubuntu-24.04-cuda-13.0-open-docker',
  'ubuntu-24.04-cuda-13.0-open',
  'ubuntu-24.04-cuda-12.8-open-docker',
  'ubuntu-24.04-cuda-12.8-open',
  ...BASE_IMAGES,
] as const;
/** V100 and A6000 refuse images with open kernel modules. */
const CLOSED_IMAGES = [
  'ubuntu-22.04-cuda-12.4-docker',
  'ubuntu-22.04-cuda-12.4',
  'ubuntu-22.04-cuda-12.0-docker',
  'ubuntu-22.04-cuda-12.0',
  ...BASE_IMAGES,
] as const;
const CLUSTER_SLUGS = ['ubuntu-22.04-cuda-12.9-cluster'] as const;

const ALL_COUNTS = [1, 2, 4, 8] as const;
const plain =
  (model: string) =>
  (count: number, vcpu: number): string =>
    `${count}${model}.${vcpu}V`;
const sized =
  (model: string, vram: number) =>
  (count: number, vcpu: number): string =>
    `${count}${model}.${vram}S.${vcpu}V`;

function family(
  model: string,
  name: string,
  [vramGib, vcpu, memoryGib]: readonly [number, number, number],
  [usd, spotUsd]: readonly [number, number],
  nameOf: Family['nameOf'] = plain(model),
  options: Partial<Pick<Family, 'counts' | 'images'>> = {},
): Family {
  return {
    model,
    name,
    vramGib,
    vcpu,
    memoryGib,
    usd,
    spotUsd,
    counts: ALL_COUNTS,
    nameOf,
    images: OPEN_IMAGES,
    ...options,
  };
}

const one = { counts: [1] } as const;
const FAMILIES: readonly Family[] = [
  family('GB300', 'GB300 288GB', [288, 36, 240], [8.2, 4.1], plain('GB300'), { counts: [1, 2, 4] }),
  family('B300', 'B300 SXM6 262GB', [262, 30, 275], [7.8825, 3.9413]),
  family('B200', 'B200 SXM6 180GB', [180, 30, 184], [6.49, 3.245]),
  family('H200', 'H200 SXM5 141GB', [141, 44, 182], [4.827, 2.414], sized('H200', 141)),
  family('H100', 'H100 SXM5 80GB', [80, 30, 120], [3.7, 1.85], sized('H100', 80)),
  family('H100', 'H100 SXM5 80GB', [80, 32, 185], [3.7, 1.85], sized('H100', 80), one),
  family('A100', 'A100 SXM4 80GB', [80, 22, 120], [1.797, 0.899]),
  family('A100', 'A100 SXM4 40GB', [40, 22, 120], [1.26, 0.63], sized('A100', 40)),
  family('RTXPRO6000', 'RTX PRO 6000 96GB', [96, 30, 90], [2.044, 1.022]),
  family('RTXPRO6000', 'RTX PRO 6000 96GB CC', [96, 30, 90], [2.085, 1.043], () => '1RTXPRO6000.30V.CC', one),
  family('L40S', 'L40S 48GB', [48, 20, 60], [0.91, 0.455]),
  family('RTX6000ADA', 'RTX 6000 Ada 48GB', [48, 10, 60], [0.83, 0.415]),
  family('A6000', 'RTX A6000 48GB', [48, 10, 60], [0.61, 0.305], plain('A6000'), { images: CLOSED_IMAGES }),
  family('V100', 'Tesla V100 16GB', [16, 6, 23], [0.14, 0.06], plain('V100'), { images: CLOSED_IMAGES }),
  family('V100', 'Tesla V100 16GB', [16, 6, 23], [0.14, 0.06], (_count, vcpu) => `8V100.${vcpu}M`, {
    counts: [8],
    images: CLOSED_IMAGES,
  }),
];

/** Prices carry at most five places. */
const usd = (value: number): number => Math.round(value * 1e5) / 1e5;

/** Hardware that comes with so many GPUs of a family. */
const ofGpus = ({ model, name, vramGib, vcpu, memoryGib }: Family, gpuCount: number) => ({
  model,
  name,
  gpuCount,
  vramGib: vramGib * gpuCount,
  vcpu: vcpu * gpuCount,
  memoryGib: memoryGib * gpuCount,
});

const GPU_TYPES: readonly MachineType[] = FAMILIES.flatMap((f) =>
  f.counts.map((count) => ({
    instanceType: f.nameOf(count, f.vcpu * count),
    ...ofGpus(f, count),
    ondemandUsdPerHour: usd(f.usd * count),
    spotUsdPerHour: usd(f.spotUsd * count),
    images: f.images,
  })),
);

const CPU_USD_PER_VCPU = 0.012;
const cpu = (vcpu: number, suffix = '', factor = 1): MachineType => ({
  instanceType: `CPU.${vcpu}V.${vcpu * 4}G${suffix}`,
  model: 'CPU',
  name: `CPU Node${suffix === '' ? '' : ' CC'}`,
  gpuCount: 0,
  vramGib: 0,
  vcpu,
  memoryGib: vcpu * 4,
  ondemandUsdPerHour: usd(vcpu * CPU_USD_PER_VCPU * factor),
  spotUsdPerHour: usd((vcpu * CPU_USD_PER_VCPU * factor) / 2),
  images: BASE_IMAGES,
});

/** Every type, most expensive families first. */
export const MACHINE_TYPES: readonly MachineType[] = [
  ...GPU_TYPES,
  ...[4, 8, 16, 32, 64, 96, 120, 180, 360].map((vcpu) => cpu(vcpu)),
  cpu(8, '.CC', 1.02),
];

export const LOCATIONS = [
  { code: 'FIN-01', name: 'Finland 1', country_code: 'FI' },
  { code: 'FIN-02', name: 'Finland 2', country_code: 'FI' },
  { code: 'FIN-03', name: 'Finland 3', country_code: 'FI' },
] as const;

/** An operating system image. */
export interface MachineImage {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly category: string;
}

/** Ids that the provider gave these images, and that clients have in their code. */
const KNOWN_IDS: Readonly<Record<string, string>> = {
  'ubuntu-24.04-cuda-12.8-open-docker': '77777777-4f48-4249-82b3-f199fb9b701b',
  'ubuntu-22.04-cuda-12.0-docker': '2088da25-bb0d-41cc-a191-dccae45d96fd',
  'ubuntu-22.04-cuda-12.0': '1988da25-bb0d-41cc-a191-dccae45d96fd',
};

const imageOf = (slug: string, index: number): MachineImage => ({
  id: KNOWN_IDS[slug] ?? `77777777-4f48-4e0e-8b0c-${String(index + 1).padStart(12, '0')}`,
  slug,
  name: slug
    .replace('ubuntu', 'Ubuntu')
    .replace('-cuda-', ' + CUDA ')
    .replace('-open', ' Open')
    .replace('-docker', ' + Docker')
    .replace('-cluster', ' + Cluster')
    .replace('-', ' '),
  category: slug.includes('docker') ? 'docker' : 'ubuntu',
});

const slugs = [...new Set(MACHINE_TYPES.flatMap((t) => t.images))];
export const IMAGES: readonly MachineImage[] = slugs.map(imageOf);
export const CLUSTER_IMAGES: readonly MachineImage[] = CLUSTER_SLUGS.map((slug, index) =>
  imageOf(slug, slugs.length + index),
);

const GPUS_PER_NODE = 8;

/** Every type of cluster: 2, 4 and 8 nodes of 8 GPUs. */
export const CLUSTER_TYPES: readonly ClusterType[] = FAMILIES.filter((f) =>
  ['B300', 'B200', 'H200'].includes(f.model),
).flatMap((f) =>
  [2, 4, 8].map((nodes) => {
    const gpuCount = nodes * GPUS_PER_NODE;
    return {
      instanceType: `${gpuCount}${f.model}`,
      ...ofGpus(f, gpuCount),
      nodes,
      ondemandUsdPerHour: usd(f.usd * gpuCount),
      spotUsdPerHour: null,
      images: CLUSTER_SLUGS,
    };
  }),
);

/** A GPU, or several, for a replica of a container deployment. It is named by model and count, and sold on a market of its own. */
export interface ContainerType extends Hardware {
  readonly spotUsdPerHour: number;
}

/** Containers cost about a tenth more than machines. */
const CONTAINER_PRICE_FACTOR = 1.1;

/** Name of the type with which a replica takes stock: `container.<count>x<model>`. */
export const containerTypeName = (model: string, count: number): string => `container.${count}x${model}`;

/** The first family of a model is the one for containers. */
const CONTAINER_FAMILIES = FAMILIES.filter((f, index) => FAMILIES.findIndex((g) => g.model === f.model) === index);

export const CONTAINER_TYPES: readonly ContainerType[] = CONTAINER_FAMILIES.flatMap((f) =>
  f.counts.map((count) => ({
    instanceType: containerTypeName(f.model, count),
    ...ofGpus(f, count),
    ondemandUsdPerHour: usd(f.usd * count * CONTAINER_PRICE_FACTOR),
    spotUsdPerHour: usd(f.spotUsd * count * CONTAINER_PRICE_FACTOR),
    images: [],
  })),
);

/** The catalogue as the core needs it. */
export const DATACRUNCH_CATALOGUE: Catalogue = {
  provider: 'datacrunch',
  types: new Map([...MACHINE_TYPES, ...CLUSTER_TYPES, ...CONTAINER_TYPES].map((t) => [t.instanceType, t])),
  locations: LOCATIONS.map((l) => l.code),
};
