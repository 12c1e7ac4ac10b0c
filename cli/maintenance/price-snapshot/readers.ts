/**
 * Readers of price lists that others collect. Each turns a file into rows of one type in one location, and judges nothing:
 * `clouds/prices/checks.ts` does.
 *
 * - gpuhunt: the catalogue of dstack, one CSV per provider; on-demand and spot are rows of their own, memory is per GPU in GB.
 * - SkyPilot: `catalogs/<version>/<provider>/vms.csv`; both prices in one row, memory as text in `GpuInfo`, per GPU or of all. Google's file
 *   prices machines without their GPUs, so nothing is read from it.
 * - observations: one price per row, with the day on which it was seen.
 */
import { z } from 'zod';
import type { ListedPrice } from '../../../clouds/prices/checks.ts';
import { providerName } from '../../../clouds/provider-name.ts';
import { readCsv } from './csv.ts';

/** An empty field is no figure. */
const figure = z.string().transform((text, context) => {
  if (text.trim() === '') return null;
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  context.addIssue({ code: 'custom', message: `"${text}" is not a number` });
  return z.NEVER;
});
const count = figure.transform((value) => value ?? 0);

const gpuhuntRow = z.object({
  instance_name: z.string().min(1),
  location: z.string().min(1),
  price: figure,
  cpu: figure,
  memory: figure,
  gpu_count: count,
  gpu_name: z.string(),
  gpu_memory: figure,
  spot: z.stringFormat('true or false', /^(?:true|false)$/iu),
});

/** Rows of gpuhunt's `<provider>.csv`. @throws RangeError, ZodError for another file */
export function readGpuhunt(provider: string, csv: string): ListedPrice[] {
  const rows = z.array(gpuhuntRow).parse(readCsv(csv));
  return mergeMarkets(
    rows.map((row) => ({
      price: row.price,
      isSpot: row.spot.toLowerCase() === 'true',
      provider: providerName(provider),
      instanceType: withAttachedGpu(row),
      gpuModel: row.gpu_name,
      gpuCount: row.gpu_count,
      statedVramGib: row.gpu_memory,
      vcpu: row.cpu,
      memoryGib: row.memory,
      location: row.location,
    })),
  );
}

/** Google attaches GPUs to N1 machines: the same machine has several prices, and a name of its own for each here. */
const withAttachedGpu = ({ instance_name, gpu_name, gpu_count }: z.infer<typeof gpuhuntRow>): string =>
  gpu_count > 0 && instance_name.startsWith('n1-')
    ? `${instance_name}+nvidia-tesla-${gpu_name.toLowerCase()}x${gpu_count}`
    : instance_name;

const skypilotRow = z.object({
  InstanceType: z.string(),
  vCPUs: figure,
  MemoryGiB: figure,
  AcceleratorName: z.string(),
  AcceleratorCount: count,
  // Some providers' files lack these two columns.
  GpuInfo: z.string().default(''),
  SpotPrice: figure.default(null),
  Region: z.string().min(1),
  Price: figure,
});

/** Rows of SkyPilot's `<provider>/vms.csv`; of several zones of a region the lowest spot price. @throws RangeError, ZodError for another file */
export function readSkypilot(provider: string, csv: string): ListedPrice[] {
  const rows = z.array(skypilotRow).parse(readCsv(csv));
  const listed = rows
    .filter((row) => row.InstanceType !== '' && row.AcceleratorName !== '')
    .map((row): ListedPrice => {
      const memoryMib = /SizeInMiB['"]:\s*(\d+)/u.exec(row.GpuInfo)?.[1];
      return {
        provider: providerName(provider),
        instanceType: row.InstanceType,
        gpuModel: row.AcceleratorName,
        gpuCount: row.AcceleratorCount,
        statedVramGib: memoryMib === undefined ? null : Number(memoryMib) / 1024,
        vcpu: row.vCPUs,
        memoryGib: row.MemoryGiB,
        location: row.Region,
        onDemandUsdPerHour: row.Price,
        spotUsdPerHour: row.SpotPrice,
      };
    });
  return [...Map.groupBy(listed, placeOf).values()].flatMap((zones) => {
    const [first] = zones;
    return first === undefined ? [] : [{ ...first, spotUsdPerHour: lowest(zones.map((z) => z.spotUsdPerHour)) }];
  });
}

const observation = z.object({
  date: z.iso.date(),
  provider: z.string().min(1),
  pricing: z.enum(['on_demand', 'spot']),
  gpu_model: z.string().min(1),
  sku: z.string().min(1),
  region: z.string().min(1),
  gpu_count: count,
  usd_per_hour: figure,
});

/** Rows of a file of observations, and the day of them all. @throws RangeError for several days or none, ZodError for another file */
export function readObservations(csv: string): { readonly takenOn: string; readonly listed: ListedPrice[] } {
  const rows = z.array(observation).parse(readCsv(csv));
  const [takenOn, ...otherDays] = new Set(rows.map((row) => row.date));
  if (takenOn === undefined || otherDays.length > 0) throw new RangeError('the rows have to be of one day');
  const listed = mergeMarkets(
    rows.map((row) => ({
      price: row.usd_per_hour,
      isSpot: row.pricing === 'spot',
      provider: providerName(row.provider),
      instanceType: row.sku.trim(),
      gpuModel: row.gpu_model,
      gpuCount: row.gpu_count,
      statedVramGib: null,
      vcpu: null,
      memoryGib: null,
      location: row.region,
    })),
  );
  return { takenOn, listed };
}

type OneMarket = Omit<ListedPrice, 'onDemandUsdPerHour' | 'spotUsdPerHour'> & {
  readonly price: number | null;
  readonly isSpot: boolean;
};

/** One row per type and location from rows per market; of several prices the lowest. */
function mergeMarkets(rows: readonly OneMarket[]): ListedPrice[] {
  return [...Map.groupBy(rows, placeOf).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { price: _price, isSpot: _isSpot, ...place } = first;
    const of = (spot: boolean): number | null =>
      lowest(same.filter((row) => row.isSpot === spot).map((row) => row.price));
    return [{ ...place, onDemandUsdPerHour: of(false), spotUsdPerHour: of(true) }];
  });
}

const placeOf = (row: Pick<ListedPrice, 'instanceType' | 'gpuModel' | 'gpuCount' | 'location' | 'provider'>): string =>
  JSON.stringify([row.provider, row.instanceType, row.gpuModel, row.gpuCount, row.location]);

function lowest(prices: readonly (number | null)[]): number | null {
  const known = prices.filter((price) => price !== null && price > 0);
  return known.length === 0 ? null : Math.min(...known.map(Number));
}
