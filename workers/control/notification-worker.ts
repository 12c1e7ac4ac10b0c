/**
 * The worker on queue `notification`: tries of webhook deliveries. It runs in the control process, apart from the queue of decks, because a
 * receiver that does not answer holds its place for seconds.
 */
import { Worker } from '@temporalio/worker';
import { createNotificationActivities } from '../../activities/webhooks/activities.ts';
import { costReportUrl, reportUrl } from '../../platform/links.ts';
import { NOTIFICATION_QUEUE } from '../../contracts/queues.ts';
import type { WorkerProcess } from '../support/worker-process.ts';

/** Tries at the same time. */
const CONCURRENCY = 16;

export function createNotificationWorker({ config, db, options }: WorkerProcess): Promise<Worker> {
  const activities = createNotificationActivities({
    db,
    reportUrl: (analysisId) => reportUrl(config, analysisId),
    costReportUrl: (costReportId) => costReportUrl(config, costReportId),
  });
  return Worker.create({
    ...options,
    taskQueue: NOTIFICATION_QUEUE,
    activities: { ...activities },
    maxConcurrentActivityTaskExecutions: CONCURRENCY,
  });
}
