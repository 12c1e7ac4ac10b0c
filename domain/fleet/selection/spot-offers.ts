/**
 * What spot costs beside its price: the chance that the provider takes the machine back, learned from those that it took back; and the spot
 * offers that are dropped because on-demand is cheaper. Pure.
 */
import type { Interruptions, OfferHistory } from './ladder-input.ts';
import type { Offer } from './offer.ts';
import type { JudgedOffer, Refused } from './refuse-offer.ts';
import { speedKey } from './slide-cost.ts';

/** λ: a slide on a machine that may be taken back is that much dearer, per unit of probability. */
const INTERRUPTION_WEIGHT = 1;
/** Chance that a spot machine is taken back while it works, where nothing is known of the offer; a guess. */
const USUAL_CHANCE = 0.2;
/** So many machines of the offer outweigh the guess. */
const USUAL_WEIGHT = 2;
/** A machine of so long ago counts half: the spot market of yesterday says something, that of last week little. */
export const INTERRUPTION_HALF_LIFE_MS = 24 * 3_600_000;

/** Chance that a machine of a spot offer is taken back, 0 … 1; without machines of lately, the usual one. */
export function interruptionChance({ machines, evicted }: Interruptions = { machines: 0, evicted: 0 }): number {
  // A machine may be known by its eviction alone, when its start is too long ago.
  const known = Math.max(machines, evicted);
  return (USUAL_CHANCE * USUAL_WEIGHT + evicted) / (USUAL_WEIGHT + known);
}

/** How many times its price a machine costs with what being taken back costs; 1 on demand. */
export const interruptionFactor = ({ market }: Pick<Offer, 'market'>, history: OfferHistory | undefined): number =>
  market === 'spot' ? 1 + INTERRUPTION_WEIGHT * interruptionChance(history?.interruptions) : 1;

/** Cost of a slide with what being taken back costs, USD; infinite when the speed of the GPU is unknown. */
export const slideUsdWithInterruption = (
  { offer, usdPerSlide }: Pick<JudgedOffer, 'offer' | 'usdPerSlide'>,
  history: OfferHistory | undefined,
): number => (usdPerSlide === null ? Infinity : usdPerSlide * interruptionFactor(offer, history));

interface Placed {
  readonly judged: JudgedOffer;
  readonly refused: Refused | null;
}

/**
 * Refuses every spot offer that costs more than the same GPU on demand which can be had now, at any provider: it may be taken back and saves
 * nothing. Where only spot is wanted, there is nothing on demand to compare with.
 */
export function withoutDearSpot<One extends Placed>(placed: readonly One[]): (One | (One & { refused: Refused }))[] {
  const cheapest = new Map<string, Offer>();
  for (const { judged, refused } of placed) {
    if (refused !== null || judged.offer.market === 'spot') continue;
    const key = gpuOf(judged);
    const known = cheapest.get(key);
    if (known === undefined || judged.offer.priceUsdPerHour < known.priceUsdPerHour) cheapest.set(key, judged.offer);
  }
  return placed.map((one) => {
    const { offer } = one.judged;
    const onDemand = cheapest.get(gpuOf(one.judged));
    if (one.refused !== null || offer.market !== 'spot' || onDemand === undefined) return one;
    if (offer.priceUsdPerHour <= onDemand.priceUsdPerHour) return one;
    const dearer = `$${offer.priceUsdPerHour.toFixed(3)} an hour on spot is more than $${onDemand.priceUsdPerHour.toFixed(3)} on demand`;
    const reason = `${offer.instanceType}: ${dearer} (${onDemand.instanceType} in ${onDemand.location}).`;
    return { ...one, refused: { refusal: 'dearer_than_on_demand', reason, nextTryAtMs: null } };
  });
}

/** Machines with the same GPUs are compared. */
const gpuOf = ({ type }: JudgedOffer): string => `${type.gpuCount} ${speedKey(type)}`;
