/**
 * What the project can rent, as this process last read it: the price list once a day, everything else at each call.
 */
import { Memo } from '../../platform/memo.ts';
import { providerError } from '../errors.ts';
import type { CloudInstance, CloudInstanceType } from '../provider.ts';
import { listAccelerators, listMachineTypes, listSkus, listZones } from './calls/catalogue.ts';
import type { GoogleTransport } from './http/transport.ts';
import { toCatalogue } from './mapping.ts';
import { PartPrices } from './prices.ts';

/**
 * Images as `project/family`, the first one preferred: Ubuntu with NVIDIA's driver and nothing else, by Canonical; Google's own with CUDA.
 */
export const GOOGLE_IMAGES = [
  'ubuntu-os-accelerator-images/ubuntu-accelerator-2404-amd64-with-nvidia-580',
  'deeplearning-platform-release/common-cu129-ubuntu-2404-nvidia-580',
] as const;

const PRICES_KEPT_MS = 24 * 3_600_000;

export class GoogleCatalogue {
  readonly #http: GoogleTransport;
  readonly #regions: readonly string[];
  readonly #prices: Memo<PartPrices>;
  #types: ReadonlyMap<string, CloudInstanceType> = new Map();

  constructor(http: GoogleTransport, regions: readonly string[]) {
    this.#http = http;
    this.#regions = regions;
    this.#prices = new Memo({ keptMs: PRICES_KEPT_MS, now: http.now });
  }

  /** Every type that is sold in the regions. @throws DeckhandError `provider_*` */
  async types(): Promise<readonly CloudInstanceType[]> {
    const http = this.#http;
    const [all, accelerators, zones, prices] = await Promise.all([
      listMachineTypes(http),
      listAccelerators(http),
      listZones(http, this.#regions),
      this.#prices.get('all', () => this.#read()),
    ]);
    const { types, unreadable } = toCatalogue({ types: all, accelerators, zones, prices }, GOOGLE_IMAGES);
    http.onRows('/machineTypes', unreadable);
    this.#types = new Map(types.map((type) => [type.instanceType, type]));
    return types;
  }

  /** Price of a machine, USD per hour, as the catalogue had it when it was last read; 0 before that. */
  readonly priceOf = (instanceType: string, zone: string, market: CloudInstance['market']): number => {
    const prices = this.#types.get(instanceType)?.pricesByLocation?.[zone];
    return (market === 'spot' ? prices?.spotUsdPerHour : prices?.onDemandUsdPerHour) ?? 0;
  };

  async #read(): Promise<PartPrices> {
    const prices = new PartPrices(await listSkus(this.#http));
    if (prices.size === 0) throw providerError('transient', 'the price list of Google has no price that can be read');
    return prices;
  }
}
