/** Retry policies that several workflows share. */
import type { RetryPolicy } from '@temporalio/common';
import { PERMANENT_ERROR_CODES } from '../domain/errors.ts';

/** For rounds: a part that fails is repeated by the next round, so it is tried only three times. */
export const ROUND_RETRY: RetryPolicy = {
  initialInterval: '2s',
  maximumAttempts: 3,
  nonRetryableErrorTypes: [...PERMANENT_ERROR_CODES],
};

/**
 * For steps that the workflow cannot do without: retried until they succeed or fail permanently. In a deck's run every error becomes final
 * after so many tries (domain/temporal/retry-bounds.ts).
 */
export const STEP_RETRY: RetryPolicy = {
  initialInterval: '500ms',
  backoffCoefficient: 2,
  maximumInterval: '30s',
  nonRetryableErrorTypes: [...PERMANENT_ERROR_CODES],
};
