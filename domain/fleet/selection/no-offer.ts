/**
 * Why no offer of a ladder can be had now, in words for whoever waits: a quota and an empty account are told before an offer that is sold out.
 */
import type { OfferRefusal, RankedOffer } from './ladder.ts';

/** Kinds of refusal as a part of a sentence; those that somebody can do something about come first. */
const KIND_WORDS: Readonly<Record<OfferRefusal, string>> = {
  blocked: 'blocked after a failure',
  too_expensive: 'too expensive',
  implausible_price: 'at a price that is not believed',
  excluded: 'excluded',
  location_not_allowed: 'not in an allowed location',
  too_small: 'too small',
  budget_used_up: 'not to be tried again yet',
  unavailable: 'not available',
  not_selected: 'not selected',
};
const KINDS = Object.keys(KIND_WORDS) as OfferRefusal[];

/** A sentence without its full stop; null when an offer can be had, or when the ladder has none at all. */
export function whyNoOffer(ladder: readonly Pick<RankedOffer, 'rank' | 'refusal' | 'reason'>[]): string | null {
  const offers = ladder.filter((offer) => offer.refusal !== 'not_selected');
  if (offers.length === 0 || offers.some((offer) => offer.rank !== null)) return null;
  if (offers.every((offer) => offer.refusal === 'unavailable') && offers.length > 1)
    return `none of ${offers.length} offers is available`;
  // What blocks more than one offer has the same reason at each: a quota, the account.
  const [most] = [...Map.groupBy(offers, (offer) => offer.reason).values()].toSorted(
    (a, b) => b.length - a.length || placeOf(a[0]?.refusal) - placeOf(b[0]?.refusal),
  );
  const first = most?.[0];
  if (most === undefined || first === undefined) return null;
  const reason = first.reason.replace(/\.$/u, '');
  const others = offers.filter((offer) => offer.reason !== first.reason);
  if (others.length === 0) return reason;
  const kinds = KINDS.filter((kind) => others.some((offer) => offer.refusal === kind)).map((kind) => KIND_WORDS[kind]);
  return `${reason} (${most.length} of ${offers.length} offers; the others are ${kinds.join(' or ')})`;
}

const placeOf = (refusal: OfferRefusal | null | undefined): number =>
  refusal === null || refusal === undefined ? KINDS.length : KINDS.indexOf(refusal);
