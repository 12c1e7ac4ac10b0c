/** The terms on which a provider's machines are reserved: for how long, at which price, and the message when the caps refuse a purchase. */
import type { Accounts } from '../../../clouds/accounts.ts';
import { cautious, HOURS_PER_MONTH } from '../../../domain/fleet/provider/billing.ts';
import { Decimal } from 'decimal.js';
import { allowedFrom, whyRefused, type Caps } from '../../../domain/costs/budget/allowance.ts';
import { reservationTimes, type ReservationTimes } from '../../../domain/costs/budget/reservation-times.ts';
import { purchaseClaims, type Purchase } from '../../../domain/costs/budget/reservation-claims.ts';
import { refusalWords } from '../../../domain/costs/budget/words.ts';
import type { ProviderCapabilities } from '../../../domain/fleet/provider/billing.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { BudgetReservation } from '../../../generated/prisma/client.ts';
import type { BillingFacts } from './reservations.ts';

/** Why no machine is bought. */
export interface BudgetRefusal {
  /** For people: which budget, what is left, when buying resumes, who can change it. */
  readonly message: string;
  /** When to try again. Soon, because a budget may be raised at any time. */
  readonly nextTryAtMs: number;
}

/** Billing facts of the provider, and the configuration. */
export interface BudgetTermsOptions {
  readonly capabilities: Pick<
    ProviderCapabilities,
    'billing' | 'billsStopped' | 'volumeUsdPerGibMonth' | 'stoppedUsdPerHour'
  >;
  readonly accounting: { readonly reserveMs: number; readonly timezone: string };
}

/** Terms that hold for every provider of a fleet; those of a fleet that rents nothing are never used. */
export function cautiousOf({ all }: Accounts): BudgetTermsOptions['capabilities'] {
  const [first, ...others] = all.map((provider) => provider.capabilities);
  return first === undefined
    ? { billing: { quantumSec: 1, refundsUnused: true }, billsStopped: false, volumeUsdPerGibMonth: 0 }
    : cautious([first, ...others]);
}

/** Longest wait before a refused purchase is tried again. */
const RETRY_MS = 60_000;

/** Reservation terms of one provider. */
export class BudgetTerms {
  /** IANA. */
  readonly timezone: string;
  readonly bill: BillingFacts;
  readonly #options: BudgetTermsOptions;

  constructor(options: BudgetTermsOptions) {
    const { billing, billsStopped } = options.capabilities;
    this.#options = options;
    this.timezone = options.accounting.timezone;
    this.bill = { billsStopped, blockMs: billing.refundsUnused ? 0 : billing.quantumSec * 1000 };
  }

  /** For how long a pool's machines are reserved. */
  times(pool: Pick<PoolConfig, 'timing'>): ReservationTimes {
    const { capabilities, accounting } = this.#options;
    return reservationTimes(pool.timing, capabilities.billing, accounting.reserveMs);
  }

  /** The purchase of a machine at this price. @param disk the open reservation of the disk it boots; null = a new disk is created */
  purchase(
    { osVolumeGib, endpoint }: Pick<PoolConfig, 'osVolumeGib' | 'endpoint'>,
    priceUsdPerHour: number,
    disk: BudgetReservation | null,
  ): Purchase {
    return {
      usdPerHour: new Decimal(priceUsdPerHour),
      // A replica has no disk.
      diskUsdPerHour: endpoint === undefined ? this.diskPrice(osVolumeGib) : new Decimal(0),
      diskUntilMs: disk === null ? null : disk.reservedUntil.getTime(),
    };
  }

  /** USD per hour of a disk, and of what else a machine costs that is stopped: it may be while its disk is reserved. */
  diskPrice(sizeGib: number): Decimal {
    const { volumeUsdPerGibMonth, stoppedUsdPerHour = 0 } = this.#options.capabilities;
    return new Decimal(volumeUsdPerGibMonth).times(sizeGib).dividedBy(HOURS_PER_MONTH).plus(stoppedUsdPerHour);
  }

  /** Why the caps refuse a purchase now; null = they allow it. */
  whyNot(caps: Caps, purchase: Purchase, times: ReservationTimes, nowMs: number): BudgetRefusal | null {
    const buyAt = (atMs: number) => () => purchaseClaims(purchase, times, atMs);
    const refusal = whyRefused(caps, buyAt(nowMs), nowMs);
    if (refusal === null) return null;
    const freesAtMs = allowedFrom(caps, buyAt, nowMs);
    return {
      message: refusalWords(refusal, freesAtMs, this.timezone),
      nextTryAtMs: Math.min(nowMs + RETRY_MS, freesAtMs ?? Infinity),
    };
  }
}
