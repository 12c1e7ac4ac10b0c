/**
 * Whether the ledger agrees with the provider: the decrease of the balance between two samples compared with the ledger's amounts for that time,
 * with prepayments and top-ups.
 *
 * Prepaid blocks leave the balance before they are used, so what is prepaid at the end is added and what was prepaid at the beginning is
 * subtracted. Where the balance rose by more than refunds can explain, the account was topped up: between those two samples nothing can be
 * compared, and the top-up is the amount that makes them agree. A difference is reported in either direction.
 */
import { Decimal } from 'decimal.js';
import { LEDGER_CURRENCY } from '../ledger/facts.ts';
import { amountText, sumOf } from './amount.ts';
import type { CostReport } from './document.ts';
import type { BalanceLook, BalanceSpan, RentalSpan } from './sums.ts';

type Reconciliation = CostReport['reconciliation'][number];

const HOUR_MS = 3_600_000;
/** Rounding of what a provider shows. */
const LEAST_TOLERANCE_USD = new Decimal('0.01');
/** Of what was drawn: a call that books a block and one that asks for the balance cross each other. */
const TOLERANCE_SHARE = new Decimal('0.01');

/** Until when a rental is paid at an instant; null before it is billed. Providers that bill by the second are paid up to that instant. */
function paidUntilMs({ fromMs, untilMs, quantumSec, refundsUnused }: RentalSpan, atMs: number): number | null {
  if (atMs < fromMs) return null;
  const ended = untilMs !== null && untilMs <= atMs;
  const usedMs = (ended ? untilMs : atMs) - fromMs;
  if (quantumSec <= 1 || (ended && refundsUnused)) return fromMs + usedMs;
  const blockMs = quantumSec * 1000;
  const blocks = ended ? Math.max(1, Math.ceil(usedMs / blockMs)) : Math.floor(usedMs / blockMs) + 1;
  return fromMs + blocks * blockMs;
}

const costOf = ({ usdPerHour }: RentalSpan, ms: number): Decimal =>
  new Decimal(usdPerHour).times(ms).dividedBy(HOUR_MS);

/** What has left the balance for a rental by an instant. */
export function drawnUsd(rental: RentalSpan, atMs: number): Decimal {
  const paid = paidUntilMs(rental, atMs);
  return paid === null ? new Decimal(0) : costOf(rental, paid - rental.fromMs);
}

/** Of that, what is for the time after the instant. */
export function prepaidUsd(rental: RentalSpan, atMs: number): Decimal {
  const paid = paidUntilMs(rental, atMs);
  return paid === null ? new Decimal(0) : costOf(rental, Math.max(0, paid - atMs));
}

/** See the file's header. @param rentals those of the provider that touch the time between the looks */
export function reconcile(span: BalanceSpan, rentals: readonly RentalSpan[]): Reconciliation {
  const { provider, looks } = span;
  if (looks === null) return unknown(provider, 'the balance was never looked at, or not since something is settled');
  const { first, last } = looks;
  if (first.atMs >= last.atMs) return unknown(provider, 'the balance was not looked at twice around this period');
  const foreign = [first, last].find(({ currency }) => currency.toUpperCase() !== LEDGER_CURRENCY);
  if (foreign !== undefined) {
    return unknown(provider, `the balance is in ${foreign.currency.toUpperCase()}, the ledger in ${LEDGER_CURRENCY}`);
  }
  const between = (sum: (rental: RentalSpan, atMs: number) => Decimal, a: BalanceLook, b: BalanceLook): Decimal =>
    sumOf(rentals.map((r) => sum(r, b.atMs).minus(sum(r, a.atMs))));
  const topUps = sumOf(
    span.rises.map(({ before, after }) => {
      const rose = new Decimal(after.amount).minus(before.amount);
      const drawn = between(drawnUsd, before, after);
      // Refunds let it rise as well.
      return rose.greaterThan(Decimal.max(0, drawn.negated()).plus(LEAST_TOLERANCE_USD))
        ? rose.plus(drawn)
        : new Decimal(0);
    }),
  );
  const fell = new Decimal(first.amount).minus(last.amount).plus(topUps);
  const ledger = new Decimal(span.ledgerUsd);
  const prepaid = between(prepaidUsd, first, last);
  const difference = fell.minus(ledger).minus(prepaid);
  const tolerance = Decimal.max(LEAST_TOLERANCE_USD, ledger.plus(prepaid).abs().times(TOLERANCE_SHARE));
  const agrees = difference.abs().lessThanOrEqualTo(tolerance);
  return {
    provider,
    state: agrees ? 'agrees' : 'differs',
    note: agrees ? null : noteOf(difference),
    from: new Date(first.atMs).toISOString(),
    until: new Date(last.atMs).toISOString(),
    balanceBeforeUsd: amountText(first.amount),
    balanceAfterUsd: amountText(last.amount),
    topUpsUsd: amountText(topUps),
    fellUsd: amountText(fell),
    ledgerUsd: amountText(ledger),
    prepaidUsd: amountText(prepaid),
    differenceUsd: amountText(difference),
    toleranceUsd: amountText(tolerance),
  };
}

function noteOf(difference: Decimal): string {
  return difference.isPositive()
    ? 'The provider took more than the ledger has: something that is not known here is rented on this account, or a price was higher.'
    : 'The provider took less than the ledger has: something was paid in or given back that cannot be told apart, or a price was lower.';
}

function unknown(provider: string, why: string): Reconciliation {
  return {
    provider,
    state: 'unknown',
    note: `Nothing to compare: ${why}.`,
    from: null,
    until: null,
    balanceBeforeUsd: null,
    balanceAfterUsd: null,
    topUpsUsd: null,
    fellUsd: null,
    ledgerUsd: null,
    prepaidUsd: null,
    differenceUsd: null,
    toleranceUsd: null,
  };
}
