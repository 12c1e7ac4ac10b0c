/**
 * Worker process `control`: workflows, the activities that decide and store, the fleet's, which speak to the provider, notifications and
 * accounting; and the rounds that repair and remove. Process entry.
 */
import { Worker } from '@temporalio/worker';
import { createDeckActivities } from '../activities/decks/activities.ts';
import { DeckLine } from '../activities/decks/line/line.ts';
import { createDeletionActivities } from '../activities/deletion/activities.ts';
import { Endpoints } from '../activities/fleet/endpoint/endpoints.ts';
import { withReplicas } from '../activities/fleet/endpoint/replica-provider.ts';
import { createSharedRateLimit } from '../activities/fleet/call-rate-limit.ts';
import { openAccounts } from '../clouds/accounts.ts';
import { loadFleet } from '../clouds/fleet-file.ts';
import { lostWorkerInterceptors } from '../platform/lost-worker.ts';
import { temporalClient, temporalTarget } from '../platform/temporal.ts';
import { failureConversion, workflowDataConverter } from '../platform/temporal/data-converter.ts';
import { encryptedSinceMs } from '../platform/temporal/encrypted-since.ts';
import { asDeckhandError, ERROR_KINDS } from '../domain/errors.ts';
import { pause } from '../platform/pause.ts';
import { CONTROL_QUEUE } from '../contracts/queues.ts';
import { createAccountingWorker, createFleetWorker, createNotificationWorker } from './control/workers.ts';
import { keepLine, runDuties } from './control/duties.ts';
import { ensureSchedules } from './control/schedules/ensure.ts';
import { scheduleTable } from './control/schedules/table.ts';
import { startPools } from './control/start-pools.ts';
import { followCatalog } from './control/follow-catalog.ts';
import { workflowBundle } from './support/workflow-bundle.ts';
import { versionOf } from './support/worker-version.ts';
import { runUntilStopped, runWorkerProcess, type WorkerProcess } from './support/worker-process.ts';

/** A running worker takes its workflow tasks within milliseconds. */
const STICKY_MS = 5000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

await runWorkerProcess('control', async (process) => {
  const { config, log, db, blobs, options, connection, stopping } = process;
  // Before anything that takes time: what comes in clear from here on is refused.
  const sinceMs = encryptedSinceMs(config, log);
  const fleet = loadFleet(config);
  const temporal = temporalClient(connection, temporalTarget(config), config, {
    workflow: lostWorkerInterceptors(config),
  });
  const rateLimit = createSharedRateLimit({ db, log });
  const opening = { fleet, config, rateLimit, log, signal: stopping };
  const endpoints = new Endpoints(opening, config.modelConcurrency);
  const accounts = withReplicas(openAccounts(opening), db, endpoints);
  const shared = { process, fleet, temporal, accounts, endpoints };
  const line = new DeckLine(db);
  const bundle = await workflowBundle(config.repositoryDir, config.cacheDir, failureConversion(config));
  const workers = await Promise.all([
    Worker.create({
      ...options,
      ...versionOf(config.buildId),
      dataConverter: workflowDataConverter(config, sinceMs),
      taskQueue: CONTROL_QUEUE,
      workflowBundle: bundle,
      activities: {
        ...createDeckActivities(db, fleet.accounting.timezone, line),
        ...createDeletionActivities({ db, blobs, temporal, home: config.home }),
      },
      maxConcurrentActivityTaskExecutions: 16,
      maxConcurrentWorkflowTaskExecutions: 16,
      maxCachedWorkflows: 200,
      // A workflow that this process held waits this long for it after it has died, then any other takes it.
      stickyQueueScheduleToStartTimeout: Math.min(STICKY_MS, config.lostWorkerAfterMs ?? STICKY_MS),
    }),
    createFleetWorker(shared),
    createNotificationWorker(process),
    createAccountingWorker(shared),
  ]);
  await Promise.all([
    runUntilStopped(workers, stopping),
    followCatalog({
      db,
      stopping,
      changed: () => untilDone(process, 'the pools', () => startPools(temporal, db, config, fleet)),
    }),
    untilDone(process, 'the schedules', () => ensureSchedules(temporal, scheduleTable(fleet, Date.now()))),
    runDuties({ db, log, config, temporal, fleet }, stopping),
    keepLine(line, { log, temporal }, stopping),
  ]);
});

/** Starts something, again until it works. An error that an operator has to correct is logged and ends neither the process nor running analyses. */
async function untilDone({ log, stopping }: WorkerProcess, what: string, start: () => Promise<void>): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      await start();
      return;
    } catch (error) {
      const { code, userMessage, hint } = asDeckhandError(error);
      if (ERROR_KINDS[code].permanent) {
        log.error({ err: error, code, hint }, `${what} cannot be started: ${userMessage}`);
        return;
      }
      log.warn({ err: error, code }, `${what} could not be started yet`);
      await pause(pauseMs, stopping);
    }
  }
}
