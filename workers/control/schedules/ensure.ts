/**
 * Brings the schedules on the server to the table, at every start of a control process. Repeating it, also from several processes, changes
 * nothing; a schedule that an operator paused stays paused.
 */
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import { CONTROL_QUEUE } from '../../../contracts/queues.ts';
import { REAPER_SCHEDULE_ID } from '../../../contracts/reaper.ts';
import type { ScheduleEntry } from './table.ts';

/** Schedules that some configurations do without. */
const SOMETIMES = [REAPER_SCHEDULE_ID] as const;

export async function ensureSchedules(temporal: Client, table: readonly ScheduleEntry[]): Promise<void> {
  await Promise.all([
    ...table.map((entry) => ensureSchedule(temporal, entry)),
    ...SOMETIMES.filter((id) => table.every((entry) => entry.id !== id)).map((id) => removeSchedule(temporal, id)),
  ]);
}

/** Makes a schedule, or brings the one that is there to its entry. */
export async function ensureSchedule(temporal: Client, entry: ScheduleEntry): Promise<void> {
  const { id, what, workflowType, workflowId, args, spec, overlap, catchUpMs, atStart } = entry;
  const options = {
    spec,
    action: {
      type: 'startWorkflow',
      workflowType,
      workflowId,
      taskQueue: CONTROL_QUEUE,
      args: [...args],
      staticSummary: what,
    },
    policies: { overlap, catchupWindow: catchUpMs },
  } satisfies Omit<ScheduleOptions, 'scheduleId'>;
  try {
    await temporal.schedule.create({ ...options, scheduleId: id, state: { triggerImmediately: atStart } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const schedule = temporal.schedule.getHandle(id);
    // Everything but its state: whether it is paused is the operator's.
    await schedule.update((previous) => ({ ...previous, ...options }));
    if (atStart) await schedule.trigger(ScheduleOverlapPolicy.SKIP);
  }
}

/** Removes a schedule that has nothing to do any more. */
async function removeSchedule(temporal: Client, id: string): Promise<void> {
  try {
    await temporal.schedule.getHandle(id).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
