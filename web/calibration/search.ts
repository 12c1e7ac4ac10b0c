/** What the address of the calibration page holds. */

/** Whose scores count, and since when. */
export interface CalibrationSearch {
  readonly author?: string;
  readonly since?: string;
}

/** Reads the search of an address. */
export const readCalibrationSearch = ({ author, since }: Readonly<Record<string, unknown>>): CalibrationSearch => ({
  ...(typeof author === 'string' ? { author } : {}),
  ...(typeof since === 'string' ? { since } : {}),
});
