/** How far the ledger lags. Alerts, metrics and reports use the same rule. */
import type { Transaction } from '../../../platform/db.ts';

/** The rental that is unsettled for the longest time. */
interface FurthestBehind {
  readonly rentalId: string;
  /** All rentals are settled up to this time. */
  readonly since: Date;
}

/**
 * Null = all costs so far are settled. Rentals without a price do not count, nor do ended rentals that are settled to their end but not closed
 * yet.
 */
export async function furthestBehind(db: Transaction, now: Date): Promise<FurthestBehind | null> {
  const [row] = await db.$queryRaw<FurthestBehind[]>`
    SELECT id AS "rentalId", coalesce("settledUntil", "billedFrom") AS since FROM "Rental"
    WHERE "closedAt" IS NULL AND "billedFrom" IS NOT NULL AND "priceUsdPerHour" > 0
      AND coalesce("settledUntil", "billedFrom") < least(coalesce("billedUntil", ${now}), ${now})
    ORDER BY 2, 1 LIMIT 1`;
  return row ?? null;
}
