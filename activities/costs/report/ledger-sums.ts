/**
 * Sums over the ledger for one report: two passes over the entries, in the database, which give back a few thousand small rows whatever the
 * size of the ledger.
 *
 * Days are cut by their instants rather than by the database's own time zones, so that both agree on every midnight.
 */
import { z } from 'zod';
import { INSTALLATION_SCOPE } from '../../../domain/costs/report/document.ts';
import type { ReportPeriod } from '../../../domain/costs/report/period.ts';
import {
  slotsOf,
  type DocumentSums,
  type KindSum,
  type LedgerSums,
  type MachineSum,
  type SlotSum,
  type TaskSum,
} from '../../../domain/costs/report/sums.ts';
import { LONGEST_CALL_MS } from '../../../domain/costs/ledger/open-attempts.ts';
import { EVICTED } from '../../../domain/fleet/instance-life/running.ts';
import { LEDGER_KINDS } from '../../../domain/costs/ledger/facts.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db.ts';
import { sqlTime } from './sql.ts';

/** Documents that a report names. */
const DEAREST = 20;

/** An eviction without notice is known so much later at most; calls that broke off before have another reason. */
const EVICTION_SEEN_WITHIN_SEC = 300;

/** Condition for the rows of a scope. */
const ofScope = (scope: string): Prisma.Sql =>
  scope === INSTALLATION_SCOPE ? Prisma.empty : Prisma.sql`AND "tenantId" = ${scope}`;

/** Reads what a report of a scope is made from. @param tx all of it sees the same ledger */
export async function readLedgerSums(
  tx: Transaction,
  period: ReportPeriod,
  scope: string,
  nowMs: number,
): Promise<LedgerSums> {
  // Room for the hash tables of a large month; for this transaction only.
  await tx.$executeRaw`SET LOCAL work_mem = '64MB'`;
  const cells = await readCells(tx, period, scope);
  const { documents, tenants } = await readDocuments(tx, period, scope);
  return {
    ...cells,
    documents,
    tenants,
    evictions: await readEvictions(tx, period, scope),
    firstEntryMs: await readFirstEntry(tx, scope),
    unsettledRentals: await countUnsettled(tx, period, nowMs),
  };
}

/** One row of any of the groupings; columns that a grouping does not have are null. */
interface CellRow {
  /** Which columns were left out, as GROUPING tells it. */
  readonly left: number;
  readonly slot: number | null;
  readonly inside: boolean | null;
  readonly provider: string | null;
  readonly pool: string | null;
  readonly instanceType: string | null;
  readonly market: string | null;
  readonly kind: string | null;
  readonly task: string | null;
  readonly attributed: boolean | null;
  readonly usd: string;
  readonly seconds: string;
  readonly saved: string;
}

/** Values of GROUPING(slot, provider, kind, task, attributed): one bit for each that is left out. */
const GROUPED = { slots: 0b01001, machines: 0b10111, tasks: 0b11001, kinds: 0b11010 } as const;

type Cells = Pick<LedgerSums, 'slots' | 'kinds' | 'machines' | 'tasks'>;

