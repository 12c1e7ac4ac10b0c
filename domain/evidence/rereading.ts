/**
 * Outcome of reading a quote again in the picture of its page, after the values are shown.
 *
 * Without a library at run time: the pages of the workspace import it.
 */

/** `agreed`: the picture says the same; `withdrawn`: it does not, so the quote is no longer verified unless a person called its claim right; `not_read`: it could not be read again. */
export const REREAD_STATES = ['agreed', 'withdrawn', 'not_read'] as const;
export type RereadState = (typeof REREAD_STATES)[number];
