/**
 * What instances and pools have cost: what the ledger has settled, and what it has not yet.
 */
import { openCosts } from '../../activities/costs/ledger/open-costs.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';

/** USD so far. */
export interface FleetCosts {
  /** Of an instance, its disks included. */
  ofInstance(name: string): number;
  /** Of all instances a pool ever had. */
  ofPool(pool: string): number;
}

interface Row {
  readonly instance: string | null;
  readonly pool: string | null;
  readonly usd: number;
}

/**
 * Costs as of now.
 *
 * @param instance only of this one; of all where left out
 */
export async function loadCosts(db: PrismaClient, now: Date, instance?: string): Promise<FleetCosts> {
  const [settled, open, unrecorded] = await Promise.all([
    settledRows(db, instance),
    openCosts(db, now, instance),
    unrecordedRows(db, instance),
  ]);
  const openRows = open.map((cost) => ({
    instance: cost.instanceName,
    pool: cost.pool,
    usd: cost.amountUsd.toNumber(),
  }));
  const rows: readonly Row[] = [...settled, ...openRows, ...unrecorded];
  const sumBy = (key: (row: Row) => string | null): ReadonlyMap<string | null, number> => {
    const sums = new Map<string | null, number>();
    for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0) + row.usd);
    return sums;
  };
  const byInstance = sumBy((row) => row.instance);
  const byPool = sumBy((row) => row.pool);
  return {
    ofInstance: (name) => byInstance.get(name) ?? 0,
    ofPool: (pool) => byPool.get(pool) ?? 0,
  };
}

async function settledRows(db: PrismaClient, instance: string | undefined): Promise<readonly Row[]> {
  const rows = await db.rental.groupBy({
    by: ['instanceName', 'pool'],
    where: instance === undefined ? {} : { instanceName: instance },
    _sum: { settledUsd: true },
  });
  return rows.map((row) => ({ instance: row.instanceName, pool: row.pool, usd: row._sum.settledUsd?.toNumber() ?? 0 }));
}

/** Machines from before the ledger existed: the time of each row of their history times its price. */
function unrecordedRows(db: PrismaClient, instance: string | undefined): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT i.name AS instance, i.pool,
           sum(EXTRACT(epoch FROM coalesce(t.until, i."endedAt") - t.at) / 3600 * t.price)::float8 AS usd
    FROM (SELECT "instanceName", at, "priceUsdPerHour" AS price, "providerId",
                 lead(at) OVER (PARTITION BY "instanceName" ORDER BY position) AS until
          FROM "InstanceTransition") t
    JOIN "FleetInstance" i ON i.name = t."instanceName"
    WHERE i."endedAt" IS NOT NULL AND t.price IS NOT NULL
      AND (${instance ?? null}::text IS NULL OR i.name = ${instance ?? null})
      AND NOT EXISTS (
        SELECT 1 FROM "Rental" r
        WHERE r.provider = i.provider AND r.resource = 'instance' AND r."resourceId" = t."providerId")
    GROUP BY i.name, i.pool`;
}
