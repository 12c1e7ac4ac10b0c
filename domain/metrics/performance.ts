/**
 * How long model calls took and how many failed, over time, by model, task or stage: rows for a table, a sparkline or a chart. Pure.
 */

/** What calls can be grouped by. */
export const PERFORMANCE_BY = ['model', 'task', 'stage'] as const;
export type PerformanceBy = (typeof PERFORMANCE_BY)[number];

/** Length of the steps of time. */
export const PERFORMANCE_BUCKETS = ['hour', 'day'] as const;
export type PerformanceBucket = (typeof PERFORMANCE_BUCKETS)[number];

/** Calls of one group within one step. Durations are of calls that stored an answer. */
export interface PerformanceCell {
  /** A model, task or stage. */
  readonly group: string;
  /** Start of the step, ms since 1970. */
  readonly atMs: number;
  readonly stored: number;
  readonly failed: number;
  /** Ended before they had an answer: cancelled, or their machine was taken away. */
  readonly cut: number;
  readonly totalSeconds: number;
  /** Null without a stored call. */
  readonly medianSeconds: number | null;
  readonly p95Seconds: number | null;
}

/** One step of a series. */
export type PerformancePoint = Omit<PerformanceCell, 'group' | 'totalSeconds'> & {
  readonly meanSeconds: number | null;
  /** Failed of those that were stored or failed; null when there was none. */
  readonly failureRate: number | null;
};

/** One group over the whole period. */
export interface PerformanceSeries extends Pick<PerformanceCell, 'group' | 'stored' | 'failed' | 'cut'> {
  readonly meanSeconds: number | null;
  readonly failureRate: number | null;
  /** Every step of the period, in order, also those without a call. */
  readonly points: readonly PerformancePoint[];
}

/** Series of every group, the one with the most calls first. @param steps starts of all steps of the period, in order */
export function performanceSeries(cells: readonly PerformanceCell[], steps: readonly number[]): PerformanceSeries[] {
  const groups = [...Map.groupBy(cells, (cell) => cell.group).entries()];
  const series = groups.map(([group, own]): PerformanceSeries => {
    const at = new Map(own.map((cell) => [cell.atMs, cell]));
    const [stored, failed, cut, seconds] = [
      sum(own, (c) => c.stored),
      sum(own, (c) => c.failed),
      sum(own, (c) => c.cut),
      sum(own, (c) => c.totalSeconds),
    ];
    return {
      group,
      stored,
      failed,
      cut,
      meanSeconds: ratio(seconds, stored),
      failureRate: ratio(failed, stored + failed),
      points: steps.map((atMs) => pointOf(atMs, at.get(atMs))),
    };
  });
  return series.toSorted(
    (a, b) => b.stored + b.failed + b.cut - (a.stored + a.failed + a.cut) || (a.group < b.group ? -1 : 1),
  );
}

function pointOf(atMs: number, cell: PerformanceCell | undefined): PerformancePoint {
  const { stored, failed, cut, totalSeconds, medianSeconds, p95Seconds } = cell ?? NOTHING;
  return {
    atMs,
    stored,
    failed,
    cut,
    meanSeconds: ratio(totalSeconds, stored),
    medianSeconds,
    p95Seconds,
    failureRate: ratio(failed, stored + failed),
  };
}

const NOTHING = { stored: 0, failed: 0, cut: 0, totalSeconds: 0, medianSeconds: null, p95Seconds: null };

const sum = <T>(items: readonly T[], of: (item: T) => number): number => items.reduce((all, item) => all + of(item), 0);
const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
/** A step without data. */
const NO_DATA = '·';

/**
 * A row of bars, one for each value, the highest as high as the line.
 *
 * @param top value of the highest bar; the largest value when left out. Zeros alone give a row of the lowest bars.
 */
export function sparkline(values: readonly (number | null)[], top?: number): string {
  const highest = top ?? Math.max(0, ...values.map((v) => v ?? 0));
  return values
    .map((value) => {
      if (value === null) return NO_DATA;
      const level = highest <= 0 ? 0 : Math.round((Math.min(value, highest) / highest) * (LEVELS.length - 1));
      return LEVELS[Math.max(0, level)] ?? LEVELS[0];
    })
    .join('');
}

/** Few enough values for a line: neighbours put together by `merge`. */
export function shorten<T>(values: readonly T[], most: number, merge: (some: readonly T[]) => T): T[] {
  if (values.length <= most) return [...values];
  const size = Math.ceil(values.length / most);
  return Array.from({ length: Math.ceil(values.length / size) }, (_, i) =>
    merge(values.slice(i * size, (i + 1) * size)),
  );
}
