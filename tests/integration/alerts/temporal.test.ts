/** Metrics that are asked of Temporal, on a real server: schedules that are late, paused or failing, and kinds of processes that are silent. */
import { ScheduleNotFoundError } from '@temporalio/client';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { judgeRules } from '../../../activities/alerts/round.ts';
import { SOURCES } from '../../../activities/metrics/sources.ts';
import { createLogger } from '../../../platform/log.ts';
import { SETTLE_SCHEDULE_ID } from '../../../contracts/costs.ts';
import { CONVERT_QUEUE, SECOND_READING_QUEUE } from '../../../contracts/queues.ts';
import { startTestWorker } from '../../../testing/test-worker.ts';
import { until } from '../../../testing/until.ts';
import { startTestApi } from '../api/support.ts';
import { alertsOf, asksTemporal, fleetIn, silent } from './rounds.ts';
import { perFile } from '../../../testing/per-file.ts';

const HOUR_MS = 3_600_000;

const api = perFile(startTestApi);
afterEach(async () => {
  await api.db.alert.deleteMany();
  await api.db.alertCondition.deleteMany();
  await api.temporal.schedule
    .getHandle(SETTLE_SCHEDULE_ID)
    .delete()
    .catch((error: unknown) => {
      // Not every test makes one.
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    });
});

/** One round of these rules alone. */
async function round(now: Date): Promise<void> {
  const sources = SOURCES.map((source) => (asksTemporal(source) ? source : silent(source)));
  const log = createLogger('test', { logLevel: 'silent' });
  const outcome = await judgeRules(
    { db: api.db, temporal: api.temporal, blobDir: '/', fleet: fleetIn('UTC'), slaMs: 600_000, log, sources },
    now,
  );
  expect(outcome.unread).toEqual([]);
}

/** A schedule of ours. Its workflow has no worker, so its runs end as their time limit says. */
const schedule = (every: number, runTimeoutMs = HOUR_MS) =>
  api.temporal.schedule.create({
    scheduleId: SETTLE_SCHEDULE_ID,
    spec: { intervals: [{ every }] },
    action: {
      type: 'startWorkflow',
      workflowType: 'settleLedger',
      workflowId: 'ledger/settle',
      taskQueue: 'no-worker',
      args: [],
      workflowExecutionTimeout: runTimeoutMs,
    },
    policies: { overlap: 'ALLOW_ALL', catchupWindow: 10_000 },
  });

