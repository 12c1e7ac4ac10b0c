/**
 * Ends the retries of work on a PDF that keeps failing with an internal error. Temporal would retry it without end, and each attempt
 * costs a render process.
 */
import { Context } from '@temporalio/activity';
import { DeckhandError } from '../../domain/errors.ts';

/** About two minutes with the pauses between attempts: long enough for a machine to get processes and disk again. */
export const MAX_ATTEMPTS = 10;

/**
 * Runs work on a PDF; an `internal` error of its last attempt is permanent. Only for the work itself: what the database or the store throws
 * lasts as long as they are away.
 *
 * @throws DeckhandError `page_render_failed` when this was the last attempt; otherwise what the work throws
 */
export async function giveUpInTheEnd<T>(work: () => Promise<T>): Promise<T> {
  const { attempt } = Context.current().info;
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DeckhandError) || error.code !== 'internal' || attempt < MAX_ATTEMPTS) throw error;
    throw new DeckhandError('page_render_failed', `given up after ${attempt} attempts: ${error.message}`, {
      userMessage: `This PDF could not be processed: the process that reads it failed in ${attempt} attempts.`,
      hint: 'The log of the convert worker says why. Start the analysis again once that is fixed.',
      cause: error,
    });
  }
}
