/** The activities of the instance workflow: one block per retry policy, with its reason. */
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { HealthActivities } from '../../../activities/health/contract.ts';
import type { InstanceActivities } from '../../../activities/fleet/instance/contract.ts';
import type { GatewayActivities, HostActivities } from '../../../activities/gateway/activities.ts';
import { FLEET_QUEUE, GATEWAY_QUEUE, makeHostQueue } from '../../../contracts/queues.ts';

/** A killed worker is noticed within this time. */
const HEARTBEAT_TIMEOUT = '5s';
const backoff = { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '15s' } as const;

/**
 * Calls whose repetition changes nothing. The provider's answer is data, so a failure means that there was no answer (the worker was
 * killed, the database is away). After some attempts the reducer gets the failure and continues by its own timers.
 */
export const fleet = proxyActivities<
  Pick<
    InstanceActivities,
    | 'rankOffers'
    | 'findInstances'
    | 'lookAtInstance'
    | 'rememberOutcome'
    | 'shutdownInstance'
    | 'startInstance'
    | 'changeInstanceType'
    | 'hibernateInstance'
    | 'deleteInstance'
    | 'deleteVolume'
    | 'recheckDemand'
  >
>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout: '2m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: { ...backoff, maximumAttempts: 6 },
});

/**
 * Writes to the database that must not be lost, so they are retried without end: the history, which is written before anything is
 * done, and alerts that are raised once, such as for a disk that was given up and still costs.
 */
export const history = proxyActivities<
  Pick<InstanceActivities, 'countTransitions' | 'storeTransitions' | 'alertOperator'>
>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout: '20s',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: backoff,
});

/** Orders to the health loop: retried without end, in order, beside everything else. */
export const health = proxyActivities<Pick<HealthActivities, 'tellHealth'>>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout: '10s',
  retry: backoff,
});

/** A create is sent once and never retried: a lost answer is an unknown outcome. */
export const buying = proxyActivities<Pick<InstanceActivities, 'createInstance'>>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout: '5m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { maximumAttempts: 1 },
});

/**
 * The attachment lasts as long as the machine serves and changes gateways whenever one dies; only its own end or cancellation ends it.
 * Cancellation waits for the drain.
 */
export const gateway = proxyActivities<GatewayActivities>({
  taskQueue: GATEWAY_QUEUE,
  startToCloseTimeout: '365d',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '500ms', backoffCoefficient: 1.5, maximumInterval: '10s' },
});

/** Not awaited: an attachment without calls ends at once, and its queue is then no longer polled. */
export const cutting = (instance: string): Pick<HostActivities, 'cutCalls'> =>
  proxyActivities<Pick<HostActivities, 'cutCalls'>>({
    taskQueue: makeHostQueue(instance),
    scheduleToStartTimeout: '10s',
    startToCloseTimeout: '20s',
    retry: { maximumAttempts: 1 },
  });

/**
 * Activities on one machine, over its own queue. If the queue is not polled, the machine cannot be reached and waiting longer does not
 * help.
 */
export const hostActivities = (instance: string): HostActivities =>
  proxyActivities<HostActivities>({
    taskQueue: makeHostQueue(instance),
    scheduleToStartTimeout: '30s',
    startToCloseTimeout: '3m',
    retry: { maximumAttempts: 1 },
  });
