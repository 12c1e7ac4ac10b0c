/** Deckhand itself: its schedules, its worker processes and its disk. */
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import {
  ScheduleNotFoundError,
  WorkflowNotFoundError,
  type Client,
  type ScheduleDescription,
} from '@temporalio/client';
import { ALERT_SCHEDULE_ID } from '../../contracts/alerts.ts';
import { makeCostReportScheduleId, SCHEDULED_REPORT_KINDS, SETTLE_SCHEDULE_ID } from '../../contracts/costs.ts';
import { POLLED_QUEUES } from '../../contracts/queues.ts';
import { REAPER_SCHEDULE_ID } from '../../contracts/reaper.ts';
import { scheduleLateMs } from '../../domain/alerts/figures.ts';
import type { Sample } from '../../domain/metrics/catalogue.ts';
import { durationWords } from '../../domain/text/words.ts';
import { quotaUse } from '../../platform/blobs/quota.ts';
import { percent, sample, type Look } from './source.ts';

/** Ids of every schedule of Deckhand. */
export const OWN_SCHEDULE_IDS: readonly string[] = [
  ALERT_SCHEDULE_ID,
  REAPER_SCHEDULE_ID,
  SETTLE_SCHEDULE_ID,
  ...SCHEDULED_REPORT_KINDS.map(makeCostReportScheduleId),
];

/** Runs of a schedule that are looked at: more failures in a row say no more. */
const RUNS_READ = 5;
const FAILED: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT', 'TERMINATED']);

/** Time within which Temporal has to answer: a scrape cannot wait as long as an alert round. */
const deadline = ({ windowSec }: Look): number => Date.now() + (windowSec === null ? 3000 : 10_000);

/**
 * Schedules that exist: how late they are, whether they are paused, and how many of their last runs failed in a row. A missing one is not
 * reported here: a control process logs at its start that it cannot make it.
 */
export const readSchedules = (look: Look): Promise<Sample[]> =>
  look.temporal.withDeadline(deadline(look), async () => {
    const found = await Promise.all(OWN_SCHEDULE_IDS.map((id) => describeSchedule(look.temporal, id)));
    const schedules = found.filter((description) => description !== null);
    return (await Promise.all(schedules.map((description) => ofSchedule(look, description)))).flat();
  });

async function describeSchedule(temporal: Client, id: string): Promise<ScheduleDescription | null> {
  try {
    return await temporal.schedule.getHandle(id).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

async function ofSchedule({ temporal, now }: Look, description: ScheduleDescription): Promise<Sample[]> {
  const { scheduleId: schedule, info, state } = description;
  const note = state.note === undefined || state.note === '' ? '' : `: ${state.note}`;
  // A paused schedule is not late but paused.
  const lateMs = state.paused ? 0 : lateness(description, now);
  const failures = await failedRuns(temporal, info.recentActions);
  const runs = failures === 1 ? 'run' : `${failures} runs`;
  const late = `Schedule ${schedule} should have run ${durationWords(lateMs)} ago and did not.`;
  return [
    sample('schedule_late_seconds', { schedule }, lateMs / 1000, late),
    sample('schedule_paused', { schedule }, state.paused ? 1 : 0, `Schedule ${schedule} is paused${note}.`),
    sample('schedule_failures', { schedule }, failures, `The last ${runs} of schedule ${schedule} failed.`),
  ];
}

function lateness({ info }: ScheduleDescription, now: Date): number {
  const lastDueMs = Math.max(
    info.createdAt.getTime(),
    info.lastUpdatedAt?.getTime() ?? 0,
    ...info.recentActions.map(({ scheduledAt }) => scheduledAt.getTime()),
  );
  const nextDueMs = info.nextActionTimes.map((at) => at.getTime());
  return scheduleLateMs({ lastDueMs, nextDueMs }, now.getTime());
}

/** How many of the last runs failed in a row. */
async function failedRuns(temporal: Client, actions: ScheduleDescription['info']['recentActions']): Promise<number> {
  let count = 0;
  for (const { action } of actions.slice(-RUNS_READ).toReversed()) {
    const status = await statusOf(temporal, action.workflow);
    // A run that goes on, or that the server has removed by now, says nothing.
    if (status === null || status === 'RUNNING') continue;
    if (!FAILED.has(status)) break;
    count += 1;
  }
  return count;
}

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

/** The control process is not listed: it is the one that asks. */
const WORKERS = ['convert', 'gateway'] as const;

/** Number of activity queues in the server's enum of queue types. */
const ACTIVITY = 2;
/** The server forgets a poller after five minutes; longer than that is not known. */
const FORGOTTEN_AFTER_SEC = 300;

/** When any process of a kind last polled for work: of its queues, that which waits the longest. */
export const readWorkers = (look: Look): Promise<Sample[]> =>
  look.temporal.withDeadline(deadline(look), () =>
    Promise.all(
      WORKERS.map(async (worker) => {
        const waits = await Promise.all(
          POLLED_QUEUES[worker].map(async (queue) => ({ queue, seconds: await secondsWithoutPoll(look, queue) })),
        );
        const { queue, seconds } = waits.reduce((longest, each) => (each.seconds > longest.seconds ? each : longest));
        const over = seconds === FORGOTTEN_AFTER_SEC ? ' or longer' : '';
        const message = `No ${worker} process has asked the queue ${queue} for work for ${durationWords(seconds * 1000)}${over}.`;
        return sample('worker_silent_seconds', { worker }, seconds, message);
      }),
    ),
  );

async function secondsWithoutPoll({ temporal, now }: Look, name: string): Promise<number> {
  const { pollers } = await temporal.workflowService.describeTaskQueue({
    namespace: temporal.options.namespace,
    taskQueue: { name },
    taskQueueType: ACTIVITY,
  });
  const lastSec = Math.max(0, ...(pollers ?? []).map((poller) => Number(poller.lastAccessTime?.seconds ?? 0)));
  return Math.min(FORGOTTEN_AFTER_SEC, Math.max(0, now.getTime() / 1000 - lastSec));
}

const GIBIBYTE = 1024 ** 3;

/** What is free of the disk that PDFs and slide images are on, or of their quota where that is nearer to its end. */
export async function readDisk({ blobDir, blobQuotaBytes }: Look): Promise<Sample[]> {
  const [stats, quota] = await Promise.all([statfsAbove(blobDir), quotaUse(blobDir, blobQuotaBytes ?? null)]);
  const spaces = [
    { what: 'disk', freeBytes: stats.bavail * stats.bsize, bytes: stats.blocks * stats.bsize },
    ...(quota === null
      ? []
      : [{ what: 'quota', freeBytes: Math.max(0, quota.limitBytes - quota.usedBytes), bytes: quota.limitBytes }]),
  ].map((space) => ({ ...space, value: space.bytes === 0 ? 0 : space.freeBytes / space.bytes }));
  // A file system that does not say how large it is; a quota of nothing is used up.
  const [least] = spaces
    .filter(({ what, bytes }) => what === 'quota' || bytes > 0)
    .toSorted((a, b) => a.value - b.value);
  if (least === undefined) return [];
  const { what, freeBytes, value } = least;
  const freeGib = (freeBytes / GIBIBYTE).toFixed(1);
  const message = `${freeGib} GiB are free for PDFs and slide images (${percent(value)} of the ${what}).`;
  return [sample('disk_free_ratio', {}, value, message)];
}

/** The directory is created with the first deck; until then its parent counts. */
async function statfsAbove(directory: string): Promise<StatsFs> {
  try {
    return await statfs(directory);
  } catch (error) {
    const above = path.dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === directory) throw error;
    return statfsAbove(above);
  }
}
