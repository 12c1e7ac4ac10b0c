/**
 * From a catalogue to offers: every type in every location on every wanted market. Which of them exist now is availability's to say.
 */
import { offerKey, type Market, type Offer, type OfferKey } from './offer.ts';
import { identifyGpu, type CatalogueType } from './tiers.ts';

/** An offer with the entry it comes from. */
export interface CatalogueOffer {
  readonly offer: Offer;
  readonly key: OfferKey;
  readonly type: CatalogueType;
}

/** What of a pool's configuration says how machines are rented. */
interface MarketPolicy {
  readonly market: Market | 'any';
  readonly spotRatio: number | null;
}

/** The markets that a pool buys on; a share of spot stands for both. */
export const marketOfPolicy = ({ market, spotRatio }: MarketPolicy): Market | 'any' => {
  if (spotRatio === null) return market;
  return spotRatio === 0 ? 'ondemand' : 'any';
};

/** True where every spot offer comes before those on demand, which stand in for it. */
export const isSpotFirst = (policy: MarketPolicy): boolean =>
  policy.spotRatio !== null && marketOfPolicy(policy) === 'any';

/** The markets that such a choice stands for. */
export const marketsOf = (market: Market | 'any'): readonly Market[] =>
  market === 'any' ? ['ondemand', 'spot'] : [market];

/**
 * Price of a type on a market, USD per hour; null where it is not sold there.
 *
 * @param location absent = the price that stands for all locations
 */
export function priceOn(type: CatalogueType, market: Market, location?: string): number | null {
  const isLocal = location !== undefined && type.pricesByLocation !== undefined;
  const prices = isLocal ? type.pricesByLocation?.[location] : type;
  if (prices === undefined) return null;
  return market === 'ondemand' ? prices.onDemandUsdPerHour : prices.spotUsdPerHour;
}

/** Every offer of a catalogue. */
export function catalogueOffers(
  provider: string,
  catalogue: readonly CatalogueType[],
  locations: readonly string[],
  markets: readonly Market[],
): CatalogueOffer[] {
  return catalogue.flatMap((type) =>
    markets.flatMap((market) => {
      const { tier } = identifyGpu(type);
      const { instanceType, model: gpuModel, gpuCount, vramGib } = type;
      return locations.flatMap((location) => {
        const priceUsdPerHour = priceOn(type, market, location);
        if (priceUsdPerHour === null) return [];
        const id = { provider, location, instanceType, market };
        return [{ key: offerKey(id), type, offer: { ...id, tier, gpuModel, gpuCount, vramGib, priceUsdPerHour } }];
      });
    }),
  );
}
