/**
 * What a pool sees and decides: inputs and outputs of `decide()`.
 */
import type { GpuClass } from '../../models/model-tasks.ts';
import type { HealthView } from './quarantine.ts';
import type { InstancePhase } from '../phases.ts';
import type { Market } from '../selection/offer.ts';
import type { BillingCapability } from '../provider/billing.ts';
import type { PoolConfig } from './pool-config.ts';

/** Open work of a pool's classes. Seconds are what such calls took here lately; where none were made, what they usually take. */
export interface Demand {
  readonly openCalls: number;
  readonly openSeconds: number;
  /** Of pages that are announced and not planned yet. */
  readonly comingSeconds: number;
  readonly byClass: readonly {
    readonly gpuClass: GpuClass;
    readonly openCalls: number;
    readonly openSeconds: number;
  }[];
  /** Age of the oldest open call, ms; null when none is open. */
  readonly oldestAgeMs: number | null;
  /** Open calls of priority 1. */
  readonly criticalCalls: number;
  /** Mean of the calls that were measured; absent = none were. */
  readonly measuredCallSeconds?: number;
}

/** One instance as the pool sees it. */
export interface InstanceView {
  readonly name: string;
  readonly phase: InstancePhase;
  readonly phaseSinceMs: number;
  /** Calls in flight; null = unknown (the gateway has not said so lately). */
  readonly inFlight: number | null;
  /** Last time a call ran on it, or it became ready; null before. */
  readonly idleSinceMs: number | null;
  /** It took work, or was polled for it, since it was last woken. */
  readonly hasPolled: boolean;
  /** Start of the paid time of the present boot; null when nothing is rented. */
  readonly billedSinceMs: number | null;
  readonly priceUsdPerHour: number | null;
  /** Where it has, or last had, a machine; absent while it had none. */
  readonly provider?: string;
  /** How its machine is rented, or is to be while it has none; absent where that is not known. */
  readonly market?: Market;
  /** The provider has given notice that it takes the machine back: it takes no more work. */
  readonly isTakenBack?: true;
  /** Models in its memory, hottest first. */
  readonly models: readonly string[];
  /** Its health, judged since it became ready; null or absent = not judged. */
  readonly health?: HealthView | null;
}

export interface Observation {
  readonly atMs: number;
  /** Null = could not be read: unknown is not zero. */
  readonly demand: Demand | null;
  /** Every instance the pool has made, from the moment it is made (as `planned`) until it is gone; one that `failed` for a while longer. */
  readonly instances: readonly InstanceView[];
  /** Calls that ended in the last minute. */
  readonly recentCalls: number;
  /** Seconds for which places were busy lately, see utilisation.ts. */
  readonly busySlotSeconds: number;
}

/** Memory of `decide()` between looks. Plain JSON: it crosses continue-as-new. */
export interface PoolMemory {
  readonly target: number;
  /** Since when the wish has been above or below the target; wall clock. */
  readonly raisedSinceMs: number | null;
  readonly loweredSinceMs: number | null;
  /** Largest wish seen since `loweredSinceMs`. */
  readonly loweredMax: number;
  readonly panicUntilMs: number | null;
  readonly lastDirection: 'up' | 'down' | null;
  readonly lastChangeAtMs: number | null;
  /** Decks announced that no instance has polled for yet. The pool adds to them, `decide()` takes away. */
  readonly wakeIntents: readonly string[];
  /** Since when `wakeIntents` is not empty. */
  readonly intentsSinceMs: number | null;
  /** The gap without any work that the pool is in, awake or asleep; null while there is work. */
  readonly idleGap: IdleGap | null;
  /** Idle gaps seen, newest last, seconds; for the learned policy. */
  readonly idleGapsSec: readonly number[];
}

/** A stretch of time without work. */
export interface IdleGap {
  readonly sinceMs: number;
  /** Random number of this gap: the idle time of the randomised policy is drawn once per gap. */
  readonly draw01: number;
}

/** Memory of a pool that has decided nothing yet. */
export const newPoolMemory = (): PoolMemory => ({
  target: 0,
  raisedSinceMs: null,
  loweredSinceMs: null,
  loweredMax: 0,
  panicUntilMs: null,
  lastDirection: null,
  lastChangeAtMs: null,
  wakeIntents: [],
  intentsSinceMs: null,
  idleGap: null,
  idleGapsSec: [],
});

/** What is to be done, by instance. All but `create` are asked again at every look until the instance's phase shows them, so they must be idempotent. */
export type PoolAction =
  /** `market` only in pools with a mix. */
  | { readonly kind: 'create'; readonly market?: Market }
  | { readonly kind: 'wake'; readonly instance: string; readonly market?: Market }
  | { readonly kind: 'uncordon'; readonly instance: string }
  | { readonly kind: 'suspend'; readonly instance: string }
  | { readonly kind: 'destroy'; readonly instance: string };

export interface Decision {
  readonly target: number;
  /** What the work alone would ask for. */
  readonly wish: number;
  readonly actions: readonly PoolAction[];
  /** Sentences for people, most important first. */
  readonly reasons: readonly string[];
  readonly nextLookAtMs: number;
  /** When the last instance goes to sleep if nothing comes; null = not foreseen. */
  readonly sleepsAtMs: number | null;
  readonly memory: PoolMemory;
}

/** How the machine of an instance is billed. */
export const billingOf = (
  { billing, billings }: Pick<DecideInput, 'billing' | 'billings'>,
  { provider }: InstanceView,
): BillingCapability => (provider === undefined ? undefined : billings?.[provider]) ?? billing;

/** Everything `decide()` is given. `random01` is drawn by the caller, so that it stays pure and replays. */
export interface DecideInput {
  readonly config: PoolConfig;
  readonly billing: BillingCapability;
  /** Billing of each provider, where there are several; `billing` holds for the others. */
  readonly billings?: Readonly<Record<string, BillingCapability>>;
  /** Cost of sleeping once, in seconds of machine time: the stop, the boot from the kept disk, the model load. */
  readonly wakeCostSec: number;
  /** The same without a kept disk: a first boot with its model pull. With it, disks are kept only while that is cheaper. */
  readonly coldCostSec?: number;
  readonly volumeUsdPerHour: number;
  /** Parallel calls that a new instance will take. */
  readonly slots: number;
  readonly observation: Observation;
  readonly memory: PoolMemory;
  readonly random01: number;
}
