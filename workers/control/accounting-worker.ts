/**
 * The worker on queue `accounting`: what looks back over what happened, such as cost reports and alert rules. It runs in the control process,
 * apart from the queue of decks: none of it may hold up a review.
 */
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createCostReportActivities } from '../../activities/accounting/cost-report/activities.ts';
import { createAlertActivities } from '../../activities/alerts/activities.ts';
import type { Fleet } from '../../platform/fleet-config.ts';
import { ACCOUNTING_QUEUE } from '../../workflows/accounting/contract.ts';
import type { WorkerProcess } from '../support/worker-process.ts';

/** Rounds and reports at the same time. */
const CONCURRENCY = 4;

export function createAccountingWorker(process: WorkerProcess, fleet: Fleet, temporal: Client): Promise<Worker> {
  const { config, db, log, options } = process;
  const { timezone } = fleet.accounting;
  return Worker.create({
    ...options,
    taskQueue: ACCOUNTING_QUEUE,
    activities: {
      ...createAlertActivities({ db, temporal, log, blobDir: config.blobDir, timezone }),
      ...createCostReportActivities({ db, temporal }),
    },
    maxConcurrentActivityTaskExecutions: CONCURRENCY,
  });
}
