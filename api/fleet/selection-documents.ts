/**
 * Turns what selection found into the documents of the API.
 */
import type { Plan, Survey } from '../../activities/fleet/selection/selection.ts';
import { catalogueOffers, marketsOf } from '../../domain/fleet/catalogue-offers.ts';
import type { Market } from '../../domain/fleet/offer.ts';
import { assertLocationsExist } from '../../domain/fleet/select-offers.ts';
import { parseSelector, whyNotSelected } from '../../domain/fleet/selector.ts';
import { secondsPerSlide } from '../../domain/fleet/slide-cost.ts';
import { identifyGpu, tierIndex, TIERS, type CatalogueType } from '../../domain/fleet/tiers.ts';
import type { Capacity, PlanDocument, TierList } from './selection-schemas.ts';

const iso = (atMs: number): string => new Date(atMs).toISOString();
const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : iso(atMs));

/** The tiers with the types that are sold in each. */
export function tierList(provider: string, survey: Survey): TierList {
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
): Capacity {
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

/** The ladder with every reason. */
export function planDocument(provider: string, { ladder, catalogue, models, slots }: Plan): PlanDocument {
  return {
    provider,
    selector: ladder.selector,
    at: iso(ladder.atMs),
    catalogueAt: iso(catalogue.atMs),
    nextTryAt: isoOrNull(ladder.nextTryAtMs),
    models: models.map((m) => m.modelName),
    slots,
    neededVramGib: ladder.neededVramGib,
    offers: ladder.offers.map((offer) => ({
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
