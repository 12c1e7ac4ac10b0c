/** Costs of a time range by day, task, document, analysis or tenant, from the current ledger. */
import { z } from 'zod';
import { amountSchema } from '../../../domain/costs/report/document.ts';
import { daysOf, type ReportPeriod } from '../../../domain/costs/report/period.ts';
import { LEDGER_KINDS } from '../../../domain/costs/ledger/facts.ts';
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import { sqlTime } from './sql.ts';

/** Possible groupings of costs. */
export const BREAKDOWNS = ['day', 'task', 'document', 'analysis', 'tenant'] as const;
export type Breakdown = (typeof BREAKDOWNS)[number];

/** USD by kind of time. */
export const kindsSchema = z.partialRecord(z.enum(LEDGER_KINDS), amountSchema);

/** One line. */
export interface CostLine {
  /** Date, task, deck, analysis or tenant; null for costs without an owner and for deleted decks. */
  readonly key: string | null;
  /** Whose a document is. */
  readonly tenantId: string | null;
  readonly usd: string;
  readonly hours: number;
  readonly kinds: z.infer<typeof kindsSchema>;
}

/** All lines, or the most expensive ones. */
export interface Costs {
  readonly totalUsd: string;
  readonly kinds: z.infer<typeof kindsSchema>;
  /** Days in their order, everything else most expensive first. */
  readonly lines: readonly CostLine[];
  /** Number and sum of the lines that were left out. */
  readonly more: number;
  readonly moreUsd: string;
}

interface Row extends Omit<CostLine, 'kinds'> {
  readonly kinds: unknown;
  readonly totalUsd: string;
  readonly restUsd: string;
  readonly lines: number;
}

/** The key of a line, and its owner where the key has one. */
function columnsOf(by: Breakdown, bounds: readonly string[]): { readonly key: Prisma.Sql; readonly owner: Prisma.Sql } {
  const noOwner = Prisma.sql`NULL::text`;
  switch (by) {
    case 'day':
      return { key: Prisma.sql`width_bucket("fromAt", ${bounds}::timestamp[])::text`, owner: noOwner };
    case 'task':
      return { key: Prisma.sql`task`, owner: noOwner };
    case 'document':
      return { key: Prisma.sql`"deckId"`, owner: Prisma.sql`"tenantId"` };
    case 'analysis':
      return { key: Prisma.sql`"analysisId"`, owner: Prisma.sql`"tenantId"` };
    case 'tenant':
      return { key: Prisma.sql`"tenantId"`, owner: noOwner };
    default:
      return by satisfies never;
  }
}

/**
 * Reads the costs of a time.
 *
 * @param options.tenantId only what is this tenant's; null = everything
 * @param options.limit lines at most; of days there are all
 */
export async function readCosts(
  db: PrismaClient,
  period: ReportPeriod,
  { by, tenantId, limit }: { readonly by: Breakdown; readonly tenantId: string | null; readonly limit: number },
): Promise<Costs> {
  const days = daysOf(period);
  const { key, owner } = columnsOf(
    by,
    days.map(({ fromMs }) => sqlTime(fromMs)),
  );
  const most = by === 'day' ? days.length : limit;
  const ofTenant = tenantId === null ? Prisma.empty : Prisma.sql`AND "tenantId" = ${tenantId}`;
  const rows = await db.$queryRaw<Row[]>`
    WITH fine AS MATERIALIZED (
      SELECT ${key} AS key, ${owner} AS owner, kind, sum("amountUsd") AS usd, sum("shareSeconds") AS seconds
      FROM "LedgerEntry"
      WHERE "fromAt" >= ${sqlTime(period.fromMs)}::timestamp AND "fromAt" < ${sqlTime(period.untilMs)}::timestamp ${ofTenant}
      GROUP BY 1, 2, 3
    ), lines AS (
      SELECT key, owner, sum(usd) AS usd, (sum(seconds) / 3600)::float8 AS hours, jsonb_object_agg(kind, usd::text) AS kinds
      FROM fine GROUP BY 1, 2
    ), ranked AS (
      SELECT *, row_number() OVER (ORDER BY usd DESC, key, owner) AS rank FROM lines
    )
    SELECT key, owner AS "tenantId", usd::text AS usd, hours, kinds,
           (SELECT coalesce(sum(usd), 0)::text FROM lines) AS "totalUsd", (SELECT count(*)::int FROM lines) AS lines,
           (SELECT coalesce(sum(usd), 0)::text FROM ranked WHERE rank > ${most}) AS "restUsd"
    FROM ranked WHERE rank <= ${most} ORDER BY rank`;
  const lines = rows.map(({ key: name, tenantId: whose, usd, hours, kinds }) => ({
    key: name,
    tenantId: whose,
    usd,
    hours: Math.round(hours * 1e6) / 1e6,
    kinds: kindsSchema.parse(kinds),
  }));
  const known = rows[0];
  return {
    totalUsd: known?.totalUsd ?? '0',
    kinds: await readKinds(db, period, ofTenant),
    lines: by === 'day' ? allDays(days, lines) : lines,
    more: Math.max(0, (known?.lines ?? 0) - lines.length),
    moreUsd: known?.restUsd ?? '0',
  };
}

/** Every day of the time, also those that cost nothing. */
function allDays(days: ReturnType<typeof daysOf>, lines: readonly CostLine[]): CostLine[] {
  const byNumber = new Map(lines.map((line) => [line.key, line]));
  return days.map(({ day }, i) => ({
    tenantId: null,
    usd: '0',
    hours: 0,
    kinds: {},
    ...byNumber.get(String(i + 1)),
    key: day,
  }));
}

/** The whole time by kind. */
async function readKinds(db: PrismaClient, period: ReportPeriod, ofTenant: Prisma.Sql): Promise<Costs['kinds']> {
  const [row] = await db.$queryRaw<{ readonly kinds: unknown }[]>`
    SELECT coalesce(jsonb_object_agg(kind, usd), '{}') AS kinds
    FROM (SELECT kind, sum("amountUsd")::text AS usd FROM "LedgerEntry"
          WHERE "fromAt" >= ${sqlTime(period.fromMs)}::timestamp AND "fromAt" < ${sqlTime(period.untilMs)}::timestamp ${ofTenant}
          GROUP BY 1) AS each`;
  return kindsSchema.parse(row?.kinds ?? {});
}
