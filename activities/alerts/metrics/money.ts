/** Metrics of money: the cost of days, the account, and the ledger. Budgets stand beside this file. */
import { dayCostRatio, hoursLeft, LONGEST_HOURS } from '../../../domain/alerts/figures.ts';
import { INSTALLATION, type Reading } from '../../../domain/alerts/metrics.ts';
import { durationWords } from '../../../domain/fleet/sleep/duration.ts';
import { LEDGER_CURRENCY } from '../../../domain/ledger/kinds.ts';
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
  const samples = await db.balanceSample.findMany({
    where: { currency: LEDGER_CURRENCY, sampledAt: { lte: now } },
    distinct: ['provider'],
    orderBy: { sampledAt: 'desc' },
  });
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
  const rentals = await db.rental.findMany({
    // What costs nothing keeps no money out of the books.
    where: { closedAt: null, billedFrom: { not: null }, priceUsdPerHour: { gt: 0 } },
    select: { id: true, billedFrom: true, billedUntil: true, settledUntil: true },
  });
  const lags = rentals.map(({ id, billedFrom, billedUntil, settledUntil }) => {
    const until = billedUntil !== null && billedUntil < now ? billedUntil : now;
    const from = settledUntil ?? billedFrom ?? until;
    // All of it is settled; only its closing is missing.
    return { id, lag: from >= until ? 0 : secondsSince(from, now) };
  });
  const worst = lags.toSorted((a, b) => b.lag - a.lag)[0] ?? { id: '', lag: 0 };
  const message =
    worst.lag === 0
      ? 'The ledger is up to date.'
      : `Nothing of ${worst.id} was settled for ${durationWords(worst.lag * 1000)}.`;
  return [{ subject: INSTALLATION, value: worst.lag, message }];
};
