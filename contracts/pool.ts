/**
 * What others need to start, signal and query a pool: names, ids, input. No workflow code.
 */
import type { ProviderCapabilities } from '../domain/fleet/provider/billing.ts';
import type { Demand, PoolAction, PoolMemory } from '../domain/fleet/pool/pool.ts';
import type { Quarantines } from '../domain/health/quarantine.ts';
import type { PoolConfig } from '../domain/fleet/pool/pool-config.ts';

/** Workflow type of one pool. */
export const POOL_WORKFLOW = 'pool';
/** Workflow id of a pool. */
export const makePoolWorkflowId = (name: string): string => `pool/${name}`;

/** Signal: work was planned or is coming; look now. Argument {@link WorkComing}. */
export const WORK_SIGNAL = 'workComing';
export interface WorkComing {
  readonly analysisId: string;
}
/** Signal: an operator or the start of Deckhand gives the pool its configuration. Argument {@link PoolSetup}. */
export const CONFIGURE_SIGNAL = 'configure';
/** Signal: the pool is not configured any more; it gives up what it has, then ends. */
export const RETIRE_SIGNAL = 'retire';
/** Signal: an operator asks something of one instance. Argument {@link OperatorAsk}. */
export const OPERATOR_SIGNAL = 'operator';
/** What an operator can ask of an instance. */
export const OPERATOR_REQUESTS = ['cordon', 'uncordon', 'drain', 'wake', 'suspend', 'destroy'] as const;
export type OperatorRequest = (typeof OPERATOR_REQUESTS)[number];
export interface OperatorAsk {
  readonly instance: string;
  readonly request: OperatorRequest;
  readonly by: string;
}
/** Signal from an instance: its phase changed; look now. */
export const INSTANCE_CHANGED_SIGNAL = 'instanceChanged';
/** Query that answers the last decision with its reasons, {@link PoolReport}. */
export const DECISION_QUERY = 'decision';

/** A pool with what its provider can do. */
export interface PoolSetup {
  readonly config: PoolConfig;
  readonly provider: string;
  readonly installationId: string;
  readonly capabilities: ProviderCapabilities;
  /** Parallel calls per instance. */
  readonly slots: number;
  /** Static pools: the servers that run already. */
  readonly staticHosts: readonly string[];
  /** Where the Temporal UI is, for links between workflows; absent = not known. */
  readonly uiUrl?: string;
  /** True once {@link RETIRE_SIGNAL} came. */
  readonly retired?: boolean;
}

/** Input of {@link POOL_WORKFLOW}. */
export interface PoolWorkflowInput {
  readonly setup: PoolSetup;
  /** Test hook: continue as new at this history length instead of the usual one. */
  readonly maxHistoryLength?: number;
  /** State carried through continue-as-new: memory, the names given so far, the time of the next look. */
  readonly resume?: PoolResumeState;
}

/** An instance that was started and has no row yet. */
export interface Birth {
  readonly name: string;
  /** Workflow time of its start. */
  readonly atMs: number;
}

/**
 * What an operator said of an instance, while it holds.
 *
 * `cordoned`: takes no calls until told otherwise. `drained`: the same, and it is put to sleep once its calls are done. `asleep`: put to
 * sleep or destroyed; for a while a minimum alone does not bring it back, work does.
 */
export interface Hold {
  readonly kind: 'cordoned' | 'drained' | 'asleep';
  readonly by: string;
  readonly sinceMs: number;
  /** Null = until an operator lifts it. */
  readonly untilMs: number | null;
}

export interface PoolResumeState {
  readonly memory: PoolMemory;
  readonly instancesMade: number;
  readonly nextLookAtMs: number;
  readonly births: readonly Birth[];
  readonly holds: Readonly<Record<string, Hold>>;
  /** Operators' asks that were not carried out yet. */
  readonly asks: readonly OperatorAsk[];
  /** Static pools: which instance serves which server. */
  readonly hosts: Readonly<Record<string, string>>;
  /** Instances that are out of service for their health; absent in states of earlier versions. */
  readonly quarantines?: Quarantines;
  /** Episodes of ill health in spite of which an operator has an instance work, by name. */
  readonly excused?: Readonly<Record<string, number>>;
}

/** Answer of {@link DECISION_QUERY}. */
export interface PoolReport {
  /** Time of the last look; null before the first. */
  readonly atMs: number | null;
  readonly target: number;
  readonly wish: number;
  readonly actions: readonly PoolAction[];
  readonly reasons: readonly string[];
  /** Null = not known. */
  readonly demand: Demand | null;
  readonly nextLookAtMs: number;
  readonly holds: Readonly<Record<string, Hold>>;
  readonly births: readonly Birth[];
  readonly wakeIntents: readonly string[];
  readonly quarantines?: Quarantines;
}
