/** Activities of pools, on queue `fleet`: they look at the database and write what was decided. Milliseconds each. */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { ReadPoolBudget } from '../../costs/budget/pool-allowance.ts';
import type { PoolSetup } from '../../../domain/fleet/pool/pool-state.ts';
import type { Outlook } from '../../../domain/fleet/prewarm/outlook.ts';
import { foreseeArrivals } from './arrivals.ts';
import { observePool, type ObserveInput, type PoolObservation } from './observe.ts';
import { registerPool, storePoolDecision, type PoolPast, type StoreDecisionInput } from './store.ts';

export interface PoolActivities {
  /** Writes the pool's row and gives back what is known of its past. */
  registerPool(input: { readonly setup: PoolSetup }): Promise<PoolPast>;
  observePool(input: ObserveInput): Promise<PoolObservation>;
  /** When decks are expected, and whether warming an instance ahead of them pays; for pools that do so. */
  foreseeArrivals(input: { readonly setup: PoolSetup }): Promise<Outlook>;
  /** Repeating it changes nothing. */
  storePoolDecision(input: StoreDecisionInput): Promise<void>;
}

/**
 * @param timezone IANA, of the accounting settings
 * @param moneyOf what budgets say of a pool; absent = there are none
 */
export function createPoolActivities(db: PrismaClient, timezone: string, moneyOf?: ReadPoolBudget): PoolActivities {
  return {
    registerPool: ({ setup }) => registerPool(db, setup),
    observePool: async (input) => observePool(db, input, new Date(), await moneyOf?.(input.pool)),
    foreseeArrivals: async ({ setup }) => (await foreseeArrivals(db, setup, timezone, new Date())).outlook,
    storePoolDecision: (input) => storePoolDecision(db, input),
  };
}
