/** Common parts of every worker process: configuration, log, database, blobs, connection to Temporal, orderly shutdown. */
import { hostname } from 'node:os';
import type { Info } from '@temporalio/activity';
import {
  NativeConnection,
  type Worker,
  type WorkerOptions,
  type ActivityInterceptorsFactory,
} from '@temporalio/worker';
import { DECK_WORKFLOW } from '../../contracts/decks.ts';
import { isClassQueue } from '../../contracts/queues.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { asDeckhandError, DeckhandError, ERROR_KINDS } from '../../domain/errors.ts';
import { mostTries } from '../../domain/temporal/retry-bounds.ts';
import { counted } from '../../domain/text/words.ts';
import { openBlobs, type BlobStore } from '../../platform/blobs.ts';
import { loadConfig, type Config } from '../../platform/config.ts';
import { closeDatabase, createDatabase, isDatabaseAway, isDatabaseError } from '../../platform/db.ts';
import { createLogger, type Logger } from '../../platform/log.ts';
import { temporalTarget } from '../../platform/temporal.ts';
import { temporalDataConverter } from '../../platform/temporal/data-converter.ts';
import { installRuntime } from './runtime-metrics.ts';
import { ApplicationFailure, CancelledFailure, TemporalFailure } from '@temporalio/common';

export interface WorkerProcess {
  readonly config: Config;
  readonly log: Logger;
  readonly db: PrismaClient;
  readonly blobs: BlobStore;
  readonly connection: NativeConnection;
  /** Options every worker of the process has. */
  readonly options: Pick<
    WorkerOptions,
    | 'connection'
    | 'namespace'
    | 'dataConverter'
    | 'identity'
    | 'shutdownGraceTime'
    | 'shutdownForceTime'
    | 'maxHeartbeatThrottleInterval'
    | 'defaultHeartbeatThrottleInterval'
    | 'interceptors'
  >;
  /** Fires when the process is asked to end. */
  readonly stopping: AbortSignal;
}

/** Time for a call in progress at Ctrl-C; it is retried at the next start. */
const SHUTDOWN_GRACE_MS = 3000;
const SHUTDOWN_FORCE_MS = 4500;

/**
 * Runs a worker process until it is asked to end.
 *
 * @param start Makes and runs the process' workers; resolves when they have ended.
 */
export async function runWorkerProcess(name: string, start: (process: WorkerProcess) => Promise<void>): Promise<void> {
  const config = loadConfig();
  const log = createLogger(name, config);
  const stop = new AbortController();
  // We end workers ourselves, so that the database closes after them.
  const silent = await installRuntime(name, config, log, {
    shutdownSignals: [],
    logger: sdkLogger(log),
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'WARN' }, forward: {} } },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    if (config.databaseUrl === undefined) {
      throw new DeckhandError('usage', 'DATABASE_URL is not set', {
        hint: 'Start everything with `./deckhand up`, or set DATABASE_URL.',
      });
    }
    const target = temporalTarget(config);
    const db = createDatabase(config.databaseUrl, { applicationName: `deckhand-${name}` });
    const connection = await NativeConnection.connect({ address: target.address });
    try {
      await start({
        config,
        log,
        db,
        blobs: openBlobs(config),
        connection,
        stopping: stop.signal,
        options: {
          connection,
          namespace: target.namespace,
          dataConverter: temporalDataConverter(config),
          identity: `${name}/${hostname()}/${process.pid}`,
          shutdownGraceTime: SHUTDOWN_GRACE_MS,
          shutdownForceTime: SHUTDOWN_FORCE_MS,
          maxHeartbeatThrottleInterval: '1s',
          defaultHeartbeatThrottleInterval: '1s',
          interceptors: { activity: [errorInterceptor(log)] },
        },
      });
    } finally {
      await connection.close();
      await closeDatabase(db);
      silent();
    }
  } catch (error) {
    const failure = asDeckhandError(error);
    log.fatal({ err: failure, code: failure.code, hint: failure.hint }, 'worker process ended by an error');
    // Temporal's runtime would keep a process alive that has nothing left to do.
    process.exit(1);
  }
}

/** Runs workers until the process is asked to end, then drains all of them. */
export async function runUntilStopped(workers: readonly Worker[], stopping: AbortSignal): Promise<void> {
  const runs = Promise.all(workers.map((w) => w.run()));
  const shutdown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  // A worker that was made holds the connection until it has run and ended, also when the end was asked for meanwhile.
  if (stopping.aborted) shutdown();
  else stopping.addEventListener('abort', shutdown, { once: true });
  try {
    await runs;
  } finally {
    stopping.removeEventListener('abort', shutdown);
  }
}

/** Passes the SDK's lines to our log. */
function sdkLogger(log: Logger) {
  const write = (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') => (message: string, meta?: object) =>
    log[level]({ ...meta }, message);
  return {
    log: (level: string, message: string, meta?: object) =>
      write(level === 'WARN' ? 'warn' : level === 'ERROR' ? 'error' : 'debug')(message, meta),
    trace: write('trace'),
    debug: write('debug'),
    info: write('debug'),
    warn: write('warn'),
    error: write('error'),
  };
}

/** Wraps every activity of a worker. */
export function errorInterceptor(log: Logger): ActivityInterceptorsFactory {
  return (context) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          const { activityType, attempt, workflowExecution } = context.info;
          const where = { activityType, attempt, workflowId: workflowExecution?.workflowId };
          if (error instanceof CancelledFailure || context.cancellationSignal.aborted) throw error;
          if (error instanceof TemporalFailure) throw error;
          const isOver = isLastTry(context.info, error);
          const tried = isOver ? ` It was tried ${counted(attempt, 'time')}.` : '';
          if (error instanceof DeckhandError) {
            const isFinal = isOver || ERROR_KINDS[error.code].permanent;
            log.warn(
              { ...where, code: error.code, error: error.message },
              isFinal ? 'activity failed for good' : 'activity will be retried',
            );
            throw ApplicationFailure.create({
              type: error.code,
              message: `${error.userMessage}${tried}`,
              nonRetryable: isFinal,
              ...(error.retryAfterMs === undefined ? {} : { nextRetryDelay: error.retryAfterMs }),
              details: [{ internalMessage: error.message, hint: error.hint ?? null }],
              cause: error,
            });
          }
          log.error(
            { ...where, err: error },
            isOver ? 'activity threw for good' : 'activity threw; it will be retried',
          );
          if (!isDatabaseError(error) && !isOver) throw error;
          // People read the failure of an activity that is retried.
          const message = isDatabaseAway(error)
            ? 'The database does not answer.'
            : isDatabaseError(error)
              ? 'Something could not be stored or read.'
              : asDeckhandError(error).userMessage;
          throw ApplicationFailure.create({
            type: isDatabaseAway(error) ? 'service_unavailable' : 'internal',
            message: `${message}${tried}`,
            nonRetryable: isOver,
          });
        }
      },
    },
  });
}

/** True where an activity of a deck's run has been tried as often as its error allows. */
function isLastTry({ workflowType, taskQueue, attempt }: Info, error: unknown): boolean {
  if (workflowType !== DECK_WORKFLOW) return false;
  const most = mostTries(error instanceof DeckhandError ? error.code : null, isClassQueue(taskQueue));
  return most !== null && attempt >= most;
}
