/**
 * A market of two providers for a simulated month: what they sell at which price, when an offer is out of stock, and when a spot machine is
 * taken back. The product's own ladder chooses from it, with the product's memory of refusals and evictions.
 *
 * Types and prices are those of machines with 48 GB in autumn 2026; AWS's spot price, stock and evictions are assumptions.
 */
import { buildLadder } from '../../domain/fleet/selection/build-ladder.ts';
import { afterFailure, failureScopeKey } from '../../domain/fleet/selection/offer-memory.ts';
import type { LadderInput, LadderPolicy, OfferHistory } from '../../domain/fleet/selection/ladder-input.ts';
import type { OfferMemory, RankedOffer } from '../../domain/fleet/selection/ladder.ts';
import type { OfferKey } from '../../domain/fleet/selection/offer.ts';
import { MARKETS, offerKey, type Market } from '../../domain/fleet/selection/offer.ts';
import { secondsPerSlideTable, speedKey } from '../../domain/fleet/selection/slide-cost.ts';
import { INTERRUPTION_HALF_LIFE_MS } from '../../domain/fleet/selection/spot-offers.ts';
import type { CatalogueType } from '../../domain/fleet/selection/tiers.ts';
import type { KeptVolume } from '../../domain/fleet/instance-life/types.ts';
import type { BillingCapability } from '../../domain/fleet/provider/billing.ts';
import { seededRandom } from '../../samples/generator/random.ts';

const HOUR_MS = 3_600_000;

const type = (
  instanceType: string,
  model: string,
  onDemandUsdPerHour: number,
  spotUsdPerHour: number,
): CatalogueType => ({ instanceType, model, gpuCount: 1, vramGib: 48, onDemandUsdPerHour, spotUsdPerHour });

interface Seller {
  readonly name: string;
  readonly types: readonly CatalogueType[];
  readonly locations: readonly string[];
  readonly billing: BillingCapability;
  /** It says what is in stock; otherwise only a create shows it. */
  readonly tellsStock: boolean;
  /** A new machine boots a kept disk. */
  readonly bootsVolumes: boolean;
  /** Evictions of a running spot machine per hour, and how long before it says so. */
  readonly evictionsPerHour: number;
  readonly noticeMs: number;
}

export const SELLERS: readonly [Seller, Seller] = [
  {
    name: 'datacrunch',
    types: [
      type('1A6000.10V', 'RTX A6000', 0.61, 0.305),
      type('1RTX6000ADA.10V', 'RTX 6000 Ada', 0.83, 0.415),
      type('1L40S.20V', 'L40S', 0.91, 0.455),
    ],
    locations: ['FIN-01', 'FIN-02', 'FIN-03'],
    billing: { quantumSec: 600, refundsUnused: true },
    tellsStock: true,
    bootsVolumes: true,
    evictionsPerHour: 0.2,
    noticeMs: 0,
  },
  {
    name: 'aws',
    types: [type('g6e.xlarge', 'L40S', 1.861, 0.78)],
    locations: ['us-east-1a', 'us-east-1b'],
    billing: { quantumSec: 1, refundsUnused: false },
    tellsStock: false,
    bootsVolumes: false,
    evictionsPerHour: 0.1,
    noticeMs: 120_000,
  },
];

/** Mean time that an offer is in stock, and out of it. */
const STOCK_HOURS: Readonly<Record<Market, { readonly there: number; readonly gone: number }>> = {
  ondemand: { there: 18, gone: 1 },
  spot: { there: 6, gone: 2 },
};

/** Seconds per slide of the machine that calls are timed for. */
const SPEEDS = secondsPerSlideTable({});
const REFERENCE = SPEEDS['a6000'] ?? 1;

interface Stock {
  readonly random: () => number;
  isThere: boolean;
  changesAtMs: number;
}

