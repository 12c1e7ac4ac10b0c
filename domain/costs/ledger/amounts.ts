/**
 * Exact money of the ledger: whole billionths of a dollar, as the columns of its tables hold them.
 *
 * What is rounded is rounded cumulatively: the parts of a whole are the differences of its rounded running sums, so they always add up to it.
 */
import { Decimal } from 'decimal.js';

const NANOS_PER_USD = 1_000_000_000;
const HOUR_MS = 3_600_000n;

/** Billionths of a dollar in an amount such as `1.99` or a database's decimal; what is finer is rounded. */
export const nanosOf = (usd: { toString(): string }): bigint =>
  BigInt(new Decimal(usd.toString()).times(NANOS_PER_USD).toFixed(0));

/** The amount in dollars. */
export const usdOf = (nanos: bigint): Decimal => new Decimal(nanos.toString()).div(NANOS_PER_USD);

/** Cost of so many milliseconds from the start of a bill, rounded down: a running sum, never the cost of a part. */
export const costUpTo = (nanosPerHour: bigint, elapsedMs: number): bigint =>
  floorDiv(nanosPerHour * BigInt(elapsedMs), HOUR_MS);

/**
 * Divides a whole by weights, none negative and at least one positive; the parts add up to the whole.
 *
 * @throws RangeError when no weight is positive
 */
export function partsOf(whole: bigint, weights: readonly bigint[]): readonly bigint[] {
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  if (sum <= 0n) throw new RangeError('nothing can be divided by weights that come to nothing');
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
