/** Metrics of money: the cost of days, the account, and the ledger. Budgets stand beside this file. */
import { dayCostRatio, hoursLeft, LONGEST_HOURS } from '../../../domain/alerts/figures.ts';
import { INSTALLATION, type Reading } from '../../../domain/alerts/metrics.ts';
import { durationWords } from '../../../domain/text/words.ts';
import { LEDGER_CURRENCY } from '../../../domain/costs/ledger/kinds.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { furthestBehind } from '../../costs/ledger/furthest-behind.ts';
import { secondsSince, windowStart, type MetricReader } from './reader.ts';

/** Today and yesterday held against the days before, each a day of the configured time zone. */
export const readDailyCost: MetricReader = async (look) => {
  const { db, now, timezone } = look;
  const rows = await db.$queryRaw<{ readonly daysAgo: number; readonly usd: number }[]>`
    SELECT ((${now} AT TIME ZONE 'UTC' AT TIME ZONE ${timezone})::date
            - ("fromAt" AT TIME ZONE 'UTC' AT TIME ZONE ${timezone})::date)::int AS "daysAgo",
           sum("amountUsd")::float8 AS usd
    FROM "LedgerEntry"
    WHERE "fromAt" > ${windowStart(look)} AND "fromAt" <= ${now}
    GROUP BY 1`;
  const costOf = new Map(rows.map(({ daysAgo, usd }) => [daysAgo, usd]));
  const earlier = rows.filter(({ daysAgo }) => daysAgo >= 2).map(({ usd }) => usd);
  const [today, yesterday] = [costOf.get(0) ?? 0, costOf.get(1) ?? 0];
  const value = dayCostRatio([today, yesterday, ...earlier]);
  const message = `$${today.toFixed(2)} today and $${yesterday.toFixed(2)} yesterday: at most ${value.toFixed(1)} times what a day with costs usually comes to.`;
  return [{ subject: INSTALLATION, value, message }];
};

/** How long the last balance lasts at the prices of what runs. A balance in another currency than prices says nothing. */
export const readAccountHours: MetricReader = async ({ db, now }) => {
  // The newest of each by the index: samples are taken every few minutes and kept.
  const samples = await db.$queryRaw<{ provider: string; amount: Prisma.Decimal; sampledAt: Date }[]>`
    SELECT last.provider, last.amount, last."sampledAt"
    FROM (SELECT DISTINCT provider FROM "FleetPool" UNION SELECT DISTINCT provider FROM "Rental" WHERE "closedAt" IS NULL) p
    CROSS JOIN LATERAL (
      SELECT b.provider, b.amount, b."sampledAt" FROM "BalanceSample" b
      WHERE b.provider = p.provider AND b.currency = ${LEDGER_CURRENCY} AND b."sampledAt" <= ${now}
      ORDER BY b."sampledAt" DESC LIMIT 1) last
    ORDER BY 1`;
  return Promise.all(
    samples.map(async ({ provider, amount, sampledAt }): Promise<Reading> => {
      const { _sum } = await db.rental.aggregate({
        where: { provider, billedFrom: { lte: now }, billedUntil: null },
        _sum: { priceUsdPerHour: true },
      });
      const usdPerHour = Number(_sum.priceUsdPerHour ?? 0);
      const ageHours = secondsSince(sampledAt, now) / 3600;
      const value = hoursLeft(Number(amount), ageHours, usdPerHour);
      const lasts =
        value >= LONGEST_HOURS ? 'nothing that runs uses it up soon' : `it lasts ${durationWords(value * 3_600_000)}`;
      const message = `The account at ${provider} had $${Number(amount).toFixed(2)} left; at $${usdPerHour.toFixed(2)} per hour ${lasts}.`;
      return { subject: provider, value, message };
    }),
  );
};

/** The rental whose billed time is longest without being in the ledger. */
export const readLedgerLag: MetricReader = async ({ db, now }) => {
  const behind = await furthestBehind(db, now);
  const value = behind === null ? 0 : secondsSince(behind.since, now);
  const message =
    behind === null
      ? 'The ledger is up to date.'
      : `Nothing of ${behind.rentalId} was settled for ${durationWords(value * 1000)}.`;
  return [{ subject: INSTALLATION, value, message }];
};
