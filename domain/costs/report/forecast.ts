/**
 * What a month will have cost at its end: what was spent in it, and for every day that is left what its weekday has cost on average in
 * the last four weeks, or the mean of the days before while fewer than two weeks are known.
 */
import { Decimal } from 'decimal.js';
import { amountText, sumOf } from './amount.ts';
import type { CostReport } from './document.ts';
import {
  addDays,
  firstOfMonth,
  firstOfNextMonth,
  localDayOf,
  startOfDayMs,
  weekdayOf,
  type LocalDay,
} from './local-day.ts';
import { daysOf } from './period.ts';
import { COMPARED_DAYS } from './sums.ts';

type Forecast = NonNullable<CostReport['forecast']>;

/** From this many whole days on every weekday is known twice. */
const WEEKDAYS_FROM = 14;

/** What a forecast is made from. */
export interface ForecastInput {
  /** What each day cost; one that is left out cost nothing. */
  readonly usdByDay: ReadonlyMap<LocalDay, Decimal>;
  /** Until here everything is known: the end of the period, or now while it is under way. */
  readonly knownUntilMs: number;
  readonly timezone: string;
  /** First day of the ledger; before it nothing is known. Null while it is empty. */
  readonly firstDay: LocalDay | null;
}

export function forecastOf({ usdByDay, knownUntilMs, timezone, firstDay }: ForecastInput): Forecast {
  const today = localDayOf(knownUntilMs - 1, timezone);
  const first = firstOfMonth(today);
  const next = firstOfNextMonth(today);
  const usdOf = (day: LocalDay): Decimal => usdByDay.get(day) ?? new Decimal(0);
  const fromMs = startOfDayMs(first, timezone);
  const spent = sumOf(daysOf({ fromMs, untilMs: knownUntilMs, timezone }).map(({ day }) => usdOf(day)));
  const left = daysOf({ fromMs: knownUntilMs, untilMs: startOfDayMs(next, timezone), timezone });

  // Whole days only: one that is not over would pull the mean down.
  const lastWhole = startOfDayMs(addDays(today, 1), timezone) <= knownUntilMs ? today : addDays(today, -1);
  const known = Array.from({ length: COMPARED_DAYS }, (_, i) => addDays(lastWhole, -i)).filter(
    (day) => firstDay !== null && day >= firstDay,
  );
  const mean = meanOf(known.map(usdOf));
  const byWeekday = known.length >= WEEKDAYS_FROM;
  const estimate = (day: LocalDay): Decimal =>
    byWeekday ? meanOf(known.filter((d) => weekdayOf(d) === weekdayOf(day)).map(usdOf)) : mean;
  const rest = sumOf(
    left.map((slot) => {
      const wholeMs = startOfDayMs(addDays(slot.day, 1), timezone) - startOfDayMs(slot.day, timezone);
      return estimate(slot.day)
        .times(slot.untilMs - slot.fromMs)
        .dividedBy(wholeMs);
    }),
  );
  const basis = left.length === 0 ? 'complete' : known.length === 0 ? 'none' : byWeekday ? 'weekdays' : 'mean';
  return {
    month: first.slice(0, 7),
    spentUsd: amountText(spent),
    forecastUsd: basis === 'none' ? null : amountText(spent.plus(rest)),
    basis,
    basisDays: basis === 'complete' ? 0 : known.length,
  };
}

const meanOf = (amounts: readonly Decimal[]): Decimal =>
  amounts.length === 0 ? new Decimal(0) : sumOf(amounts).dividedBy(amounts.length);
