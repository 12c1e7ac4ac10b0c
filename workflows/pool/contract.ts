/**
 * What others need to start, signal and query a pool: names, ids, input. No workflow code.
 */
import type { ProviderCapabilities } from '../../domain/fleet/billing.ts';
import type { PoolMemory } from '../../domain/fleet/pool.ts';
import type { PoolConfig } from '../../domain/fleet/pool-config.ts';

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
/** Signal: an operator asks something of one instance. Argument {@link OperatorAsk}. */
export const OPERATOR_SIGNAL = 'operator';
export interface OperatorAsk {
  readonly instance: string;
  readonly request: 'cordon' | 'uncordon' | 'drain' | 'wake' | 'suspend' | 'destroy';
  readonly by: string;
}
/** Signal from an instance: its phase changed; look now. */
export const INSTANCE_CHANGED_SIGNAL = 'instanceChanged';
/** Query that answers the last decision with its reasons. */
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
}

/** Input of {@link POOL_WORKFLOW}. */
export interface PoolWorkflowInput {
  readonly setup: PoolSetup;
  readonly maxHistoryLength?: number;
  /** State carried through continue-as-new: memory, the names given so far, the time of the next look. */
  readonly resume?: PoolResumeState;
}

export interface PoolResumeState {
  readonly memory: PoolMemory;
  readonly instancesMade: number;
  readonly nextLookAtMs: number;
}
