/**
 * For how long a machine's money is reserved at a time.
 *
 * A reservation always holds the machine's way out: the time from the look that finds it cannot go on until nothing is charged any more,
 * with the calls in flight finished and, where a begun block is paid in full, that block. When its money runs out a machine has just
 * enough for that.
 */
import type { BillingCapability } from '../../fleet/provider/billing.ts';
import type { PoolConfig } from '../../fleet/pool/pool-config.ts';

/** Times of reservations, ms. */
export interface LeaseTimes {
  /** Reserved when a machine is bought. */
  readonly leaseMs: number;
  /** The machine's way out: it begins when no more than this is left. */
  readonly wayOutMs: number;
  /** A kept disk's way out, and for how much longer than its machine's its money is reserved. */
  readonly diskWayOutMs: number;
  /** What is reserved beside the way out. */
  readonly reserveMs: number;
  /** A block that is charged in full after the end of a machine. */
  readonly blockMs: number;
}

/** Tries of a delete, and looks that confirm it, that a way out holds. */
const TRIES = 2;

/** See the file's header. @param reserveMs of the configuration */
export function leaseTimes(
  { drainTimeoutMs, destroyRetryMs, goneConfirmMs, idleTickMs, tickMs }: PoolConfig['timing'],
  { quantumSec, refundsUnused }: BillingCapability,
  reserveMs: number,
): LeaseTimes {
  const quantumMs = quantumSec * 1000;
  const blockMs = refundsUnused ? 0 : quantumMs;
  // The pool looks this often at the latest; what it finds is done at once.
  const diskWayOutMs = Math.max(tickMs, idleTickMs) + TRIES * (destroyRetryMs + goneConfirmMs);
  const wayOutMs = diskWayOutMs + drainTimeoutMs + blockMs;
  return {
    leaseMs: Math.max(reserveMs + wayOutMs, quantumMs),
    wayOutMs,
    diskWayOutMs,
    reserveMs,
    blockMs,
  };
}
