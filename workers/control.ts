/**
 * Worker process `control`: workflows, and the activities that decide and store. Process entry.
 */
import path from 'node:path';
import { Worker } from '@temporalio/worker';
import { createDeckActivities } from '../activities/decks/activities.ts';
import { CONTROL_QUEUE } from '../workflows/deck/contract.ts';
import { workflowBundle } from './support/workflow-bundle.ts';
import { runUntilStopped, runWorkerProcess } from './support/worker-process.ts';

await runWorkerProcess('control', async ({ config, db, options, stopping }) => {
  const bundle = await workflowBundle(config.repositoryDir, path.join(config.home, 'cache'));
  const worker = await Worker.create({
    ...options,
    taskQueue: CONTROL_QUEUE,
    workflowBundle: bundle,
    activities: { ...createDeckActivities(db) },
    maxConcurrentActivityTaskExecutions: 16,
    maxConcurrentWorkflowTaskExecutions: 16,
    maxCachedWorkflows: 200,
  });
  await runUntilStopped([worker], stopping);
});
