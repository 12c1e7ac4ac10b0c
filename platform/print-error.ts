/** Prints the error that ends a command or process. */
import { inspect } from 'node:util';
import { asDeckhandError, ERROR_KINDS } from '../domain/errors.ts';

/**
 * Writes an error to stderr, as one line and a hint. Returns its exit code.
 *
 * @param debug adds the internal message and the stack, with causes
 */
export function printError(error: unknown, debug: boolean): number {
  const failure = asDeckhandError(error);
  const write = (line: string): void => void process.stderr.write(`${line}\n`);
  write(`deckhand: ${failure.userMessage}`);
  if (failure.hint !== undefined) write(`hint: ${failure.hint}`);
  else if (failure.code === 'internal' && !debug) write('hint: run it again with --debug to see what happened.');
  if (debug) write(inspect(failure));
  return ERROR_KINDS[failure.code].exitCode;
}
