/**
 * Activities of pools, on queue `fleet`: they look at the database and write what was decided. Milliseconds each.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { GpuClass } from '../../../domain/models/model-tasks.ts';
import type { Demand, Observation } from '../../../domain/fleet/pool/pool.ts';
import type { MoneyOf, PoolMoney } from '../../costs/budget/pool-allowance.ts';
import type { PoolSetup } from '../../../contracts/pool.ts';
import { observePool } from './observe.ts';
import { registerPool, storePoolDecision } from './store.ts';

/** What is known of a pool from before. */
export interface PoolPast {
  /** Idle gaps, oldest first, seconds. */
  readonly idleGapsSec: readonly number[];
  /** Instances it ever had. */
  readonly instancesMade: number;
}

/** What a look is about. */
export interface ObserveInput {
  readonly pool: string;
  readonly classes: readonly GpuClass[];
  /** Parallel calls of an instance that has not said so itself. */
  readonly slots: number;
  /** Announcements that may be over by now. */
  readonly wakeIntents: readonly string[];
  /** Instances that were started and may have a row by now. */
  readonly births: readonly string[];
}

/** What a look saw. */
export interface PoolObservation {
  readonly observation: Observation;
  /** Announcements whose analysis still runs; all of them when that is not known. */
  readonly liveIntents: readonly string[];
  /** Births that have a row by now. */
  readonly known: readonly string[];
  /** Instances of this pool that failed for good within the last hour. */
  readonly failures: {
    readonly count: number;
    readonly lastAtMs: number;
    readonly instance: string;
    readonly reason: string;
  } | null;
  /** What budgets say of it; absent where there are none, and in histories of earlier versions. */
  readonly money?: PoolMoney;
  /** Paid seconds of a boot until it was ready, mean of the latest; null without one. */
  readonly bootSec: number | null;
}

/** Input of `storePoolDecision`. */
export interface StoreDecisionInput {
  readonly pool: string;
  readonly target: number;
  readonly wish: number;
  readonly reasons: readonly string[];
  /** Null = not known: the figures stay as they are. */
  readonly demand: Demand | null;
  /** Null = the pool has ended and looks no more. */
  readonly nextLookAtMs: number | null;
  readonly idleGaps: readonly { readonly startedAtMs: number; readonly seconds: number }[];
}

export interface PoolActivities {
  /** Writes the pool's row and gives back what is known of its past. */
  registerPool(input: { readonly setup: PoolSetup }): Promise<PoolPast>;
  observePool(input: ObserveInput): Promise<PoolObservation>;
  /** Repeating it changes nothing. */
  storePoolDecision(input: StoreDecisionInput): Promise<void>;
}

/** @param moneyOf what budgets say of a pool; absent = there are none */
export function createPoolActivities(db: PrismaClient, moneyOf?: MoneyOf): PoolActivities {
  return {
    registerPool: ({ setup }) => registerPool(db, setup),
    observePool: async (input) => observePool(db, input, new Date(), await moneyOf?.(input.pool)),
    storePoolDecision: (input) => storePoolDecision(db, input),
  };
}
