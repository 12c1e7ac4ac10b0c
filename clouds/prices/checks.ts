/**
 * What a price list's row has to pass before it is shown. Price lists that others collect have rows without prices, prices per GPU that stand
 * for a machine, memory in other units, and types that are no longer sold.
 */
import { isVirtualGpu } from '../../domain/fleet/selection/gpu-names.ts';
import { whyImplausible } from '../../domain/fleet/selection/price-sanity.ts';
import { parseInstanceTypeName } from '../../domain/fleet/selection/tiers.ts';
import { knownGpu, memoryInName, vramPerGpu } from './gpus.ts';

/** A row of a price list, as its reader understood it: one type in one location. */
export interface ListedPrice {
  readonly provider: string;
  readonly instanceType: string;
  /** As the list writes it. */
  readonly gpuModel: string;
  readonly gpuCount: number;
  /** Memory of one GPU or of all, GiB; null where the list does not say. */
  readonly statedVramGib: number | null;
  readonly vcpu: number | null;
  readonly memoryGib: number | null;
  readonly location: string;
  /** Null where the list has none. */
  readonly onDemandUsdPerHour: number | null;
  readonly spotUsdPerHour: number | null;
}

/** A row that passed, with its GPU recognised. */
export interface SoundPrice extends ListedPrice {
  readonly gpu: string;
  readonly vramGib: number;
  readonly onDemandUsdPerHour: number;
}

/** Types that clouds no longer sell, by provider. Price lists keep them. */
const RETIRED: Readonly<Record<string, RegExp>> = {
  aws: /^(?:p2|p3|g2|g3s?)\./u,
  azure: /^(?:Standard_)?(?:NC\d+r?(?:s_v[23])?|NV\d+(?:s_v2)?|ND\d+r?s(?:_v2)?)$/u,
};

/** The rows that pass every check, and how many did not by reason. */
export function soundPrices(listed: readonly ListedPrice[]): {
  readonly sound: readonly SoundPrice[];
  readonly dropped: ReadonlyMap<string, number>;
} {
  const dropped = new Map<string, number>();
  const drop = (reason: string): never[] => {
    dropped.set(reason, (dropped.get(reason) ?? 0) + 1);
    return [];
  };
  const checked = listed.flatMap((row) => {
    const result = checkRow(row);
    return typeof result === 'string' ? drop(result) : [result];
  });
  const byGpu = Map.groupBy(checked, (row) => `${row.gpu} ${row.vramGib / row.gpuCount}`);
  const sound = [...byGpu.values()].flatMap((sameGpu) => {
    const lowest = lowestByProvider(sameGpu);
    return sameGpu.flatMap((row) => {
      const peers = [...lowest].flatMap(([provider, usd]) => (provider === row.provider ? [] : [usd]));
      const why = whyImplausible(row.onDemandUsdPerHour / row.gpuCount, { peers, lastGood: null });
      return why === null ? [row] : drop('price far from that of the same GPU at other providers');
    });
  });
  return { sound, dropped };
}

/** Lowest price per GPU and hour by provider, USD: a provider with many locations counts once. */
function lowestByProvider(rows: readonly SoundPrice[]): ReadonlyMap<string, number> {
  const perGpu = (row: SoundPrice): number => row.onDemandUsdPerHour / row.gpuCount;
  return new Map(
    [...Map.groupBy(rows, (row) => row.provider)].map(([provider, own]) => [provider, Math.min(...own.map(perGpu))]),
  );
}

/** The row with its GPU, or why it is dropped. A spot price that is no lower than the on-demand price is no spot price. */
function checkRow(row: ListedPrice): SoundPrice | string {
  const { onDemandUsdPerHour, gpuCount } = row;
  if (!Number.isInteger(gpuCount) || gpuCount < 1) return 'no whole GPU';
  if (isVirtualGpu(row.gpuModel) || isVirtualGpu(row.instanceType)) return 'part of a GPU';
  const gpu = knownGpu(row.gpuModel);
  if (gpu === null) return 'GPU that is not compared';
  if (onDemandUsdPerHour === null || !(onDemandUsdPerHour > 0)) return 'no price';
  if (RETIRED[row.provider]?.test(row.instanceType) === true) return 'type no longer sold';
  const named = gpuCountInName(row.instanceType);
  if (named !== null && named !== gpuCount) return 'price of one GPU for a machine with several';
  const perGpuGib = vramPerGpu(gpu, gpuCount, row.statedVramGib ?? memoryInName(row.gpuModel));
  if (perGpuGib === null) return 'memory that this GPU does not have';
  const isSpot = row.spotUsdPerHour !== null && row.spotUsdPerHour > 0 && row.spotUsdPerHour < onDemandUsdPerHour;
  return {
    ...row,
    gpu: gpu.gpu,
    vramGib: perGpuGib * gpuCount,
    onDemandUsdPerHour,
    spotUsdPerHour: isSpot ? row.spotUsdPerHour : null,
  };
}

/** How many GPUs a type's name says it has: `8A100.176V`, `gpu_8x_h100`, `2x_L40S_SECURE`, `a2-highgpu-4g`, `BM.GPU.H100.8`; null if none. */
function gpuCountInName(instanceType: string): number | null {
  const datacrunch = parseInstanceTypeName(instanceType);
  if (datacrunch !== null) return datacrunch.gpuCount;
  const match =
    /^(?:gpu_)?(\d+)x_/u.exec(instanceType) ??
    /gpu-(\d+)g$/u.exec(instanceType) ??
    /^BM\.GPU.*\.(\d+)$/u.exec(instanceType);
  return match === null ? null : Number(match[1]);
}
