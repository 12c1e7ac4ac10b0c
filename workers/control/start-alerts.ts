/**
 * Puts the alert rules on their schedule at the start of a control process. Repeating it, also from several processes, changes nothing.
 */
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import type { Fleet } from '../../platform/fleet-config.ts';
import { ALERT_ROUND_WORKFLOW, ALERT_ROUND_WORKFLOW_ID, ALERT_SCHEDULE_ID } from '../../workflows/alerts/contract.ts';
import { CONTROL_QUEUE } from '../../workflows/deck/contract.ts';

/** Rounds missed while the server was away are not made up for: the next one sees the same things. */
const CATCHUP_WINDOW_MS = 10_000;

/** Makes the schedule, or brings the one that is there to the configured interval. */
export async function startAlerts(temporal: Client, fleet: Fleet): Promise<void> {
  const spec = { intervals: [{ every: fleet.alerts.intervalMs }] };
  const options: ScheduleOptions = {
    scheduleId: ALERT_SCHEDULE_ID,
    spec,
    action: {
      type: 'startWorkflow',
      workflowType: ALERT_ROUND_WORKFLOW,
      workflowId: ALERT_ROUND_WORKFLOW_ID,
      taskQueue: CONTROL_QUEUE,
      args: [],
      staticSummary: 'Raise and clear alerts by their rules',
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCHUP_WINDOW_MS },
  };
  try {
    await temporal.schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    // A whole new spec: what is left out of an update stays as it was.
    await temporal.schedule.getHandle(ALERT_SCHEDULE_ID).update((previous) => ({ ...previous, spec }));
  }
}
