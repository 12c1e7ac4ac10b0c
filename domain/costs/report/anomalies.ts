/**
 * Days that cost far more than usual: above three times the median of the days before that cost anything, with where the difference comes
 * from. Days without any cost say nothing of what a day with work costs, so they are not compared with.
 */
import { Decimal } from 'decimal.js';
import { amountText, medianOf, sumOf } from './amount.ts';
import type { CostReport } from './document.ts';
import { addDays, type LocalDay } from './local-day.ts';
import { COMPARED_DAYS, type SlotSum } from './sums.ts';

type Anomaly = CostReport['anomalies'][number];
type Cause = Anomaly['causes'][number];

/** A day is an anomaly above this many times the median. */
const FACTOR = 3;
/** With fewer days to compare with nothing is called unusual. */
const LEAST_DAYS = 5;
/** Causes that are named. */
const CAUSES = 3;

/** What one kind of work of a pool cost on a day. */
export type DayCell = Pick<SlotSum, 'pool' | 'kind' | 'task'> & { readonly usd: Decimal };

/** See the file's header. @param days days of the period, in order. @param cellsOf what a day's cost is made of, also of days before */
export function anomaliesOf(days: readonly LocalDay[], cellsOf: (day: LocalDay) => readonly DayCell[]): Anomaly[] {
  const totals = new Map<LocalDay, Decimal>();
  const totalOf = (day: LocalDay): Decimal => {
    const known = totals.get(day) ?? sumOf(cellsOf(day).map((cell) => cell.usd));
    totals.set(day, known);
    return known;
  };
  return days.flatMap((day) => {
    const usd = totalOf(day);
    const before = Array.from({ length: COMPARED_DAYS }, (_, i) => addDays(day, -1 - i)).filter((d) =>
      totalOf(d).greaterThan(0),
    );
    const median = medianOf(before.map(totalOf));
    if (median === null || before.length < LEAST_DAYS || !usd.greaterThan(median.times(FACTOR))) return [];
    return [
      {
        day,
        usd: amountText(usd),
        medianUsd: amountText(median),
        factor: usd.dividedBy(median).toDecimalPlaces(2).toNumber(),
        causes: causesOf(cellsOf(day), before.map(cellsOf)),
      },
    ];
  });
}

/** What rose most against its mean of the days before. */
function causesOf(cells: readonly DayCell[], before: readonly (readonly DayCell[])[]): Cause[] {
  const keyOf = ({ pool, kind, task }: DayCell): string => JSON.stringify([pool, kind, task]);
  const usual = new Map<string, Decimal>();
  for (const cell of before.flat()) usual.set(keyOf(cell), (usual.get(keyOf(cell)) ?? new Decimal(0)).plus(cell.usd));
  return cells
    .map((cell) => ({ cell, usualUsd: (usual.get(keyOf(cell)) ?? new Decimal(0)).dividedBy(before.length) }))
    .filter(({ cell, usualUsd }) => cell.usd.greaterThan(usualUsd))
    .toSorted((a, b) => b.cell.usd.minus(b.usualUsd).comparedTo(a.cell.usd.minus(a.usualUsd)))
    .slice(0, CAUSES)
    .map(({ cell: { pool, kind, task, usd }, usualUsd }) => ({
      pool,
      kind,
      task,
      usd: amountText(usd),
      usualUsd: amountText(usualUsd),
    }));
}
