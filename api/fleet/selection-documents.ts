/**
 * Turns what selection found into the documents of the API.
 */
import type { BudgetRefusal } from '../../activities/costs/budget/reservation-terms.ts';
import type { Plan, Survey } from '../../activities/fleet/selection/selection.ts';
import { catalogueOffers, marketsOf, priceOn } from '../../domain/fleet/selection/catalogue-offers.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import type { RankedOffer } from '../../domain/fleet/selection/ladder.ts';
import type { Market } from '../../domain/fleet/selection/offer.ts';
import { assertLocationsExist } from '../../domain/fleet/selection/build-ladder.ts';
import type { MarketAvailability } from '../../domain/fleet/selection/ladder-input.ts';
import {
  parseSelector,
  whyNothingSelected,
  whyNotSelected,
  type Selector,
} from '../../domain/fleet/selection/selector.ts';
import { secondsPerSlide } from '../../domain/fleet/selection/slide-cost.ts';
import { identifyGpu, tierIndex, TIERS, type CatalogueType } from '../../domain/fleet/selection/tiers.ts';
import { documentOf } from '../http/definition.ts';
import {
  availableSchema,
  type Capacity,
  type PlanDocument,
  plannedSchema,
  type TierList,
} from './selection-schemas.ts';

/** An offer as a plan shows it: with refusals that a ladder does not know. */
type LadderOffer = Omit<Plan['ladder']['offers'][number], 'refusal'> & { readonly refusal: string | null };

const iso = (atMs: number): string => new Date(atMs).toISOString();
const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : iso(atMs));

/** Fields of a document that do not come from the survey of a provider. */
type FieldsOfRequest = 'unreadableRows' | 'otherProviders';

/** The tiers with the types that are sold in each. */
export function tierList(provider: string, survey: Survey): Omit<TierList, FieldsOfRequest> {
  const { types, atMs } = survey.catalogue;
  const sold = (wanted: (tier: string | null) => boolean): TierList['others'] =>
    types
      .filter((type) => type.gpuCount > 0 && wanted(identifyGpu(type).tier))
      .toSorted((a, b) => a.gpuCount - b.gpuCount || a.onDemandUsdPerHour - b.onDemandUsdPerHour)
      .map((type) => soldType(type, survey));
  return {
    provider,
    catalogueAt: iso(atMs),
    isAvailabilityKnown: saysWhatIsFree(survey),
    items: TIERS.map(({ slug, gpu }) => {
      const ofTier = sold((tier) => tier === slug);
      const prices = ofTier.map((type) => type.usdPerHour);
      return {
        tier: slug,
        gpu,
        selectors: selectorsOf(slug, ofTier),
        fromUsdPerHour: prices.length === 0 ? null : Math.min(...prices),
        types: ofTier,
      };
    }),
    others: sold((tier) => tier === null),
  };
}

/** Selectors that begin with a tier; a wildcard for each number of GPUs that it is sold with. */
function selectorsOf(slug: string, types: TierList['others']): string[] {
  const counts = [...new Set(types.map((type) => type.gpuCount))];
  const wildcards = counts.map((count) => `ANY_${count}${slug.toUpperCase().replaceAll('-', '_')}`);
  return [slug, `${slug}-or-less`, ...wildcards];
}

function soldType(
  type: CatalogueType,
  { catalogue, availability, secondsPerSlide: table }: Survey,
): TierList['others'][number] {
  const seconds = secondsPerSlide(type, table);
  const where = (market: Market): string[] =>
    catalogue.locations
      .filter((location) => priceOn(type, market, location) !== null && isThere(availability, market, location, type))
      .toSorted();
  return {
    instanceType: type.instanceType,
    gpuModel: type.model,
    gpuCount: type.gpuCount,
    vramGib: type.vramGib,
    vcpu: positiveOrNull(type.vcpu),
    memoryGib: positiveOrNull(type.memoryGib),
    usdPerHour: type.onDemandUsdPerHour,
    spotUsdPerHour: type.spotUsdPerHour,
    usdPerSlide: seconds === null ? null : (type.onDemandUsdPerHour / 3600) * seconds,
    locations: where('ondemand'),
    spotLocations: where('spot'),
  };
}

/** True for what is available, and at a provider that never says what is. */
function isThere(
  availability: Survey['availability'],
  market: Market,
  location: string,
  { instanceType }: { readonly instanceType: string },
): boolean {
  const told = availability[market]?.typesByLocation;
  if (told === undefined) return false;
  return !isTold({ typesByLocation: told }) || told[location]?.includes(instanceType) === true;
}

/** False for a provider that never says what is free. */
const isTold = ({ typesByLocation }: Pick<MarketAvailability, 'typesByLocation'>): boolean =>
  Object.keys(typesByLocation).length > 0;

const saysWhatIsFree = ({ availability }: Pick<Survey, 'availability'>): boolean =>
  Object.values(availability).some((look) => isTold(look));

const positiveOrNull = (value: number | undefined): number | null => (value !== undefined && value > 0 ? value : null);

