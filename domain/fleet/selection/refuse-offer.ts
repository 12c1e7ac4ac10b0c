/**
 * Why an offer is not taken now: the checks in order of precedence, each with one sentence and the time of the next try.
 */
import { catalogueOffers, marketOfPolicy, marketsOf, priceOn, type CatalogueOffer } from './catalogue-offers.ts';
import { launchesLeft, PROBE_INTERVAL_MS, type LaunchAttempt } from '../provider/launch-limit.ts';
import { neededVramGib } from './model-fit.ts';
import { BlockIndex } from './offer-memory.ts';
import type { OfferId } from './offer.ts';
import { capabilityByName } from '../../health/gpu/diagnosis/compatibility.ts';
import { ENGINES } from '../../health/gpu/diagnosis/engines.ts';
import { durationWords } from '../../text/words.ts';
import type { KeptVolume } from '../instance-life/types.ts';
import type { ProviderCapabilities } from '../provider/billing.ts';
import { whyImplausible } from './price-sanity.ts';
import type { LadderInput, LadderPolicy } from './ladder-input.ts';
import type { OfferRefusal, RankedOffer } from './ladder.ts';
import { whyNotSelected, type Selector } from './selector.ts';
import { DOCUMENT_SLIDES, secondsPerSlide, speedKey } from './slide-cost.ts';
import type { CatalogueType } from './tiers.ts';

/** An offer with what it is judged by. */
export interface JudgedOffer extends CatalogueOffer {
  readonly secondsPerSlide: number | null;
  readonly usdPerSlide: number | null;
  readonly fits: boolean;
  readonly available: boolean | null;
  readonly bootsKeptVolume: boolean;
  /** Place of its provider in the pool's order, 0 = first. */
  readonly providerIndex: number;
}

/** A refusal. */
export interface Refused {
  readonly refusal: OfferRefusal;
  readonly reason: string;
  readonly nextTryAtMs: number | null;
}

/** What is known of earlier creates on one offer. */
export interface LaunchRecord {
  readonly memory: BlockIndex;
  /** Creates on the offer within the last three hours. */
  readonly attempts: readonly LaunchAttempt[];
  /** The pool's launch limit. */
  readonly perHour: number;
  readonly nowMs: number;
}

/** Why earlier creates forbid one on this offer now: it is blocked, or its launch limit is reached. Null = a create may be sent. */
export function whyNoLaunch(offer: OfferId, { memory, attempts, perHour, nowMs }: LaunchRecord): Refused | null {
  const block = memory.blockOver(offer, nowMs);
  if (block !== null) {
    const times = block.repeats === 1 ? 'a failure' : `${block.repeats} failures in a row`;
    const reason = `Blocked until ${clock(block.blockedUntilMs)} after ${times} (${block.errorClass}): ${block.message}`;
    return refused('blocked', reason, block.blockedUntilMs);
  }
  const own = memory.of(offer);
  const failedAtMs = own?.errorClass.startsWith('capacity') === true ? own.lastFailureAtMs : null;
  const left = launchesLeft(attempts, failedAtMs, nowMs, { perHour, probeIntervalMs: PROBE_INTERVAL_MS });
  if (left.nextAtMs === null) return null;
  const reason = `Creates on this offer are limited: those under way and those that failed lately count. The next one is allowed at ${clock(left.nextAtMs)}.`;
  return refused('budget_used_up', reason, left.nextAtMs);
}

/** True when a machine of this offer can boot a kept volume. */
const bootsVolume = (
  volume: KeptVolume,
  { provider, location }: OfferId,
  capabilities: Pick<ProviderCapabilities, 'volumePinsLocation' | 'bootsVolumes'>,
): boolean =>
  capabilities.bootsVolumes &&
  volume.provider === provider &&
  (!capabilities.volumePinsLocation || volume.location === location);

