/**
 * Figures that alert metrics are made of: medians, days held against the days before them, how late a schedule is. Pure.
 */

/** Days with costs that a day is held against at least; fewer say nothing of what is usual. */
export const LEAST_DAYS = 3;
/** Earlier rents of a type that a price is held against at least. */
export const LEAST_RENTS = 3;
/** A schedule is late when it did not run for this many times its interval: calendars have months and days of other lengths. */
const LATE_AFTER_INTERVALS = 1.15;

/** The middle value, the mean of the two middle ones; null for none. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/**
 * How many times the usual a day cost. 0 = nothing is known of what is usual.
 *
 * @param daysUsd cost by day, newest first, the first one being today; days without costs may be left out but for the first two
 */
export function dayCostRatio(daysUsd: readonly number[]): number {
  const [today = 0, yesterday = 0, ...before] = daysUsd;
  const costly = before.filter((usd) => usd > 0);
  const usual = median(costly);
  if (usual === null || costly.length < LEAST_DAYS) return 0;
  return Math.max(today, yesterday) / usual;
}

/** Price as a multiple of the median of earlier ones; 1 = too few are known. */
export function priceRatio(priceUsd: number, earlierUsd: readonly number[]): number {
  const usual = median(earlierUsd);
  return usual === null || usual <= 0 || earlierUsd.length < LEAST_RENTS ? 1 : priceUsd / usual;
}

/** Longest time a balance is said to last, hours: what costs nothing lasts for ever. */
export const LONGEST_HOURS = 10_000;

/** How long a balance lasts, hours, by what was left some time ago and what has been spent per hour since. */
export function hoursLeft(balanceUsd: number, ageHours: number, usdPerHour: number): number {
  if (usdPerHour <= 0) return LONGEST_HOURS;
  return Math.min(LONGEST_HOURS, Math.max(0, balanceUsd / usdPerHour - ageHours));
}

/** What is known of a schedule's rhythm. */
export interface ScheduleRhythm {
  /** When its last run was due; when it was made, before its first. */
  readonly lastDueMs: number;
  /** Its next runs, soonest first. */
  readonly nextDueMs: readonly number[];
}

/** How long ago a run should have begun that did not, ms; 0 = none is missed, or too little is known. */
export function scheduleLateMs({ lastDueMs, nextDueMs }: ScheduleRhythm, nowMs: number): number {
  const [first, second] = nextDueMs;
  if (first === undefined || second === undefined) return 0;
  return Math.max(0, nowMs - lastDueMs - (second - first) * LATE_AFTER_INTERVALS);
}
