/**
 * GPUs in price lists, with the memory that each has. A list's figure that is neither one GPU's memory nor that of all is a mistake.
 */
import { gpuNamed } from '../../domain/fleet/selection/gpu-names.ts';

/** A GPU with its memory. */
export interface KnownGpu {
  /** For people. */
  readonly gpu: string;
  /** Memory of one, GiB, of each variant. */
  readonly vramGib: readonly number[];
}

/** GPUs that are compared, by their names in {@link gpuNamed}. */
const GPUS: Readonly<Record<string, KnownGpu>> = {
  GB300: { gpu: 'GB300', vramGib: [288] },
  B300: { gpu: 'B300', vramGib: [288] },
  B200: { gpu: 'B200', vramGib: [180] },
  GH200: { gpu: 'GH200', vramGib: [96, 144] },
  H200: { gpu: 'H200', vramGib: [141] },
  H100: { gpu: 'H100', vramGib: [80, 94] },
  A100: { gpu: 'A100', vramGib: [40, 80] },
  RTXPRO6000: { gpu: 'RTX PRO 6000', vramGib: [96] },
  RTX6000ADA: { gpu: 'RTX 6000 Ada', vramGib: [48] },
  A6000: { gpu: 'RTX A6000', vramGib: [48] },
  RTX4090: { gpu: 'RTX 4090', vramGib: [24] },
  L40S: { gpu: 'L40S', vramGib: [48] },
  L40: { gpu: 'L40', vramGib: [48] },
  A10G: { gpu: 'A10G', vramGib: [24] },
  A10: { gpu: 'A10', vramGib: [24] },
  L4: { gpu: 'L4', vramGib: [24] },
  V100: { gpu: 'V100', vramGib: [16, 32] },
  T4: { gpu: 'T4', vramGib: [16] },
  MI300X: { gpu: 'MI300X', vramGib: [192] },
  MI325X: { gpu: 'MI325X', vramGib: [256] },
};

/** The GPU that a list means, with its memory; null for one that is not compared. */
export const knownGpu = (text: string): KnownGpu | null => GPUS[gpuNamed(text) ?? ''] ?? null;

/** Memory of one GPU, GB, that its name in a list says (`A100-80GB`) or implies; null where it does neither. */
export function memoryInName(text: string): number | null {
  const written = /(?<!\d)(\d{2,3})[ -]?GB(?![A-Za-z0-9])/u.exec(text)?.[1];
  if (written !== undefined) return Number(written);
  if (gpuNamed(text) !== 'H100') return null;
  return /NVL(?![A-Za-z])/u.test(text) ? 94 : 80;
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
