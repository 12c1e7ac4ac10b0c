/** Every Temporal task queue. Running workflows and recorded histories contain the names, so they never change. */
import { GPU_CLASSES, type GpuClass } from '../domain/models/model-tasks.ts';

/** Queue of workflows and of activities that decide and store. */
export const CONTROL_QUEUE = 'control';
/** Queue of PDF conversion. */
export const CONVERT_QUEUE = 'convert';
/** Queue of the second reading of quotes, in the convert process. One of its own: a deck that has its values waits behind no deck that is drawn. */
export const SECOND_READING_QUEUE = 'second-reading';
/** Queue of accounting activities, in the control process. */
export const ACCOUNTING_QUEUE = 'accounting';
/** Queue of fleet activities: they speak to the provider or store what it said. In the control process. */
export const FLEET_QUEUE = 'fleet';
/** Queue gateways pull attachments from. */
export const GATEWAY_QUEUE = 'gateway';
/** Queue of what concerns one machine; polled inside its attachment. */
export const makeHostQueue = (name: string): string => `host-${name}`;
/** Queue of the tries. One of its own: a receiver that does not answer holds a place for seconds, and no deck may wait behind it. */
export const NOTIFICATION_QUEUE = 'notification';
/**
 * Queue of model calls of a class: that of all pools, or of one pool that has queues of its own (`gpu-text@canary`).
 *
 * @param pool null = all pools
 */
export const makeClassQueue = (gpuClass: GpuClass, pool: string | null): string =>
  pool === null ? gpuClass : `${gpuClass}@${pool}`;
/** True for a queue of model calls, of all pools or of one. */
export const isClassQueue = (queue: string): boolean =>
  GPU_CLASSES.some((gpuClass) => queue === gpuClass || queue.startsWith(`${gpuClass}@`));

/** Queues that every process of a worker polls all the time. Those of classes and machines are polled only while there is such a machine. */
export const POLLED_QUEUES = {
  control: [CONTROL_QUEUE, FLEET_QUEUE, NOTIFICATION_QUEUE, ACCOUNTING_QUEUE],
  convert: [CONVERT_QUEUE, SECOND_READING_QUEUE],
  gateway: [GATEWAY_QUEUE],
} as const satisfies Readonly<Record<string, readonly string[]>>;
