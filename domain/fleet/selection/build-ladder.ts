/**
 * Selection: from everything that could be rented to the ladder that is tried, every offer with its place or the reason it has none.
 */
import { DeckhandError } from '../../errors.ts';
import { closestName } from '../../text/closest-name.ts';
import { assertModelFits, neededVramGib } from './model-fit.ts';
import { rankOffers } from './rank-offers.ts';
import { judgedOffers, OfferJudge, type JudgedOffer } from './refuse-offer.ts';
import type { ExplainedLadder, ExplainedOffer, LadderInput } from './ladder-input.ts';
import { withoutDearSpot } from './spot-offers.ts';
import { parseSelector, whyNotSelected, type Selector } from './selector.ts';

/**
 * The ladder at one moment: each offer exactly once, with a rank or a refusal. Pure and deterministic.
 *
 * @param inputs the markets of the pool's providers in the pool's order, with one wish and one time
 * @throws DeckhandError `selector_unknown`, `location_unknown` or `model_fits_no_offer`: mistakes that waiting does not fix, reported before
 *   anything is bought
 */
export function buildLadder(...inputs: readonly [LadderInput, ...LadderInput[]]): ExplainedLadder {
  const { policy, nowMs, models, slots } = inputs[0];
  const selector = assertSelectable({
    policy,
    models,
    slots,
    catalogue: inputs.flatMap((input) => input.catalogue),
    locations: inputs.flatMap((input) => input.locations),
  });
  const placed = withoutDearSpot(
    inputs.flatMap((input) => {
      const judge = new OfferJudge(input, selector);
      return judgedOffers(input).map((judged) => ({ judged, input, refused: judge.refuse(judged) }));
    }),
  );
  const isShared = inputs.length > 1;
  const taken = rankOffers(
    placed.filter((one) => one.refused === null),
    selector,
    isShared,
  ).map(({ judged, input }, i) => ({
    ...explain(judged),
    rank: i + 1,
    refusal: null,
    reason: whyTaken(judged, i + 1, input),
    nextTryAtMs: null,
  }));
  // Refused offers in the order in which they would be tried.
  const refused = rankOffers(
    placed.filter((one) => one.refused !== null),
    selector,
    isShared,
  ).flatMap(({ judged, refused: why }) => (why === null ? [] : [{ ...explain(judged), rank: null, ...why }]));
  const selectedFirst = refused.toSorted(
    (a, b) => Number(a.refusal === 'not_selected') - Number(b.refusal === 'not_selected'),
  );
  const nextTries = refused.flatMap((o) => (o.nextTryAtMs === null ? [] : [o.nextTryAtMs]));
  return {
    selector: policy.selector,
    atMs: nowMs,
    offers: [...taken, ...selectedFirst],
    nextTryAtMs: nextTries.length === 0 ? null : Math.min(...nextTries),
    neededVramGib: neededVramGib(models, slots),
  };
}

/**
 * Checks the policy against the catalogue.
 *
 * @throws DeckhandError as {@link buildLadder}
 */
export function assertSelectable(
  input: Pick<LadderInput, 'policy' | 'catalogue' | 'locations' | 'models' | 'slots'>,
): Selector {
  const { policy, catalogue, models, slots } = input;
  const selector = parseSelector(policy.selector, catalogue);
  assertLocationsExist(policy.locations, input.locations);
  const allowed = catalogue.filter(
    (type) => whyNotSelected(selector, type) === null && !policy.excludeTypes.includes(type.instanceType),
  );
  assertModelFits(allowed, models, slots, policy.selector);
  return selector;
}

/** @throws DeckhandError `location_unknown` with the real locations */
export function assertLocationsExist(wanted: readonly string[], real: readonly string[]): void {
  const unknown = wanted.find((location) => !real.includes(location));
  if (unknown === undefined) return;
  const guess = closestName(unknown, real);
  throw new DeckhandError('location_unknown', `location ${unknown} does not exist`, {
    userMessage: `There is no location ${unknown}.${guess === null ? '' : ` Did you mean ${guess}?`}`,
    hint: `The locations are ${real.join(', ')}.`,
  });
}

function explain(judged: JudgedOffer): Omit<ExplainedOffer, 'rank' | 'refusal' | 'reason' | 'nextTryAtMs'> {
  const { offer, key, available, usdPerSlide, fits, secondsPerSlide, bootsKeptVolume } = judged;
  return { ...offer, key, available, usdPerSlide, fits, secondsPerSlide, bootsKeptVolume };
}

/** Why an offer is tried at its place. */
function whyTaken(judged: JudgedOffer, rank: number, { wakeFrom }: LadderInput): string {
  const { offer, usdPerSlide, available, bootsKeptVolume } = judged;
  const place = rank === 1 ? 'Tried first' : `Tried at place ${rank}`;
  const what = offer.tier === null ? offer.gpuModel : `tier ${offer.tier}`;
  const there = available === true ? 'available' : 'availability not known';
  const cost = usdPerSlide === null ? 'cost per slide not known' : `about $${usdPerSlide.toFixed(5)} a slide`;
  const wakes = !bootsKeptVolume ? '' : ', boots the kept volume';
  const cold = wakeFrom !== null && !bootsKeptVolume ? ', cold start: the kept volume is elsewhere' : '';
  return `${place}: ${what}, ${there} in ${offer.location}, $${offer.priceUsdPerHour.toFixed(2)} an hour, ${cost}${wakes}${cold}.`;
}
