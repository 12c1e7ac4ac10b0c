/**
 * Puts the reaper on its schedule at the start of a control process. Repeating it, also from several processes, changes nothing.
 */
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import type { Fleet } from '../../platform/fleet-config.ts';
import { CONTROL_QUEUE } from '../../workflows/deck/contract.ts';
import {
  makeReapWorkflowId,
  REAPER_SCHEDULE_ID,
  REAPER_WORKFLOW,
  type ReapRoundInput,
} from '../../workflows/reaper/contract.ts';

/** Rounds missed while the server was away are not made up for: the next one sees the same things. */
const CATCHUP_WINDOW_MS = 10_000;

/** Makes the schedule, or brings the one that is there to the configured interval. */
export async function startReaper(temporal: Client, fleet: Fleet): Promise<void> {
  const args: [ReapRoundInput] = [{ dryRun: false }];
  const spec = { intervals: [{ every: fleet.reaper.intervalMs }] };
  const options: ScheduleOptions = {
    scheduleId: REAPER_SCHEDULE_ID,
    spec,
    action: {
      type: 'startWorkflow',
      workflowType: REAPER_WORKFLOW,
      workflowId: makeReapWorkflowId('scheduled'),
      taskQueue: CONTROL_QUEUE,
      args,
      staticSummary: 'Look for machines, disks and keys of ours that nobody owns',
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCHUP_WINDOW_MS },
  };
  try {
    // The first round at once: what a crash left behind costs money until it is found.
    await temporal.schedule.create({ ...options, state: { triggerImmediately: true } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const schedule = temporal.schedule.getHandle(REAPER_SCHEDULE_ID);
    // A whole new spec: what is left out of an update stays as it was.
    await schedule.update((previous) => ({ ...previous, spec }));
    await schedule.trigger(ScheduleOverlapPolicy.SKIP);
  }
}
