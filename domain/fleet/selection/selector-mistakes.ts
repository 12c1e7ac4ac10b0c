/**
 * What is said of a name that is in no catalogue: why it cannot be had, or the name that was probably meant. The same GPU, memory and number
 * of GPUs say more than the same letters: `1A100.80S.22V` means `1A100.22V`, which has 80 GB, and not `1A100.40S.22V`.
 */
import { DeckhandError } from '../../errors.ts';
import { closestName, editDistance } from '../../text/closest-name.ts';
import { gpuNamed, isVirtualGpu, memoryNamed, retiredName, whyTypeRefused, whyUnsupported } from './gpu-names.ts';
import { identifyGpu, parseInstanceTypeName, tierOfGpu, TIERS, type CatalogueType } from './tiers.ts';

/** A name that may have been meant. */
interface Candidate {
  readonly name: string;
  readonly gpu: string;
  readonly tier: string | null;
  readonly gpuCount: number;
}

const ofType = (type: CatalogueType): Candidate => {
  const { family, tier } = identifyGpu(type);
  return { name: type.instanceType, gpu: family, tier, gpuCount: type.gpuCount };
};
const OF_TIERS: readonly Candidate[] = TIERS.flatMap(({ slug, families }) =>
  families.flatMap((gpu) =>
    [slug, `${slug}-or-less`].map((name) => ({ name, gpu, tier: slug, gpuCount: 1 }) satisfies Candidate),
  ),
);

/** The candidate with the GPU that a text names: of the memory and nearest to the number of GPUs that it says, then with the fewest letters changed. */
function closestOfGpu(text: string, candidates: readonly Candidate[]): string | null {
  const type = parseInstanceTypeName(text);
  const gpu = gpuNamed(type?.gpu ?? text) ?? type?.gpu ?? null;
  if (gpu === null) return null;
  const memory = type === null ? memoryNamed(text) : type.vramPerGpuGib;
  const tier = memory === null ? null : (tierOfGpu(gpu, memory)?.slug ?? null);
  const rank = (candidate: Candidate): readonly number[] => [
    tier === null || candidate.tier === tier ? 0 : 1,
    type === null ? 0 : Math.abs(candidate.gpuCount - type.gpuCount),
    editDistance(text.toLowerCase(), candidate.name.toLowerCase()),
  ];
  const ranked = candidates
    .filter((candidate) => candidate.gpu === gpu)
    .map((candidate) => ({ name: candidate.name, keys: rank(candidate) }))
    .toSorted((a, b) => a.keys.map((key, i) => key - (b.keys[i] ?? 0)).find((difference) => difference !== 0) ?? 0);
  return ranked[0]?.name ?? null;
}

/** The type of a catalogue that was probably meant; null when none is near. */
const closestType = (text: string, catalogue: readonly CatalogueType[]): string | null =>
  closestOfGpu(text, catalogue.map(ofType)) ??
  closestName(
    text,
    catalogue.map((t) => t.instanceType),
  );

/** The error of a selector that names nothing which can be had. */
export function unknownSelector(text: string, catalogue: readonly CatalogueType[]): DeckhandError {
  const refused = whyTypeRefused(text);
  if (refused !== null) return refusedGpu(text, refused);
  const retired = retiredName(text);
  const known = catalogue.map(ofType);
  const isSold = (gpu: string): boolean => known.some((type) => type.gpu === gpu);
  if (retired !== null && (whyUnsupported(retired.gpu) !== null || !isSold(retired.gpu)))
    return refusedGpu(text, retired.why);
  const whole = catalogue.filter((type) => !isVirtualGpu(type.model)).map(ofType);
  const gpus = [...new Set(whole.flatMap(({ gpu }) => (gpu === '' ? [] : [gpu])))];
  const tiers = TIERS.map((t) => t.slug);
  const byLetters = closestName(text.replaceAll('_', '-'), [
    ...tiers,
    ...tiers.map((slug) => `${slug}-or-less`),
    'cheapest',
    ...gpus.map((gpu) => `ANY-1${gpu}`),
    ...catalogue.map((t) => t.instanceType),
  ])?.replace(/^ANY-/u, 'ANY_');
  const guess = closestOfGpu(text, [...OF_TIERS, ...known]) ?? byLetters;
  const meant = guess === undefined ? '' : ` Did you mean ${guess}?`;
  return new DeckhandError('selector_unknown', `selector "${text}" names nothing that is known`, {
    userMessage: `There is no machine type, tier or wildcard "${text}".${meant}`,
    hint: `Possible are a type such as ${catalogue.find((t) => t.gpuCount === 1)?.instanceType ?? '1H100.80S.30V'}, a wildcard (${gpus.map((gpu) => `ANY_1${gpu}`).join(', ') || 'ANY_1H100'}), a tier (${tiers.join(', ')}), a tier with -or-less, or cheapest.`,
  });
}

/** The error of a selector whose GPU or type is known and never taken. @param why in words that follow the name */
export const refusedGpu = (text: string, why: string): DeckhandError =>
  new DeckhandError('selector_unknown', `selector "${text}" names what is not taken`, {
    userMessage: `${text} ${why}.`,
    hint: `Tiers that can be taken are ${TIERS.map((t) => t.slug).join(', ')}; \`deckhand tiers\` shows which are sold.`,
  });

/** @throws DeckhandError `selector_unknown` for a name that is not a type of the catalogue, with the type that was probably meant */
export function assertTypesExist(names: readonly string[], catalogue: readonly CatalogueType[]): void {
  const unknown = names.find((name) => !catalogue.some((type) => type.instanceType === name));
  if (unknown === undefined) return;
  const guess = closestType(unknown, catalogue);
  throw new DeckhandError('selector_unknown', `type ${unknown} does not exist`, {
    userMessage: `There is no machine type "${unknown}".${guess === null ? '' : ` Did you mean ${guess}?`}`,
    hint: '`deckhand tiers` lists the types that are sold.',
  });
}
