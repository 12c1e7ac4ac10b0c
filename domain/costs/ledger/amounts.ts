/**
 * Exact amounts of the ledger in whole billionths of a dollar, as its columns store them, and the charge of a billing interval.
 *
 * Rounding is cumulative: the parts of a whole are differences of its rounded running sums, so they always add up to it.
 */
import { Decimal } from 'decimal.js';
import type { BillingInterval, RentalTerms } from './facts.ts';

const NANOS_PER_USD = 1_000_000_000;
const HOUR_MS = 3_600_000n;

/** Billionths of a dollar in an amount such as `1.99` or a database's decimal; finer amounts are rounded. */
export const nanosOf = (usd: { toString(): string }): bigint =>
  BigInt(new Decimal(usd.toString()).times(NANOS_PER_USD).toFixed(0));

/** The amount in dollars. */
export const usdOf = (nanos: bigint): Decimal => new Decimal(nanos.toString()).div(NANOS_PER_USD);

/** Cost of the first `elapsedMs` of a billing interval, rounded down: a running sum, never the cost of a part. */
export const costUpTo = (nanosPerHour: bigint, elapsedMs: number): bigint =>
  floorDiv(nanosPerHour * BigInt(elapsedMs), HOUR_MS);

/**
 * Divides a whole by weights, none negative and at least one positive; the parts add up to the whole.
 *
 * @throws RangeError when no weight is positive
 */
export function partsOf(whole: bigint, weights: readonly bigint[]): readonly bigint[] {
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  if (sum <= 0n) throw new RangeError('the sum of the weights is 0');
  let weighed = 0n;
  let given = 0n;
  return weights.map((weight) => {
    weighed += weight;
    const upToHere = floorDiv(whole * weighed, sum);
    const part = upToHere - given;
    given = upToHere;
    return part;
  });
}

/** Division rounded towards minus infinity, so that running sums of negative amounts are as regular as those of positive ones. */
function floorDiv(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

/** A time that is billed at one price. */
export interface BilledTime {
  readonly fromMs: number;
  /** Null while billing continues. */
  readonly untilMs: number | null;
  readonly nanoUsdPerHour: bigint;
  /** The machine was stopped: only what it keeps is billed. */
  readonly isStopped: boolean;
}

/** The billed times of a billing interval, in order: everything except the pauses that cost nothing. */
export function billedTimes(
  { fromMs, untilMs, pauses = [] }: BillingInterval,
  { nanoUsdPerHour: firstNanoUsdPerHour }: Pick<RentalTerms, 'nanoUsdPerHour'>,
): readonly BilledTime[] {
  const times: BilledTime[] = [];
  let beginMs: number | null = fromMs;
  let nanoUsdPerHour = firstNanoUsdPerHour;
  for (const pause of pauses) {
    if (beginMs === null || (untilMs !== null && pause.fromMs >= untilMs)) break;
    const pausedMs: number = Math.max(pause.fromMs, beginMs);
    times.push({ fromMs: beginMs, untilMs: pausedMs, nanoUsdPerHour, isStopped: false });
    const stopped = pause.usdPerHour === undefined ? null : nanosOf(pause.usdPerHour);
    const stoppedUntilMs = earlier(pause.untilMs, untilMs);
    if (stopped !== null && (stoppedUntilMs === null || stoppedUntilMs > pausedMs))
      times.push({ fromMs: pausedMs, untilMs: stoppedUntilMs, nanoUsdPerHour: stopped, isStopped: true });
    beginMs = pause.untilMs === null ? null : Math.max(pause.untilMs, pausedMs);
    if (pause.usdPerHourAfter !== undefined) nanoUsdPerHour = nanosOf(pause.usdPerHourAfter);
  }
  // Billing that ends during a pause that costs nothing ended when the pause began.
  if (beginMs !== null && (times.length === 0 || untilMs === null || beginMs < untilMs))
    times.push({ fromMs: beginMs, untilMs, nanoUsdPerHour, isStopped: false });
  return times;
}

/** The earlier of two times; null = never. */
const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** Until when an ended time is paid: its end, or the end of its last block. What a stopped machine keeps is never sold in blocks. */
export function paidUntilMs(
  { fromMs, untilMs, isStopped }: Pick<BilledTime, 'fromMs' | 'isStopped'> & { readonly untilMs: number },
  terms: RentalTerms,
): number {
  const blockMs = terms.quantumSec * 1000;
  if (terms.refundsUnused || blockMs === 0 || isStopped) return untilMs;
  // The first block is paid at the start, however short the time is.
  const blocks = Math.max(1, Math.ceil((untilMs - fromMs) / blockMs));
  return fromMs + blocks * blockMs;
}

/** Total charge of an ended billing interval, billionths of a dollar; 0 without one. */
export function chargeOf(bill: BillingInterval | null, terms: RentalTerms): bigint {
  if (bill === null || bill.untilMs === null) return 0n;
  return billedTimes(bill, terms).reduce((sum, { fromMs, untilMs, nanoUsdPerHour, isStopped }) => {
    const paidMs = untilMs === null ? fromMs : paidUntilMs({ fromMs, untilMs, isStopped }, terms);
    return sum + costUpTo(nanoUsdPerHour, paidMs - fromMs);
  }, 0n);
}
