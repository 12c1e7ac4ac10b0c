/**
 * The workers of the control process beside that of queue `control`, each with its own queue: work that waits for a provider, a receiver or
 * the ledger does not delay reviews.
 */
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createFleetActivities } from '../../activities/fleet/activities.ts';
import type { Endpoints } from '../../activities/fleet/endpoint/endpoints.ts';
import { installationKey } from '../../activities/gateway/keys.ts';
import { nfsSources } from '../../activities/fleet/instance/shared-filesystem.ts';
import { poolStartupScript } from '../../activities/gateway/pool-startup-script.ts';
import type { Fleet } from '../../clouds/fleet.ts';
import { FLEET_QUEUE, NOTIFICATION_QUEUE, ACCOUNTING_QUEUE } from '../../contracts/queues.ts';
import type { WorkerProcess } from '../support/worker-process.ts';
import { createNotificationActivities } from '../../activities/webhooks/activities.ts';
import { costReportUrl, reportUrl } from '../../platform/links.ts';
import { createCostReportActivities } from '../../activities/costs/report/activities.ts';
import { createLedgerActivities } from '../../activities/costs/ledger/activities.ts';
import { createAlertActivities } from '../../activities/alerts/activities.ts';
import type { Accounts } from '../../clouds/accounts.ts';

/** What the workers have in common. */
interface ControlDeps {
  readonly process: WorkerProcess;
  readonly fleet: Fleet;
  readonly temporal: Client;
  readonly accounts: Accounts;
  readonly endpoints: Endpoints;
}

/** Calls to the provider and the database at the same time; the rate limit of the provider applies on top. */
const FLEET_CONCURRENCY = 32;

/**
 * Queue `fleet`: calls to the provider. Only this process and the API, which shows what could be rented, have its credentials.
 */
export function createFleetWorker({ process, fleet, temporal, accounts, endpoints }: ControlDeps): Promise<Worker> {
  const { config, db, log, options } = process;
  const nfsSource = nfsSources({ accounts, log });
  const activities = createFleetActivities({
    db,
    accounts,
    endpoints,
    fleet,
    config,
    temporal,
    log,
    publicKey: () => installationKey(config.home, fleet.installationId).publicKey,
    startupScript: (pool) => poolStartupScript({ db, config, fleet, nfsSource }, pool),
  });
  return Worker.create({
    ...options,
    taskQueue: FLEET_QUEUE,
    activities: { ...activities },
    maxConcurrentActivityTaskExecutions: FLEET_CONCURRENCY,
  });
}

/** Tries at the same time. */
const NOTIFICATION_CONCURRENCY = 16;

/** Queue `notification`: tries of webhook deliveries. A receiver that does not answer holds its place for seconds. */
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
    maxConcurrentActivityTaskExecutions: NOTIFICATION_CONCURRENCY,
  });
}

/** Rounds and reports at the same time. */
const ACCOUNTING_CONCURRENCY = 4;

/** Queue `accounting`: cost reports, the ledger, alert rules. */
export function createAccountingWorker({ process, fleet, temporal, accounts }: ControlDeps): Promise<Worker> {
  const { config, db, log, options } = process;
  const { blobDir, blobQuotaBytes } = config;
  const { installationId } = fleet;
  return Worker.create({
    ...options,
    taskQueue: ACCOUNTING_QUEUE,
    activities: {
      ...createAlertActivities({ db, temporal, log, fleet: () => fleet, slaMs: config.slaMs, blobDir, blobQuotaBytes }),
      ...createCostReportActivities({ db, temporal, pools: fleet.pools }),
      ...createLedgerActivities({
        db,
        accounts,
        installationId,
        log,
      }),
    },
    maxConcurrentActivityTaskExecutions: ACCOUNTING_CONCURRENCY,
  });
}
