/** Contract to start, signal and query a pool: names, ids, input. No workflow code. */
import type { Decision, Demand } from '../domain/fleet/pool/pool.ts';
import type { Birth, Hold, PoolSetup, PoolState } from '../domain/fleet/pool/pool-state.ts';
import type { Quarantines } from '../domain/fleet/pool/quarantine.ts';

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
/** Signal from an instance: its phase changed; look now. */
export const INSTANCE_CHANGED_SIGNAL = 'instanceChanged';
/** Query that answers the last decision with its reasons, {@link PoolReport}. */
export const DECISION_QUERY = 'decision';

/** Input of {@link POOL_WORKFLOW}. */
export interface PoolWorkflowInput {
  readonly setup: PoolSetup;
  /** Test hook: continue as new at this history length instead of the usual one. */
  readonly maxHistoryLength?: number;
  /** State carried through continue-as-new: memory, the names given so far, the time of the next look. */
  readonly resume?: PoolState;
}

/** Answer of {@link DECISION_QUERY}. */
export interface PoolReport extends Omit<Decision, 'sleepsAtMs' | 'memory'> {
  /** Time of the last look; null before the first. */
  readonly atMs: number | null;
  /** Null = not known. */
  readonly demand: Demand | null;
  readonly holds: Readonly<Record<string, Hold>>;
  readonly births: readonly Birth[];
  readonly wakeIntents: readonly string[];
  readonly quarantines?: Quarantines;
}
