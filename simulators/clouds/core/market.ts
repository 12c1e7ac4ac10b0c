/** Stock and prices of a simulated cloud. */
import type { Market } from '../../../domain/fleet/selection/offer.ts';
import { stockKey, type Catalogue, type Context } from './context.ts';
import { fits } from './faults.ts';
import type { PriceRule, Scenario, StockRule } from './scenario.ts';

const MARKETS: readonly Market[] = ['ondemand', 'spot'];

/** Every stock key that a rule matches. */
function* keysOf(catalogue: Catalogue, rule: StockRule): Generator<string> {
  for (const type of catalogue.types.values()) {
    if (!fits(rule.types, type.instanceType)) continue;
    for (const location of catalogue.locations) {
      if (rule.locations !== undefined && !rule.locations.includes(location)) continue;
      for (const market of MARKETS) {
        if (rule.markets !== undefined && !rule.markets.includes(market)) continue;
        if (market === 'spot' && type.spotUsdPerHour === null) continue;
        if (catalogue.isSold?.(type.instanceType, location) === false) continue;
        yield stockKey(type.instanceType, location, market);
      }
    }
  }
}

const initial = new WeakMap<Scenario, ReadonlyMap<string, number | null>>();

/** Stock at the start. Cached per scenario: property tests make thousands of simulators from one. */
export function initialStockOf(scenario: Scenario, catalogue: Catalogue): ReadonlyMap<string, number | null> {
  const known = initial.get(scenario);
  if (known !== undefined) return known;
  const stock = new Map<string, number | null>();
  for (const rule of scenario.stock) for (const key of keysOf(catalogue, rule)) stock.set(key, rule.count);
  initial.set(scenario, stock);
  return stock;
}

/** Unlimited stock, as a number in the JSON state. */
export const UNLIMITED = -1;

/** Units of an offer in stock, or {@link UNLIMITED}. */
export function stockOf({ state, initialStock }: Context, key: string): number {
  const changed = state.stock[key];
  if (changed !== undefined) return changed;
  const start = initialStock.get(key);
  return start === undefined ? 0 : (start ?? UNLIMITED);
}

export function addStock(context: Context, key: string, units: number): void {
  const now = stockOf(context, key);
  if (now !== UNLIMITED) context.state.stock[key] = Math.max(0, now + units);
}

/** Sets the stock of every offer that a rule matches. */
export function applyStockRules(context: Context, rules: readonly StockRule[]): void {
  for (const rule of rules)
    for (const key of keysOf(context.catalogue, rule)) context.state.stock[key] = rule.count ?? UNLIMITED;
}

/** USD per hour of a type now, in a location if one is named; null when it is not sold on that market. */
export function priceOf(
  { state, catalogue }: Context,
  instanceType: string,
  market: Market,
  location?: string,
): number | null {
  const type = catalogue.types.get(instanceType);
  if (type === undefined) return null;
  const changed = state.prices[instanceType];
  const factor = location === undefined ? 1 : (catalogue.priceFactor?.(instanceType, location) ?? 1);
  if (market === 'ondemand') return (changed?.ondemand ?? type.ondemandUsdPerHour) * factor;
  const spot = changed === undefined ? type.spotUsdPerHour : changed.spot;
  return spot === null ? null : spot * factor;
}

/** Sets prices from `atMs` on. Existing instances keep theirs. */
export function applyPriceRules(context: Context, rules: readonly PriceRule[], atMs: number): void {
  const changes = context.state.spotPriceChanges;
  for (const rule of rules) {
    for (const { instanceType } of context.catalogue.types.values()) {
      if (!fits(rule.types, instanceType)) continue;
      const factor = rule.factor ?? 1;
      const spot = rule.spotUsd === undefined ? priceOf(context, instanceType, 'spot') : rule.spotUsd;
      const usdPerHour = spot === null ? null : spot * factor;
      context.state.prices[instanceType] = {
        ondemand: (rule.ondemandUsd ?? priceOf(context, instanceType, 'ondemand') ?? 0) * factor,
        spot: usdPerHour,
      };
      changes.push({ atMs, instanceType, usdPerHour });
    }
  }
}
