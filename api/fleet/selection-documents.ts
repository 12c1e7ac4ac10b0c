/**
 * Turns what selection found into the documents of the API.
 */
import type { BudgetRefusal } from '../../activities/costs/budget/reservation-terms.ts';
import type { Plan, Survey } from '../../activities/fleet/selection/selection.ts';
import { catalogueOffers, marketsOf } from '../../domain/fleet/selection/catalogue-offers.ts';
import type { Market } from '../../domain/fleet/selection/offer.ts';
import { assertLocationsExist } from '../../domain/fleet/selection/build-ladder.ts';
import { parseSelector, whyNotSelected } from '../../domain/fleet/selection/selector.ts';
import { secondsPerSlide } from '../../domain/fleet/selection/slide-cost.ts';
import { identifyGpu, tierIndex, TIERS, type CatalogueType } from '../../domain/fleet/selection/tiers.ts';
import type { Capacity, PlanDocument, TierList } from './selection-schemas.ts';

/** An offer as a plan shows it: with refusals that a ladder does not know. */
type LadderOffer = Omit<Plan['ladder']['offers'][number], 'refusal'> & { readonly refusal: string | null };

const iso = (atMs: number): string => new Date(atMs).toISOString();
const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : iso(atMs));

/** The tiers with the types that are sold in each. */
export function tierList(provider: string, survey: Survey): Omit<TierList, 'unreadableRows'> {
  const { types, atMs } = survey.catalogue;
  const sold = (wanted: (tier: string | null) => boolean): TierList['others'] =>
    types
      .filter((type) => type.gpuCount > 0 && wanted(identifyGpu(type).tier))
      .toSorted((a, b) => a.gpuCount - b.gpuCount || a.onDemandUsdPerHour - b.onDemandUsdPerHour)
      .map((type) => soldType(type, survey));
  return {
    provider,
    catalogueAt: iso(atMs),
    items: TIERS.map(({ slug, gpu }) => ({ tier: slug, gpu, types: sold((tier) => tier === slug) })),
    others: sold((tier) => tier === null),
  };
}

function soldType(type: CatalogueType, { availability, secondsPerSlide: table }: Survey): TierList['others'][number] {
  const seconds = secondsPerSlide(type, table);
  const where = (market: Market): string[] =>
    Object.entries(availability[market]?.typesByLocation ?? {})
      .flatMap(([location, types]) => (types.includes(type.instanceType) ? [location] : []))
      .toSorted();
  return {
    instanceType: type.instanceType,
    gpuModel: type.model,
    gpuCount: type.gpuCount,
    vramGib: type.vramGib,
    usdPerHour: type.onDemandUsdPerHour,
    spotUsdPerHour: type.spotUsdPerHour,
    usdPerSlide: seconds === null ? null : (type.onDemandUsdPerHour / 3600) * seconds,
    locations: where('ondemand'),
    spotLocations: where('spot'),
  };
}

/** What is available, of one type (or selector) and in one location where they are named. @throws DeckhandError for names that do not exist */
export function capacity(
  provider: string,
  { catalogue, availability }: Survey,
  wish: {
    readonly instanceType?: string | undefined;
    readonly location?: string | undefined;
    readonly market: Market | 'any';
  },
): Omit<Capacity, 'unreadableRows'> {
  const { types, locations } = catalogue;
  const selector = wish.instanceType === undefined ? null : parseSelector(wish.instanceType, types);
  const wanted = types.filter((t) => (selector === null ? t.gpuCount > 0 : whyNotSelected(selector, t) === null));
  if (wish.location !== undefined) assertLocationsExist([wish.location], locations);
  const where = wish.location === undefined ? locations : [wish.location];
  const items = catalogueOffers(provider, wanted, where, marketsOf(wish.market))
    .filter(({ offer }) => availability[offer.market]?.typesByLocation[offer.location]?.includes(offer.instanceType))
    .map(({ offer }) => ({
      location: offer.location,
      instanceType: offer.instanceType,
      market: offer.market,
      tier: offer.tier,
      gpuModel: offer.gpuModel,
      gpuCount: offer.gpuCount,
      vramGib: offer.vramGib,
      usdPerHour: offer.priceUsdPerHour,
    }))
    .toSorted(
      (a, b) =>
        tierIndex(a.tier) - tierIndex(b.tier) ||
        a.gpuCount - b.gpuCount ||
        a.usdPerHour - b.usdPerHour ||
        a.location.localeCompare(b.location, 'en'),
    );
  const looks = Object.values(availability).map((look) => look.atMs);
  return { provider, seenAt: iso(Math.min(...looks)), items };
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
  { ladder, catalogue, models, slots }: Plan,
  overBudget: OverBudget = new Map(),
): Omit<PlanDocument, 'unreadableRows'> {
  const offers = underBudget(ladder.offers, overBudget);
  const nextTries = [ladder.nextTryAtMs, ...[...overBudget.values()].map((refusal) => refusal.nextTryAtMs)];
  return {
    provider,
    selector: ladder.selector,
    at: iso(ladder.atMs),
    catalogueAt: iso(catalogue.atMs),
    nextTryAt: isoOrNull(earliest(nextTries)),
    models: models.map((m) => m.modelName),
    slots,
    neededVramGib: ladder.neededVramGib,
    offers: offers.map((offer) => ({
      rank: offer.rank,
      instanceType: offer.instanceType,
      location: offer.location,
      market: offer.market,
      tier: offer.tier,
      gpuModel: offer.gpuModel,
      gpuCount: offer.gpuCount,
      vramGib: offer.vramGib,
      usdPerHour: offer.priceUsdPerHour,
      usdPerSlide: offer.usdPerSlide,
      secondsPerSlide: offer.secondsPerSlide,
      fits: offer.fits,
      available: offer.available,
      refusal: offer.refusal,
      reason: offer.reason,
      nextTryAt: isoOrNull(offer.nextTryAtMs),
    })),
  };
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.flatMap((atMs) => atMs ?? []);
  return known.length === 0 ? null : Math.min(...known);
}
