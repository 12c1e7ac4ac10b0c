/** Contract to start, query and serve the health loop of an instance. No workflow code. */
import type { HealthAct, HealthSubject } from '../domain/fleet/instance-life/health-subject.ts';
import type { HealthSettings, HealthState } from '../domain/health/state.ts';
import type { HealthMeasurement, ProbeReading } from '../domain/health/types.ts';

/** Workflow type of one instance's health loop. */
export const HEALTH_WORKFLOW = 'instanceHealth';
/** Workflow id of an instance's health loop. */
export const makeHealthWorkflowId = (instance: string): string => `health/${instance}`;

/** Signal from the instance: what its health loop has to know. Argument {@link HealthOrder}. */
export const HEALTH_ORDER_SIGNAL = 'healthOrder';
export interface HealthOrder {
  /** Number of the order; an earlier one that arrives late is ignored. */
  readonly position: number;
  readonly pool: string;
  /** Null = the instance has ended. */
  readonly standing: HealthSubject | null;
  /** What was done for its health, if that is why this is sent. */
  readonly act: HealthAct | null;
  readonly settings: HealthSettings;
  /** Where the Temporal UI is, for links between workflows; absent = not known. */
  readonly uiUrl?: string;
}

/** Query that answers the {@link HealthState}; null before it was ever judged. */
export const HEALTH_QUERY = 'health';

/** Input of {@link HEALTH_WORKFLOW}. */
export interface HealthWorkflowInput {
  readonly instance: string;
  /** Test hook: continue as new at this history length instead of the usual one. */
  readonly maxHistoryLength?: number;
  readonly resume?: HealthResume;
}

/** State carried through continue-as-new: plain JSON. */
export interface HealthResume {
  readonly order: HealthOrder;
  readonly state: HealthState | null;
  /** The machine that the state describes. */
  readonly machine: string | null;
  /** It was rebooted since it last passed its readiness check. */
  readonly isRebooted: boolean;
  /** Changes that are not stored yet. */
  readonly unstored: readonly HealthChange[];
  /** When its gateway was last heard of, as far as it is known. */
  readonly gatewaySeenAtMs: number | null;
}

/** One row of the history of an instance's health. */
export interface HealthChange {
  readonly atMs: number;
  readonly from: string | null;
  readonly to: string;
  readonly failure: string | null;
  readonly reason: string;
  /** `none` = the level changed. */
  readonly action: HealthAct['action'] | 'none';
}

/** Activities on queue `host-<instance>` (makeHostQueue) that look at the machine; run by the gateway that is attached to it. */
export interface HostHealthActivities {
  /** Reads driver, kernel log, model server, disk and the gateway's own counts. Changes nothing. */
  measureHealth(): Promise<HealthMeasurement>;
  /**
   * Has a model of the instance generate a few words: the named one, else the one that was not tried for longest. It takes a slot of the
   * machine and is no activity for the sleep policy.
   */
  probeHealth(input: { readonly timeoutMs: number; readonly model?: string }): Promise<ProbeReading>;
}
