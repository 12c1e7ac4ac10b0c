/** Activities of the health loops, on queue `fleet`; see their contract beside this file. */
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { FleetConfig } from '../../domain/fleet/pool/pool-config.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import {
  HEALTH_ORDER_SIGNAL,
  HEALTH_WORKFLOW,
  makeHealthWorkflowId,
  type HealthOrder,
  type HealthWorkflowInput,
} from '../../contracts/health.ts';
import { ATTRIBUTES } from '../../contracts/search-attributes.ts';
import type { HealthActivities, TellHealthInput } from './contract.ts';
import { storeHealth } from './store-health.ts';

export interface HealthActivitiesOptions {
  readonly db: PrismaClient;
  readonly temporal: Client;
  readonly settings: FleetConfig['health'];
}

export function createHealthActivities({ db, temporal, settings }: HealthActivitiesOptions): HealthActivities {
  return {
    tellHealth: (input) => tellHealth(temporal, settings, input),
    storeHealth: (input) => storeHealth(db, input),
  };
}

async function tellHealth(
  temporal: Client,
  { sampleIntervalMs, probeIdleMs, probeTimeoutMs }: FleetConfig['health'],
  { instance, pool, rented, position, standing, act, uiUrl }: TellHealthInput,
): Promise<void> {
  const workflowId = makeHealthWorkflowId(instance);
  const settings = { sampleIntervalMs, probeIdleMs, probeTimeoutMs, rented };
  const order: HealthOrder = { position, pool, standing, act, settings, ...(uiUrl === undefined ? {} : { uiUrl }) };
  if (standing === null) {
    try {
      await temporal.workflow.getHandle(workflowId).signal<[HealthOrder]>(HEALTH_ORDER_SIGNAL, order);
    } catch (error) {
      // The loop may have ended already.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
    return;
  }
  const input: HealthWorkflowInput = { instance };
  await temporal.workflow.signalWithStart<never, [HealthOrder]>(HEALTH_WORKFLOW, {
    workflowId,
    taskQueue: CONTROL_QUEUE,
    args: [input] as never,
    signal: HEALTH_ORDER_SIGNAL,
    signalArgs: [order],
    workflowIdConflictPolicy: 'USE_EXISTING',
    typedSearchAttributes: [{ key: ATTRIBUTES.pool, value: pool }],
    staticSummary: `Health of ${instance}`,
  });
}
