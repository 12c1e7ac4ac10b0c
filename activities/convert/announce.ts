/**
 * Tells the run that pages are there, while the activity that draws them goes on.
 */
import { Context } from '@temporalio/activity';
import { PAGES_STORED_SIGNAL, type PagesStored } from '../../domain/decks/progress.ts';

/** To be called at the top of an activity: gives the function that announces pages to the run it works for. */
export function announcer(): (pages: readonly number[]) => Promise<void> {
  const { client, info, log } = Context.current();
  // A local run of the activity outside any workflow has nobody to tell.
  const execution = info.workflowExecution;
  if (execution === undefined) return async () => undefined;
  // This very run: an attempt that outlived its worker must not speak to the one that continued it.
  const run = client.workflow.getHandle(execution.workflowId, execution.runId);
  return async (pages) => {
    try {
      await run.signal<[PagesStored]>(PAGES_STORED_SIGNAL, { pages });
    } catch (error) {
      // Nothing is lost by it: the activity's result announces every page that was not announced before.
      log.warn('pages could not be announced', { pages, error: String(error) });
    }
  };
}