/** Everything that is not counted by document. */
async function readCells(tx: Transaction, period: ReportPeriod, scope: string): Promise<Cells> {
  const { slots, firstOfPeriod } = slotsOf(period);
  const bounds = slots.map((slot) => sqlTime(slot.fromMs));
  const rows = await tx.$queryRaw<CellRow[]>`
    WITH fine AS MATERIALIZED (
      SELECT width_bucket("fromAt", ${bounds}::timestamp[]) - 1 AS slot, provider, pool, "instanceType", market, kind, task,
             "tenantId" IS NOT NULL AS attributed,
             sum("amountUsd") AS usd, sum("shareSeconds") AS seconds, sum("spotSavingUsd") AS saved
      FROM "LedgerEntry"
      WHERE "fromAt" >= ${bounds[0]}::timestamp AND "fromAt" < ${sqlTime(period.untilMs)}::timestamp ${ofScope(scope)}
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ), cut AS (SELECT *, slot >= ${firstOfPeriod}::int AS inside FROM fine)
    SELECT GROUPING(slot, provider, kind, task, attributed)::int AS left,
           slot::int AS slot, inside, provider, pool, "instanceType", market, kind, task, attributed,
           sum(usd)::text AS usd, sum(seconds)::text AS seconds, sum(saved)::text AS saved
    FROM cut
    GROUP BY GROUPING SETS (
      (slot, pool, kind, task),
      (inside, provider, pool, "instanceType", market),
      (inside, task, kind),
      (inside, kind, attributed)
    )`;
  const of = (left: number): CellRow[] => rows.filter((row) => row.left === left && row.inside !== false);
  return {
    slots: of(GROUPED.slots).map(({ slot, pool, kind, task, usd }): SlotSum => ({
      slot: slot ?? 0,
      pool,
      kind: kindOf(kind),
      task,
      usd,
    })),
    machines: of(GROUPED.machines).map(({ provider, pool, instanceType, market, usd, seconds, saved }): MachineSum => ({
      provider: provider ?? '',
      pool,
      instanceType,
      market,
      usd,
      seconds,
      spotSavingUsd: saved,
    })),
    tasks: of(GROUPED.tasks).map(({ task, kind, usd, seconds }): TaskSum => ({
      task,
      kind: kindOf(kind),
      usd,
      seconds,
    })),
    kinds: of(GROUPED.kinds).map(({ kind, attributed, usd, seconds }): KindSum => ({
      kind: kindOf(kind),
      attributed: attributed ?? false,
      usd,
      seconds,
    })),
  };
}

const kindSchema = z.enum(LEDGER_KINDS);
const kindOf = (kind: string | null): SlotSum['kind'] => kindSchema.parse(kind);

const dearestSchema = z.array(
  z.object({ tenantId: z.string(), deckId: z.string(), analyses: z.int(), usd: z.string() }),
);
const tenantsSchema = z.array(
  z.object({ tenantId: z.string(), usd: z.string(), deletedUsd: z.string(), documents: z.int() }),
);

interface DocumentsRow {
  readonly count: number;
  readonly usd: string;
  readonly p50: string | null;
  readonly p95: string | null;
  readonly dearest: unknown;
  readonly tenants: unknown;
}

/** What is counted by document, and by tenant. A row of a tenant without a deck is of one that was deleted. */
async function readDocuments(
  tx: Transaction,
  period: ReportPeriod,
  scope: string,
): Promise<{ readonly documents: DocumentSums; readonly tenants: LedgerSums['tenants'] }> {
  const [row] = await tx.$queryRaw<DocumentsRow[]>`
    WITH runs AS MATERIALIZED (
      SELECT "tenantId", "deckId", "analysisId", sum("amountUsd") AS usd
      FROM "LedgerEntry"
      WHERE "fromAt" >= ${sqlTime(period.fromMs)}::timestamp AND "fromAt" < ${sqlTime(period.untilMs)}::timestamp
        AND "tenantId" IS NOT NULL ${ofScope(scope)}
      GROUP BY 1, 2, 3
    ), owned AS MATERIALIZED (
      SELECT "tenantId", "deckId", count("analysisId")::int AS analyses, sum(usd) AS usd FROM runs GROUP BY 1, 2
    ), documents AS (SELECT * FROM owned WHERE "deckId" IS NOT NULL)
    SELECT count(*)::int AS count, coalesce(sum(usd), 0)::text AS usd,
           (percentile_disc(0.5) WITHIN GROUP (ORDER BY usd))::text AS p50,
           (percentile_disc(0.95) WITHIN GROUP (ORDER BY usd))::text AS p95,
           (SELECT coalesce(json_agg(json_build_object(
                     'tenantId', "tenantId", 'deckId', "deckId", 'analyses', analyses, 'usd', usd::text)), '[]')
            FROM (SELECT * FROM documents ORDER BY usd DESC, "deckId" LIMIT ${DEAREST}) AS top) AS dearest,
           (SELECT coalesce(json_agg(json_build_object(
                     'tenantId', "tenantId", 'usd', usd::text, 'deletedUsd', deleted::text, 'documents', documents)), '[]')
            FROM (SELECT "tenantId", sum(usd) AS usd, count("deckId")::int AS documents,
                         coalesce(sum(usd) FILTER (WHERE "deckId" IS NULL), 0) AS deleted
                  FROM owned GROUP BY 1) AS each) AS tenants
    FROM documents`;
  return {
    documents: {
      count: row?.count ?? 0,
      totalUsd: row?.usd ?? '0',
      p50Usd: row?.p50 ?? null,
      p95Usd: row?.p95 ?? null,
      dearest: dearestSchema.parse(row?.dearest ?? []),
    },
    tenants: tenantsSchema.parse(row?.tenants ?? []),
  };
}

