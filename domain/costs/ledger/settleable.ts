/**
 * Up to where a rental can be accounted for, so that nothing that becomes known later would have changed it.
 */
import { quarterOf } from './account.ts';
import { chargeOf } from './bill.ts';
import type { LedgerLine, RentalFacts } from './facts.ts';
import { LONGEST_CALL_MS } from './open-attempts.ts';
import { CAUSED_WITHIN_MS, hasWorkIn, isAwaited, periodsOf } from './periods.ts';

/** How far a rental can be settled. */
export interface Settleable {
  readonly untilMs: number;
  /** The bill has ended: nothing is left after this. */
  readonly isFinal: boolean;
}

/**
 * The latest time up to which everything is known, as of `knownUntilMs`: whole quarters of an hour, before the begin of any call that still
 * runs (how much of it was loading shows at its end), and not into a stint that waits for its first work, nor while the instance that a
 * thing was made for may still come to name it. Once the bill has ended, everything. Null = nothing new.
 */
export function settleableUntil(facts: RentalFacts, knownUntilMs: number): Settleable | null {
  const { bill, settledUntilMs } = facts;
  if (bill === null) return null;
  if (bill.untilMs !== null && knownUntilMs >= bill.untilMs) return { untilMs: bill.untilMs, isFinal: true };
  const fromMs = settledUntilMs ?? bill.fromMs;
  const running = facts.calls.flatMap((call) => (call.untilMs === null ? [call.fromMs] : []));
  const heldMs = Math.max(Math.min(...running, Infinity), knownUntilMs - LONGEST_CALL_MS);
  const atMs = quarterOf(Math.min(knownUntilMs, heldMs));
  const untilMs = Math.min(atMs, waitingStint(facts, bill.fromMs, fromMs, atMs) ?? atMs);
  return untilMs > fromMs ? { untilMs, isFinal: false } : null;
}

/** The begin of a stint at this time that had no work yet and may still come to have some; null = none. */
function waitingStint(facts: RentalFacts, billFromMs: number, fromMs: number, atMs: number): number | null {
  if (isAwaited(facts) && atMs < billFromMs + CAUSED_WITHIN_MS) return billFromMs;
  const period = periodsOf(facts, billFromMs, atMs).findLast((one) => one.fromMs < atMs);
  const stintMs = period?.stintMs ?? null;
  if (stintMs === null || stintMs < fromMs || atMs >= stintMs + CAUSED_WITHIN_MS) return null;
  return hasWorkIn(facts.calls, stintMs, atMs) ? null : stintMs;
}

/**
 * What the lines of an ended bill lack to what the bill came to, as a line of its own: the provider gave something back, or its record said
 * at last when the bill really began or ended. Null = they agree.
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
    // What is not paid for did not save anything either.
    savedNanoUsd: nanoUsdPerHour === 0n ? 0n : (difference * savedNanoUsdPerHour) / nanoUsdPerHour,
    owner: null,
  };
}
