/**
 * Prices of machines from the price list: the sum of their virtual CPUs, memory, GPUs, local disks and public address. Pure.
 *
 * The list has no field that says what a price is for, only words: `Spot Preemptible G2 Instance Core running in Netherlands`.
 */
import { HOURS_PER_MONTH } from '../../domain/fleet/provider/billing.ts';
import type { MachineTypeData, SkuData } from './calls/catalogue.ts';
import { gpuOf, isSpotOnly, priceNameOf } from './types.ts';

/** What a price is for. `ssd` = a GiB of local disk, `address` = a public IPv4 address. */
type Part = 'core' | 'ram' | 'gpu' | 'ssd' | 'address';

/** Commitments, reservations and other ways to buy that are not the ordinary ones. */
const OTHER_OFFERS = /sole tenancy|reserv|commit|premium|custom|suspended|calendar|dws|defined duration|flex/iu;
const SPOT_WORDS = /\bspot preemptible\b/iu;
const COMPUTE_WORDS = /^(?:spot preemptible )?(.+?)(?: instance)? (core|ram|gpu)\b/iu;
/** The one GPU whose prices do not say that it is one. */
const BARE_GPU_WORDS = /^(?:spot preemptible )?(rtx 6000 96gb) (?:attached|running)\b/iu;
const ADDRESS_WORDS = /^external ip charge on a (?:standard|spot preemptible) vm$/iu;
const SSD_WORDS = /^ssd backed local storage/iu;

/** Prices of parts, USD per unit and hour. */
export class PartPrices {
  readonly #usd = new Map<string, number>();

  constructor(skus: readonly SkuData[]) {
    for (const sku of skus) {
      const read = readSku(sku);
      if (read === null) continue;
      for (const region of sku.serviceRegions) {
        const key = keyOf(read.part, read.name, region, read.isSpot);
        // Two prices for one thing: the dearer one is never too little.
        this.#usd.set(key, Math.max(this.#usd.get(key) ?? 0, read.usdPerHour));
      }
    }
  }

  get size(): number {
    return this.#usd.size;
  }

  /** Price of a type in a region, USD per hour; null where a part of it has none, and where it is not sold on that market. */
  ofType(type: MachineTypeData, region: string, market: 'ondemand' | 'spot'): number | null {
    return market === 'ondemand' && isSpotOnly(type.name) ? null : this.#sum(type, region, market === 'spot');
  }

  #sum(
    { name, guestCpus, memoryMb, accelerators, bundledLocalSsds }: MachineTypeData,
    region: string,
    isSpot: boolean,
  ): number | null {
    const series = priceNameOf(name);
    const parts: (number | null)[] = [
      times(guestCpus, this.#usd.get(keyOf('core', series, region, isSpot))),
      times(memoryMb / 1024, this.#usd.get(keyOf('ram', series, region, isSpot))),
      ...accelerators.map(({ guestAcceleratorType, guestAcceleratorCount }) => {
        const names = gpuOf(guestAcceleratorType)?.names ?? [];
        const found = names.map((gpu) => this.#usd.get(keyOf('gpu', gpu, region, isSpot)));
        return times(
          guestAcceleratorCount,
          found.find((usd) => usd !== undefined),
        );
      }),
    ];
    const ssdGib = (bundledLocalSsds?.partitionCount ?? 0) * LOCAL_SSD_GIB;
    parts.push(
      this.#usd.get(keyOf('address', '', EVERYWHERE, isSpot)) ?? ADDRESS_USD_PER_HOUR[isSpot ? 'spot' : 'ondemand'],
    );
    if (ssdGib > 0) parts.push(times(ssdGib, this.#usd.get(keyOf('ssd', '', region, isSpot))));
    return parts.every((part) => part !== null) ? parts.reduce((sum, part) => sum + part, 0) : null;
  }
}

/** Region of a price that is the same in all. */
const EVERYWHERE = 'global';
/** Where the list has no price of an address: what Google publishes. */
const ADDRESS_USD_PER_HOUR = { ondemand: 0.005, spot: 0.0025 } as const;

/** A local disk, which some types bring along. */
const LOCAL_SSD_GIB = 375;

const times = (count: number, usd: number | undefined): number | null => (usd === undefined ? null : count * usd);

const keyOf = (part: Part, name: string, region: string, isSpot: boolean): string =>
  `${part} ${name} ${region} ${isSpot ? 'spot' : 'ondemand'}`;

/** Reads a price; null for one that is for something else, or by another measure. */
function readSku({ description, category, pricingInfo }: SkuData): {
  readonly part: Part;
  readonly name: string;
  readonly isSpot: boolean;
  readonly usdPerHour: number;
} | null {
  const { usageType, resourceFamily } = category;
  if (usageType !== 'OnDemand' && usageType !== 'Preemptible') return null;
  if (OTHER_OFFERS.test(description)) return null;
  const expression = pricingInfo[0]?.pricingExpression;
  const rate = expression?.tieredRates.at(-1)?.unitPrice;
  if (expression === undefined || rate === undefined || rate.currencyCode !== 'USD') return null;
  const usd = rate.units + rate.nanos / 1e9;
  // Some prices of spot are marked as the ordinary ones and say in words only what they are.
  const isSpot = usageType === 'Preemptible' || SPOT_WORDS.test(description);
  if (resourceFamily === 'Storage') {
    if (!SSD_WORDS.test(description) || expression.usageUnit !== 'GiBy.mo') return null;
    return usd > 0 ? { part: 'ssd', name: '', isSpot, usdPerHour: usd / HOURS_PER_MONTH } : null;
  }
  if (ADDRESS_WORDS.test(description) && expression.usageUnit === 'h')
    return usd > 0 ? { part: 'address', name: '', isSpot, usdPerHour: usd } : null;
  const [, name, kind = 'gpu'] = BARE_GPU_WORDS.exec(description) ?? COMPUTE_WORDS.exec(description) ?? [];
  if (resourceFamily !== 'Compute' || name === undefined || usd <= 0) return null;
  const part = kind.toLowerCase() as Exclude<Part, 'ssd' | 'address'>;
  if (expression.usageUnit !== (part === 'ram' ? 'GiBy.h' : 'h')) return null;
  return { part, name: name.toLowerCase(), isSpot, usdPerHour: usd };
}
