/** Rentals and balances around the period of a report. */
import type { ReportPeriod } from '../../../domain/costs/report/period.ts';
import type { BalanceLook, BalanceSpan, RentalSpan } from '../../../domain/costs/report/sums.ts';
import { billedTimes, nanosOf, usdOf } from '../../../domain/costs/ledger/amounts.ts';
import { billIn } from '../ledger/rental-facts.ts';
import type { Transaction } from '../../../platform/db.ts';
import { sqlTime } from './sql.ts';

/** Longer than any prepaid billing block. */
const LONGEST_BLOCK_MS = 24 * 3_600_000;

/** Later than every event, and still a valid time for the database. */
const LAST_INSTANT_MS = Date.UTC(9999, 0, 1);

/** Rentals that overlap a time span or were prepaid into it; each time between two stops is one entry. */
export async function readRentals(tx: Transaction, fromMs: number, untilMs: number): Promise<RentalSpan[]> {
  const rows = await tx.rental.findMany({
    where: {
      billedFrom: { lt: new Date(untilMs) },
      OR: [{ billedUntil: null }, { billedUntil: { gt: new Date(fromMs - LONGEST_BLOCK_MS) } }],
    },
    select: {
      provider: true,
      resource: true,
      pool: true,
      priceUsdPerHour: true,
      quantumSec: true,
      refundsUnused: true,
      billedFrom: true,
      billedUntil: true,
      pauses: true,
    },
    orderBy: { id: 'asc' },
  });
  return rows.flatMap(({ priceUsdPerHour, billedFrom, billedUntil, pauses, ...row }) => {
    const bill = billIn({ billedFrom, billedUntil, pauses });
    return bill === null
      ? []
      : billedTimes(bill, { nanoUsdPerHour: nanosOf(priceUsdPerHour) })
          .filter(({ isStopped }) => !isStopped)
          .map((time) => ({
            ...row,
            usdPerHour: usdOf(time.nanoUsdPerHour).toFixed(),
            fromMs: time.fromMs,
            untilMs: time.untilMs,
          }));
  });
}

/**
 * Balance samples of providers: from the last one before the period to the first one after it, or the nearest within it. Samples at a
 * time that the ledger is not settled to are left out, because unsettled costs are not a difference.
 *
 * @param providers providers with rentals; one without a balance sample is listed as such
 */
export async function readBalances(
  tx: Transaction,
  { fromMs, untilMs }: ReportPeriod,
  providers: ReadonlySet<string>,
): Promise<BalanceSpan[]> {
  const spans: BalanceSpan[] = [];
  for (const provider of [...providers].toSorted()) {
    const settledMs = await settledUntil(tx, provider);
    const first = (await lookAt(tx, provider, 'before', fromMs)) ?? (await lookAt(tx, provider, 'after', fromMs));
    const after = await lookAt(tx, provider, 'after', untilMs);
    const last =
      after !== null && after.atMs <= settledMs
        ? after
        : await lookAt(tx, provider, 'before', Math.min(untilMs, settledMs));
    if (first === null || last === null) {
      spans.push({ provider, looks: null, rises: [], ledgerUsd: '0' });
      continue;
    }
    spans.push({
      provider,
      looks: { first, last },
      rises: await readRises(tx, provider, first, last),
      ledgerUsd: await ledgerBetween(tx, provider, first, last),
    });
  }
  return spans;
}

/** Time until which all rentals of a provider are in the ledger; {@link LAST_INSTANT_MS} when none is open. */
async function settledUntil(tx: Transaction, provider: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ readonly atMs: number | null }[]>`
    SELECT (extract(epoch FROM min(coalesce("settledUntil", "billedFrom", "createdAt"))) * 1000)::float8 AS "atMs"
    FROM "Rental" WHERE provider = ${provider} AND "closedAt" IS NULL AND "priceUsdPerHour" > 0`;
  return row?.atMs ?? LAST_INSTANT_MS;
}

/** The sample nearest to an instant on one side of it; a sample at the instant counts on both sides. */
async function lookAt(
  tx: Transaction,
  provider: string,
  side: 'before' | 'after',
  atMs: number,
): Promise<BalanceLook | null> {
  const at = new Date(atMs);
  const row = await tx.balanceSample.findFirst({
    where: { provider, sampledAt: side === 'before' ? { lte: at } : { gte: at } },
    orderBy: { sampledAt: side === 'before' ? 'desc' : 'asc' },
  });
  return row === null ? null : { atMs: row.sampledAt.getTime(), amount: row.amount.toFixed(), currency: row.currency };
}

interface RiseRow {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly amountBefore: string;
  readonly amountAfter: string;
  readonly currency: string;
}

/** Consecutive samples between which the balance rose: refunds or payments. */
async function readRises(
  tx: Transaction,
  provider: string,
  first: BalanceLook,
  last: BalanceLook,
): Promise<BalanceSpan['rises']> {
  const rows = await tx.$queryRaw<RiseRow[]>`
    SELECT (extract(epoch FROM earlier) * 1000)::float8 AS "fromMs", (extract(epoch FROM "sampledAt") * 1000)::float8 AS "untilMs",
           before::text AS "amountBefore", amount::text AS "amountAfter", currency
    FROM (SELECT amount, currency, "sampledAt", lag(amount) OVER looks AS before, lag("sampledAt") OVER looks AS earlier
          FROM "BalanceSample"
          WHERE provider = ${provider} AND "sampledAt" BETWEEN ${sqlTime(first.atMs)}::timestamp AND ${sqlTime(last.atMs)}::timestamp
          WINDOW looks AS (ORDER BY "sampledAt", id)) AS seen
    WHERE amount > before ORDER BY "sampledAt"`;
  return rows.map(({ fromMs, untilMs, amountBefore, amountAfter, currency }) => ({
    before: { atMs: fromMs, amount: amountBefore, currency },
    after: { atMs: untilMs, amount: amountAfter, currency },
  }));
}

/** Ledger amount of a time span; an entry that crosses its start or end counts with the share within it. */
async function ledgerBetween(
  tx: Transaction,
  provider: string,
  first: BalanceLook,
  last: BalanceLook,
): Promise<string> {
  const [from, until] = [sqlTime(first.atMs), sqlTime(last.atMs)];
  // Entries last a quarter of an hour at most, except for unused prepaid time.
  const [row] = await tx.$queryRaw<{ readonly usd: string }[]>`
    SELECT coalesce(sum(CASE
             WHEN "fromAt" >= ${from}::timestamp AND "untilAt" <= ${until}::timestamp THEN "amountUsd"
             ELSE "amountUsd" * (extract(epoch FROM least("untilAt", ${until}::timestamp) - greatest("fromAt", ${from}::timestamp))
                    / nullif(extract(epoch FROM "untilAt" - "fromAt"), 0))::numeric
           END), 0)::text AS usd
    FROM "LedgerEntry"
    WHERE provider = ${provider} AND "untilAt" > ${from}::timestamp AND "fromAt" < ${until}::timestamp
      AND "fromAt" >= ${sqlTime(first.atMs - LONGEST_BLOCK_MS)}::timestamp`;
  return row?.usd ?? '0';
}
