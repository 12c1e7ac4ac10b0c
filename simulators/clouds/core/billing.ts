/**
 * The billing meter: what a resource has cost by a time, by the billing capability of the provider. Pure.
 *
 * Prepaid blocks: at any instant every block that has begun is paid. At the end the unused part of the last block comes back, or not.
 */
import { HOURS_PER_MONTH, type BillingCapability } from '../../../domain/fleet/provider/billing.ts';
import type { Meter } from './state.ts';

const HOUR_MS = 3_600_000;
/** Volumes cost by the time, without blocks. */
export const CONTINUOUS: BillingCapability = { quantumSec: 0, refundsUnused: true };

/** USD paid for a meter at `atMs`, while it runs and after its end. */
export function chargeAt(meter: Meter, atMs: number, { quantumSec, refundsUnused }: BillingCapability): number {
  const ended = meter.untilMs !== null && meter.untilMs <= atMs;
  const elapsedMs = Math.max(0, (ended ? (meter.untilMs ?? atMs) : atMs) - meter.fromMs);
  const usdPerMs = meter.usdPerHour / HOUR_MS;
  if (quantumSec === 0 || (ended && refundsUnused)) return elapsedMs * usdPerMs;
  if (atMs < meter.fromMs) return 0;
  const blockMs = quantumSec * 1000;
  const blocks = ended ? Math.max(1, Math.ceil(elapsedMs / blockMs)) : Math.floor(elapsedMs / blockMs) + 1;
  return blocks * blockMs * usdPerMs;
}

/** What must be on the account to begin: the first block. */
export const firstBlockUsd = (usdPerHour: number, { quantumSec }: BillingCapability): number =>
  (usdPerHour * quantumSec) / 3600;

/** Price of a volume an hour. */
export const volumeUsdPerHour = (usdPerMonth: number): number => usdPerMonth / HOURS_PER_MONTH;
