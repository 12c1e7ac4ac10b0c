/**
 * Worker process `control`: workflows, the activities that decide and store, and the fleet's, which speak to the provider. Process entry.
 */
import path from 'node:path';
import { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createDeckActivities } from '../activities/decks/activities.ts';
import { loadFleet } from '../platform/fleet-config.ts';
import { CONTROL_QUEUE } from '../workflows/deck/contract.ts';
import { createFleetWorker } from './control/fleet-worker.ts';
import { startFleet } from './control/start-fleet.ts';
import { workflowBundle } from './support/workflow-bundle.ts';
import { runUntilStopped, runWorkerProcess } from './support/worker-process.ts';

await runWorkerProcess('control', async (process) => {
  const { config, db, options, connection, stopping } = process;
  const fleet = loadFleet(config);
  const temporal = new Client({ connection, namespace: options.namespace ?? 'default' });
  const bundle = await workflowBundle(config.repositoryDir, path.join(config.home, 'cache'));
  const workers = await Promise.all([
    Worker.create({
      ...options,
      taskQueue: CONTROL_QUEUE,
      workflowBundle: bundle,
      activities: { ...createDeckActivities(db) },
      maxConcurrentActivityTaskExecutions: 16,
      maxConcurrentWorkflowTaskExecutions: 16,
      maxCachedWorkflows: 200,
    }),
    createFleetWorker(process, fleet, temporal),
  ]);
  await Promise.all([runUntilStopped(workers, stopping), startFleet(process, fleet, temporal)]);
});
