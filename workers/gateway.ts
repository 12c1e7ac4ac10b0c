/**
 * Worker process `gateway`: access to model hosts. Process entry.
 *
 * It takes attachments of instances from queue `gateway`, several at a time; several gateways may run side by side. Servers that run already
 * are instances like any other.
 */
import { Worker } from '@temporalio/worker';
import { AnalysisContexts } from '../activities/models/analysis-context.ts';
import { loadFleet } from '../platform/fleet-config.ts';
import { GATEWAY_QUEUE } from '../contracts/queues.ts';
import { makeMachineOf } from './gateway/machine-of.ts';
import { createGatewayActivities } from './gateway/serve-instance.ts';
import { runUntilStopped, runWorkerProcess } from './support/worker-process.ts';

/** Attachments one gateway takes; the others wait for another gateway. */
const MAX_ATTACHMENTS = 20;

await runWorkerProcess('gateway', async (process) => {
  const { config, db, options, stopping } = process;
  const fleet = loadFleet(config);
  const contexts = new AnalysisContexts(db);
  const activities = createGatewayActivities({
    process,
    contexts,
    machineOf: makeMachineOf(process, fleet),
  });
  const worker = await Worker.create({
    ...options,
    taskQueue: GATEWAY_QUEUE,
    activities: { ...activities },
    maxConcurrentActivityTaskExecutions: MAX_ATTACHMENTS,
  });
  await runUntilStopped([worker], stopping);
});