/** What is available, of one type (or selector) and in one location where they are named. @throws DeckhandError for names that do not exist */
export function capacity(
  provider: string,
  { catalogue, availability }: Survey,
  wish: {
    readonly instanceType?: string | undefined;
    readonly location?: string | undefined;
    readonly market: Market | 'any';
  },
): Omit<Capacity, FieldsOfRequest> {
  const { types, locations } = catalogue;
  const selector = wish.instanceType === undefined ? null : parseSelector(wish.instanceType, types);
  const wanted = types.filter((t) => (selector === null ? t.gpuCount > 0 : whyNotSelected(selector, t) === null));
  if (wish.location !== undefined) assertLocationsExist([wish.location], locations);
  const where = wish.location === undefined ? locations : [wish.location];
  const items = catalogueOffers(provider, wanted, where, marketsOf(wish.market))
    .filter(({ offer, type }) => isThere(availability, offer.market, offer.location, type))
    .map(({ offer }) => documentOf(availableSchema, { ...offer, usdPerHour: offer.priceUsdPerHour }))
    .toSorted(
      (a, b) =>
        tierIndex(a.tier) - tierIndex(b.tier) ||
        a.gpuCount - b.gpuCount ||
        a.usdPerHour - b.usdPerHour ||
        a.location.localeCompare(b.location, 'en'),
    );
  const looks = Object.values(availability).map((look) => look.atMs);
  const whyNothing = selector === null ? null : whyNothingSelected(selector, types);
  const isAvailabilityKnown = saysWhatIsFree({ availability });
  return { provider, seenAt: iso(Math.min(...looks)), isAvailabilityKnown, whyNothing, items };
}

/** Offers at these prices are not bought: a budget keeps the pool from it. */
type OverBudget = ReadonlyMap<number, Pick<BudgetRefusal, 'message' | 'nextTryAtMs'>>;

/** The ladder without the offers that a budget refuses; later offers move up. */
function underBudget(offers: Plan['ladder']['offers'], overBudget: OverBudget): LadderOffer[] {
  const isRefused = (offer: LadderOffer): boolean => offer.rank !== null && overBudget.has(offer.priceUsdPerHour);
  const refused = offers.filter(isRefused).map((offer) => {
    const { message = '', nextTryAtMs = null } = overBudget.get(offer.priceUsdPerHour) ?? {};
    return { ...offer, rank: null, refusal: 'over_budget', reason: message, nextTryAtMs };
  });
  const taken = offers.filter((offer) => offer.rank !== null && !isRefused(offer));
  return [
    ...taken.map((offer, i) => ({ ...offer, rank: i + 1 })),
    ...refused,
    ...offers.filter((offer) => offer.rank === null),
  ];
}

/** The ladder with every reason. @param overBudget what a budget keeps from being bought */
export function planDocument(
  provider: string,
  { ladder, catalogue, unanswered, models, slots }: Plan,
  overBudget: OverBudget = new Map(),
): Omit<PlanDocument, 'unreadableRows'> {
  const offers = underBudget(ladder.offers, overBudget);
  const selector = parseSelector(ladder.selector, catalogue.types);
  return {
    provider,
    selector: ladder.selector,
    at: iso(ladder.atMs),
    catalogueAt: iso(catalogue.atMs),
    nextTryAt: isoOrNull(earliest(offers.map((offer) => offer.nextTryAtMs))),
    models: models.map((m) => m.modelName),
    slots,
    neededVramGib: ladder.neededVramGib,
    unanswered: unanswered.map(({ provider: name, message }) => ({ provider: name, message })),
    tiers: tiersOf(selector),
    whyNothing: whyNothingSelected(selector, catalogue.types),
    offers: offers.map(offerDocument),
  };
}

/** What is known of the replicas of a pool's deployment. */
export interface ReplicaOffers {
  readonly offers: readonly RankedOffer[];
  /** Why there is none; null = there is one. */
  readonly whyNothing: string | null;
  readonly slots: number;
}

/** The plan of an endpoint pool: a replica of its deployment is the only offer. It chooses no machine, so nothing has to fit. */
export function replicaPlan(
  pool: PoolConfig,
  nowMs: number,
  { offers, whyNothing, slots }: ReplicaOffers,
  overBudget: OverBudget,
): PlanDocument {
  const { compute = '', computeSize = 1 } = pool.endpoint?.deployment ?? {};
  const all = underBudget(
    offers.map((offer) => ({ ...offer, secondsPerSlide: null, fits: true, bootsKeptVolume: false })),
    overBudget,
  );
  return {
    provider: offers[0]?.provider ?? pool.providers[0] ?? '',
    selector: `${computeSize}x${compute}`,
    at: iso(nowMs),
    catalogueAt: iso(nowMs),
    unreadableRows: [],
    nextTryAt: isoOrNull(earliest(all.map((offer) => offer.nextTryAtMs))),
    models: [],
    slots,
    neededVramGib: 0,
    unanswered: [],
    tiers: [],
    whyNothing,
    offers: all.map(offerDocument),
  };
}

const offerDocument = (offer: LadderOffer): PlanDocument['offers'][number] =>
  documentOf(plannedSchema, {
    ...offer,
    usdPerHour: offer.priceUsdPerHour,
    nextTryAt: isoOrNull(offer.nextTryAtMs),
  });

/** The tiers that a selector names, best first. */
function tiersOf(selector: Selector): PlanDocument['tiers'] {
  const named = TIERS.filter(
    ({ slug }, index) =>
      (selector.kind === 'tier' && slug === selector.tier) ||
      (selector.kind === 'ladder' && index >= tierIndex(selector.from)),
  );
  return named.map(({ slug, gpu }) => ({ tier: slug, gpu }));
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.flatMap((atMs) => atMs ?? []);
  return known.length === 0 ? null : Math.min(...known);
}
