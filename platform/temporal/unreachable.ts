/** Calls to Temporal that must answer within a request. */
import type { Client } from '@temporalio/client';
import { DeckhandError, errorText } from '../../domain/errors.ts';

/** The error of a request that needs Temporal, which did not answer. */
export const unreachable = (cause: unknown): DeckhandError =>
  new DeckhandError('service_unavailable', `Temporal: ${errorText(cause)}`, {
    userMessage: 'The workflow engine did not take the request.',
    hint: 'Check it with `./deckhand doctor` and try again.',
    cause,
  });

/** Asks Temporal whether it answers. @throws DeckhandError `service_unavailable` */
export async function pingTemporal(temporal: Client, deadlineMs: number): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + deadlineMs, () => temporal.workflowService.getSystemInfo({}));
  } catch (error) {
    throw unreachable(error);
  }
}
