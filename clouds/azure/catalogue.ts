/**
 * What all locations sell, as this process last read it: sizes at each call, prices once an hour.
 */
import { Memo } from '../../platform/memo.ts';
import { providerError } from '../errors.ts';
import type { CloudInstance, CloudInstanceType } from '../provider.ts';
import { listSizes } from './calls/catalogue.ts';
import { addressPrice, listPrices, type SizePrices } from './calls/prices.ts';
import { familyPattern } from './gpus.ts';
import type { AzureTransport } from './http/transport.ts';
import { toCatalogue, type LocationCatalogue } from './mapping.ts';

/** The price list is the same for all, and slow; spot prices in it change a few times a day. */
const PRICES_KEPT_MS = 3_600_000;

/** Prices of a location: of its sizes, and of the address that each machine has. */
interface LocationPriceList {
  readonly sizes: ReadonlyMap<string, SizePrices>;
  readonly addressUsdPerHour: number;
}

export class AzureCatalogue {
  readonly #http: AzureTransport;
  readonly #locations: readonly string[];
  readonly #image: string;
  readonly #now: () => number;
  readonly #prices: Memo<LocationPriceList>;
  #types: ReadonlyMap<string, CloudInstanceType> = new Map();

  constructor(http: AzureTransport, locations: readonly string[], image: string, now: () => number) {
    this.#http = http;
    this.#locations = locations;
    this.#image = image;
    this.#now = now;
    this.#prices = new Memo({ keptMs: PRICES_KEPT_MS, now });
  }

  /** Every type of every location. @throws DeckhandError `provider_*` when one location does not answer */
  async types(): Promise<readonly CloudInstanceType[]> {
    const read = await Promise.all(this.#locations.map((location) => this.#location(location)));
    const types = toCatalogue(read, [this.#image]);
    this.#types = new Map(types.map((type) => [type.instanceType, type]));
    return types;
  }

  /** Price of a machine, USD per hour, as the catalogue had it when it was last read; 0 before that. */
  readonly priceOf = (instanceType: string, location: string, market: CloudInstance['market']): number => {
    const prices = this.#types.get(instanceType)?.pricesByLocation?.[location];
    return (market === 'spot' ? prices?.spotUsdPerHour : prices?.onDemandUsdPerHour) ?? 0;
  };

  /** Types of the same family with at least as many virtual CPUs, itself included; empty when the catalogue does not know it (yet). */
  notSmallerThan(instanceType: string): readonly string[] {
    const vcpu = this.#types.get(instanceType)?.vcpu;
    if (vcpu === undefined) return [];
    const family = familyPattern(instanceType);
    return [...this.#types.values()]
      .filter((type) => familyPattern(type.instanceType) === family && type.vcpu >= vcpu)
      .map((type) => type.instanceType);
  }

  async #location(location: string): Promise<LocationCatalogue> {
    const [sizes, prices] = await Promise.all([
      listSizes(this.#http, location),
      this.#prices.get(location, () => this.#read(location)),
    ]);
    if (sizes.length > 0 && prices.sizes.size === 0) {
      this.#prices.forget(location);
      throw providerError('transient', `the price list of Azure has no price for ${location}`);
    }
    return { location, sizes, prices: prices.sizes, addressUsdPerHour: prices.addressUsdPerHour };
  }

  async #read(location: string): Promise<LocationPriceList> {
    const [sizes, addressUsdPerHour] = await Promise.all([
      listPrices(this.#http, location, this.#now()),
      addressPrice(this.#http, location, this.#now()),
    ]);
    return { sizes, addressUsdPerHour };
  }
}
