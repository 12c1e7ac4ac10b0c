/**
 * What a bill comes to: the time from its beginning to its end, and the rest of the last block where blocks are paid in advance for good.
 */
import { costUpTo } from './amounts.ts';
import type { BillSpan, RentalTerms } from './facts.ts';

/** When what is paid of an ended bill ends: with the bill, or with its last block. */
export function paidUntilMs(bill: BillSpan & { readonly untilMs: number }, terms: RentalTerms): number {
  const { fromMs, untilMs } = bill;
  const blockMs = terms.quantumSec * 1000;
  if (terms.refundsUnused || blockMs === 0) return untilMs;
  // The first block is paid when the bill begins, however short it is.
  const blocks = Math.max(1, Math.ceil((untilMs - fromMs) / blockMs));
  return fromMs + blocks * blockMs;
}

/** Everything an ended bill came to, billionths of a dollar; of none: nothing. */
export function chargeOf(bill: BillSpan | null, terms: RentalTerms): bigint {
  if (bill === null || bill.untilMs === null) return 0n;
  const { fromMs, untilMs } = bill;
  return costUpTo(terms.nanoUsdPerHour, paidUntilMs({ fromMs, untilMs }, terms) - fromMs);
}
