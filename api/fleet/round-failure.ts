/**
 * Why a round of the reaper failed, for the one who asked for it: the code, words and hint of the activity that gave up.
 */
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { DeckhandError, isErrorCode } from '../../domain/errors.ts';

/** The error of a round that did not end. Whatever is not known to come from an activity is handed back as it is. */
export function roundFailure(error: unknown): unknown {
  if (!(error instanceof WorkflowFailedError)) return error;
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TimeoutFailure) {
      return new DeckhandError('service_unavailable', `the round of the reaper: ${cause.message}`, {
        userMessage: 'The round of the reaper did not end in time.',
        hint: 'Check with `./deckhand doctor` that the control process runs and with `./deckhand credentials test` that the provider answers.',
        cause: error,
      });
    }
    if (cause instanceof ApplicationFailure && isErrorCode(cause.type)) {
      const hint = hintIn(cause.details?.[0]);
      return new DeckhandError(cause.type, `the round of the reaper: ${cause.message}`, {
        userMessage: cause.message,
        ...(hint === null ? {} : { hint }),
        cause: error,
      });
    }
  }
  return error;
}

/** What our workers put beside every failure (workers/support/error-interceptor.ts). */
function hintIn(details: unknown): string | null {
  if (typeof details !== 'object' || details === null || !('hint' in details)) return null;
  return typeof details.hint === 'string' ? details.hint : null;
}
