/**
 * What an instance has cost: the time between two rows of its history times the price that stands in the first of them.
 */

/** One row of an instance's history, as far as money is concerned. */
export interface PricedRow {
  readonly at: Date;
  /** Null while nothing is rented. */
  readonly priceUsdPerHour: { toString(): string } | null;
}

const HOUR_MS = 3_600_000;

/**
 * Cost so far, USD. Prices are those frozen in the rows; storage of kept volumes is not in it.
 *
 * @param rows oldest first
 * @param until end of the last interval: now, or the end of its life
 */
export function costUsd(rows: readonly PricedRow[], until: Date): number {
  return rows.reduce((sum, row, index) => {
    if (row.priceUsdPerHour === null) return sum;
    const end = rows[index + 1]?.at ?? until;
    return sum + (Math.max(0, end.getTime() - row.at.getTime()) / HOUR_MS) * Number(row.priceUsdPerHour);
  }, 0);
}
