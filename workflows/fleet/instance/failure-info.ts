/**
 * What an activity that failed means to the reducer: no answer was had, or our own configuration forbids the question.
 */
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { ProviderErrorInfo } from '../../../domain/fleet/provider/provider-errors.ts';

/** Permanent failures are bad configuration; everything else may be different next time. */
export function failureInfo(error: unknown): ProviderErrorInfo {
  const message = failureMessage(error);
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const permanent = cause instanceof ApplicationFailure && cause.nonRetryable === true;
  return { errorClass: permanent ? 'config' : 'transient', message };
}

/** The words of whatever an activity threw. */
export function failureMessage(error: unknown): string {
  const cause = error instanceof ActivityFailure ? (error.cause ?? error) : error;
  if (cause instanceof TimeoutFailure) {
    return cause.timeoutType === 'SCHEDULE_TO_START' ? 'no worker picked it up in time' : 'the worker did not answer';
  }
  return cause instanceof Error ? cause.message : String(cause);
}
