/**
 * What the coming days are expected to bring and to cost: each day what its weekday brought on average in the last weeks, drawn a little towards
 * the mean of all days, with the range in which most of those weekdays lay.
 *
 * A sum over days has a range of its own, taken from sums over as many days in a row: the ranges of days do not add up.
 */
import { addDays, weekdayOf, type LocalDay } from '../report/local-day.ts';

/** Days that a forecast goes by. */
export const FORECAST_HISTORY_DAYS = 56;
/** With fewer days every weekday is known once at most. */
export const LEAST_HISTORY_DAYS = 14;
/** How many days of its weekday the mean of all days is worth. */
const PRIOR_DAYS = 1;
/** The range leaves out a tenth of the days at each end. */
const LOW = 0.1;
const HIGH = 0.9;

/** What a day brought and cost. */
export interface DayFacts {
  readonly day: LocalDay;
  /** Decks that needed machines. */
  readonly decks: number;
  /** Of machines that ran. */
  readonly gpuHours: number;
  /** Machines and disks. */
  readonly usd: number;
}

/** An expected figure with its range; the range is null where too few sums of its length are known. */
export interface Expected {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}

const MEASURES = ['decks', 'gpuHours', 'usd'] as const;
type Measure = (typeof MEASURES)[number];

/** The expected figures of a day, or of several together. */
export type ExpectedFigures = Readonly<Record<Measure, Expected>>;

export interface DaysForecast {
  /** Days that it goes by. */
  readonly basisDays: number;
  readonly days: readonly ({ readonly day: LocalDay } & ExpectedFigures)[];
  readonly total: ExpectedFigures;
}

/**
 * The days from `from` on; null with too little history.
 *
 * @param history whole days in a row, oldest first, days without anything among them
 */
export function forecastDays(history: readonly DayFacts[], from: LocalDay, count: number): DaysForecast | null {
  if (history.length < LEAST_HISTORY_DAYS) return null;
  const days = Array.from({ length: count }, (_, i) => addDays(from, i));
  const lines = days.map((day) => ({ day, ...figures((measure) => ofDay(history, day, measure)) }));
  const total = figures((measure): Expected => {
    const mean = lines.reduce((sum, line) => sum + line[measure].mean, 0);
    const sums = sumsInARow(
      history.map((one) => one[measure]),
      count,
    );
    return sums.length < 2 ? { mean, low: null, high: null } : { mean, ...rangeOf(sums, mean) };
  });
  return { basisDays: history.length, days: lines, total };
}

function figures(of: (measure: Measure) => Expected): ExpectedFigures {
  return { decks: of('decks'), gpuHours: of('gpuHours'), usd: of('usd') };
}

function ofDay(history: readonly DayFacts[], day: LocalDay, measure: Measure): Expected {
  const same = history.filter((one) => weekdayOf(one.day) === weekdayOf(day)).map((one) => one[measure]);
  const all = meanOf(history.map((one) => one[measure]));
  const mean = (sumOf(same) + PRIOR_DAYS * all) / (same.length + PRIOR_DAYS);
  return { mean, ...rangeOf(same, mean) };
}

/** Every sum over so many days in a row. */
const sumsInARow = (values: readonly number[], count: number): number[] =>
  Array.from({ length: Math.max(0, values.length - count + 1) }, (_, i) => sumOf(values.slice(i, i + count)));

/** The range of most values, widened to hold the mean. */
function rangeOf(values: readonly number[], mean: number): Pick<Expected, 'low' | 'high'> {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? mean;
  return { low: Math.min(mean, at(LOW)), high: Math.max(mean, at(HIGH)) };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: readonly number[]): number => (values.length === 0 ? 0 : sumOf(values) / values.length);
