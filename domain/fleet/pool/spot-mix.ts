/**
 * Spot and on-demand instances side by side: which market a new or woken instance is for, so that the pool comes near its share of spot, and the
 * floor of one on-demand instance while critical work is open. Pure.
 *
 * Only pools with a `spotRatio` have a mix. An instance that wanted spot and got a machine on demand counts as on demand: it fills the floor,
 * and the next one wants spot again.
 */
import type { Market } from '../selection/offer.ts';
import type { PoolConfig } from './pool-config.ts';
import type { Demand, InstanceView } from './pool.ts';

/** Instances by market; one of unknown market counts as on demand, which is what pools without a mix buy. */
export interface SpotMix {
  readonly spot: number;
  readonly ondemand: number;
}

/** While critical work is open, so many instances are ready or coming that the provider does not take back. */
const FLOOR = 1;

/** The share of spot that a pool aims at; null = it has no mix. Configurations in recorded histories have none. */
export const spotRatioOf = ({ spotRatio }: { readonly spotRatio?: number | null }): number | null => spotRatio ?? null;

/** The configuration that a machine of a market is sought with: on demand alone, or spot with on demand where no spot can be had. */
export const configForMarket = (config: PoolConfig, market: Market | undefined): PoolConfig =>
  market === 'ondemand' && spotRatioOf(config) !== null ? { ...config, market, spotRatio: null } : config;

export const isOnDemand = ({ market }: Pick<InstanceView, 'market'>): boolean => market !== 'spot';

/** Counts instances that are ready or coming. */
export function mixOf(capacity: readonly InstanceView[]): SpotMix {
  const ondemand = capacity.filter(isOnDemand).length;
  return { ondemand, spot: capacity.length - ondemand };
}

const isCritical = (demand: Pick<Demand, 'criticalCalls'> | null): boolean => (demand?.criticalCalls ?? 0) > 0;

/** True while critical work is open and nothing on demand is ready or coming. */
export const lacksFloor = (
  config: PoolConfig,
  demand: Pick<Demand, 'criticalCalls'> | null,
  capacity: readonly InstanceView[],
): boolean => spotRatioOf(config) !== null && isCritical(demand) && mixOf(capacity).ondemand < FLOOR;

/**
 * Markets of so many machines to be rented, in their order. The floor is filled first; then each is spot while that keeps the
 * number of spot instances at or below the rounded share.
 */
export function marketsOfNew(
  count: number,
  ratio: number,
  mix: SpotMix,
  demand: Pick<Demand, 'criticalCalls'> | null,
): Market[] {
  const markets: Market[] = [];
  let { spot, ondemand } = mix;
  while (markets.length < count) {
    const needsFloor = isCritical(demand) && ondemand < FLOOR;
    const isSpot = !needsFloor && spot < Math.round(ratio * (spot + ondemand + 1));
    if (isSpot) spot += 1;
    else ondemand += 1;
    markets.push(isSpot ? 'spot' : 'ondemand');
  }
  return markets;
}

/**
 * The instances that may be stopped, in their order, but those on demand first: they are dearer than spot, and the next one wants whatever the
 * mix lacks. The last one on demand stays while critical work is open.
 *
 * @param ordered candidates, the one to stop first in front
 */
export function withFloorKept<Candidate extends { readonly instance: InstanceView }>(
  ordered: readonly Candidate[],
  config: PoolConfig,
  demand: Pick<Demand, 'criticalCalls'> | null,
  capacity: readonly InstanceView[],
): readonly Candidate[] {
  if (spotRatioOf(config) === null) return ordered;
  const spare = mixOf(capacity).ondemand - (isCritical(demand) ? FLOOR : 0);
  const dear = ordered.filter(({ instance }) => isOnDemand(instance)).slice(0, Math.max(0, spare));
  return [...dear, ...ordered.filter(({ instance }) => !isOnDemand(instance))];
}
