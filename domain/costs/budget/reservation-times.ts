/**
 * For how long money is reserved for a machine.
 *
 * A reservation always includes the wind-down time: from the pool check that finds that the machine cannot continue until the provider
 * charges nothing more. That covers calls in progress, the delete, and the rest of a billing block that is charged in full. A machine is
 * ended when only its wind-down time is left.
 */
import type { BillingCapability } from '../../fleet/provider/billing.ts';
import type { PoolConfig } from '../../fleet/pool/pool-config.ts';

/** Times of reservations, ms. */
export interface ReservationTimes {
  /** Reserved when a machine is bought. */
  readonly initialMs: number;
  /** Wind-down time of the machine, which starts when no more than this is left. */
  readonly windDownMs: number;
  /** Wind-down time of a kept disk; also how much longer than its machine a disk is reserved. */
  readonly diskWindDownMs: number;
  /** Reserved in addition to the wind-down time. */
  readonly reserveMs: number;
  /** Billing block that is charged in full after a machine ends. */
  readonly blockMs: number;
}

/** Attempts to delete, and checks of the deletion, that the wind-down time allows for. */
const TRIES = 2;

/** Reservation times of a pool. @param reserveMs from the configuration */
export function reservationTimes(
  { drainTimeoutMs, destroyRetryMs, goneConfirmMs, idleTickMs, tickMs }: PoolConfig['timing'],
  { quantumSec, refundsUnused }: BillingCapability,
  reserveMs: number,
): ReservationTimes {
  const quantumMs = quantumSec * 1000;
  const blockMs = refundsUnused ? 0 : quantumMs;
  // The longest interval between two checks of a pool, which acts at once.
  const diskWindDownMs = Math.max(tickMs, idleTickMs) + TRIES * (destroyRetryMs + goneConfirmMs);
  const windDownMs = diskWindDownMs + drainTimeoutMs + blockMs;
  return {
    initialMs: Math.max(reserveMs + windDownMs, quantumMs),
    windDownMs,
    diskWindDownMs,
    reserveMs,
    blockMs,
  };
}
