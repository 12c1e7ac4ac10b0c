/**
 * The worker on queue `accounting`: what looks back over what happened, such as cost reports and alert rules. It runs in the control process,
 * apart from the queue of decks: none of it may hold up a review.
 */
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createCostReportActivities } from '../../activities/costs/report/activities.ts';
import { createLedgerActivities } from '../../activities/costs/ledger/activities.ts';
import { createAlertActivities } from '../../activities/alerts/activities.ts';
import { createSharedRateLimit } from '../../activities/fleet/call-rate-limit.ts';
import { openProviderLazily } from '../../clouds/providers.ts';
import type { CloudProvider } from '../../clouds/provider.ts';
import type { Fleet } from '../../platform/fleet-config.ts';
import { ACCOUNTING_QUEUE } from '../../contracts/queues.ts';
import type { WorkerProcess } from '../support/worker-process.ts';

/** Rounds and reports at the same time. */
const CONCURRENCY = 4;

/** See the file's header. */
export function createAccountingWorker(process: WorkerProcess, fleet: Fleet, temporal: Client): Promise<Worker> {
  const { config, db, log, options } = process;
  const { timezone } = fleet.accounting;
  const { blobDir, blobQuotaBytes } = config;
  const { installationId } = fleet;
  return Worker.create({
    ...options,
    taskQueue: ACCOUNTING_QUEUE,
    activities: {
      ...createAlertActivities({ db, temporal, log, blobDir, blobQuotaBytes, timezone }),
      ...createCostReportActivities({ db, temporal }),
      ...createLedgerActivities({ db, provider: providerOf(process, fleet), installationId, log }),
    },
    maxConcurrentActivityTaskExecutions: CONCURRENCY,
  });
}

/** The provider whose bills are asked for; null where nothing is rented. */
function providerOf({ config, db, log, stopping: signal }: WorkerProcess, fleet: Fleet): CloudProvider | null {
  if (fleet.provider === 'static') return null;
  const rateLimit = createSharedRateLimit({ db, log });
  return openProviderLazily({ fleet, config, rateLimit, log, signal });
}
