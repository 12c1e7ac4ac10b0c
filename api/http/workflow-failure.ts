/** Why a workflow that a request waited for failed: code and message of the activity that gave up. */
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { DeckhandError, isErrorCode } from '../../domain/errors.ts';

/** What the request waited for, and what to say. */
interface Waited {
  /** For the log. */
  readonly what: string;
  readonly lateMessage: string;
  readonly lateHint: string;
  /** Hint for a failure of an activity; by default the one that the worker put beside it. */
  readonly hint?: string;
}

/** The error for the user. An error that is not known to come from an activity is returned as it is. */
export function workflowFailure(error: unknown, { what, lateMessage, lateHint, hint }: Waited): unknown {
  if (!(error instanceof WorkflowFailedError)) return error;
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    const message = `${what}: ${cause.message}`;
    if (cause instanceof TimeoutFailure) {
      return new DeckhandError('service_unavailable', message, {
        userMessage: lateMessage,
        hint: lateHint,
        cause: error,
      });
    }
    if (cause instanceof ApplicationFailure && isErrorCode(cause.type)) {
      const shown = hint ?? hintIn(cause.details?.[0]);
      return new DeckhandError(cause.type, message, {
        userMessage: cause.message,
        ...(shown === undefined ? {} : { hint: shown }),
        cause: error,
      });
    }
  }
  return error;
}

/** Our workers put a hint beside every failure (workers/support/worker-process.ts). */
function hintIn(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('hint' in details)) return undefined;
  return typeof details.hint === 'string' ? details.hint : undefined;
}
