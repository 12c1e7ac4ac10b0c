/**
 * Types of machines at Google and their GPUs: built in (`a2-highgpu-1g`), or attached to an ordinary machine. A machine with attached GPUs has
 * two names at Google, which are one here: `n1-standard-8+nvidia-tesla-t4x1`. Pure.
 */
import { retiredName, whyTypeRefused } from '../../domain/fleet/selection/gpu-names.ts';
import type { AcceleratorData, MachineTypeData } from './calls/catalogue.ts';
import { entryOf } from '../mapping.ts';
import { seriesOf } from './http/classify.ts';

/** A kind of GPU that is rented. */
export interface Gpu {
  /** As people name it. */
  readonly model: string;
  /** Of one GPU. */
  readonly vramGib: number;
  /** Names in the price list, in lower case. */
  readonly names: readonly string[];
}

/** GPUs by the name of their accelerator type. */
const GPUS: Readonly<Record<string, Gpu>> = {
  'nvidia-tesla-t4': { model: 'T4', vramGib: 16, names: ['nvidia tesla t4'] },
  'nvidia-l4': { model: 'L4', vramGib: 24, names: ['nvidia l4'] },
  'nvidia-tesla-a100': { model: 'A100', vramGib: 40, names: ['nvidia tesla a100'] },
  'nvidia-a100-80gb': { model: 'A100', vramGib: 80, names: ['nvidia tesla a100 80gb', 'nvidia a100 80gb'] },
  'nvidia-h100-80gb': { model: 'H100', vramGib: 80, names: ['nvidia h100 80gb'] },
  'nvidia-h100-mega-80gb': {
    model: 'H100',
    vramGib: 80,
    names: ['nvidia h100 80gb plus', 'nvidia h100 80gb mega', 'nvidia h100 mega 80gb'],
  },
  'nvidia-rtx-pro-6000': { model: 'RTX PRO 6000', vramGib: 96, names: ['rtx 6000 96gb', 'nvidia rtx pro 6000'] },
};

/** The GPU of an accelerator type; undefined for one that is not known. */
export const gpuOf = (acceleratorType: string): Gpu | undefined => entryOf(GPUS, acceleratorType);

interface Series {
  /** Name in the price list, in lower case. */
  readonly priceName: string;
  /** Type of the boot disk. */
  readonly diskType: string;
}

const BALANCED = 'pd-balanced';
const HYPERDISK = 'hyperdisk-balanced';

/** Series of machines by the first two parts of their types. */
const SERIES: Readonly<Record<string, Series>> = {
  'n1-standard': { priceName: 'n1 predefined', diskType: BALANCED },
  'g2-standard': { priceName: 'g2', diskType: BALANCED },
  // Boots Hyperdisk only.
  'g4-standard': { priceName: 'g4', diskType: HYPERDISK },
  'a2-highgpu': { priceName: 'a2', diskType: BALANCED },
  'a2-megagpu': { priceName: 'a2', diskType: BALANCED },
  'a2-ultragpu': { priceName: 'a2', diskType: BALANCED },
  'a3-highgpu': { priceName: 'a3', diskType: BALANCED },
  'a3-edgegpu': { priceName: 'a3', diskType: BALANCED },
  'a3-megagpu': { priceName: 'a3plus', diskType: BALANCED },
};

const known = (instanceType: string): Series | undefined => entryOf(SERIES, seriesOf(instanceType));

/** Name of a type's series in the price list; '' for one that is not known. */
export const priceNameOf = (instanceType: string): string => known(instanceType)?.priceName ?? '';

/** Type of the boot disk of a machine. */
export const diskTypeOf = (instanceType: string): string => known(instanceType)?.diskType ?? BALANCED;

/** True for a machine that boots a disk of this type, which is '' where it is not known. */
export const bootsDisk = (instanceType: string, diskType: string): boolean =>
  diskType === '' || diskType.startsWith('hyperdisk') === diskTypeOf(instanceType).startsWith('hyperdisk');

/** Parts of an eight-GPU machine, which Google sells as spot only. */
const SPOT_ONLY = /^a3-highgpu-[124]g$/u;

/** True for a type that Google does not sell on demand. */
export const isSpotOnly = (instanceType: string): boolean => SPOT_ONLY.test(instanceType);

