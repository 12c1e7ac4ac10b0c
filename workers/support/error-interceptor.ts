/**
 * Translates what activities throw into what Temporal retries by: our code becomes the failure's type, permanent kinds are not retried.
 */
import { ApplicationFailure, CancelledFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { DeckhandError, ERROR_KINDS } from '../../domain/errors.ts';
import type { Logger } from '../../platform/log.ts';

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
          if (error instanceof DeckhandError) {
            const { permanent } = ERROR_KINDS[error.code];
            log.warn(
              { ...where, code: error.code, error: error.message },
              permanent ? 'activity failed for good' : 'activity will be retried',
            );
            throw ApplicationFailure.create({
              type: error.code,
              message: error.userMessage,
              nonRetryable: permanent,
              ...(error.retryAfterMs === undefined ? {} : { nextRetryDelay: error.retryAfterMs }),
              details: [{ internalMessage: error.message, hint: error.hint ?? null }],
              cause: error,
            });
          }
          log.error({ ...where, err: error }, 'activity threw; it will be retried');
          throw error;
        }
      },
    },
  });
}
