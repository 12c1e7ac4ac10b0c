/**
 * The ten tiers of GPUs, best first, and how a catalogue's entry is recognised as one of them: by GPU and memory, not by a list of type names.
 *
 * A GPU that is no tier (H200, GB300, whatever comes next) has tier null; it can be selected exactly or by wildcard.
 */

/** One tier. */
export interface Tier {
  readonly slug: string;
  /** For people. */
  readonly gpu: string;
  /** GPU in the spelling of {@link GpuIdentity.family}. */
  readonly family: string;
  /** Memory of one GPU, GiB: at least, and below. Tells apart two tiers of one GPU. */
  readonly minVramGib: number;
  readonly belowVramGib: number;
}

const tier = (slug: string, gpu: string, family: string, minVramGib = 0, belowVramGib = Infinity): Tier => ({
  slug,
  gpu,
  family,
  minVramGib,
  belowVramGib,
});

/** Every tier, best first. */
export const TIERS: readonly Tier[] = [
  tier('b300', 'B300', 'B300'),
  tier('b200', 'B200', 'B200'),
  tier('h100', 'H100', 'H100'),
  tier('a100-80', 'A100 80 GB', 'A100', 60),
  tier('a100-40', 'A100 40 GB', 'A100', 0, 60),
  tier('rtx-pro-6000', 'RTX PRO 6000', 'RTXPRO6000'),
  tier('rtx-6000-ada', 'RTX 6000 Ada', 'RTX6000ADA'),
  tier('l40s', 'L40S', 'L40S'),
  tier('a6000', 'RTX A6000', 'A6000'),
  tier('v100', 'V100', 'V100'),
];

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

/** Capitals and digits only: `RTX PRO 6000` and `rtx-pro-6000` are the same. */
export const squash = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/gu, '');

/** Recognises an entry. Where the type's name and its model field name different tiers, it belongs to none: a ladder must not buy a guess. */
export function identifyGpu(type: CatalogueType): GpuIdentity {
  const name = parseInstanceTypeName(type.instanceType);
  if (type.gpuCount === 0) return { family: '', tier: null, confidential: name?.confidential ?? false };
  const ofModel = familyOfModel(type.model);
  const family = name?.gpu ?? ofModel ?? squash(type.model);
  const vramPerGpuGib = name?.vramPerGpuGib ?? type.vramGib / type.gpuCount;
  const found = TIERS.find(
    (t) => t.family === family && vramPerGpuGib >= t.minVramGib && vramPerGpuGib < t.belowVramGib,
  );
  const contradicted = found !== undefined && ofModel !== null && ofModel !== found.family;
  return {
    family,
    tier: found === undefined || contradicted ? null : found.slug,
    confidential: name?.confidential ?? false,
  };
}

/** Family of a tier that a model field names, in any of the usual spellings (`NVIDIA RTX A6000`, `Tesla V100`, `H100 SXM5 80GB`). */
function familyOfModel(model: string): string | null {
  const bare = squash(model).replace(/^(?:\d+X)?(?:NVIDIA)?(?:TESLA|GEFORCE|QUADRO)?(?:RTX(?=A\d))?/u, '');
  // The longest name that fits: `L40S` is not `L40`.
  const fits = [...new Set(TIERS.map((t) => t.family))].filter((family) => bare.startsWith(family));
  return fits.toSorted((a, b) => b.length - a.length)[0] ?? null;
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
