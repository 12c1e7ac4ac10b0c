/**
 * Reads what the coming days are forecast from: decks, machine time and costs of the last weeks, the month so far and its budget; and what
 * warming instances ahead would have come to in each pool.
 */
import { Decimal } from 'decimal.js';
import {
  forecastDays,
  FORECAST_HISTORY_DAYS,
  type DayFacts,
  type DaysForecast,
} from '../../../domain/costs/forecast/days.ts';
import { forecastOf } from '../../../domain/costs/report/forecast.ts';
import type { CostReport } from '../../../domain/costs/report/document.ts';
import { addDays, localDayOf, startOfDayMs } from '../../../domain/costs/report/local-day.ts';
import { periodAt, daysOf, type PeriodDay } from '../../../domain/costs/report/period.ts';
import type { JudgedOutlook } from '../../../domain/fleet/prewarm/outlook.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { PoolSetup } from '../../../domain/fleet/pool/pool-state.ts';
import { EACH_ONE } from '../../../domain/costs/budget/types.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { readRules } from '../budget/spending.ts';
import { firstArrivalMs, foreseeArrivals, readArrivals } from '../../fleet/pool/arrivals.ts';
import { sqlTime } from './sql.ts';

/** What warming ahead would have come to in a pool, and whether it is done. */
export interface PoolOutlook extends JudgedOutlook {
  readonly pool: string;
  readonly mode: PoolConfig['prewarm'];
}

export interface CostForecast {
  readonly timezone: string;
  /** Null with too little history. */
  readonly forecast: DaysForecast | null;
  /** Whole days that are known. */
  readonly historyDays: number;
  readonly month: NonNullable<CostReport['forecast']>;
  /** Caps of the installation for a month; null where there is none. */
  readonly softUsd: Decimal | null;
  readonly hardUsd: Decimal | null;
  readonly pools: readonly PoolOutlook[];
}

/** See the file's header. @param setups pools that may warm instances ahead @param days that are forecast, from today on */
export async function readCostForecast(
  db: PrismaClient,
  days: number,
  {
    timezone,
    setups,
    nowMs,
  }: { readonly timezone: string; readonly setups: readonly ForecastPool[]; readonly nowMs: number },
): Promise<CostForecast> {
  const today = localDayOf(nowMs, timezone);
  const firstMs = await firstDayMs(db);
  const whole = daysOf({
    fromMs: startOfDayMs(addDays(today, -FORECAST_HISTORY_DAYS), timezone),
    untilMs: startOfDayMs(today, timezone),
    timezone,
    // The day of the first deck is known in part only.
  }).filter(({ fromMs }) => firstMs !== null && fromMs >= firstMs);
  const { fromMs: monthFromMs } = periodAt('monthly', nowMs, timezone);
  const all = daysOf({
    fromMs: Math.min(monthFromMs, whole[0]?.fromMs ?? monthFromMs),
    untilMs: startOfDayMs(addDays(today, 1), timezone),
    timezone,
  });
  const costs = await readDays(db, all);
  const history = await withDecks(db, whole, costs);
  const rule = (await readRules(db)).find(
    ({ scope, scopeId, period }) => scope === 'installation' && scopeId === EACH_ONE && period === 'month',
  );
  const pools: PoolOutlook[] = [];
  for (const setup of setups) {
    const judged = await foreseeArrivals(db, setup, timezone, new Date(nowMs));
    pools.push({ pool: setup.config.name, mode: setup.config.prewarm, ...judged });
  }
  return {
    timezone,
    forecast: forecastDays(history, today, days),
    historyDays: history.length,
    month: forecastOf({
      usdByDay: new Map([...costs].map(([day, { usd }]) => [day, usd])),
      knownUntilMs: nowMs,
      timezone,
      firstDay: firstMs === null ? null : localDayOf(firstMs, timezone),
    }),
    softUsd: rule?.softUsd ?? null,
    hardUsd: rule?.hardUsd ?? null,
    pools,
  };
}

/** What an outlook needs of a pool. */
export type ForecastPool = Pick<PoolSetup, 'config' | 'capabilities' | 'slots'>;

/** The first deck or the first entry of the ledger; null = there is neither. */
async function firstDayMs(db: PrismaClient): Promise<number | null> {
  const entry = await db.ledgerEntry.findFirst({ orderBy: { fromAt: 'asc' }, select: { fromAt: true } });
  const times = [entry?.fromAt.getTime() ?? null, await firstArrivalMs(db)].filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

interface DayCost {
  readonly usd: Decimal;
  readonly gpuHours: number;
}

/** Costs and machine time of days, by day; one without an entry is left out. */
async function readDays(db: PrismaClient, days: readonly PeriodDay[]): Promise<ReadonlyMap<string, DayCost>> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const bounds = days.map(({ fromMs }) => sqlTime(fromMs));
  const rows = await db.$queryRaw<{ readonly slot: number; readonly usd: string; readonly hours: number }[]>`
    SELECT width_bucket("fromAt", ${bounds}::timestamp[])::int - 1 AS slot, sum("amountUsd")::text AS usd,
           (coalesce(sum("shareSeconds") FILTER (
              WHERE "instanceType" IS NOT NULL AND kind NOT IN ('suspended', 'unused')), 0) / 3600)::float8 AS hours
    FROM "LedgerEntry"
    WHERE "fromAt" >= ${sqlTime(first.fromMs)}::timestamp AND "fromAt" < ${sqlTime(last.untilMs)}::timestamp
    GROUP BY 1`;
  return new Map(
    rows.map(({ slot, usd, hours }) => [days[slot]?.day ?? '', { usd: new Decimal(usd), gpuHours: hours }]),
  );
}

async function withDecks(
  db: PrismaClient,
  days: readonly PeriodDay[],
  costs: ReadonlyMap<string, DayCost>,
): Promise<DayFacts[]> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const arrivals = await readArrivals(db, first.fromMs, last.untilMs);
  let next = 0;
  return days.map(({ day, untilMs }) => {
    let decks = 0;
    for (let arrival = arrivals[next]; arrival !== undefined && arrival.atMs < untilMs; arrival = arrivals[next]) {
      decks += arrival.decks;
      next += 1;
    }
    const cost = costs.get(day);
    return { day, decks, gpuHours: cost?.gpuHours ?? 0, usd: cost?.usd.toNumber() ?? 0 };
  });
}
