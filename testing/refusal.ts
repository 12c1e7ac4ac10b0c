/** The error that a call is refused with. @throws whatever else the call throws, and Error when it throws nothing */
import { DeckhandError } from '../domain/errors.ts';

export function refusalOf(call: () => unknown): DeckhandError {
  try {
    call();
  } catch (error) {
    if (error instanceof DeckhandError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
