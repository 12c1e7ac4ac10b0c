/**
 * What a bill comes to: the times from its beginning to its end that are billed, and the rest of the last block of each where blocks are paid in
 * advance for good. A machine that costs nothing while it is stopped begins a new block when it is started again.
 */
import { costUpTo } from './amounts.ts';
import type { BillSpan, RentalTerms } from './facts.ts';

/** A time that is billed from its beginning to its end. */
export interface BilledTime {
  readonly fromMs: number;
  /** Null while it goes on. */
  readonly untilMs: number | null;
}

/** The times that a bill is on, in order: all of it, but for its pauses. */
export function billedTimes({ fromMs, untilMs, pauses = [] }: BillSpan): readonly BilledTime[] {
  const times: BilledTime[] = [];
  let beginMs: number | null = fromMs;
  for (const pause of pauses) {
    if (beginMs === null || (untilMs !== null && pause.fromMs >= untilMs)) break;
    const pausedMs: number = Math.max(pause.fromMs, beginMs);
    times.push({ fromMs: beginMs, untilMs: pausedMs });
    beginMs = pause.untilMs === null ? null : Math.max(pause.untilMs, pausedMs);
  }
  // One that ends while it is paused ended with the pause's begin.
  if (beginMs !== null && (times.length === 0 || untilMs === null || beginMs < untilMs))
    times.push({ fromMs: beginMs, untilMs });
  return times;
}

/** When what is paid of an ended time ends: with it, or with its last block. */
export function paidUntilMs(
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
  terms: RentalTerms,
): number {
  const blockMs = terms.quantumSec * 1000;
  if (terms.refundsUnused || blockMs === 0) return untilMs;
  // The first block is paid when the bill begins, however short it is.
  const blocks = Math.max(1, Math.ceil((untilMs - fromMs) / blockMs));
  return fromMs + blocks * blockMs;
}

/** Everything an ended bill came to, billionths of a dollar; of none: nothing. */
export function chargeOf(bill: BillSpan | null, terms: RentalTerms): bigint {
  if (bill === null || bill.untilMs === null) return 0n;
  return billedTimes(bill).reduce((sum, { fromMs, untilMs }) => {
    const paidMs = untilMs === null ? fromMs : paidUntilMs({ fromMs, untilMs }, terms);
    return sum + costUpTo(terms.nanoUsdPerHour, paidMs - fromMs);
  }, 0n);
}
