/** What the address of the calibration page holds. */

/** Whose scores count, and since when. */
export interface CalibrationSearch {
  readonly author?: string;
  readonly since?: string;
}

/** The router reads what looks like a number as one. */
const isWord = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** Reads the search of an address. */
export const readCalibrationSearch = ({ author, since }: Readonly<Record<string, unknown>>): CalibrationSearch => ({
  ...(isWord(author) ? { author: String(author) } : {}),
  ...(isWord(since) ? { since: String(since) } : {}),
});
