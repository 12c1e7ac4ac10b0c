/** Metrics of schedules: those of Deckhand that are there, whether they run, and how their runs ended. */
import {
  ScheduleNotFoundError,
  WorkflowNotFoundError,
  type Client,
  type ScheduleDescription,
} from '@temporalio/client';
import { scheduleLateMs } from '../../../domain/alerts/figures.ts';
import type { Reading } from '../../../domain/alerts/metrics.ts';
import { durationWords } from '../../../domain/text/words.ts';
import { OWN_SCHEDULE_IDS } from './own-schedules.ts';
import type { MetricReader } from './reader.ts';

/** Runs of a schedule that are looked at: more failures in a row say no more. */
const RUNS_READ = 5;
const FAILED: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT', 'TERMINATED']);

/** Descriptions of the schedules there are. One that was never made is not missed: what needs it says so at the start of a control process. */
async function ownSchedules(temporal: Client): Promise<readonly ScheduleDescription[]> {
  const found = await Promise.all(
    OWN_SCHEDULE_IDS.map(async (id) => {
      try {
        return await temporal.schedule.getHandle(id).describe();
      } catch (error) {
        if (error instanceof ScheduleNotFoundError) return null;
        throw error;
      }
    }),
  );
  return found.filter((description) => description !== null);
}

/** How late the next run is. A paused schedule is not late but paused. */
export const readScheduleLateness: MetricReader = async ({ temporal, now }) =>
  (await ownSchedules(temporal)).map(({ scheduleId, info, state }): Reading => {
    const lastDueMs = Math.max(
      info.createdAt.getTime(),
      info.lastUpdatedAt?.getTime() ?? 0,
      ...info.recentActions.map(({ scheduledAt }) => scheduledAt.getTime()),
    );
    const nextDueMs = info.nextActionTimes.map((at) => at.getTime());
    const lateMs = state.paused ? 0 : scheduleLateMs({ lastDueMs, nextDueMs }, now.getTime());
    const message = `Schedule ${scheduleId} should have run ${durationWords(lateMs)} ago and did not.`;
    return { subject: scheduleId, value: lateMs / 1000, message };
  });

/** Which schedules are paused. */
export const readPausedSchedules: MetricReader = async ({ temporal }) =>
  (await ownSchedules(temporal)).map(({ scheduleId, state }): Reading => {
    const note = state.note === undefined || state.note === '' ? '' : `: ${state.note}`;
    return { subject: scheduleId, value: state.paused ? 1 : 0, message: `Schedule ${scheduleId} is paused${note}.` };
  });

/** How many of the last runs failed in a row. */
export const readScheduleFailures: MetricReader = async ({ temporal }) =>
  Promise.all(
    (await ownSchedules(temporal)).map(async ({ scheduleId, info }): Promise<Reading> => {
      let value = 0;
      for (const { action } of info.recentActions.slice(-RUNS_READ).toReversed()) {
        const status = await statusOf(temporal, action.workflow);
        // One that goes on, or that the server has removed by now, says nothing.
        if (status === null || status === 'RUNNING') continue;
        if (!FAILED.has(status)) break;
        value += 1;
      }
      const message = `The last ${value === 1 ? 'run' : `${value} runs`} of schedule ${scheduleId} failed.`;
      return { subject: scheduleId, value, message };
    }),
  );

async function statusOf(
  temporal: Client,
  run: { readonly workflowId: string; readonly firstExecutionRunId: string },
): Promise<string | null> {
  try {
    const { status } = await temporal.workflow.getHandle(run.workflowId, run.firstExecutionRunId).describe();
    return status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