/** The market of one month. Each offer has random numbers of its own, so that two months of a seed see the same stock. */
export class TwoProviderMarket {
  readonly billings = Object.fromEntries(SELLERS.map(({ name, billing }) => [name, billing]));
  evictions = 0;
  readonly #seed: number;
  readonly #stock = new Map<OfferKey, Stock>();
  readonly #memory = new Map<string, OfferMemory>();
  readonly #machines = new Map<OfferKey, { readonly atMs: number; isEvicted: boolean }[]>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The offers to try, in order. @param wakeFrom a kept disk */
  ladder(policy: LadderPolicy, wakeFrom: KeptVolume | null, nowMs: number): readonly RankedOffer[] {
    const [first, second] = SELLERS.map((seller, index) => this.#input(seller, index, policy, wakeFrom, nowMs));
    if (first === undefined || second === undefined) return [];
    return buildLadder(first, second).offers.filter((offer) => offer.rank !== null);
  }

  /** True when a machine can be had; a refusal is remembered. */
  create(offer: RankedOffer, nowMs: number): boolean {
    if (this.#isThere(offer.key, nowMs)) {
      const machines = this.#machines.get(offer.key) ?? [];
      this.#machines.set(offer.key, [...machines, { atMs: nowMs, isEvicted: false }]);
      return true;
    }
    this.#remember(offer, 'capacity', nowMs);
    return false;
  }

  /** Time until a machine of an offer is taken back; infinite on demand. */
  evictedAfterMs({ provider, market }: RankedOffer, random: () => number): number {
    const seller = sellerOf(provider);
    return market === 'spot' ? (-Math.log(1 - random()) / seller.evictionsPerHour) * HOUR_MS : Infinity;
  }

  noticeMs({ provider }: RankedOffer): number {
    return sellerOf(provider).noticeMs;
  }

  /** A machine was taken back. */
  evicted(offer: RankedOffer, nowMs: number): void {
    this.evictions += 1;
    const machine = this.#machines.get(offer.key)?.findLast((m) => !m.isEvicted);
    if (machine !== undefined) machine.isEvicted = true;
    this.#remember(offer, 'capacity_async', nowMs);
  }

  /** How many times as fast as the reference a machine answers. */
  speedOf({ provider, instanceType }: RankedOffer): number {
    const sold = sellerOf(provider).types.find((one) => one.instanceType === instanceType);
    return sold === undefined ? 1 : REFERENCE / (SPEEDS[speedKey(sold)] ?? REFERENCE);
  }

  #remember(offer: RankedOffer, errorClass: 'capacity' | 'capacity_async', nowMs: number): void {
    const error = { errorClass, message: errorClass } as const;
    const key = failureScopeKey(offer, error);
    const memory = key === null ? null : afterFailure(this.#memory.get(key) ?? null, offer, error, nowMs);
    if (memory !== null) this.#memory.set(memory.scopeKey, memory);
  }

  #input(
    seller: Seller,
    providerIndex: number,
    policy: LadderPolicy,
    wakeFrom: KeptVolume | null,
    nowMs: number,
  ): LadderInput {
    const { name, types, locations, tellsStock, bootsVolumes } = seller;
    const sold = (market: Market) => ({
      atMs: nowMs,
      typesByLocation: Object.fromEntries(
        (tellsStock ? locations : []).map((location) => [
          location,
          types.flatMap(({ instanceType }) =>
            this.#isThere(offerKey({ provider: name, location, instanceType, market }), nowMs) ? [instanceType] : [],
          ),
        ]),
      ),
    });
    return {
      provider: name,
      providerIndex,
      policy,
      catalogue: types,
      locations,
      availability: { ondemand: sold('ondemand'), spot: sold('spot') },
      availabilityTtlMs: 20_000,
      models: [],
      slots: 4,
      secondsPerSlide: SPEEDS,
      memory: [...this.#memory.values()],
      history: this.#history(seller, nowMs),
      instancesByLocation: {},
      wakeFrom,
      capabilities: { volumePinsLocation: true, bootsVolumes, expectedBootMs: 300_000 },
      nowMs,
    };
  }

  #history({ name, types, locations }: Seller, nowMs: number): Map<OfferKey, OfferHistory> {
    const history = new Map<OfferKey, OfferHistory>();
    for (const location of locations)
      for (const { instanceType } of types) {
        const key = offerKey({ provider: name, location, instanceType, market: 'spot' });
        const machines = (this.#machines.get(key) ?? []).filter((m) => nowMs - m.atMs < 10 * INTERRUPTION_HALF_LIFE_MS);
        const weight = (list: typeof machines): number =>
          list.reduce((sum, m) => sum + 0.5 ** ((nowMs - m.atMs) / INTERRUPTION_HALF_LIFE_MS), 0);
        const interruptions = { machines: weight(machines), evicted: weight(machines.filter((m) => m.isEvicted)) };
        history.set(key, { attempts: [], medianBootMs: null, lastPriceUsdPerHour: null, interruptions });
      }
    return history;
  }

  #isThere(key: OfferKey, nowMs: number): boolean {
    const stock = this.#stock.get(key) ?? this.#firstStock(key);
    const hours = STOCK_HOURS[key.endsWith('/spot') ? 'spot' : 'ondemand'];
    while (stock.changesAtMs <= nowMs) {
      stock.isThere = !stock.isThere;
      const mean = stock.isThere ? hours.there : hours.gone;
      stock.changesAtMs += -Math.log(1 - stock.random()) * mean * HOUR_MS;
    }
    return stock.isThere;
  }

  #firstStock(key: OfferKey): Stock {
    const keys = SELLERS.flatMap(({ name: provider, types, locations }) =>
      locations.flatMap((location) =>
        types.flatMap(({ instanceType }) =>
          MARKETS.map((market) => offerKey({ provider, location, instanceType, market })),
        ),
      ),
    );
    const stock = { random: seededRandom(this.#seed * 1000 + keys.indexOf(key)), isThere: true, changesAtMs: 0 };
    this.#stock.set(key, stock);
    return stock;
  }
}

function sellerOf(provider: string): Seller {
  return SELLERS.find(({ name }) => name === provider) ?? SELLERS[0];
}