/** Why a type with these accelerators is not rented, in words that follow its name; null for one that is. */
export function whyNotRented({ name, accelerators }: Pick<MachineTypeData, 'name' | 'accelerators'>): string | null {
  const [gpu] = accelerators;
  const refused = whyTypeRefused(name);
  if (refused !== null) return refused;
  const isKnown =
    known(name) !== undefined && accelerators.length === 1 && gpuOf(gpu?.guestAcceleratorType ?? '') !== undefined;
  return isKnown ? null : `has a series or a GPU (${gpu?.guestAcceleratorType ?? 'none'}) that is not known here`;
}

/**
 * How many T4 a machine may have, each with the most vCPUs that it may have then. Source: the table of N1 machines in Google's page "GPU machine
 * types", as gpuhunt has it.
 */
const T4_COUNTS = [
  { count: 1, mostCpus: 48 },
  { count: 2, mostCpus: 48 },
  { count: 4, mostCpus: 96 },
] as const;
const T4 = 'nvidia-tesla-t4';
/** Smaller machines have less memory (3.75 GiB per vCPU) than the GPU, which is too little to load models. */
const LEAST_CPUS = 4;
const ATTACHABLE_TO = /^n1-standard-\d+$/u;

/** GPUs that Google attaches to machines as well, and why they are not rented, in words that follow their name. */
const whyNotAttached = (acceleratorType: string): string | null =>
  acceleratorType === 'nvidia-tesla-p4'
    ? 'has a P4 with 8 GB: too small for the default models'
    : (retiredName(acceleratorType)?.why ?? null);

/** A type, and GPUs that are attached to it. */
export interface ReadType {
  readonly machineType: string;
  readonly accelerator: { readonly type: string; readonly count: number } | null;
}

/** Reads a type's name. */
export function readType(instanceType: string): ReadType {
  const [, machineType, type, count] = /^([a-z0-9-]+)\+([a-z0-9-]+)x(\d+)$/u.exec(instanceType) ?? [];
  return machineType === undefined || type === undefined
    ? { machineType: instanceType, accelerator: null }
    : { machineType, accelerator: { type, count: Number(count) } };
}

/** Name of a machine with these GPUs. Those that are built in are not in the name. */
export const typeName = (
  machineType: string,
  [gpu]: readonly { readonly acceleratorType: string; readonly acceleratorCount: number }[],
): string =>
  gpu === undefined || gpu.acceleratorCount === 0 || !ATTACHABLE_TO.test(machineType)
    ? machineType
    : `${machineType}+${gpu.acceleratorType}x${gpu.acceleratorCount}`;

/** What a stopped machine keeps when it becomes another size: its series, and the GPUs attached to it. */
export function keptBySize(instanceType: string): string {
  const { machineType, accelerator } = readType(instanceType);
  return `${seriesOf(machineType)}+${accelerator?.type ?? ''}x${accelerator?.count ?? 0}`;
}

/**
 * The types with those that GPUs can be attached to replaced by one for each number of GPUs, where the zone has the GPU; and why other attachable
 * GPUs are not rented, a sentence each.
 */
export function withAttached(
  types: readonly MachineTypeData[],
  accelerators: readonly AcceleratorData[],
): { readonly types: readonly MachineTypeData[]; readonly refused: readonly string[] } {
  const hasT4 = new Set(accelerators.filter(({ name }) => name === T4).map(({ zone }) => zone));
  const expanded = types.flatMap((data) => {
    if (!ATTACHABLE_TO.test(data.name)) return [data];
    if (!hasT4.has(data.zone) || data.guestCpus < LEAST_CPUS) return [];
    return T4_COUNTS.filter(({ mostCpus }) => data.guestCpus <= mostCpus).map(({ count }) => ({
      ...data,
      name: typeName(data.name, [{ acceleratorType: T4, acceleratorCount: count }]),
      accelerators: [{ guestAcceleratorType: T4, guestAcceleratorCount: count }],
    }));
  });
  const refused = [...new Set(accelerators.map(({ name }) => name))].flatMap((name) => {
    const why = whyNotAttached(name);
    return why === null ? [] : [`${name} ${why}`];
  });
  return { types: expanded, refused };
}
