/** Sums of claims and settled amounts within a window. */
import { Decimal } from 'decimal.js';
import type { Claim, Settled, Spending, TimeSpan } from './types.ts';

const HOUR_MS = 3_600_000;
const ZERO = new Decimal(0);

/** Length of the overlap of two spans, ms. */
export const overlapMs = (a: TimeSpan, b: TimeSpan): number =>
  Math.max(0, Math.min(a.untilMs, b.untilMs) - Math.max(a.fromMs, b.fromMs));

/** The part of a claim within a window, USD. */
export function claimedIn(claim: Claim, window: TimeSpan): Decimal {
  const ms = overlapMs(claim, window);
  return ms === 0 ? ZERO : claim.usdPerHour.times(ms).dividedBy(HOUR_MS);
}

/** The part of a settled amount within a window, USD. */
export function settledIn({ usd, fromMs, untilMs }: Settled, window: TimeSpan): Decimal {
  if (fromMs >= window.fromMs && (untilMs <= window.untilMs || fromMs === untilMs))
    return fromMs < window.untilMs ? usd : ZERO;
  const lengthMs = untilMs - fromMs;
  return lengthMs <= 0 ? ZERO : usd.times(overlapMs({ fromMs, untilMs }, window)).dividedBy(lengthMs);
}

/** The parts of all claims within a window, USD. */
export const allClaimedIn = (claims: readonly Claim[], window: TimeSpan): Decimal =>
  claims.reduce((sum, claim) => sum.plus(claimedIn(claim, window)), ZERO);

/** The parts of all settled amounts within a window, USD. */
export const allSettledIn = (settled: readonly Settled[], window: TimeSpan): Decimal =>
  settled.reduce((sum, piece) => sum.plus(settledIn(piece, window)), ZERO);

/** Spent until now, and reserved from now on, within a window. */
export function spentAndReserved(
  { settled, claims }: Spending,
  window: TimeSpan,
  nowMs: number,
): { readonly spentUsd: Decimal; readonly reservedUsd: Decimal } {
  const past = { fromMs: window.fromMs, untilMs: Math.min(window.untilMs, nowMs) };
  const spentUsd = allSettledIn(settled, window).plus(allClaimedIn(claims, past));
  const future = { fromMs: Math.max(window.fromMs, nowMs), untilMs: window.untilMs };
  return { spentUsd, reservedUsd: allClaimedIn(claims, future) };
}
