/**
 * Translates providers' own terms to the port's: statuses by table, and types with their prices at each location. Pure.
 */
import type { LocationPrices } from '../domain/fleet/selection/tiers.ts';
import type { CloudInstance } from './provider.ts';

/** Facts that an instance is read with, beside its description. */
export interface InstanceContext {
  /** Replaces a missing creation time, so that such a machine is too young to be removed. */
  readonly nowMs: number;
  /** The address of a machine's model server; accepted from simulators only. */
  readonly trustModelUrl: boolean;
  /** Price of a type at a location, USD per hour; 0 where it is not known. Most providers do not say what a machine costs. */
  readonly priceOf: (instanceType: string, location: string, market: CloudInstance['market']) => number;
}

/** Entry of a table. Own fields only: a status named `constructor` is unknown like any other. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** A type at one location. */
export interface TypeOffer<Data> extends LocationPrices {
  readonly name: string;
  readonly data: Data;
  readonly location: string;
}

/** A type with the lowest price of each market; null = it is not sold there. */
export interface SoldType<Data> extends LocationPrices {
  readonly data: Data;
  readonly pricesByLocation: Readonly<Record<string, LocationPrices>>;
}

/** True for an offer that has a price on either market. */
export const hasPrice = ({ onDemandUsdPerHour, spotUsdPerHour }: LocationPrices): boolean =>
  onDemandUsdPerHour !== null || spotUsdPerHour !== null;

/** Types with the prices of each location. Without a price a type is not sold there. */
export const soldTypes = <Data>(offers: readonly TypeOffer<Data>[]): readonly SoldType<Data>[] =>
  [...Map.groupBy(offers.filter(hasPrice), ({ name }) => name).values()].flatMap((there) =>
    there.slice(0, 1).map(({ data }) => ({
      data,
      onDemandUsdPerHour: lowest(there.map((offer) => offer.onDemandUsdPerHour)),
      spotUsdPerHour: lowest(there.map((offer) => offer.spotUsdPerHour)),
      pricesByLocation: Object.fromEntries(
        there.map(({ location, onDemandUsdPerHour, spotUsdPerHour }) => [
          location,
          { onDemandUsdPerHour, spotUsdPerHour },
        ]),
      ),
    })),
  );

function lowest(prices: readonly (number | null)[]): number | null {
  const known = prices.filter((price) => price !== null);
  return known.length === 0 ? null : Math.min(...known);
}
