/**
 * The worker on queue `fleet`: what speaks to the provider. It holds the provider's credentials, so it runs in the control process; the
 * API, which answers what could be rented, is the only other one that has them.
 */
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createFleetActivities } from '../../activities/fleet/activities.ts';
import { createSharedRateLimit } from '../../activities/fleet/call-rate-limit.ts';
import { installationKey } from '../../activities/gateway/keys.ts';
import { poolStartupScript } from '../../activities/gateway/pool-startup-script.ts';
import { openProviderLazily } from '../../clouds/providers.ts';
import type { Fleet } from '../../platform/fleet-config.ts';
import { FLEET_QUEUE } from '../../contracts/queues.ts';
import type { WorkerProcess } from '../support/worker-process.ts';

/** Calls to the provider and the database at the same time; the rate limit of the provider applies on top. */
const CONCURRENCY = 32;

export async function createFleetWorker(process: WorkerProcess, fleet: Fleet, temporal: Client): Promise<Worker> {
  const { config, db, log, options, stopping: signal } = process;
  const rateLimit = createSharedRateLimit({ db, log });
  const provider = openProviderLazily({ fleet, config, rateLimit, log, signal });
  const activities = createFleetActivities({
    db,
    provider,
    fleet,
    config,
    temporal,
    log,
    publicKey: () => installationKey(config.home, fleet.installationId).publicKey,
    startupScript: (pool) => poolStartupScript({ db, config, fleet }, pool),
  });
  return Worker.create({
    ...options,
    taskQueue: FLEET_QUEUE,
    activities: { ...activities },
    maxConcurrentActivityTaskExecutions: CONCURRENCY,
  });
}
