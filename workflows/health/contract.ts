/**
 * What others need to start, query and serve the health loop of an instance. No workflow code.
 */
import type { HealthMeasurement, ProbeReading } from '../../domain/health/types.ts';

/** Workflow type of one instance's health loop. */
export const HEALTH_WORKFLOW = 'instanceHealth';
/** Workflow id of an instance's health loop. */
export const makeHealthWorkflowId = (instance: string): string => `health/${instance}`;

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
