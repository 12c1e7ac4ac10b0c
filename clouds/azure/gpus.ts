/**
 * GPUs of Azure's sizes. What Azure says of a size has the number of its GPUs and not their kind: that stands in its name alone.
 */

/** GPU of a size; null = a size that cannot be used here, and why is known. */
interface SizeFamily {
  readonly names: RegExp;
  readonly gpu: { readonly model: string; readonly vramGib: number } | null;
}

/** Families of sizes, the first that fits counts. `vramGib` is that of one GPU. */
const FAMILIES: readonly SizeFamily[] = [
  { names: /^Standard_NC\d+as_T4_v3$/iu, gpu: { model: 'NVIDIA T4', vramGib: 16 } },
  { names: /^Standard_NC\d+ads_A100_v4$/iu, gpu: { model: 'NVIDIA A100', vramGib: 80 } },
  // The second letter C: for confidential computing.
  { names: /^Standard_NCC?\d+adi?s_H100_v5$/iu, gpu: { model: 'NVIDIA H100 NVL', vramGib: 94 } },
  { names: /^Standard_ND\d+asr_v4$/iu, gpu: { model: 'NVIDIA A100', vramGib: 40 } },
  { names: /^Standard_ND\d+amsr_A100_v4$/iu, gpu: { model: 'NVIDIA A100', vramGib: 80 } },
  { names: /^Standard_ND\d+isr_H100_v5$/iu, gpu: { model: 'NVIDIA H100', vramGib: 80 } },
  { names: /^Standard_ND\d+isr_H200_v5$/iu, gpu: { model: 'NVIDIA H200', vramGib: 141 } },
  // These two have whole GPUs, yet only as virtual ones with a driver of their own: no tier takes them, an exact name does.
  { names: /^Standard_NV(?:36|72)adm?s_A10_v5$/iu, gpu: { model: 'NVIDIA A10-24Q', vramGib: 24 } },
  // A part of a GPU.
  { names: /^Standard_NV\d+adm?s_A10_v5$/iu, gpu: null },
  // AMD's.
  { names: /^Standard_ND\d+isr_MI\d+X_v5$/iu, gpu: null },
  { names: /^Standard_N[VG]\d+(?:as_v4|ads_V(?:620|710)_v[1-5]|adm?s_V(?:620|710)_v[1-5])$/iu, gpu: null },
  // Older than the kernel modules of today's images: K80, P100, P40, V100, M60.
  { names: /^Standard_NC\d+r?(?:s_v[23])?(?:_Promo)?$/iu, gpu: null },
  { names: /^Standard_ND\d+r?s(?:_v2)?$/iu, gpu: null },
  { names: /^Standard_NV\d+(?:s_v[23])?(?:_Promo)?$/iu, gpu: null },
  // GB200 and GB300 have processors of another kind, for which there are no images.
  { names: /^Standard_ND\d+isr_(?:NDR_)?GB[23]00_v6$/iu, gpu: null },
];

/** The GPU of a size by its name; null = it cannot be used here, undefined = no family is known that has this name. */
export const gpuOfSize = (name: string): SizeFamily['gpu'] | undefined =>
  FAMILIES.find(({ names }) => names.test(name))?.gpu;

/** All sizes of the family that a size belongs to, as a pattern: quotas and shortages are of the family. `Standard_NC24ads_A100_v4` → `Standard_NC*ads_A100_v4`. */
export const familyPattern = (name: string): string => name.replace(/^(Standard_[A-Z]+)\d+(?:-\d+)?/iu, '$1*');
