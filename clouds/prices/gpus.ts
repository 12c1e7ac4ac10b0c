/**
 * GPUs in price lists: how lists write them, and how much memory each has. A list's figure that is neither one GPU's memory nor that of all is
 * a mistake.
 */

/** A GPU with its memory. */
export interface KnownGpu {
  /** For people. */
  readonly gpu: string;
  /** Memory of one, GiB, of each variant. */
  readonly vramGib: readonly number[];
}

/** GPUs that hold a vision model, and how they are written once separators are single blanks. */
const GPUS: readonly (KnownGpu & { readonly pattern: RegExp })[] = [
  ['GB300', 'GB300', 288],
  ['B300', 'B300', 288],
  ['B200', 'B200', 180],
  ['GH200', 'GH200', 96, 144],
  ['H200', 'H200', 141],
  ['H100 NVL', 'H100 ?NVL', 94],
  ['H100', 'H100', 80],
  ['A100', 'A100', 40, 80],
  ['RTX PRO 6000', 'RTX ?PRO ?6000', 96],
  ['RTX 6000 Ada', 'RTX ?6000 ?ADA', 48],
  ['RTX A6000', '(?:RTX ?)?A6000', 48],
  ['RTX 5090', 'RTX ?5090', 32],
  ['RTX 4090', 'RTX ?4090', 24],
  ['L40S', 'L40S', 48],
  ['L40', 'L40', 48],
  ['A40', 'A40', 48],
  ['A10G', 'A10G', 24],
  ['A10', 'A10', 24],
  ['L4', 'L4', 24],
  ['V100', 'V100', 16, 32],
  ['T4', 'T4', 16],
  ['MI300X', 'MI300X', 192],
  ['MI325X', 'MI325X', 256],
].map(([gpu, pattern, ...vramGib]) => ({
  gpu: String(gpu),
  pattern: new RegExp(`(?<![A-Z0-9])${String(pattern)}(?![A-Z0-9])`, 'u'),
  vramGib: vramGib.map(Number),
}));

/** Capitals, with one blank for whatever stands between letters and digits. */
const words = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/gu, ' ')
    .trim();

/** The GPU that a list means, with its memory; null for one that is not known here. */
export const knownGpu = (text: string): KnownGpu | null =>
  GPUS.find(({ pattern }) => pattern.test(words(text))) ?? null;

/** True for the name of a slice of a GPU (MIG). */
export const isSlice = (text: string): boolean => /(?<![A-Z0-9])MIG(?![A-Z0-9])/u.test(words(text));

/** Memory that a list writes into a GPU's name (`A100-80GB`), GB; null when it does not. */
export function memoryInName(text: string): number | null {
  const written = /(?<!\d)(\d{2,3})[ -]?GB(?![A-Za-z0-9])/u.exec(text)?.[1];
  return written === undefined ? null : Number(written);
}

/** Machines report a little less memory than a data sheet says. */
const REPORTED_SHARE = 0.9;

/**
 * Memory of one GPU, GiB, from what a list says; null when the list says nothing that can be: another unit, or the memory of another GPU.
 *
 * @param statedGib the list's figure, of one GPU or of all; null where it has none
 */
export function vramPerGpu(gpu: KnownGpu, gpuCount: number, statedGib: number | null): number | null {
  if (statedGib === null) return gpu.vramGib.length === 1 ? (gpu.vramGib[0] ?? null) : null;
  const isVariant = (gib: number): boolean =>
    gpu.vramGib.some((v) => gib >= v * REPORTED_SHARE && gib <= v / REPORTED_SHARE);
  return [statedGib, statedGib / gpuCount].find(isVariant) ?? null;
}
