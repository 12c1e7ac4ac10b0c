/**
 * What tenants and decks have cost: entries of the ledger, and an estimate of what it has not settled yet from the calls that held a slot since.
 *
 * A slot's second is taken to cost its share of the machine's price. Boot and idle time are theirs too once the ledger says so, minutes later.
 */
import { Decimal } from 'decimal.js';
import type { TimeSpan } from '../../../domain/budget/types.ts';
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import { decimalOf } from './rules.ts';

/** USD by tenant or by deck. */
export type SpentBy = ReadonlyMap<string, Decimal>;

type Reader = Pick<PrismaClient, '$queryRaw'>;
interface Row {
  readonly id: string;
  readonly usd: { toString(): string } | null;
}

/** No entry of somebody's is longer, so an index finds those of a window. */
const LONGEST_ENTRY_MS = 24 * 3_600_000;
/** A call without an end is believed to have gone on for this long at most: its gateway may have died. */
const LONGEST_CALL_MS = 3_600_000;

/** What each of these tenants has spent in a window until now. */
export async function spentByTenants(
  db: Reader,
  tenants: readonly string[],
  window: TimeSpan,
  now: Date,
): Promise<SpentBy> {
  if (tenants.length === 0) return new Map();
  const from = new Date(Number.isFinite(window.fromMs) ? window.fromMs : 0);
  const until = new Date(Number.isFinite(window.untilMs) ? window.untilMs : now.getTime());
  const since = new Date(from.getTime() - LONGEST_ENTRY_MS);
  const settled = db.$queryRaw<Row[]>`
    SELECT e."tenantId" AS id,
           sum(CASE WHEN e."fromAt" >= ${from} AND e."untilAt" <= ${until} THEN e."amountUsd"
                    ELSE e."amountUsd" * extract(epoch FROM least(e."untilAt", ${until}) - greatest(e."fromAt", ${from}))
                         / extract(epoch FROM e."untilAt" - e."fromAt") END) AS usd
    FROM "LedgerEntry" e
    WHERE e."tenantId" = ANY(${[...tenants]}) AND e."fromAt" > ${since} AND e."fromAt" < ${until} AND e."untilAt" >= ${from}
    GROUP BY e."tenantId"`;
  const who = Prisma.sql`a."tenantId"`;
  return added(await settled, await unsettled(db, who, tenants, from, now));
}

/** What each of these decks has cost so far. */
export async function spentByDecks(db: Reader, decks: readonly string[], now: Date): Promise<SpentBy> {
  if (decks.length === 0) return new Map();
  const settled = db.$queryRaw<Row[]>`
    SELECT an."deckId" AS id, sum(e."amountUsd") AS usd
    FROM "Analysis" an JOIN "LedgerEntry" e ON e."analysisId" = an.id
    WHERE an."deckId" = ANY(${[...decks]})
    GROUP BY an."deckId"`;
  const who = Prisma.sql`a."deckId"`;
  return added(await settled, await unsettled(db, who, decks, new Date(0), now));
}

/** Calls since the high-water mark of their machine's rental. */
function unsettled(db: Reader, who: Prisma.Sql, ids: readonly string[], from: Date, now: Date): Promise<Row[]> {
  const since = new Date(now.getTime() - LONGEST_ENTRY_MS);
  return db.$queryRaw<Row[]>`
    SELECT t.id, sum(extract(epoch FROM t.until - t.since) / 3600 * t.price) AS usd
    FROM (
      SELECT ${who} AS id, i."priceUsdPerHour" / greatest(coalesce(s.slots, 1), 1) AS price,
             greatest(a."startedAt", ${from}, r."settledUntil") AS since,
             coalesce(a."endedAt", least(${now}, a."startedAt" + make_interval(secs => ${LONGEST_CALL_MS / 1000}))) AS until
      FROM "CallAttempt" a
      JOIN "FleetInstance" i ON i.name = a."instanceName"
      LEFT JOIN "InstanceServing" s ON s."instanceName" = i.name
      LEFT JOIN "Rental" r ON r.provider = i.provider AND r.resource = 'instance' AND r."resourceId" = i."providerId"
      WHERE ${who} = ANY(${[...ids]}) AND a."startedAt" > ${since} AND i."priceUsdPerHour" IS NOT NULL
    ) t
    WHERE t.until > t.since
    GROUP BY t.id`;
}

function added(...lists: readonly (readonly Row[])[]): SpentBy {
  const sums = new Map<string, Decimal>();
  for (const { id, usd } of lists.flat())
    if (usd !== null) sums.set(id, (sums.get(id) ?? new Decimal(0)).plus(decimalOf(usd)));
  return sums;
}
