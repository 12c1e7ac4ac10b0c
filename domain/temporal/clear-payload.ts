/**
 * Mark that the codec adds to the metadata of an unencrypted payload, for the workflow interceptor; it exists only within the process. Its value
 * is the time since which everything has to be encrypted, in milliseconds since 1970, or empty where encryption is off.
 */

/** Name in a payload's metadata, and of the header that carries it on to the interceptor. */
export const CLEAR_MARK = 'deckhand-clear-since';

/** The value of the mark. @param sinceMs null = encryption is off */
export const clearMark = (sinceMs: number | null): string => (sinceMs === null ? '' : String(sinceMs));

/** Whether clear arguments are refused by a run that started then. A run from before encryption keeps what it was given in clear. */
export function refusesClear(mark: string, runStartedAtMs: number): boolean {
  return mark !== '' && runStartedAtMs >= Number(mark);
}
