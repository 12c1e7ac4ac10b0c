/**
 * The provider's offers as this process last read them: catalogue and locations for ten minutes, availability for twenty seconds, shared by
 * all pools. Each reading of availability is stored as samples.
 */
import { randomUUID } from 'node:crypto';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { isProviderError } from '../../../clouds/errors.ts';
import { marketsOf, priceOn } from '../../../domain/fleet/selection/catalogue-offers.ts';
import type { Market } from '../../../domain/fleet/selection/offer.ts';
import { whyImplausible } from '../../../domain/fleet/selection/price-sanity.ts';
import type { MarketAvailability } from '../../../domain/fleet/selection/ladder-input.ts';
import type { CatalogueType } from '../../../domain/fleet/selection/tiers.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { Memo } from '../../../platform/memo.ts';
import type { Logger } from '../../../platform/log.ts';

/** How old what was seen may become, ms. */
export interface MarketViewTiming {
  readonly catalogueTtlMs: number;
  readonly availabilityTtlMs: number;
  /** Samples older than this are removed, at most once an hour. */
  readonly sampleRetentionMs: number;
}

export const DEFAULT_TIMING: MarketViewTiming = {
  catalogueTtlMs: 600_000,
  availabilityTtlMs: 20_000,
  sampleRetentionMs: 7 * 24 * 3_600_000,
};
const PRUNE_INTERVAL_MS = 3_600_000;

/** Types, prices and locations at one moment. */
export interface Catalogue {
  readonly atMs: number;
  readonly types: readonly CatalogueType[];
  readonly locations: readonly string[];
}

export interface MarketViewDependencies {
  readonly db: PrismaClient;
  readonly provider: Pick<CloudProvider, 'name' | 'listInstanceTypes' | 'listLocations' | 'stock'>;
  readonly log: Logger;
  readonly now: () => number;
  readonly timing: MarketViewTiming;
}

/** See the file's header. Callers that come while a look is under way share it. */
export class MarketView {
  readonly #deps: MarketViewDependencies;
  #catalogue: Catalogue | undefined;
  #catalogueLook: Promise<Catalogue> | undefined;
  readonly #looks: Memo<MarketAvailability>;
  /** Last plausible price by type and market, USD per hour. */
  readonly #goodPrices = new Map<string, number>();
  #prunedAtMs = 0;

  constructor(deps: MarketViewDependencies) {
    this.#deps = deps;
    this.#looks = new Memo({ keptMs: deps.timing.availabilityTtlMs, now: deps.now });
  }

  /** The catalogue, at most ten minutes old; older only while the provider does not answer, and `atMs` says how old. @throws provider errors */
  async catalogue(): Promise<Catalogue> {
    const known = this.#catalogue;
    if (known !== undefined && this.#deps.now() - known.atMs < this.#deps.timing.catalogueTtlMs) return known;
    this.#catalogueLook ??= this.#lookAtCatalogue().finally(() => {
      this.#catalogueLook = undefined;
    });
    try {
      return await this.#catalogueLook;
    } catch (error) {
      // Prices move slowly: an hour-old list serves better than none. Refused credentials or an empty account are told at once.
      if (known === undefined || !isProviderError(error, 'transient', 'throttled')) throw error;
      const ageMs = this.#deps.now() - known.atMs;
      this.#deps.log.warn({ err: error, ageMs }, 'the catalogue could not be read; the last one is used');
      return known;
    }
  }

  /** Last plausible price of a type before the present one; null when this process has seen none. */
  lastGoodPrice(instanceType: string, market: Market): number | null {
    return this.#goodPrices.get(`${instanceType}/${market}`) ?? null;
  }

  /** Availability of the wanted markets, one bulk call each. An outage is thrown by its class; it is never "nothing there". */
  async availability(market: Market | 'any'): Promise<Partial<Record<Market, MarketAvailability>>> {
    const markets = marketsOf(market);
    const looks = await Promise.all(markets.map((m) => this.#looks.get(m, () => this.#lookAtMarket(m))));
    return Object.fromEntries(markets.map((m, i) => [m, looks[i]]));
  }

  async #lookAtMarket(market: Market): Promise<MarketAvailability> {
    const { db, provider, now, timing } = this.#deps;
    // Where the provider does not say what is free, nothing is known of any location.
    const { atMs, typesByLocation } = (await provider.stock?.availability(market)) ?? {
      atMs: now(),
      typesByLocation: {},
    };
    await db.availabilitySample.createMany({
      data: Object.entries(typesByLocation).map(([location, instanceTypes]) => ({
        id: randomUUID(),
        provider: provider.name,
        market,
        location,
        instanceTypes: [...instanceTypes],
        sampledAt: new Date(atMs),
      })),
    });
    if (now() - this.#prunedAtMs >= PRUNE_INTERVAL_MS) {
      this.#prunedAtMs = now();
      const before = new Date(now() - timing.sampleRetentionMs);
      await db.availabilitySample.deleteMany({ where: { sampledAt: { lt: before } } });
    }
    return { atMs, typesByLocation };
  }

  async #lookAtCatalogue(): Promise<Catalogue> {
    const { provider, now } = this.#deps;
    const [types, locations] = await Promise.all([provider.listInstanceTypes(), provider.listLocations()]);
    const catalogue = { atMs: now(), types, locations: locations.map((l) => l.code) };
    for (const type of types) for (const market of marketsOf('any')) this.#rememberPrice(type, market);
    this.#catalogue = catalogue;
    return catalogue;
  }

  /** A price that jumped absurdly is not taken for the usual one, so that it stays refused. */
  #rememberPrice(type: CatalogueType, market: Market): void {
    const price = priceOn(type, market);
    if (price === null) return;
    const lastGood = this.lastGoodPrice(type.instanceType, market);
    if (whyImplausible(price, { peers: [], lastGood }) === null)
      this.#goodPrices.set(`${type.instanceType}/${market}`, price);
  }
}
