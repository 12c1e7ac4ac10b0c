/**
 * An offer: what a provider would rent us, and where. The smallest thing that can be out of stock.
 */

/** How a machine is rented: at a fixed price until we end it, or cheaper and taken back at any time. */
export const MARKETS = ['ondemand', 'spot'] as const;
export type Market = (typeof MARKETS)[number];

/** The parts that identify an offer. */
export interface OfferId {
  /** Name of the provider, such as `datacrunch`. */
  readonly provider: string;
  /** Provider's location code, such as `FIN-03`. */
  readonly location: string;
  /** Provider's type name, such as `1H100.80S.30V`. */
  readonly instanceType: string;
  readonly market: Market;
}

/** Written form of an {@link OfferId}: `provider/location/instanceType/market`. Blocks, budgets and outcomes are stored under it. */
export type OfferKey = string & { readonly __offerKey: unique symbol };

/** What can be rented, with everything that decides whether it is wanted. Prices are totals per instance. */
export interface Offer extends OfferId {
  /** Tier slug (`h100`, `a100-80` …); null when the type belongs to no tier we know. */
  readonly tier: string | null;
  readonly gpuModel: string;
  readonly gpuCount: number;
  /** Memory of all GPUs together, GiB. */
  readonly vramGib: number;
  readonly priceUsdPerHour: number;
}

/** The written form of an offer's identity. */
export function offerKey({ provider, location, instanceType, market }: OfferId): OfferKey {
  return `${provider}/${location}/${instanceType}/${market}` as OfferKey;
}

/** Reads a written offer key back. @throws RangeError when it is not `provider/location/instanceType/market` */
export function parseOfferKey(key: string): OfferId {
  const [provider, location, instanceType, market, ...rest] = key.split('/');
  if (!provider || !location || !instanceType || rest.length > 0 || (market !== 'ondemand' && market !== 'spot')) {
    throw new RangeError(`"${key}" is not an offer key`);
  }
  return { provider, location, instanceType, market };
}
