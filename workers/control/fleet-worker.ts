/**
 * The worker on queue `fleet`: what speaks to the provider. It holds the provider's credentials, so it runs in the control process and
 * nowhere else.
 */
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createFleetActivities } from '../../activities/fleet/activities.ts';
import { installationKey } from '../../activities/gateway/keys.ts';
import { createMemoryBudget } from '../../clouds/call-budget.ts';
import { openProvider } from '../../clouds/open-provider.ts';
import { pause } from '../../platform/pause.ts';
import type { Fleet } from '../../platform/fleet-config.ts';
import { FLEET_QUEUE } from '../../workflows/instance/contract.ts';
import type { WorkerProcess } from '../support/worker-process.ts';
import { openWhenAsked } from './provider.ts';

/** Calls to the provider and the database at the same time; the provider's own budget is in front of it. */
const CONCURRENCY = 32;

export async function createFleetWorker(process: WorkerProcess, fleet: Fleet, temporal: Client): Promise<Worker> {
  const { config, db, log, options, stopping: signal } = process;
  const budget = createMemoryBudget({ now: Date.now, pause });
  const provider = openWhenAsked(fleet.provider, () => openProvider({ fleet, config, budget, log, signal }));
  const activities = createFleetActivities({
    db,
    provider,
    fleet,
    config,
    temporal,
    log,
    publicKey: async () => (await installationKey(config.home)).publicKey,
    startupScript: () => Promise.resolve('#!/bin/sh\n'),
  });
  return Worker.create({
    ...options,
    taskQueue: FLEET_QUEUE,
    activities: { ...activities },
    maxConcurrentActivityTaskExecutions: CONCURRENCY,
  });
}
