/**
 * The grammar of machine type names at DataCrunch: `<count><GPU>[.<GB>S].<vcpu>V[.CC]`, such as `1H100.80S.30V` or `8A100.176V`.
 *
 * Names are read, never listed: new types need no change here. A name that does not follow the grammar (`CPU.4V.16G`) is `null`.
 */

/** What a type name says. */
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

/** `M` instead of `V` stands in the names of a few old types. Further suffixes are accepted, so that a new one does not hide a type. */
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
