/** Exact amounts: summed as decimals, written as plain text with all their places. */
import { Decimal } from 'decimal.js';

/** Places that ledger amounts have. */
const PLACES = 9;

/** The sum of amounts. */
export function sumOf(amounts: Iterable<Decimal.Value>): Decimal {
  let sum = new Decimal(0);
  for (const amount of amounts) sum = sum.plus(amount);
  return sum;
}

/** As text: without an exponent, without trailing zeros; what is not exact to the ledger's nine places is rounded to them. */
export const amountText = (amount: Decimal.Value): string => new Decimal(amount).toDecimalPlaces(PLACES).toFixed();

/** A share of a whole, to four places; null where the whole is 0. */
export const shareOf = (part: Decimal, whole: Decimal): number | null =>
  whole.isZero() ? null : part.dividedBy(whole).toDecimalPlaces(4).toNumber();

/** Seconds as hours, to six places. */
export const hoursOf = (seconds: Decimal): number => seconds.dividedBy(3600).toDecimalPlaces(6).toNumber();

/** The middle of amounts, or of the two in the middle their mean; null for none. */
export function medianOf(amounts: readonly Decimal[]): Decimal | null {
  const sorted = amounts.toSorted((a, b) => a.comparedTo(b));
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : upper.plus(lower).dividedBy(2);
}
