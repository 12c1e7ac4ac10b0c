/**
 * The words a pool says what it wants with: an exact type, `ANY_1H100`, `h100-or-less`, a tier, `cheapest`. Read against the catalogue, so that
 * a misspelling is refused before anything is bought.
 */
import { DeckhandError } from '../../errors.ts';
import { closestName } from '../../text/closest-name.ts';
import { identifyGpu, squash, tierIndex, TIERS, type CatalogueType } from './tiers.ts';

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
  if (exact !== undefined) return { kind: 'exact', instanceType: exact.instanceType };
  const slug = wanted.toLowerCase().replaceAll(/[_\s]+/gu, '-');
  if (slug === 'cheapest') return { kind: 'cheapest' };
  const ladder = /^(.+)-or-less$/u.exec(slug)?.[1];
  const named = tierOf(ladder ?? slug);
  if (named !== null) return ladder === undefined ? { kind: 'tier', tier: named } : { kind: 'ladder', from: named };
  const wildcard = /^any-(\d+(?=[a-z]))?(.+)$/u.exec(slug);
  if (wildcard !== null) {
    const gpu = squash(wildcard[2] ?? '');
    if (catalogue.some((t) => hasGpu(t, gpu)) || TIERS.some((t) => t.family === gpu || squash(t.slug) === gpu)) {
      return { kind: 'wildcard', gpuCount: wildcard[1] === undefined ? null : Number(wildcard[1]), gpu };
    }
  }
  throw unknownSelector(wanted, catalogue);
}

/** Why a selector does not take a type, in words that follow the type's name; null when it takes it. */
export function whyNotSelected(selector: Selector, type: CatalogueType): string | null {
  const { tier, confidential } = identifyGpu(type);
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

function unknownSelector(text: string, catalogue: readonly CatalogueType[]): DeckhandError {
  const gpus = [...new Set(catalogue.filter((t) => t.gpuCount > 0).map((t) => identifyGpu(t).family))];
  const tiers = TIERS.map((t) => t.slug);
  const guess = closestName(text.replaceAll('_', '-'), [
    ...tiers,
    ...tiers.map((slug) => `${slug}-or-less`),
    'cheapest',
    ...gpus.map((gpu) => `ANY-1${gpu}`),
    ...catalogue.map((t) => t.instanceType),
  ])?.replace(/^ANY-/u, 'ANY_');
  const meant = guess === undefined ? '' : ` Did you mean ${guess}?`;
  return new DeckhandError('selector_unknown', `selector "${text}" names nothing that is known`, {
    userMessage: `There is no machine type, tier or wildcard "${text}".${meant}`,
    hint: `Possible are a type such as ${catalogue.find((t) => t.gpuCount === 1)?.instanceType ?? '1H100.80S.30V'}, a wildcard (${gpus.map((gpu) => `ANY_1${gpu}`).join(', ') || 'ANY_1H100'}), a tier (${tiers.join(', ')}), a tier with -or-less, or cheapest.`,
  });
}