/**
 * Spot machines that were taken back in the period, and what that cost: their boots, and the calls that they were at. A tenant's are those on
 * which it had costs, with its share of them.
 */
async function readEvictions(
  tx: Transaction,
  { fromMs, untilMs }: ReportPeriod,
  scope: string,
): Promise<LedgerSums['evictions']> {
  const [row] = await tx.$queryRaw<
    { readonly count: number; readonly bootUsd: string; readonly repeatedUsd: string }[]
  >`
    WITH evicted AS MATERIALIZED (
      SELECT r.id AS "rentalId", t."instanceName", min(t.at) AS at
      FROM "InstanceTransition" t
      JOIN "Rental" r ON r.provider = split_part(t."offerKey", '/', 1) AND r.resource = 'instance' AND r."resourceId" = t."providerId"
      WHERE t.at >= ${sqlTime(fromMs)}::timestamp AND t.at < ${sqlTime(untilMs)}::timestamp AND starts_with(t.reason, ${EVICTED})
      GROUP BY 1, 2
    ), repeated AS MATERIALIZED (
      SELECT DISTINCT e."rentalId", a."callId"
      FROM evicted e JOIN "CallAttempt" a ON a."instanceName" = e."instanceName"
      WHERE a.outcome IS DISTINCT FROM 'stored' AND a."startedAt" <= e.at AND a."callId" <> ''
        AND a."startedAt" > e.at - make_interval(secs => ${LONGEST_CALL_MS / 1000})
        AND (a."endedAt" IS NULL OR a."endedAt" >= e.at - make_interval(secs => ${EVICTION_SEEN_WITHIN_SEC}))
    )
    SELECT count(DISTINCT l."rentalId")::int AS count,
           coalesce(sum(l."amountUsd") FILTER (WHERE l.kind = 'boot'), 0)::text AS "bootUsd",
           coalesce(sum(l."amountUsd") FILTER (WHERE l.kind <> 'boot' AND c."callId" IS NOT NULL), 0)::text AS "repeatedUsd"
    FROM evicted e JOIN "LedgerEntry" l ON l."rentalId" = e."rentalId"
    LEFT JOIN repeated c ON c."rentalId" = l."rentalId" AND c."callId" = l."callId"
    WHERE ${scope} IN (${INSTALLATION_SCOPE}, l."tenantId")`;
  return { count: row?.count ?? 0, bootUsd: row?.bootUsd ?? '0', repeatedUsd: row?.repeatedUsd ?? '0' };
}

/** When the ledger of a scope begins. */
async function readFirstEntry(tx: Transaction, scope: string): Promise<number | null> {
  const where = scope === INSTALLATION_SCOPE ? {} : { tenantId: scope };
  const first = await tx.ledgerEntry.findFirst({ where, orderBy: { fromAt: 'asc' }, select: { fromAt: true } });
  return first?.fromAt.getTime() ?? null;
}

/** Rentals whose part of the period is not in the ledger to its end. Servers that run already cost nothing, so nothing of them is missing. */
async function countUnsettled(tx: Transaction, { fromMs, untilMs }: ReportPeriod, nowMs: number): Promise<number> {
  const until = sqlTime(Math.min(untilMs, nowMs));
  const [row] = await tx.$queryRaw<{ readonly count: number }[]>`
    SELECT count(*)::int AS count FROM "Rental"
    WHERE "closedAt" IS NULL AND "priceUsdPerHour" > 0 AND coalesce("billedFrom", "createdAt") < ${until}::timestamp
      AND ("billedUntil" IS NULL OR "billedUntil" > ${sqlTime(fromMs)}::timestamp)
      AND coalesce("settledUntil", "billedFrom", "createdAt") < least(${until}::timestamp, coalesce("billedUntil", ${until}::timestamp))`;
  return row?.count ?? 0;
}
