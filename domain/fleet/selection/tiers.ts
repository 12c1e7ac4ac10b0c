/**
 * The tiers of GPUs, best first, and how a catalogue's entry is recognised as one of them: by GPU and memory, not by a list of type names.
 *
 * A GPU that is no tier (GB300, whatever comes next) has tier null; it can be selected exactly or by wildcard. So has a fraction of a GPU: it
 * has less memory than the tier.
 */
import { bareGpuName, gpuNamed, isVirtualGpu } from './gpu-names.ts';

/** One tier. */
export interface Tier {
  readonly slug: string;
  /** For people. */
  readonly gpu: string;
  /** GPUs in the spelling of {@link GpuIdentity.family}. */
  readonly families: readonly string[];
  /** Memory of one GPU, GiB: at least, and below. Tells a whole GPU from a fraction, and apart two tiers of one GPU. */
  readonly minVramGib: number;
  readonly belowVramGib: number;
}

const tier = (
  slug: string,
  gpu: string,
  families: string | readonly string[],
  minVramGib: number,
  belowVramGib = Infinity,
): Tier => ({ slug, gpu, families: [families].flat(), minVramGib, belowVramGib });

/** Every tier, best first: larger and faster memory goes before. Machines report a little less memory than a data sheet says. */
export const TIERS: readonly Tier[] = [
  tier('b300', 'B300', 'B300', 240),
  tier('b200', 'B200', 'B200', 160),
  tier('h200', 'H200', 'H200', 120),
  tier('h100', 'H100', 'H100', 70),
  tier('a100-80', 'A100 80 GB', 'A100', 60),
  tier('a100-40', 'A100 40 GB', 'A100', 35, 60),
  tier('rtx-pro-6000', 'RTX PRO 6000', 'RTXPRO6000', 84),
  tier('rtx-6000-ada', 'RTX 6000 Ada', 'RTX6000ADA', 42),
  tier('l40s', 'L40S', 'L40S', 42),
  tier('a6000', 'RTX A6000', 'A6000', 42),
  tier('rtx-4090', 'RTX 4090', 'RTX4090', 20),
  tier('a10', 'A10', ['A10', 'A10G'], 20),
  tier('l4', 'L4', 'L4', 20),
  tier('v100', 'V100', 'V100', 14),
  tier('t4', 'T4', 'T4', 14),
];

/** The tier of a GPU with so much memory; null for a GPU of no tier, and for a fraction of one. @param vramGib of one GPU */
export const tierOfGpu = (family: string, vramGib: number): Tier | null =>
  TIERS.find((t) => t.families.includes(family) && vramGib >= t.minVramGib && vramGib < t.belowVramGib) ?? null;

/** Place of a tier, 0 = best; after the last for null. */
export const tierIndex = (slug: string | null): number => {
  const index = TIERS.findIndex((t) => t.slug === slug);
  return index === -1 ? TIERS.length : index;
};

/** An entry of a provider's catalogue, as far as selection looks at it. Prices are totals per instance. */
export interface CatalogueType {
  readonly instanceType: string;
  /** GPU as the provider names it. */
  readonly model: string;
  readonly gpuCount: number;
  /** Over all GPUs, GiB. */
  readonly vramGib: number;
  /** Absent or 0 where the provider does not say. */
  readonly vcpu?: number;
  readonly memoryGib?: number;
  readonly onDemandUsdPerHour: number;
  /** Null where the type has no spot market. */
  readonly spotUsdPerHour: number | null;
  /** Where prices differ by location: those of each location that sells the type, and of no other. Absent = the prices above hold everywhere. */
  readonly pricesByLocation?: Readonly<Record<string, LocationPrices>>;
}

/** Prices of a type in one location, USD per hour; null = not sold on that market there. */
export interface LocationPrices {
  readonly onDemandUsdPerHour: number | null;
  readonly spotUsdPerHour: number | null;
}

/** What a catalogue's entry is. */
export interface GpuIdentity {
  /** GPU in capitals without blanks, such as `H100`, `RTX6000ADA`. Empty for a machine without a GPU. */
  readonly family: string;
  readonly tier: string | null;
  readonly confidential: boolean;
}

/** Sizes for confidential computing by their name alone, such as `Standard_NCC40ads_H100_v5`. */
const CONFIDENTIAL_SIZE = /^STANDARD_NCC/iu;

/** Recognises an entry. Where the type's name and its model field name different tiers, it belongs to none: a ladder must not buy a guess. */
export function identifyGpu(type: CatalogueType): GpuIdentity {
  const name = parseInstanceTypeName(type.instanceType);
  const confidential = name?.confidential ?? CONFIDENTIAL_SIZE.test(type.instanceType);
  if (type.gpuCount === 0) return { family: '', tier: null, confidential };
  if (isVirtualGpu(type.model)) return { family: bareGpuName(type.model), tier: null, confidential };
  const ofName = name === null ? gpuNamed(type.instanceType) : (gpuNamed(name.gpu) ?? name.gpu);
  const ofModel = gpuNamed(type.model);
  const family = ofName ?? ofModel ?? bareGpuName(type.model);
  const vramPerGpuGib = name?.vramPerGpuGib ?? type.vramGib / type.gpuCount;
  const found = tierOfGpu(family, vramPerGpuGib);
  const contradicted = found !== null && ofModel !== null && !found.families.includes(ofModel);
  return { family, tier: found === null || contradicted ? null : found.slug, confidential };
}

/**
 * What a machine type's name at DataCrunch says: `<count><GPU>[.<GB>S].<vcpu>V[.CC]`, such as `1H100.80S.30V` or `8A100.176V`. Names are
 * read, never listed, so that new types need no change here.
 */
export interface InstanceTypeName {
  readonly gpuCount: number;
  /** GPU as written in the name, such as `H100` or `RTXPRO6000`. */
  readonly gpu: string;
  /** Memory of one GPU, GB; null where the name does not say it. */
  readonly vramPerGpuGib: number | null;
  readonly vcpu: number;
  /** Confidential computing: ordinary CUDA does not run there. */
  readonly confidential: boolean;
}

/** A few old types have `M` instead of `V`. Further suffixes are accepted, so that a new one does not hide a type. */
const TYPE_NAME = /^(\d+)([A-Z][A-Z0-9]*)(?:\.(\d+)S)?\.(\d+)[VM]((?:\.[A-Z0-9]+)*)$/u;

/** Reads a type name; null when it does not follow the grammar. */
export function parseInstanceTypeName(name: string): InstanceTypeName | null {
  const match = TYPE_NAME.exec(name.toUpperCase());
  if (match === null) return null;
  const [, count = '', gpu = '', vram, vcpu = '', suffixes = ''] = match;
  return {
    gpuCount: Number(count),
    gpu,
    vramPerGpuGib: vram === undefined ? null : Number(vram),
    vcpu: Number(vcpu),
    confidential: suffixes.split('.').includes('CC'),
  };
}