/** All offers of the input, with the figures they are judged by. */
export function judgedOffers(input: LadderInput): JudgedOffer[] {
  const { providerIndex = 0 } = input;
  const { wakeFrom, capabilities } = input;
  const needed = neededVramGib(input.models, input.slots);
  return catalogueOffers(input.provider, input.catalogue, input.locations, marketsOf(marketOfPolicy(input.policy))).map(
    (entry) => {
      const seconds = secondsPerSlide(entry.type, input.secondsPerSlide);
      const { location, market, instanceType, priceUsdPerHour } = entry.offer;
      const sold = input.availability[market]?.typesByLocation[location];
      return {
        ...entry,
        secondsPerSlide: seconds,
        usdPerSlide: seconds === null ? null : (priceUsdPerHour / 3600) * seconds,
        fits: entry.type.gpuCount > 0 && entry.type.vramGib >= needed,
        available: sold === undefined ? null : sold.includes(instanceType),
        bootsKeptVolume: wakeFrom !== null && bootsVolume(wakeFrom, entry.offer, capabilities),
        providerIndex,
      };
    },
  );
}

/** Why a GPU cannot run vLLM, in words that follow a type's name. What Ollama cannot run on is in no tier. */
function whyTooOld(engine: LadderPolicy['engine'], { model }: CatalogueType): string | null {
  const least = ENGINES.find((one) => one.engine === engine)?.leastCapability ?? 0;
  const capability = capabilityByName(model);
  return engine === 'ollama' || capability === null || capability >= least
    ? null
    : `has compute capability ${capability.toFixed(1)}; vLLM needs ${least.toFixed(1)}`;
}

/** Judges offers one by one against the same input. */
export class OfferJudge {
  readonly #input: LadderInput;
  readonly #selector: Selector;
  readonly #memory: BlockIndex;
  readonly #neededVramGib: number;
  readonly #speedKeys: ReadonlyMap<CatalogueType, string>;

  constructor(input: LadderInput, selector: Selector) {
    this.#input = input;
    this.#selector = selector;
    this.#memory = new BlockIndex(input.memory);
    this.#neededVramGib = neededVramGib(input.models, input.slots);
    this.#speedKeys = new Map(input.catalogue.filter((t) => t.gpuCount > 0).map((t) => [t, speedKey(t)]));
  }

  /** Why it is not taken now; null when it is. */
  refuse(judged: JudgedOffer): Refused | null {
    return this.#lasting(judged) ?? this.#passing(judged);
  }

  /** What waiting does not change. */
  #lasting(judged: JudgedOffer): Refused | null {
    const { offer, type } = judged;
    const { policy } = this.#input;
    const name = offer.instanceType;
    const unselected = whyNotSelected(this.#selector, type);
    if (unselected !== null) return lasting('not_selected', `${name} ${unselected}.`);
    const tooOld = whyTooOld(policy.engine, type);
    if (tooOld !== null) return lasting('not_selected', `${name} ${tooOld}.`);
    if (policy.excludeTypes.includes(name)) return lasting('excluded', `${name} is excluded by configuration.`);
    if (policy.locations.length > 0 && !policy.locations.includes(offer.location)) {
      const allowed = policy.locations.join(', ');
      return lasting('location_not_allowed', `${offer.location} is not among the locations allowed (${allowed}).`);
    }
    if (!judged.fits) {
      const has = type.gpuCount === 0 ? 'has no GPU' : `has ${type.vramGib} GiB of graphics memory`;
      return lasting('too_small', `${name} ${has}; the models need ${this.#neededVramGib.toFixed(1)} GiB.`);
    }
    return this.#price(judged);
  }

