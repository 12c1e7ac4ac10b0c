/**
 * Worker process `control`: workflows, the activities that decide and store, the fleet's, which speak to the provider, notifications and
 * accounting; and the rounds that repair and remove. Process entry.
 */
import { Worker } from '@temporalio/worker';
import { createDeckActivities } from '../activities/decks/activities.ts';
import { createDeletionActivities } from '../activities/deletion/activities.ts';
import { loadFleet } from '../platform/fleet-config.ts';
import { lostWorkerInterceptors } from '../platform/lost-worker.ts';
import { temporalClient, temporalTarget } from '../platform/temporal.ts';
import { failureConversion, workflowDataConverter } from '../platform/temporal/data-converter.ts';
import { encryptedSinceMs } from '../platform/temporal/encrypted-since.ts';
import { CONTROL_QUEUE } from '../contracts/queues.ts';
import { createAccountingWorker, createFleetWorker, createNotificationWorker } from './control/workers.ts';
import { runDuties } from './control/duties.ts';
import { startFleet } from './control/start-fleet.ts';
import { workflowBundle } from './support/workflow-bundle.ts';
import { versionOf } from './support/worker-version.ts';
import { runUntilStopped, runWorkerProcess } from './support/worker-process.ts';

/** A worker that lives takes its workflow tasks within milliseconds. */
const STICKY_MS = 5000;

await runWorkerProcess('control', async (process) => {
  const { config, log, db, blobs, options, connection, stopping } = process;
  // Before anything that takes time: what comes in clear from here on is refused.
  const sinceMs = encryptedSinceMs(config, log);
  const fleet = loadFleet(config);
  const temporal = temporalClient(connection, temporalTarget(config), config, {
    workflow: lostWorkerInterceptors(config),
  });
  const bundle = await workflowBundle(config.repositoryDir, config.cacheDir, failureConversion(config));
  const workers = await Promise.all([
    Worker.create({
      ...options,
      ...versionOf(config.buildId),
      dataConverter: workflowDataConverter(config, sinceMs),
      taskQueue: CONTROL_QUEUE,
      workflowBundle: bundle,
      activities: {
        ...createDeckActivities(db, fleet.accounting.timezone),
        ...createDeletionActivities({ db, blobs, temporal, home: config.home }),
      },
      maxConcurrentActivityTaskExecutions: 16,
      maxConcurrentWorkflowTaskExecutions: 16,
      maxCachedWorkflows: 200,
      // A workflow that this process held waits this long for it after it has died, then any other takes it.
      stickyQueueScheduleToStartTimeout: Math.min(STICKY_MS, config.lostWorkerAfterMs ?? STICKY_MS),
    }),
    createFleetWorker(process, fleet, temporal),
    createNotificationWorker(process),
    createAccountingWorker(process, fleet, temporal),
  ]);
  await Promise.all([
    runUntilStopped(workers, stopping),
    startFleet(process, fleet, temporal),
    runDuties({ db, log, config, temporal, fleet }, stopping),
  ]);
});
