/**
 * GPUs that people set up themselves, with the memory that their driver reports.
 *
 * A catalogue gives the memory of the data sheet. The driver reports less, most of all where ECC takes a part (an L4 of 24 GB has 22.5 GiB), and
 * models have to fit into what is really there.
 */
import { DeckhandError } from '../../errors.ts';
import { closestName } from '../../text/closest-name.ts';
import { gpuNamed, whyUnsupported } from '../selection/gpu-names.ts';
import { capabilityByName } from '../../health/gpu/diagnosis/compatibility.ts';

/** One kind of GPU. */
export interface OwnGpu {
  /** As tiers are called, where it is one. */
  readonly slug: string;
  /** For people. */
  readonly name: string;
  /** `memory.total` of nvidia-smi. */
  readonly memoryMib: number;
  /** Further spellings. */
  readonly aliases: readonly string[];
}

const gpu = (slug: string, name: string, memoryMib: number, ...aliases: string[]): OwnGpu => ({
  slug,
  name,
  memoryMib,
  aliases,
});

/** Every kind, smallest memory first. */
export const OWN_GPUS: readonly OwnGpu[] = [
  gpu('k80', 'K80', 11_441),
  gpu('t4', 'T4', 15_360),
  gpu('v100', 'V100', 16_384, 'v100-16'),
  gpu('a10', 'A10', 23_028, 'a10g'),
  gpu('l4', 'L4', 23_034),
  gpu('rtx-4090', 'RTX 4090', 24_564, '4090'),
  gpu('a100-40', 'A100 40 GB', 40_960),
  gpu('l40s', 'L40S', 46_068),
  gpu('a6000', 'RTX A6000', 49_140),
  gpu('rtx-6000-ada', 'RTX 6000 Ada', 49_140),
  gpu('h100', 'H100', 81_559, 'h100-80'),
  gpu('a100-80', 'A100 80 GB', 81_920, 'a100'),
  gpu('rtx-pro-6000', 'RTX PRO 6000', 97_887),
  gpu('h200', 'H200', 143_771),
  gpu('b200', 'B200', 183_359),
  gpu('b300', 'B300', 275_040),
];

/** Memory of a kind, GiB. */
export const memoryGib = ({ memoryMib }: OwnGpu): number => memoryMib / 1024;

/** Compute capability of a kind. */
export const capabilityOfKind = ({ name }: OwnGpu): number | null => capabilityByName(name);

const squashed = (text: string): string => text.toLowerCase().replaceAll(/nvidia|tesla|geforce|gb|[^a-z0-9]/gu, '');

/** The kind that a text names, such as `l4`, `A10G` or `NVIDIA L40S`. @throws DeckhandError `usage` for a GPU that the table lacks */
export function ownGpu(text: string): OwnGpu {
  const asked = squashed(text);
  const found = OWN_GPUS.find(({ slug, name, aliases }) =>
    [slug, name, ...aliases].some((one) => squashed(one) === asked),
  );
  if (found !== undefined) return found;
  const why = whyUnsupported(gpuNamed(text) ?? '');
  if (why !== null) {
    throw new DeckhandError('usage', `${text} ${why}`, {
      hint: 'docs/gpu-platforms.md lists the GPUs that hold the models.',
    });
  }
  const slugs = OWN_GPUS.map(({ slug }) => slug);
  const near = closestName(text.toLowerCase(), slugs);
  throw new DeckhandError('usage', `${text} is no GPU that is known here`, {
    hint: `${near === null ? '' : `Did you mean ${near}? `}Known: ${slugs.join(', ')}. Without --gpu the set-up checks the machine when it runs.`,
  });
}
