/** Errors of writing files. In a file of its own, so that render processes need not load the store. */
import { DeckhandError } from '../../domain/errors.ts';

/** A full disk, a full quota, a file larger than the filesystem takes. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The errno of a filesystem error, also of one that was wrapped. */
export function errnoOf(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    if ('code' in current && typeof current.code === 'string' && /^E[A-Z0-9]+$/.test(current.code)) return current.code;
  }
  return undefined;
}

/** The error of a failed write: `storage_full` for a full disk, else `internal`. */
export function writeError(what: string, error: unknown): DeckhandError {
  const errno = errnoOf(error);
  const detail = error instanceof Error ? error.message : String(error);
  if (errno !== undefined && NO_ROOM.has(errno)) {
    return new DeckhandError('storage_full', `no room to write ${what}: ${detail}`, {
      userMessage: 'The storage for Deckhand files is full.',
      hint: 'Free some space in the blob directory (DECKHAND_BLOB_DIR), or raise its quota if it has one, and try again.',
      cause: error,
    });
  }
  return new DeckhandError('internal', `${what} could not be written: ${detail}`, { cause: error });
}
