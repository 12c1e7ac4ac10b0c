/**
 * Workers that live inside an attachment: one for the machine's host queue, one for each class queue it serves.
 *
 * An attachment has a connection of its own, because one connection lets only one worker poll a queue, and a gateway may serve several
 * machines of the same class.
 */
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { ModelCallRunner } from '../../activities/models/run-call.ts';
import { modelActivitiesOf } from '../../activities/models/activities.ts';
import { makeClassQueue } from '../../contracts/queues.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { GPU_CLASSES, type GpuClass } from '../../domain/models/model-tasks.ts';
import { temporalTarget } from '../../platform/temporal.ts';
import type { WorkerProcess } from '../support/worker-process.ts';

/** Upper limits for broken workers; calls are cut long before. */
const BROKEN_AFTER_MS = 30_000;

/** Workers that run, and their common end. */
export interface RunningWorkers {
  /** Settles when all have ended; rejects when one broke. */
  readonly ended: Promise<void>;
  /** Stops taking work, finishes current work, and ends. */
  shutdown(): void;
}

/** Makes workers on a connection of an attachment's own. */
export class NestedWorkers {
  readonly #connection: NativeConnection;
  readonly #options: WorkerOptions;

  private constructor(connection: NativeConnection, options: WorkerOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /**
   * Opens the connection.
   *
   * @param name of the instance; stands in the workers' identity
   * @param drainTimeoutMs longest time that a call may go on after the workers were told to end
   */
  static async open(process: WorkerProcess, name: string, drainTimeoutMs: number): Promise<NestedWorkers> {
    const { address } = temporalTarget(process.config);
    const connection = await NativeConnection.connect({ address });
    return new NestedWorkers(connection, {
      ...process.options,
      connection,
      identity: `${process.options.identity}/${name}`,
      shutdownGraceTime: drainTimeoutMs + BROKEN_AFTER_MS,
      shutdownForceTime: drainTimeoutMs + 2 * BROKEN_AFTER_MS,
      taskQueue: '',
    });
  }

  /**
   * Starts a worker for each class, each with as many slots as the machine has; the machine's own semaphore bounds them together.
   *
   * @param served `queuesOf`: the pool whose own queues they pull from; null = those of all pools
   */
  async runClasses(
    { classes, queuesOf }: { readonly classes: readonly GpuClass[]; readonly queuesOf: string | null },
    runner: ModelCallRunner,
    slots: number,
  ): Promise<RunningWorkers> {
    const workers = await Promise.all(
      classes.map((gpuClass) =>
        Worker.create({
          ...this.#options,
          taskQueue: makeClassQueue(gpuClass, queuesOf),
          activities: { ...modelActivitiesOf(gpuClass, runner) },
          maxConcurrentActivityTaskExecutions: slots,
        }),
      ),
    );
    return running(workers);
  }

  /** Starts the worker of one queue. */
  async runQueue(taskQueue: string, activities: object): Promise<RunningWorkers> {
    const worker = await Worker.create({
      ...this.#options,
      taskQueue,
      activities: { ...activities },
      // A restart must not wait for a measurement.
      maxConcurrentActivityTaskExecutions: 4,
    });
    return running([worker]);
  }

  /** After all workers have ended. */
  close(): Promise<void> {
    return this.#connection.close();
  }
}

/** Class names of an attachment's input. @throws DeckhandError `invalid_request` for a name that is no class. */
export function gpuClassesOf(names: readonly string[]): GpuClass[] {
  return names.map((name) => {
    const found = GPU_CLASSES.find((c) => c === name);
    if (found === undefined) throw new DeckhandError('invalid_request', `${name} is no class of GPU work`);
    return found;
  });
}

function running(workers: readonly Worker[]): RunningWorkers {
  const shutdown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  // When one worker breaks, the others end as well; otherwise they would take calls for an attachment that has ended.
  const runs = workers.map((worker) => worker.run().finally(shutdown));
  const ended = Promise.allSettled(runs).then((ends) => {
    for (const end of ends) if (end.status === 'rejected') throw end.reason as Error;
  });
  return { ended, shutdown };
}
