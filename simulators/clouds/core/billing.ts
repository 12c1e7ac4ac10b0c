/**
 * The billing meter: what a resource has cost by a time, by the billing capability of the provider. Pure.
 *
 * Prepaid blocks: every block that has begun is paid. At the end the unused part of the last block is refunded, or not.
 */
import { HOURS_PER_MONTH, type BillingCapability } from '../../../domain/fleet/provider/billing.ts';
import type { Meter } from './state.ts';

const HOUR_MS = 3_600_000;
/** The billing rule of a simulated provider. */
export interface BillingRule extends BillingCapability {
  /** Every start is billed for at least this long, seconds. */
  readonly minimumSec?: number;
}

/** Volumes are billed without blocks. */
export const CONTINUOUS: BillingCapability = { quantumSec: 0, refundsUnused: true };

/** USD charged for a meter by `atMs`, also after its end. */
export function chargeAt(
  meter: Meter,
  atMs: number,
  { quantumSec, refundsUnused, minimumSec = 0 }: BillingRule,
): number {
  if (atMs < meter.fromMs) return 0;
  const ended = meter.untilMs !== null && meter.untilMs <= atMs;
  const elapsedMs = Math.max(minimumSec * 1000, (ended ? (meter.untilMs ?? atMs) : atMs) - meter.fromMs);
  const usdPerMs = meter.usdPerHour / HOUR_MS;
  if (quantumSec === 0 || (ended && refundsUnused)) return elapsedMs * usdPerMs;
  const blockMs = quantumSec * 1000;
  const blocks = ended ? Math.max(1, Math.ceil(elapsedMs / blockMs)) : Math.floor(elapsedMs / blockMs) + 1;
  return blocks * blockMs * usdPerMs;
}

/** Balance that a new instance requires: the price of its first block. */
export const firstBlockUsd = (usdPerHour: number, { quantumSec }: BillingCapability): number =>
  (usdPerHour * quantumSec) / 3600;

/** USD per hour of a volume. */
export const volumeUsdPerHour = (usdPerMonth: number): number => usdPerMonth / HOURS_PER_MONTH;
