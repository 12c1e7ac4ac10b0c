/**
 * What an idle gap costs, awake or asleep: the arithmetic all sleep policies share.
 *
 * The unit is one second of running machine, so that prices cancel: a gap spent awake costs its length; asleep it costs the time paid until
 * billing stopped, the wake, and storage as a share of the running price.
 */

/** Prices of a gap, relative to the running machine. */
export interface GapPrices {
  /** Cost of a wake, in seconds of running machine: boot plus model load. */
  readonly wakeSec: number;
  /** Storage price while asleep ÷ running price, 0 … 1. */
  readonly asleepShare: number;
}

/** When a machine is asked to stop and until when it is paid, in seconds since the gap began. */
export interface Stop {
  readonly askedSec: number;
  readonly paidUntilSec: number;
}

/**
 * Relative prices from a machine's price and that of its volume, which is paid awake as well as asleep. A price that is not known yet counts
 * as if storage cost nothing.
 */
export function makeGapPrices(
  wakeCostSec: number,
  priceUsdPerHour: number | null,
  volumeUsdPerHour: number,
): GapPrices {
  const runningUsdPerHour = priceUsdPerHour === null ? 0 : priceUsdPerHour + volumeUsdPerHour;
  return { wakeSec: wakeCostSec, asleepShare: runningUsdPerHour > 0 ? volumeUsdPerHour / runningUsdPerHour : 0 };
}

/** Idle time after which staying awake has cost as much as a wake: τ* = B ÷ (p − s). Infinite where sleeping saves nothing. */
export const breakEvenSec = ({ wakeSec, asleepShare }: GapPrices): number =>
  asleepShare < 1 ? wakeSec / (1 - asleepShare) : Infinity;

/** Cost of a gap of `gapSec` under a stop; null = stays awake. Work that comes at the very moment of the stop is served awake. */
export function costOfGap(gapSec: number, stop: Stop | null, { wakeSec, asleepShare }: GapPrices): number {
  if (stop === null || gapSec <= stop.askedSec) return gapSec;
  return stop.paidUntilSec + wakeSec + asleepShare * Math.max(0, gapSec - stop.paidUntilSec);
}
