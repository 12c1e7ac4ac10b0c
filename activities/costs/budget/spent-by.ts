/**
 * What tenants and decks have cost: entries of the ledger, and what it has not settled yet by the same rules.
 */
import { Decimal } from 'decimal.js';
import { settledIn } from '../../../domain/costs/budget/amounts.ts';
import type { TimeSpan } from '../../../domain/costs/budget/types.ts';
import type { LineOwner } from '../../../domain/costs/ledger/facts.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { openCosts } from '../ledger/open-costs.ts';
import { decimalOf } from './rules.ts';

type Reader = PrismaClient | Prisma.TransactionClient;

/** USD by tenant or by deck. */
export type SpentBy = ReadonlyMap<string, Decimal>;

interface Row {
  readonly id: string;
  readonly usd: { toString(): string } | null;
}

/** No entry of somebody's is longer, so an index finds those of a window. */
const LONGEST_ENTRY_MS = 3_600_000;
/** Of a deck all that it ever cost counts. */
const ALWAYS: TimeSpan = { fromMs: -Infinity, untilMs: Infinity };
const ZERO = new Decimal(0);

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
  return added(tenants, await settled, await openSpending(db, (owner) => owner.tenantId, window, now));
}

/** What each of these decks has cost so far. */
export async function spentByDecks(db: Reader, decks: readonly string[], now: Date): Promise<SpentBy> {
  if (decks.length === 0) return new Map();
  const settled = db.$queryRaw<Row[]>`
    SELECT an."deckId" AS id, sum(e."amountUsd") AS usd
    FROM "Analysis" an JOIN "LedgerEntry" e ON e."analysisId" = an.id
    WHERE an."deckId" = ANY(${[...decks]})
    GROUP BY an."deckId"`;
  return added(decks, await settled, await openSpending(db, (owner) => owner.deckId, ALWAYS, now));
}

/** The same lines as the ledger's, over what is known by now. */
async function openSpending(
  db: Reader,
  whose: (owner: LineOwner) => string | null,
  window: TimeSpan,
  now: Date,
): Promise<SpentBy> {
  const sums = new Map<string, Decimal>();
  for (const { owner, amountUsd: usd, fromMs, untilMs } of await openCosts(db, now)) {
    const id = owner === null ? null : whose(owner);
    if (id === null) continue;
    sums.set(id, (sums.get(id) ?? ZERO).plus(settledIn({ usd, fromMs, untilMs }, window)));
  }
  return sums;
}

/** @param ids those that were asked about */
function added(ids: readonly string[], settled: readonly Row[], open: SpentBy): SpentBy {
  const sums = new Map(settled.map(({ id, usd }) => [id, usd === null ? ZERO : decimalOf(usd)]));
  return new Map(ids.map((id) => [id, (sums.get(id) ?? ZERO).plus(open.get(id) ?? ZERO)]));
}