describe('a schedule', () => {
  it('a schedule that did not run is late, until it runs', async () => {
    const { createdAt } = (await (await schedule(2 * HOUR_MS)).describe()).info;
    const after = (hours: number): Date => new Date(createdAt.getTime() + hours * HOUR_MS);
    await round(after(2));
    expect(await alertsOf(api.db, 'schedule-late')).toEqual([]);
    for (const hours of [3, 3.2]) await round(after(hours));
    expect(await alertsOf(api.db, 'schedule-late')).toMatchObject([
      { subject: SETTLE_SCHEDULE_ID, message: expect.stringContaining('should have run 54 min ago') as string },
    ]);
    // As seen in time again; a round of an hour before is none that came late.
    await round(after(1));
    expect(await alertsOf(api.db, 'schedule-late')).toMatchObject([{ clearedAt: after(1) }]);
  });

  it('a schedule that is paused is told after an hour, with who paused it, and not as late', async () => {
    const handle = await schedule(60_000);
    await handle.pause('by a test');
    const now = Date.now();
    for (const hours of [1, 2.1]) await round(new Date(now + hours * HOUR_MS));
    expect(await alertsOf(api.db, 'schedule-paused')).toMatchObject([
      { subject: SETTLE_SCHEDULE_ID, severity: 'info', message: 'Schedule ledger-settle is paused: by a test.' },
    ]);
    expect(await alertsOf(api.db, 'schedule-late')).toEqual([]);
    await handle.unpause();
    await round(new Date(now + 2.2 * HOUR_MS));
    expect(await alertsOf(api.db, 'schedule-paused')).toMatchObject([{ clearedAt: expect.any(Date) as Date }]);
  });

  it('a schedule that is resumed begins anew: what fell into its pause is not late', async () => {
    const handle = await schedule(HOUR_MS);
    expect(
      await api.client.POST('/schedules/{id}/{request}', {
        params: { path: { id: SETTLE_SCHEDULE_ID, request: 'pause' } },
      }),
    ).toMatchObject({ paused: true });
    const paused = await handle.describe();
    expect(
      await api.client.POST('/schedules/{id}/{request}', {
        params: { path: { id: SETTLE_SCHEDULE_ID, request: 'resume' } },
      }),
    ).toMatchObject({ paused: false });
    const { info, spec, action } = await handle.describe();
    expect(info.lastUpdatedAt?.getTime()).toBeGreaterThan(paused.info.createdAt.getTime());
    expect(spec).toEqual(paused.spec);
    const { workflowType, workflowId, taskQueue, args } = paused.action;
    expect(action).toMatchObject({ workflowType, workflowId, taskQueue, args });
  });

  it('a schedule whose runs fail is told after the second in a row', async () => {
    const handle = await schedule(HOUR_MS, 1000);
    const failed = async (count: number): Promise<unknown> => {
      await handle.trigger('ALLOW_ALL');
      return until(async () => {
        const { recentActions } = (await handle.describe()).info;
        const runs = recentActions.map(({ action }) => action.workflow);
        return Promise.all(
          runs.map(async ({ workflowId, firstExecutionRunId }) => {
            const run = await api.temporal.workflow.getHandle(workflowId, firstExecutionRunId).describe();
            return run.status.name;
          }),
        );
      }).is((statuses) => statuses.length === count && statuses.every((status) => status === 'TIMED_OUT'));
    };
    await failed(1);
    await round(new Date());
    expect(await alertsOf(api.db, 'schedule-failing')).toEqual([]);
    await failed(2);
    await round(new Date());
    expect(await alertsOf(api.db, 'schedule-failing')).toMatchObject([
      { subject: SETTLE_SCHEDULE_ID, message: 'The last 2 runs of schedule ledger-settle failed.' },
    ]);
    await handle.delete();
    await round(new Date());
    expect(await alertsOf(api.db, 'schedule-failing')).toMatchObject([{ clearedAt: expect.any(Date) as Date }]);
  });
});

/** True once Temporal knows a process that asks this queue for activities. */
async function isPolled(name: string): Promise<boolean> {
  const { pollers } = await api.temporal.workflowService.describeTaskQueue({
    namespace: api.temporalNamespace,
    taskQueue: { name },
    taskQueueType: 2,
  });
  return (pollers ?? []).length > 0;
}

it('a kind of process that asks for no work is told until one of it does', async () => {
  const inAMinute = (): Date => new Date(Date.now() + 61_000);
  for (const at of [new Date(), inAMinute()]) await round(at);
  const silent = async (): Promise<string[]> =>
    (await alertsOf(api.db, 'worker-silent'))
      .filter(({ clearedAt }) => clearedAt === null)
      .map(({ subject }) => subject);
  expect((await silent()).toSorted()).toEqual(['convert', 'gateway']);
  const activities = { none: () => Promise.resolve() };
  for (const taskQueue of [CONVERT_QUEUE, SECOND_READING_QUEUE]) {
    // A process that polls one of its queues alone is silent.
    await round(inAMinute());
    expect((await silent()).toSorted()).toEqual(['convert', 'gateway']);
    const worker = await startTestWorker(api, { taskQueue, activities });
    onTestFinished(() => worker.stop());
    await until(() => isPolled(taskQueue)).is(true);
  }
  await until(async () => {
    await round(inAMinute());
    return silent();
  }).is((subjects) => subjects.join() === 'gateway');
});
