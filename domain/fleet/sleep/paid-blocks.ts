/**
 * The clock of a provider that is paid in advance by the block: time already paid is free, so a machine is ended shortly before a block does.
 */
import { billsContinuously, type BillingCapability } from '../provider/billing.ts';

/** From the request until billing stops, where the caller does not know: a drain without calls, a shutdown and a delete. */
const USUAL_STOP_LEAD_SEC = 90;
/** A lead never takes more than this share of a block: short blocks would otherwise never be ended in time. */
const LARGEST_LEAD_SHARE = 0.25;

/** Paid blocks of one machine. */
export interface PaidBlocks {
  /** Start of the first block. */
  readonly sinceMs: number;
  readonly lengthMs: number;
  /** How long before a block's end a stop has to be asked for. */
  readonly leadMs: number;
}

/** The blocks that matter to a machine; null where billing is continuous in effect or nothing is rented. */
export function paidBlocksOf(
  billing: BillingCapability,
  billedSinceMs: number | null,
  stopLeadSec?: number,
): PaidBlocks | null {
  if (billedSinceMs === null || billsContinuously(billing)) return null;
  const lengthMs = billing.quantumSec * 1000;
  const leadMs = Math.min((stopLeadSec ?? USUAL_STOP_LEAD_SEC) * 1000, lengthMs * LARGEST_LEAD_SHARE);
  return { sinceMs: billedSinceMs, lengthMs, leadMs };
}

/** End of the first block that ends at or after `atMs`. */
export function blockEndFrom({ sinceMs, lengthMs }: PaidBlocks, atMs: number): number {
  return sinceMs + Math.max(1, Math.ceil((atMs - sinceMs) / lengthMs)) * lengthMs;
}

/** Until when a machine is paid if it is asked to stop at `atMs`. */
export const paidUntil = (blocks: PaidBlocks | null, atMs: number): number =>
  blocks === null ? atMs : blockEndFrom(blocks, atMs + blocks.leadMs);

/**
 * When to ask for a stop, not before `fromMs`, so that no paid time is wasted: one lead before a block's end. Half of the lead may have passed
 * already; later than that the next block begins anyway.
 */
export function stopTime(blocks: PaidBlocks, fromMs: number, nowMs: number): number {
  return blockEndFrom(blocks, Math.max(fromMs + blocks.leadMs, nowMs + blocks.leadMs / 2)) - blocks.leadMs;
}
