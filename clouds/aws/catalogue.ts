/**
 * What all regions sell, as this process last read it: prices on demand once a day, everything else at each call.
 */
import { Memo } from '../../platform/memo.ts';
import { providerError } from '../errors.ts';
import type { CloudInstance, CloudInstanceType } from '../provider.ts';
import { listOfferings, listPrices, listSpotPrices, listTypes, listZones } from './calls/catalogue.ts';
import type { AwsTransport } from './http/transport.ts';
import { isUsable, toCatalogue, type RegionCatalogue } from './mapping.ts';

/** Images by the name of their public parameter, newest system first: NVIDIA's open driver, CUDA and nothing else. */
export const AWS_IMAGES = [
  'base-oss-nvidia-driver-gpu-ubuntu-24.04',
  'base-oss-nvidia-driver-gpu-ubuntu-22.04',
] as const;

const PRICES_KEPT_MS = 24 * 3_600_000;

export class AwsCatalogue {
  readonly #http: AwsTransport;
  readonly #regions: readonly string[];
  readonly #now: () => number;
  readonly #onDemand: Memo<ReadonlyMap<string, number>>;
  #types: ReadonlyMap<string, CloudInstanceType> = new Map();

  constructor(http: AwsTransport, regions: readonly string[], now: () => number) {
    this.#http = http;
    this.#regions = regions;
    this.#now = now;
    this.#onDemand = new Memo({ keptMs: PRICES_KEPT_MS, now });
  }

  /** Every type of every region. @throws DeckhandError `provider_*` when one region does not answer */
  async types(): Promise<readonly CloudInstanceType[]> {
    const types = toCatalogue(await Promise.all(this.#regions.map((region) => this.#region(region))), AWS_IMAGES);
    this.#types = new Map(types.map((type) => [type.instanceType, type]));
    return types;
  }

  /** Price of a machine, USD per hour, as the catalogue had it when it was last read; 0 before that. */
  readonly priceOf = (instanceType: string, zone: string, market: CloudInstance['market']): number => {
    const prices = this.#types.get(instanceType)?.pricesByLocation?.[zone];
    return (market === 'spot' ? prices?.spotUsdPerHour : prices?.onDemandUsdPerHour) ?? 0;
  };

  async #region(region: string): Promise<RegionCatalogue> {
    const http = this.#http;
    const [types, zones, onDemand] = await Promise.all([
      listTypes(http, region),
      listZones(http, region),
      this.#onDemand.get(region, () => listPrices(http, region)),
    ]);
    const usable = types.filter(isUsable);
    if (usable.length > 0 && onDemand.size === 0) {
      this.#onDemand.forget(region);
      throw providerError('transient', `the price list of AWS has no price for ${region}`);
    }
    const names = usable.map(({ instanceType }) => instanceType);
    const [offerings, spot] = await Promise.all([
      listOfferings(http, region, names),
      listSpotPrices(http, region, names, this.#now()),
    ]);
    // A zone outside the region's own places is no location here.
    return { types: usable, offerings: offerings.filter(({ zone }) => zones.includes(zone)), onDemand, spot };
  }
}
