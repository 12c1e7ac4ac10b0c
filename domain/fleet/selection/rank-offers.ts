/**
 * The order in which offers are tried.
 *
 * On a wake, offers that can boot the kept volume come first, its own type before the others: a cold start pulls the models again, and the
 * disk's driver is known to work with that GPU. A pool with a share of spot then tries all of spot before anything on demand. Then the tier
 * decides for a ladder; inside a tier the expected cost of a slide, with what being taken back and waiting cost; `cheapest` looks at the cost
 * of a slide alone, with what being taken back costs. So spot comes before on-demand where it is cheaper in spite of interruptions. Equal
 * offers: preferred location, fewest of our machines there, name. Several providers are one order; where the pool prefers one, all its offers
 * come before those of the next.
 */
import type { JudgedOffer } from './refuse-offer.ts';
import type { LaunchAttempt } from '../provider/launch-limit.ts';
import type { LadderInput } from './ladder-input.ts';
import { isSpotFirst } from './catalogue-offers.ts';
import type { Selector } from './selector.ts';
import { DOCUMENT_SLIDES } from './slide-cost.ts';
import { interruptionFactor, slideUsdWithInterruption } from './spot-offers.ts';
import { tierIndex } from './tiers.ts';

/** μ: what an hour of waiting is worth to one document, USD. A choice; it only orders offers of one tier. */
const WAIT_USD_PER_HOUR = 0.2;
/** A create that fails costs a look at the next offer and comes back after the shortest block. */
const RETRY_MS = 180_000;
/** Chance that there is stock where nobody says so; a guess until creates were tried. */
const UNKNOWN_STOCK_CHANCE = 0.7;
/** Weight of the newest outcome in the success rate. */
const OUTCOME_WEIGHT = 0.3;

/** Share of creates that succeed, newer ones weighing more; starts at certainty. */
export function successRate(attempts: readonly LaunchAttempt[]): number {
  return attempts
    .filter((a) => a.outcome === 'created' || a.outcome === 'capacity')
    .toSorted((a, b) => a.atMs - b.atMs)
    .reduce((rate, a) => rate + OUTCOME_WEIGHT * ((a.outcome === 'created' ? 1 : 0) - rate), 1);
}

/** Expected cost of a slide with interruption and waiting, USD; infinite when the speed of the GPU is unknown. */
function score(judged: JudgedOffer, input: LadderInput): number {
  const { key, usdPerSlide, available } = judged;
  if (usdPerSlide === null) return Infinity;
  const history = input.history.get(key);
  const bootMs = history?.medianBootMs ?? input.capabilities.expectedBootMs;
  const chance = successRate(history?.attempts ?? []) * (available === null ? UNKNOWN_STOCK_CHANCE : 1);
  const waitMs = bootMs + (1 - chance) * RETRY_MS;
  return slideUsdWithInterruption(judged, history) + ((waitMs / 3_600_000) * WAIT_USD_PER_HOUR) / DOCUMENT_SLIDES;
}

/** An offer with the market that it comes from. */
export interface PlacedOffer {
  readonly judged: JudgedOffer;
  readonly input: LadderInput;
}

/**
 * Sorts offers that may be taken, of all providers. Deterministic: no two offers compare as equal.
 *
 * @param isShared they are of several providers, some of which may never say what is in stock
 */
export function rankOffers<Placed extends PlacedOffer>(
  offers: readonly Placed[],
  selector: Selector,
  isShared: boolean,
): Placed[] {
  return offers
    .map((placed) => ({ placed, keys: sortKeysOf(placed, selector, isShared) }))
    .toSorted((a, b) => compareKeys(a.keys, b.keys) || compareText(a.placed.judged.key, b.placed.judged.key))
    .map(({ placed }) => placed);
}

/** Smaller = earlier, compared in this order. */
function sortKeysOf({ judged, input }: PlacedOffer, selector: Selector, isShared: boolean): readonly number[] {
  const cheapest = selector.kind === 'cheapest';
  const isOneMarket = isShared && input.policy.providerOrder === 'cheapest';
  const preference = (location: string): number => {
    const index = input.policy.locations.indexOf(location);
    return index === -1 ? 0 : index;
  };
  return [
    judged.bootsKeptVolume ? 0 : 1,
    isSpotFirst(input.policy) && judged.offer.market !== 'spot' ? 1 : 0,
    judged.bootsKeptVolume && judged.offer.instanceType === input.wakeFrom?.instanceType ? 0 : 1,
    input.policy.providerOrder === 'cheapest' ? 0 : judged.providerIndex,
    cheapest ? 0 : tierIndex(judged.offer.tier),
    // Known stock goes before unknown stock; between providers the wait for a refusal decides, because some never tell their stock.
    isOneMarket || judged.available === true ? 0 : 1,
    cheapest ? slideUsdWithInterruption(judged, input.history.get(judged.key)) : score(judged, input),
    // Decides where the speed is unknown: then price alone is left.
    judged.offer.priceUsdPerHour * interruptionFactor(judged.offer, input.history.get(judged.key)),
    preference(judged.offer.location),
    input.instancesByLocation[judged.offer.location] ?? 0,
  ];
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? 0;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}

/** By code unit, not by locale: the same everywhere. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
