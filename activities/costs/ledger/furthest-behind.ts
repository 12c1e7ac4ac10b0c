/** How far the ledger is behind: the one rule for alerts, metrics and whoever waits for costs that are final. */
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';

/** The rental whose money is longest without being in the books. */
interface FurthestBehind {
  readonly rentalId: string;
  /** Everything of every rental before this is settled. */
  readonly since: Date;
}

/**
 * Null = whatever has cost anything by now is in the books. What costs nothing keeps no money out of them, and neither does a rental that is over
 * and settled to its end, of which only the closing is missing.
 */
export async function furthestBehind(
  db: PrismaClient | Prisma.TransactionClient,
  now: Date,
): Promise<FurthestBehind | null> {
  const [row] = await db.$queryRaw<FurthestBehind[]>`
    SELECT id AS "rentalId", coalesce("settledUntil", "billedFrom") AS since FROM "Rental"
    WHERE "closedAt" IS NULL AND "billedFrom" IS NOT NULL AND "priceUsdPerHour" > 0
      AND coalesce("settledUntil", "billedFrom") < least(coalesce("billedUntil", ${now}), ${now})
    ORDER BY 2, 1 LIMIT 1`;
  return row ?? null;
}
