/** What targets about machines are judged by: how long they take to start and to be ordered, whether they answer, and what renting saves. */
import { Decimal } from 'decimal.js';
import { readRentals } from '../costs/report/rentals.ts';
import { alwaysOnOf } from '../../domain/costs/report/always-on.ts';
import type { TargetFacts } from '../../domain/metrics/targets.ts';
import type { Transaction } from '../../platform/db.ts';

/** From the first instant until before the last. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/** A machine that was ordered later than this after the newest request was ordered for something else. */
const ANSWERS_WITHIN_SEC = 3600;

/**
 * Rented machines that became ready in the period: woken ones from the order to wake, new ones from their first order. One that passes its
 * readiness check again after it has served is neither.
 */
export async function readStarts(
  db: Transaction,
  { from, until }: Span,
): Promise<Pick<TargetFacts, 'wakes' | 'boots'>> {
  const rows = await db.$queryRaw<{ kind: string; count: number; meanSeconds: number }[]>`
    SELECT kind, count(*)::int AS count, avg(seconds)::float8 AS "meanSeconds"
    FROM (
      SELECT CASE WHEN woken.at IS NULL THEN 'boot' ELSE 'wake' END AS kind,
             greatest(0, extract(epoch FROM t.at - coalesce(woken.at, ordered.at))) AS seconds
      FROM "InstanceTransition" t
      LEFT JOIN LATERAL (
        SELECT b.position FROM "InstanceTransition" b
        WHERE b."instanceName" = t."instanceName" AND b.position < t.position AND b."toPhase" = 'ready'
        ORDER BY b.position DESC LIMIT 1) served ON true
      LEFT JOIN LATERAL (
        SELECT b.at FROM "InstanceTransition" b
        WHERE b."instanceName" = t."instanceName" AND b.position < t.position AND b.position > coalesce(served.position, -1)
          AND b."fromPhase" = 'suspended' AND b."toPhase" = 'waking'
        ORDER BY b.position DESC LIMIT 1) woken ON true
      LEFT JOIN LATERAL (
        SELECT b.at FROM "InstanceTransition" b
        WHERE b."instanceName" = t."instanceName" AND b.position < t.position AND served.position IS NULL AND b."toPhase" = 'creating'
        ORDER BY b.position LIMIT 1) ordered ON true
      WHERE t.at >= ${from} AND t.at < ${until} AND t."fromPhase" = 'booting' AND t."toPhase" = 'ready'
        AND coalesce(woken.at, ordered.at) IS NOT NULL
        AND (SELECT s.provider FROM "FleetInstance" s WHERE s.name = t."instanceName") IS DISTINCT FROM 'static'
    ) starts GROUP BY kind`;
  const of = (kind: string): TargetFacts['wakes'] => {
    const { count, meanSeconds } = rows.find((row) => row.kind === kind) ?? { count: 0, meanSeconds: 0 };
    return { count, meanSeconds };
  };
  return { wakes: of('wake'), boots: of('boot') };
}

/** From the newest request of a review until a pool began a machine or woke one, for those that followed within an hour. */
export async function readResponses(db: Transaction, { from, until }: Span): Promise<TargetFacts['responses']> {
  const [row] = await db.$queryRaw<{ count: number; meanSeconds: number | null }[]>`
    SELECT count(*)::int AS count, avg(seconds)::float8 AS "meanSeconds"
    FROM (
      SELECT extract(epoch FROM t.at - newest."createdAt") AS seconds
      FROM "InstanceTransition" t
      JOIN LATERAL (
        SELECT a."createdAt" FROM "Analysis" a WHERE a."createdAt" <= t.at ORDER BY a."createdAt" DESC LIMIT 1) newest ON true
      WHERE t.at >= ${from} AND t.at < ${until}
        AND (t."fromPhase" IS NULL OR (t."fromPhase" = 'suspended' AND t."toPhase" = 'waking'))
        AND (SELECT s.provider FROM "FleetInstance" s WHERE s.name = t."instanceName") IS DISTINCT FROM 'static'
    ) responses WHERE seconds <= ${ANSWERS_WITHIN_SEC}`;
  return { count: row?.count ?? 0, meanSeconds: row?.meanSeconds ?? 0 };
}

/** Looks at serving machines, and those that were answered. */
export async function readLooks(db: Transaction, { from, until }: Span): Promise<TargetFacts['looks']> {
  const [row] = await db.$queryRaw<{ count: number; answered: number }[]>`
    SELECT count(*)::int AS count, (count(*) FILTER (WHERE NOT missing))::int AS answered
    FROM "HealthSample" WHERE at >= ${from} AND at < ${until}`;
  return row ?? { count: 0, answered: 0 };
}

/** What renting cost of what the same machines would have cost running all the time. */
export async function readSaving(db: Transaction, { from, until }: Span): Promise<TargetFacts['saving']> {
  const [fromMs, untilMs] = [from.getTime(), until.getTime()];
  const all = await readRentals(db, fromMs, untilMs);
  const rentals = all.filter(({ provider }) => provider !== 'static');
  const spent = await db.$queryRaw<{ pool: string; usd: string }[]>`
    SELECT r.pool, sum(e."amountUsd")::text AS usd FROM "LedgerEntry" e JOIN "Rental" r ON r.id = e."rentalId"
    WHERE e."fromAt" >= ${from} AND e."fromAt" < ${until} AND r.pool IS NOT NULL AND r.provider <> 'static' GROUP BY r.pool`;
  const firstMs = Math.min(...rentals.map((rental) => rental.fromMs));
  const { savedShare } = alwaysOnOf({
    rentals,
    spentByPool: new Map(spent.map(({ pool, usd: amount }) => [pool, new Decimal(amount)])),
    fromMs: Math.max(fromMs, Math.min(firstMs, untilMs)),
    untilMs,
  });
  return { rentals: rentals.length, share: savedShare };
}
