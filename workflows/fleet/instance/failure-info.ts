/** A failed activity as the reducer takes it: no answer, or a request that the configuration forbids. */
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { ProviderErrorInfo } from '../../../domain/fleet/provider/provider-errors.ts';

/** Permanent failures are bad configuration; everything else is transient. */
export function failureInfo(error: unknown): ProviderErrorInfo {
  const message = failureMessage(error);
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const permanent = cause instanceof ApplicationFailure && cause.nonRetryable === true;
  return { errorClass: permanent ? 'config' : 'transient', message };
}

/** Message of the error that an activity threw. */
export function failureMessage(error: unknown): string {
  const cause = error instanceof ActivityFailure ? (error.cause ?? error) : error;
  if (cause instanceof TimeoutFailure) {
    return cause.timeoutType === 'SCHEDULE_TO_START' ? 'no worker picked it up in time' : 'the worker did not answer';
  }
  return cause instanceof Error ? cause.message : String(cause);
}
