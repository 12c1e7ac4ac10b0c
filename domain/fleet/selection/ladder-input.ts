/**
 * What the ladder of offers is made from: the pool's wishes, the catalogue, what is available, what is remembered.
 */
import type { ProviderCapabilities } from '../provider/billing.ts';
import type { KeptVolume } from '../instance-life/types.ts';
import type { LaunchAttempt } from '../provider/launch-limit.ts';
import type { Market, OfferKey } from './offer.ts';
import type { PoolConfig } from '../pool/pool-config.ts';
import type { ModelNeed, OfferLadder, OfferMemory, RankedOffer } from './ladder.ts';
import type { SecondsPerSlide } from './slide-cost.ts';
import type { CatalogueType } from './tiers.ts';

/** What is available on a market, as one bulk call said it. */
export interface MarketAvailability {
  readonly atMs: number;
  /** A location that is missing was not answered for: unknown, which is not "none". */
  readonly typesByLocation: Readonly<Record<string, readonly string[]>>;
}

/** What became of earlier creates on an offer. */
export interface OfferHistory {
  /** Of the last three hours. */
  readonly attempts: readonly LaunchAttempt[];
  /** Median time from create to running; null when none got there. */
  readonly medianBootMs: number | null;
  /** Last price at which it was rented; null when it never was. */
  readonly lastPriceUsdPerHour: number | null;
  /** Spot: machines of lately and how many of them were taken back, old ones counting less; absent = none. */
  readonly interruptions?: Interruptions;
}

/** Spot machines of one offer, each weighing less the older it is. */
export interface Interruptions {
  readonly machines: number;
  readonly evicted: number;
}

/** The part of a pool's configuration that chooses. */
export type LadderPolicy = Pick<
  PoolConfig,
  | 'selector'
  | 'market'
  | 'locations'
  | 'maxPriceUsdPerHour'
  | 'maxPriceUsdPerDocument'
  | 'excludeTypes'
  | 'launchBudgetPerHour'
  | 'providerOrder'
  | 'soldOutAfterMs'
  | 'spotRatio'
  | 'engine'
>;

/** Input of `buildLadder`: the market of one provider and what is wished for. */
export interface LadderInput {
  readonly provider: string;
  /** Place of the provider in the pool's order, 0 = first; absent = 0. */
  readonly providerIndex?: number;
  readonly policy: LadderPolicy;
  readonly catalogue: readonly CatalogueType[];
  /** The provider's locations. */
  readonly locations: readonly string[];
  /** A market that is missing was not asked for. */
  readonly availability: Readonly<Partial<Record<Market, MarketAvailability>>>;
  /** How old availability may become: an offer that has none is looked at again then. */
  readonly availabilityTtlMs: number;
  readonly models: readonly ModelNeed[];
  /** Parallel calls per instance. */
  readonly slots: number;
  /** From `secondsPerSlideTable`. */
  readonly secondsPerSlide: SecondsPerSlide;
  readonly memory: readonly OfferMemory[];
  readonly history: ReadonlyMap<OfferKey, OfferHistory>;
  /** Our instances that exist, by location: equal offers are spread. */
  readonly instancesByLocation: Readonly<Record<string, number>>;
  /** A disk to wake from; offers that can boot it come first. */
  readonly wakeFrom: KeptVolume | null;
  readonly capabilities: Pick<ProviderCapabilities, 'volumePinsLocation' | 'bootsVolumes' | 'expectedBootMs'>;
  readonly nowMs: number;
  /** Since when a machine is sought in vain; null or absent = nothing is sought. Decides when a provider of second choice is used. */
  readonly soughtSinceMs?: number | null;
}

/** A rung with what it was judged by. */
export interface ExplainedOffer extends RankedOffer {
  /** The pool's models fit into its memory. */
  readonly fits: boolean;
  /** Machine time per slide; null when nothing is known of the GPU. */
  readonly secondsPerSlide: number | null;
  /** It can boot the volume to wake from. */
  readonly bootsKeptVolume: boolean;
}

/** A ladder that explains itself. */
export interface ExplainedLadder extends OfferLadder {
  readonly offers: readonly ExplainedOffer[];
  /** Graphics memory that the pool's models need, GiB. */
  readonly neededVramGib: number;
}
