/** How a workflow failed, as its caller sees it. */
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

/** Code of the failure of a workflow. */
export async function failureOf(result: Promise<unknown>): Promise<string | null | undefined> {
  const failure = await result.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof WorkflowFailedError)) throw new Error('the workflow did not fail', { cause: failure });
  return failure.cause instanceof ApplicationFailure ? failure.cause.type : undefined;
}
