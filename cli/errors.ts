/**
 * How the command line tells of an error.
 */
import { asDeckhandError, ERROR_KINDS } from '../domain/errors.ts';

/**
 * Prints an error on stderr, one line and a hint, and returns the exit code of its kind.
 *
 * @param debug adds the internal message and the stack, with causes
 */
export function printError(error: unknown, debug: boolean): number {
  const failure = asDeckhandError(error);
  console.error(`deckhand: ${failure.userMessage}`);
  if (failure.hint !== undefined) console.error(`hint: ${failure.hint}`);
  else if (failure.code === 'internal' && !debug)
    console.error('hint: run it again with --debug to see what happened.');
  if (debug) console.error(failure);
  return ERROR_KINDS[failure.code].exitCode;
}
