/** Errors that calls are refused with. */
import { DeckhandError } from '../domain/errors.ts';

/** The error that a call is refused with. @throws whatever else the call throws, and Error when it throws nothing */
export function refusalOf(call: () => unknown): DeckhandError {
  try {
    call();
  } catch (error) {
    if (error instanceof DeckhandError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** The error that work ends with. @throws whatever else it ends with, and Error when it ends well */
export async function failureOf(work: Promise<unknown>): Promise<DeckhandError> {
  const error: unknown = await work.then(
    () => new Error('nothing failed'),
    (reason: unknown) => reason,
  );
  if (error instanceof DeckhandError) return error;
  throw error;
}

/** The code of the error that work ends with. @throws as {@link failureOf} */
export const codeOf = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).code;
