/** Money: budgets, the cost of days, the account and the ledger. */
import { dayCostRatio, hoursLeft, LONGEST_HOURS } from '../../domain/alerts/figures.ts';
import { EACH_ONE } from '../../domain/costs/budget/types.ts';
import { LEDGER_CURRENCY } from '../../domain/costs/ledger/facts.ts';
import type { Sample } from '../../domain/metrics/catalogue.ts';
import { durationWords } from '../../domain/text/words.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { budgetUse, type BudgetUse } from '../costs/budget/usage.ts';
import { furthestBehind } from '../costs/ledger/furthest-behind.ts';
import { percent, sample, secondsSince, windowStart, type Look } from './source.ts';

/**
 * How far each budget is used, by the figures of `deckhand budgets`. `/metrics` leaves out caps per document: one for each deck under way is too
 * many, and names decks.
 */
export async function readBudgets({ db, now, fleet, windowSec }: Look): Promise<Sample[]> {
  const isScrape = windowSec === null;
  const { timezone } = fleet().accounting;
  const uses = await budgetUse(db, now, timezone, {
    isWanted: ({ scope }) => !isScrape || scope !== 'document',
  });
  return uses.flatMap((use) => [shareUsed(use), ...left(use)]);
}

/** Spent and reserved as a share of the hard cap, of the soft one where there is no hard one. */
function shareUsed({ rule, subject, spentUsd, reservedUsd, usedShare }: BudgetUse): Sample {
  const { scope, period, hardUsd, softUsd } = rule;
  const cap = hardUsd ?? softUsd;
  const used = spentUsd.plus(reservedUsd);
  // A cap of nothing is used up from the start.
  const value = cap === null || cap.isZero() ? usedShare : used.dividedBy(cap).toNumber();
  const whose = subject === EACH_ONE ? scope : `${scope} ${subject}`;
  const span = period === 'document' ? '' : ` per ${period}`;
  const amounts = `$${used.toFixed(2)} of $${cap?.toFixed(2) ?? '0.00'} are spent or reserved`;
  const message = `The budget of the ${whose}${span} is used to ${percent(value)}: ${amounts}.`;
  return sample('budget_ratio', { scope, scope_id: subject, period }, value, message);
}

/** What is left below each cap in the current window. */
function left({ rule, subject, spentUsd, reservedUsd }: BudgetUse): Sample[] {
  const caps = [
    ['soft', rule.softUsd],
    ['hard', rule.hardUsd],
  ] as const;
  return caps.flatMap(([cap, usd]) => {
    if (usd === null) return [];
    const labels = { scope: rule.scope, scope_id: subject, period: rule.period, cap };
    return [sample('budget_remaining_usd', labels, usd.minus(spentUsd).minus(reservedUsd).toNumber())];
  });
}

/** Today and yesterday compared with the days before, each a day of the configured time zone. */
export async function readDailyCost(look: Look): Promise<Sample[]> {
  const { db, now } = look;
  const { timezone } = look.fleet().accounting;
  const since = windowStart(look, 'daily_cost_ratio');
  const rows = await db.$queryRaw<{ readonly daysAgo: number; readonly usd: number }[]>`
    SELECT ((${now} AT TIME ZONE 'UTC' AT TIME ZONE ${timezone})::date
            - ("fromAt" AT TIME ZONE 'UTC' AT TIME ZONE ${timezone})::date)::int AS "daysAgo",
           sum("amountUsd")::float8 AS usd
    FROM "LedgerEntry"
    WHERE "fromAt" > ${since} AND "fromAt" <= ${now}
    GROUP BY 1`;
  const costOf = new Map(rows.map(({ daysAgo, usd }) => [daysAgo, usd]));
  const earlier = rows.filter(({ daysAgo }) => daysAgo >= 2).map(({ usd }) => usd);
  const [today, yesterday] = [costOf.get(0) ?? 0, costOf.get(1) ?? 0];
  const value = dayCostRatio([today, yesterday, ...earlier]);
  const message = `$${today.toFixed(2)} today and $${yesterday.toFixed(2)} yesterday: at most ${value.toFixed(1)} times what a day with costs usually comes to.`;
  return [sample('daily_cost_ratio', {}, value, message)];
}

/** An account whose balance was seen within this time counts, also where nothing is rented there now. */
const BALANCE_OF_MS = 24 * 3_600_000;

/** How long the last balance lasts at the prices of what runs. A balance in another currency than prices says nothing. */
export async function readAccount({ db, now }: Look): Promise<Sample[]> {
  // The newest of each by the index: samples are taken every few minutes and kept.
  const balances = await db.$queryRaw<{ provider: string; amount: Prisma.Decimal; sampledAt: Date }[]>`
    SELECT last.provider, last.amount, last."sampledAt"
    FROM (SELECT DISTINCT provider FROM "FleetPool" UNION SELECT DISTINCT provider FROM "Rental" WHERE "closedAt" IS NULL
      UNION SELECT DISTINCT provider FROM "BalanceSample" WHERE "sampledAt" > ${new Date(now.getTime() - BALANCE_OF_MS)}) p
    CROSS JOIN LATERAL (
      SELECT b.provider, b.amount, b."sampledAt" FROM "BalanceSample" b
      WHERE b.provider = p.provider AND b.currency = ${LEDGER_CURRENCY} AND b."sampledAt" <= ${now}
      ORDER BY b."sampledAt" DESC LIMIT 1) last
    ORDER BY 1`;
  const samples: Sample[] = [];
  for (const { provider, amount, sampledAt } of balances) {
    const { _sum } = await db.rental.aggregate({
      where: { provider, billedFrom: { lte: now }, billedUntil: null },
      _sum: { priceUsdPerHour: true },
    });
    const usdPerHour = Number(_sum.priceUsdPerHour ?? 0);
    const hours = hoursLeft(Number(amount), secondsSince(sampledAt, now) / 3600, usdPerHour);
    const lasts =
      hours >= LONGEST_HOURS ? 'nothing that runs uses it up soon' : `it lasts ${durationWords(hours * 3_600_000)}`;
    const message = `The account at ${provider} had $${Number(amount).toFixed(2)} left; at $${usdPerHour.toFixed(2)} per hour ${lasts}.`;
    samples.push(sample('account_seconds', { provider }, hours * 3600, message));
  }
  return samples;
}

/** The rental whose billed time is longest without being in the ledger. */
export async function readLedger({ db, now }: Look): Promise<Sample[]> {
  const behind = await furthestBehind(db, now);
  const value = behind === null ? 0 : secondsSince(behind.since, now);
  const message =
    behind === null
      ? 'The ledger is up to date.'
      : `Nothing of ${behind.rentalId} was settled for ${durationWords(value * 1000)}.`;
  return [sample('deckhand_ledger_lag_seconds', {}, value, message)];
}
