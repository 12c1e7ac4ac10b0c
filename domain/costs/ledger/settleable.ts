/**
 * How far a rental can be settled, so that facts that become known later cannot change the result.
 */
import { quarterOf } from './account.ts';
import { chargeOf } from './amounts.ts';
import type { LedgerLine, RentalFacts } from './facts.ts';
import { LONGEST_CALL_MS } from './open-attempts.ts';
import { FIRST_WORK_WITHIN_MS, hasWorkIn, isAwaited, periodsOf } from './periods.ts';

/** How far a rental can be settled. */
export interface Settleable {
  readonly untilMs: number;
  /** Billing has ended: no time is left after this. */
  readonly isFinal: boolean;
}

/**
 * The latest time up to which everything is known as of `knownUntilMs`: whole quarters of an hour, before the start of any running call
 * (its loading time is known at its end), not within a usage interval that waits for its first work, and not while the instance may still
 * name the rental. When billing has ended: all of it. Null = no further time.
 */
export function settleableUntil(facts: RentalFacts, knownUntilMs: number): Settleable | null {
  const { bill, settledUntilMs } = facts;
  if (bill === null) return null;
  if (bill.untilMs !== null && knownUntilMs >= bill.untilMs) return { untilMs: bill.untilMs, isFinal: true };
  const fromMs = settledUntilMs ?? bill.fromMs;
  const running = facts.calls.flatMap((call) => (call.untilMs === null ? [call.fromMs] : []));
  const heldMs = Math.max(Math.min(...running, Infinity), knownUntilMs - LONGEST_CALL_MS);
  const atMs = quarterOf(Math.min(knownUntilMs, heldMs));
  const untilMs = Math.min(atMs, usageWithoutWorkMs(facts, bill.fromMs, fromMs, atMs) ?? atMs);
  return untilMs > fromMs ? { untilMs, isFinal: false } : null;
}

/** Start of a usage interval at this time that had no work yet and may still get some; null = none. */
function usageWithoutWorkMs(facts: RentalFacts, billFromMs: number, fromMs: number, atMs: number): number | null {
  if (isAwaited(facts) && atMs < billFromMs + FIRST_WORK_WITHIN_MS) return billFromMs;
  const period = periodsOf(facts, billFromMs, atMs).findLast((one) => one.fromMs < atMs);
  const usageFromMs = period?.usageFromMs ?? null;
  if (usageFromMs === null || usageFromMs < fromMs || atMs >= usageFromMs + FIRST_WORK_WITHIN_MS) return null;
  return hasWorkIn(facts.calls, usageFromMs, atMs) ? null : usageFromMs;
}

/**
 * The difference between the total charge and the lines of an ended billing interval, as an extra line: the provider refunded money, or its
 * record corrected the start or end of billing late. Null = they agree.
 *
 * @param accounted sum of all lines of the rental, billionths of a dollar
 */
export function correctionOf(facts: RentalFacts, accounted: bigint): LedgerLine | null {
  const { bill, terms, settledUntilMs } = facts;
  const difference = chargeOf(bill, terms) - accounted;
  if (difference === 0n) return null;
  const endMs = bill?.untilMs ?? settledUntilMs ?? 0;
  const { nanoUsdPerHour, savedNanoUsdPerHour } = terms;
  return {
    kind: 'failed',
    fromMs: Math.min(endMs, settledUntilMs ?? endMs),
    untilMs: Math.max(endMs, settledUntilMs ?? endMs),
    shareMicros: 0n,
    nanoUsd: difference,
    // Refunded time saved nothing either.
    savedNanoUsd: nanoUsdPerHour === 0n ? 0n : (difference * savedNanoUsdPerHour) / nanoUsdPerHour,
    owner: null,
  };
}