  #price(judged: JudgedOffer): Refused | null {
    const { offer, type } = judged;
    const { policy } = this.#input;
    const name = offer.instanceType;
    const paid = this.#input.history.get(judged.key)?.lastPriceUsdPerHour ?? null;
    const lastGood = paid === null ? null : paid / type.gpuCount;
    const misprint = whyImplausible(offer.priceUsdPerHour / type.gpuCount, { peers: this.#peers(judged), lastGood });
    if (misprint !== null) return lasting('implausible_price', `${name} is not bought: ${misprint}.`);
    if (policy.maxPriceUsdPerHour !== null && offer.priceUsdPerHour > policy.maxPriceUsdPerHour) {
      const price = `$${offer.priceUsdPerHour.toFixed(2)} an hour is above the cap of $${policy.maxPriceUsdPerHour.toFixed(2)}`;
      return lasting('too_expensive', `${name}: ${price}.`);
    }
    if (policy.maxPriceUsdPerDocument === null) return null;
    const cap = `the cap of $${policy.maxPriceUsdPerDocument.toFixed(2)} for a document of ${DOCUMENT_SLIDES} slides`;
    // A cap is a promise: what cannot be computed does not pass it.
    if (judged.usdPerSlide === null)
      return lasting('too_expensive', `${name}: nothing is known of its speed, so ${cap} cannot be kept.`);
    const document = judged.usdPerSlide * DOCUMENT_SLIDES;
    return document > policy.maxPriceUsdPerDocument
      ? lasting('too_expensive', `${name}: about $${document.toFixed(3)} is above ${cap}.`)
      : null;
  }

  /** Prices per GPU and hour of the other types with the same GPU on the same market. */
  #peers({ type, offer }: JudgedOffer): number[] {
    const wanted = this.#speedKeys.get(type);
    return [...this.#speedKeys].flatMap(([other, key]) => {
      const price = other === type || key !== wanted ? null : priceOn(other, offer.market);
      return price === null ? [] : [price / other.gpuCount];
    });
  }

  /** Why the provider is not used yet; null = it may be. A disk that is kept there is woken there. */
  #secondChoice({ offer, providerIndex, bootsKeptVolume }: JudgedOffer): Refused | null {
    const { policy, soughtSinceMs = null, nowMs } = this.#input;
    if (policy.providerOrder !== 'when_sold_out' || providerIndex === 0 || bootsKeptVolume) return null;
    const fromMs = soughtSinceMs === null ? null : soughtSinceMs + providerIndex * policy.soldOutAfterMs;
    if (fromMs !== null && nowMs >= fromMs) return null;
    const when = fromMs === null ? '' : `, at ${clock(fromMs)}`;
    const reason = `${offer.provider} is used after ${durationWords(providerIndex * policy.soldOutAfterMs)} in which nothing could be had before it${when}.`;
    return refused('second_choice', reason, fromMs);
  }

  /** What is over after a while. */
  #passing(judged: JudgedOffer): Refused | null {
    const { offer, key } = judged;
    const { nowMs, policy, availability, availabilityTtlMs, history } = this.#input;
    const attempts = history.get(key)?.attempts ?? [];
    const held = whyNoLaunch(offer, { memory: this.#memory, attempts, perHour: policy.launchBudgetPerHour, nowMs });
    if (held !== null) return held;
    const waiting = this.#secondChoice(judged);
    if (waiting !== null) return waiting;
    if (judged.available !== false) return null;
    const seenAtMs = availability[offer.market]?.atMs ?? nowMs;
    const reason = `${offer.instanceType} is not available in ${offer.location} (${offer.market}, seen at ${clock(seenAtMs)}).`;
    return refused('unavailable', reason, Math.max(nowMs, seenAtMs + availabilityTtlMs));
  }
}

const refused = (refusal: OfferRefusal, reason: string, nextTryAtMs: number | null): Refused => ({
  refusal,
  reason,
  nextTryAtMs,
});
const lasting = (refusal: OfferRefusal, reason: string): Refused => refused(refusal, reason, null);

/** `12:03:10 UTC`. */
const clock = (atMs: number): string => `${new Date(atMs).toISOString().slice(11, 19)} UTC`;

/** Kinds of refusal as a part of a sentence; those that can be resolved come first. */
const KIND_WORDS: Readonly<Record<OfferRefusal, string>> = {
  blocked: 'blocked after a failure',
  too_expensive: 'too expensive',
  dearer_than_on_demand: 'dearer on spot than on demand',
  implausible_price: 'at a price that is not believed',
  excluded: 'excluded',
  location_not_allowed: 'not in an allowed location',
  too_small: 'too small',
  budget_used_up: 'not to be tried again yet',
  unavailable: 'not available',
  second_choice: 'of a provider that is used only when others are sold out',
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
