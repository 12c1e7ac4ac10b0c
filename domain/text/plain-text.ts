/**
 * Text of a machine or a provider that is not trusted, as it may go into rows, reasons and terminals.
 */

/** On one line, without control characters (Postgres takes no NUL), whole characters only, no longer than so many. */
export const plainText = (text: string, longest: number): string =>
  text
    .slice(0, 4 * longest)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed();

/** A line without control characters. */
export const withoutControls = (line: string): string => line.replaceAll(/\p{Cc}+/gu, ' ').trimEnd();
