/**
 * The words a pool says what it wants with: an exact type, `ANY_1H100`, `h100-or-less`, a tier, `cheapest`. Read against the catalogue, so that
 * a misspelling is refused before anything is bought.
 */
import { gpuNamed, memoryNamed, squash, whyUnsupported } from './gpu-names.ts';
import { refusedGpu, unknownSelector } from './selector-mistakes.ts';
import { identifyGpu, tierIndex, tierOfGpu, TIERS, type CatalogueType } from './tiers.ts';

/** A selector, read. */
export type Selector =
  | { readonly kind: 'exact'; readonly instanceType: string }
  /** Every type with this GPU; of any number of GPUs where `gpuCount` is null. */
  | { readonly kind: 'wildcard'; readonly gpuCount: number | null; readonly gpu: string }
  /** One-GPU types of this tier and of all below, best tier first. */
  | { readonly kind: 'ladder'; readonly from: string }
  /** One-GPU types of one tier. */
  | { readonly kind: 'tier'; readonly tier: string }
  /** One-GPU types, the cheapest per slide first. */
  | { readonly kind: 'cheapest' };

/**
 * Reads a selector. Case, `_` and `-` do not matter (`H100_OR_LESS` is `h100-or-less`).
 *
 * @throws DeckhandError `selector_unknown` with what is possible and, where one is near, the name that was probably meant
 */
export function parseSelector(text: string, catalogue: readonly CatalogueType[]): Selector {
  const wanted = text.trim();
  const exact = catalogue.find((t) => t.instanceType.toUpperCase() === wanted.toUpperCase());
  if (exact !== undefined) {
    const why = whyUnsupported(identifyGpu(exact).family);
    if (why !== null) throw refusedGpu(exact.instanceType, why);
    return { kind: 'exact', instanceType: exact.instanceType };
  }
  const slug = wanted.toLowerCase().replaceAll(/[_\s]+/gu, '-');
  if (slug === 'cheapest') return { kind: 'cheapest' };
  const ladder = /^(.+)-or-less$/u.exec(slug)?.[1];
  const named = tierOf(ladder ?? slug);
  if (named !== null) return ladder === undefined ? { kind: 'tier', tier: named } : { kind: 'ladder', from: named };
  const wildcard = /^any-(\d+(?=[a-z]))?(.+)$/u.exec(slug);
  if (wildcard !== null) {
    const gpu = wildcardGpu(wildcard[2] ?? '');
    const why = whyUnsupported(gpu);
    if (why !== null) throw refusedGpu(wanted, why);
    if (
      catalogue.some((t) => hasGpu(t, gpu)) ||
      TIERS.some((t) => t.families.includes(gpu) || squash(t.slug) === gpu)
    ) {
      return { kind: 'wildcard', gpuCount: wildcard[1] === undefined ? null : Number(wildcard[1]), gpu };
    }
  }
  throw unknownSelector(wanted, catalogue);
}

/** Why a selector does not take a type, in words that follow the type's name; null when it takes it. */
export function whyNotSelected(selector: Selector, type: CatalogueType): string | null {
  const { family, tier, confidential } = identifyGpu(type);
  const unsupported = whyUnsupported(family);
  if (unsupported !== null) return unsupported;
  if (selector.kind === 'exact') {
    return type.instanceType === selector.instanceType ? null : `is not ${selector.instanceType}`;
  }
  if (type.gpuCount === 0) return 'has no GPU';
  if (confidential) return 'is for confidential computing and is taken only when named exactly';
  if (selector.kind === 'wildcard') {
    if (!hasGpu(type, selector.gpu)) return `has no ${selector.gpu}`;
    if (selector.gpuCount === null || selector.gpuCount === type.gpuCount) return null;
    return `has ${type.gpuCount} GPUs, wanted are ${selector.gpuCount}`;
  }
  if (type.gpuCount > 1) return `has ${type.gpuCount} GPUs and is taken only by its name or a wildcard`;
  switch (selector.kind) {
    case 'cheapest':
      return null;
    case 'tier':
      return tier === selector.tier ? null : `is not of tier ${selector.tier}`;
    case 'ladder':
      if (tier === null) return 'is of no tier and is taken only by its name or a wildcard';
      return tierIndex(tier) >= tierIndex(selector.from) ? null : `is of tier ${tier}, above ${selector.from}`;
  }
}

/** True when a type has this GPU, by its own name or as a tier (`A100_80`). */
function hasGpu(type: CatalogueType, gpu: string): boolean {
  const { family, tier } = identifyGpu(type);
  return family === gpu || (tier !== null && squash(tier) === gpu);
}

const tierOf = (slug: string): string | null => TIERS.find((t) => squash(t.slug) === squash(slug))?.slug ?? null;

/** The GPU of a wildcard, as {@link hasGpu} reads it: a tier's where the memory is named (`ANY_1A100-80GB`, `ANY_1A100_80`). */
function wildcardGpu(text: string): string {
  const slug = tierOf(text);
  if (slug !== null) return squash(slug);
  const gpu = gpuNamed(text);
  const memory = memoryNamed(text);
  if (gpu === null) return squash(text);
  const tier = memory === null ? null : tierOfGpu(gpu, memory);
  return tier === null ? gpu : squash(tier.slug);
}

/**
 * Why a selector takes no type of a catalogue, whatever is available, as a sentence: `H100 is sold with 1, 2, 4 or 8 GPUs.` Null when it takes
 * one.
 */
export function whyNothingSelected(selector: Selector, catalogue: readonly CatalogueType[]): string | null {
  if (catalogue.some((type) => whyNotSelected(selector, type) === null)) return null;
  const machines = catalogue.filter((type) => type.gpuCount > 0 && !identifyGpu(type).confidential);
  switch (selector.kind) {
    case 'exact':
      return `${selector.instanceType} is not sold.`;
    case 'wildcard': {
      const gpu = gpuForPeople(selector.gpu);
      const counts = countsOf(machines.filter((type) => hasGpu(type, selector.gpu)));
      return counts === null ? `${gpu} is not sold.` : `${gpu} is sold with ${counts}.`;
    }
    case 'tier': {
      const gpu = gpuForPeople(squash(selector.tier));
      const counts = countsOf(machines.filter((type) => identifyGpu(type).tier === selector.tier));
      return counts === null
        ? `${gpu} is not sold.`
        : `${gpu} is sold with ${counts}, and a tier takes one-GPU types; ANY_${squash(selector.tier)} takes them all.`;
    }
    case 'ladder':
      return `No one-GPU type of ${selector.from} or a tier below it is sold.`;
    case 'cheapest':
      return 'No one-GPU type is sold.';
  }
}

/** `1, 2, 4 or 8 GPUs`; null for no types. */
function countsOf(types: readonly CatalogueType[]): string | null {
  const counts = [...new Set(types.map((type) => type.gpuCount))].toSorted((a, b) => a - b);
  const last = counts.pop();
  if (last === undefined) return null;
  const unit = last === 1 ? 'GPU' : 'GPUs';
  return counts.length === 0 ? `${last} ${unit}` : `${counts.join(', ')} or ${last} ${unit}`;
}

const gpuForPeople = (gpu: string): string =>
  TIERS.find((t) => squash(t.slug) === gpu || (t.families.length === 1 && squash(t.gpu) === gpu))?.gpu ?? gpu;
