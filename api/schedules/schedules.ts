/** Schedules of Temporal: next times, results of the last runs, missed runs; and the requests of operators. */
import {
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleDescription,
  type ScheduleExecutionResult,
} from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { parsePeriod } from '../../domain/costs/report/period.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { unreachable } from '../../platform/temporal/unreachable.ts';
import type { ScheduleDocument, ScheduleRequest } from './schemas.ts';

const CALL_DEADLINE_MS = 10_000;
const NEXT_TIMES = 3;
const RECENT_RUNS = 3;

/** All of them, by id. @throws DeckhandError `service_unavailable` */
export async function listSchedules(temporal: Client): Promise<ScheduleDocument[]> {
  return reaching(temporal, async () => {
    const ids: string[] = [];
    for await (const { scheduleId } of temporal.schedule.list()) ids.push(scheduleId);
    const found = await Promise.all(ids.toSorted().map((id) => describe(temporal, id)));
    return found.filter((schedule) => schedule !== null);
  });
}

/** Carries out a request to a schedule and returns its new state. @throws DeckhandError `not_found`, `service_unavailable` */
export async function askSchedule(
  temporal: Client,
  id: string,
  request: ScheduleRequest,
  by: string,
): Promise<ScheduleDocument> {
  return reaching(temporal, async () => {
    const schedule = temporal.schedule.getHandle(id);
    try {
      switch (request) {
        case 'trigger':
          // With the overlap policy of the schedule, which is not the default of a trigger: a round that still runs is enough.
          await schedule.trigger((await schedule.describe()).policies.overlap);
          break;
        case 'pause':
          await schedule.pause(`paused by ${by}`);
          break;
        case 'resume':
          // As an update, whose time the server stores: runs that were due during the pause then do not count as missed.
          await schedule.update((previous) => ({
            ...previous,
            state: { ...previous.state, paused: false, note: `resumed by ${by}` },
          }));
          break;
        default:
          request satisfies never;
      }
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) throw noSchedule(id);
      throw error;
    }
    const now = await describe(temporal, id);
    if (now === null) throw noSchedule(id);
    return now;
  });
}

/**
 * Runs what was due on some days, also what ran already.
 *
 * @param asked first and last day, in the schedule's time zone
 * @throws DeckhandError `not_found`, `service_unavailable`; `invalid_request` for a schedule with an interval, and where nothing
 *   was due
 */
export async function backfillSchedule(
  temporal: Client,
  id: string,
  asked: { readonly from: string; readonly to: string },
  nowMs: number,
): Promise<ScheduleDocument> {
  return reaching(temporal, async () => {
    const found = await describe(temporal, id);
    if (found === null) throw noSchedule(id);
    if (found.everyMs !== null) {
      throw new DeckhandError('invalid_request', `schedule ${id} runs at an interval`, {
        userMessage: `${id} runs at an interval and reads the present state, so there is nothing to backfill.`,
        hint: `Run it once: deckhand schedules trigger ${id}`,
      });
    }
    const { fromMs, untilMs } = parsePeriod(`${asked.from}/${asked.to}`, found.timezone, nowMs);
    const [start, end] = [new Date(fromMs), new Date(Math.min(untilMs - 1, nowMs))];
    const { startTime } = await temporal.workflowService.listScheduleMatchingTimes({
      namespace: temporal.options.namespace,
      scheduleId: id,
      // The list leaves its first instant out, a backfill does not: a report may be due at midnight.
      startTime: msToTs(start.getTime() - 1),
      endTime: msToTs(end.getTime()),
    });
    if (startTime.length === 0) {
      throw new DeckhandError('invalid_request', `schedule ${id} had no time from ${asked.from} to ${asked.to}`, {
        userMessage: `Nothing of ${id} was due from ${asked.from} to ${asked.to}.`,
        hint: 'A report is due on the morning after its period: that of a month on the first of the next one.',
      });
    }
    // Each has a period of its own, so none waits for another.
    const schedule = temporal.schedule.getHandle(id);
    await schedule.backfill({ start, end, overlap: ScheduleOverlapPolicy.ALLOW_ALL });
    return found;
  });
}

const noSchedule = (id: string): DeckhandError =>
  new DeckhandError('not_found', `no schedule ${id}`, {
    userMessage: 'There is no such schedule.',
    hint: 'They are listed by: deckhand schedules',
  });

async function reaching<T>(temporal: Client, ask: () => Promise<T>): Promise<T> {
  try {
    return await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, ask);
  } catch (error) {
    if (error instanceof DeckhandError) throw error;
    throw unreachable(error);
  }
}

/** One of them; null when it is gone. */
async function describe(temporal: Client, id: string): Promise<ScheduleDocument | null> {
  let found: ScheduleDescription;
  try {
    found = await temporal.schedule.getHandle(id).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
  const { action, info, state, spec } = found;
  const recent = info.recentActions.toReversed().slice(0, RECENT_RUNS);
  return {
    id,
    what: action.staticSummary ?? action.workflowType,
    paused: state.paused,
    note: state.note === undefined || state.note === '' ? null : state.note,
    everyMs: spec.intervals?.[0]?.every ?? null,
    timezone: spec.timezone === undefined || spec.timezone === '' ? 'UTC' : spec.timezone,
    nextTimes: state.paused ? [] : info.nextActionTimes.slice(0, NEXT_TIMES).map((at) => at.toISOString()),
    recent: await Promise.all(recent.map((run) => runOf(temporal, run))),
    missed: info.numActionsMissedCatchupWindow,
    skipped: info.numActionsSkippedOverlap,
  };
}

async function runOf(temporal: Client, run: ScheduleExecutionResult): Promise<ScheduleDocument['recent'][number]> {
  const { workflowId, firstExecutionRunId } = run.action.workflow;
  return {
    scheduledAt: run.scheduledAt.toISOString(),
    startedAt: run.takenAt.toISOString(),
    workflowId,
    status: await statusOf(temporal, workflowId, firstExecutionRunId),
  };
}

async function statusOf(temporal: Client, workflowId: string, runId: string): Promise<string | null> {
  try {
    return (await temporal.workflow.getHandle(workflowId, runId).describe()).status.name.toLowerCase();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
