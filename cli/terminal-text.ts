/**
 * Words of others on their way to a terminal: names of files, reasons that quote machines, notes.
 */

/** On one line, without control characters: they would steer the terminal. */
export const clean = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').trim();

/** No longer than so many columns, with an ellipsis where something was cut off. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`;
