/**
 * The ladder of offers: what selection answers, and what it remembers of offers. What it is made from is in `ladder-input.ts`.
 */
import type { Offer, OfferKey } from './offer.ts';

/** Why an offer is not taken now. */
export type OfferRefusal =
  | 'not_selected'
  | 'too_small'
  | 'too_expensive'
  /** On spot it costs more than the same GPU on demand. */
  | 'dearer_than_on_demand'
  /** The catalogue's price is zero or far off what such a machine costs: nothing is bought on a misprint. */
  | 'implausible_price'
  | 'location_not_allowed'
  | 'excluded'
  | 'unavailable'
  /** Its provider is used only after those before it were sold out for a while. */
  | 'second_choice'
  | 'blocked'
  | 'budget_used_up';

/** One rung of the ladder, taken or refused, with its explanation. */
export interface RankedOffer extends Offer {
  readonly key: OfferKey;
  /** 1 = tried first; null when refused. */
  readonly rank: number | null;
  readonly refusal: OfferRefusal | null;
  /** One sentence for people: why taken at this place, or why refused. */
  readonly reason: string;
  /** When it is looked at again; null = not by waiting. */
  readonly nextTryAtMs: number | null;
  /** Null = not asked or not known. */
  readonly available: boolean | null;
  readonly usdPerSlide: number | null;
}

/** The ladder at one moment. */
export interface OfferLadder {
  readonly selector: string;
  readonly atMs: number;
  /** All offers considered, those to try first in front. */
  readonly offers: readonly RankedOffer[];
  /** When the first refused offer may be tried again; null when none will. */
  readonly nextTryAtMs: number | null;
}

/** What is remembered of an offer's failures, shared by all pools and kept in the database. */
export interface OfferMemory {
  /** A written scope: an offer key in which `*` may stand for any text, `provider/location` or `provider`. */
  readonly scopeKey: string;
  readonly errorClass: string;
  readonly blockedUntilMs: number;
  /** Failures in a row. */
  readonly repeats: number;
  readonly lastFailureAtMs: number;
  readonly message: string;
}

/** What a market's machine must hold. */
export interface ModelNeed {
  readonly modelName: string;
  readonly weightsGib: number;
  readonly kvCacheGibPerSlot: number;
}
