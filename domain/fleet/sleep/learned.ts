/**
 * The idle time that would have been cheapest over the gaps seen lately.
 */
import { breakEvenSec, type GapPrices, type Stop } from './costs.ts';

/** Gaps that are remembered. */
export const GAPS_KEPT = 200;
/** Fewer gaps say too little. */
const FEWEST_GAPS = 30;
/** Never idle for longer than this multiple of the break-even time: bounds the cost of a wrong lesson. */
const LONGEST_BREAK_EVENS = 3;
/** The last gaps judge whether the lesson of all still holds. */
const RECENT_GAPS = 20;
/** On the recent gaps the lesson may cost this much more than break-even; beyond it the gaps have changed. */
const RECENT_TOLERANCE = 1.25;
/** A gap as long as one seen is served awake if it lasts this much longer. */
const MARGIN = 1.02;

/** How a policy's idle time becomes a stop under the provider's billing. */
export type StopAfter = (idleSec: number) => Stop;

/**
 * The idle time, seconds, with the lowest mean cost over the remembered gaps: 0, or just above one of them, up to three break-even times.
 * Null while there are too few gaps, or when the latest ones contradict the lesson: then another policy decides.
 */
export function learnedIdleSec(gapsSec: readonly number[], prices: GapPrices, stopAfter: StopAfter): number | null {
  const kept = gapsSec.slice(-GAPS_KEPT);
  if (kept.length < FEWEST_GAPS) return null;
  const limit = Math.min(LONGEST_BREAK_EVENS * breakEvenSec(prices), Number.MAX_VALUE);
  const best = cheapest(candidates(kept, limit), sortGaps(kept), prices, stopAfter);
  const recent = sortGaps(kept.slice(-RECENT_GAPS));
  const usual = totalCost(recent, stopAfter(breakEvenSec(prices)), prices);
  return totalCost(recent, stopAfter(best), prices) > RECENT_TOLERANCE * usual ? null : best;
}

/** Idle times worth comparing: the cost changes only where a gap is just outlasted. */
function candidates(gapsSec: readonly number[], limitSec: number): number[] {
  const outlasting = gapsSec.map((gap) => gap * MARGIN).filter((idle) => idle <= limitSec);
  return [0, ...new Set(outlasting)];
}

function cheapest(idleTimes: readonly number[], gaps: SortedGaps, prices: GapPrices, stopAfter: StopAfter): number {
  let best = 0;
  let bestCost = Infinity;
  for (const idle of idleTimes) {
    const cost = totalCost(gaps, stopAfter(idle), prices);
    if (cost < bestCost) {
      best = idle;
      bestCost = cost;
    }
  }
  return best;
}

/** Gaps in rising order with their running sums, so that a stop is judged without going through all of them. */
interface SortedGaps {
  readonly gapsSec: readonly number[];
  /** `sums[i]` = sum of the first i gaps. */
  readonly sums: readonly number[];
}

function sortGaps(gapsSec: readonly number[]): SortedGaps {
  const sorted = gapsSec.toSorted((a, b) => a - b);
  const sums = [0];
  for (const gap of sorted) sums.push((sums.at(-1) ?? 0) + gap);
  return { gapsSec: sorted, sums };
}

/** Sum of {@link import('./costs.ts').costOfGap} over all gaps. */
function totalCost({ gapsSec, sums }: SortedGaps, { askedSec, paidUntilSec }: Stop, prices: GapPrices): number {
  const awake = countUpTo(gapsSec, askedSec);
  const asleep = gapsSec.length - awake;
  const beyondPaid = countUpTo(gapsSec, paidUntilSec);
  const storedSec = (sums.at(-1) ?? 0) - (sums[beyondPaid] ?? 0) - (gapsSec.length - beyondPaid) * paidUntilSec;
  // An infinite stop keeps awake for every gap; infinity times no gaps would not be zero.
  if (asleep === 0) return sums[awake] ?? 0;
  return (sums[awake] ?? 0) + asleep * (paidUntilSec + prices.wakeSec) + prices.asleepShare * storedSec;
}

/** How many gaps are no longer than a limit. */
function countUpTo(sortedSec: readonly number[], limitSec: number): number {
  let low = 0;
  let high = sortedSec.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sortedSec[middle] ?? Infinity) <= limitSec) low = middle + 1;
    else high = middle;
  }
  return low;
}
