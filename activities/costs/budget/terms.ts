/**
 * The terms on which a provider's machines are reserved: how long at a time, at which price, and how a purchase that the caps do not allow is
 * explained.
 */
import { Decimal } from 'decimal.js';
import { allowedFrom, whyRefused, type Purse } from '../../../domain/costs/budget/allowance.ts';
import { leaseTimes, type LeaseTimes } from '../../../domain/costs/budget/lease.ts';
import { purchaseClaims, type Purchase } from '../../../domain/costs/budget/reservation.ts';
import { refusalWords } from '../../../domain/costs/budget/words.ts';
import type { ProviderCapabilities } from '../../../domain/fleet/provider/billing.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { BudgetReservation } from '../../../generated/prisma/client.ts';
import type { BillFacts } from './purse.ts';

/** Why nothing is bought. */
export interface BudgetRefusal {
  /** For people: which budget, what is left, when it goes on, who can change it. */
  readonly message: string;
  /** When it is worth another try; a budget may be raised at any time, so never long. */
  readonly nextTryAtMs: number;
}

/** What the provider's bill and the configuration say. */
export interface TermsOptions {
  readonly capabilities: Pick<ProviderCapabilities, 'billing' | 'billsStopped' | 'volumeUsdPerGibMonth'>;
  readonly accounting: { readonly reserveMs: number; readonly timezone: string };
}

const HOURS_PER_MONTH = 730;
/** A refused purchase is tried again after this time at the latest. */
const RETRY_MS = 60_000;

/** See the file's header. */
export class BudgetTerms {
  /** IANA. */
  readonly timezone: string;
  readonly bill: BillFacts;
  readonly #options: TermsOptions;

  constructor(options: TermsOptions) {
    const { billing, billsStopped } = options.capabilities;
    this.#options = options;
    this.timezone = options.accounting.timezone;
    this.bill = { billsStopped, blockMs: billing.refundsUnused ? 0 : billing.quantumSec * 1000 };
  }

  /** How long a pool's machines are reserved at a time. */
  times(pool: Pick<PoolConfig, 'timing'>): LeaseTimes {
    const { capabilities, accounting } = this.#options;
    return leaseTimes(pool.timing, capabilities.billing, accounting.reserveMs);
  }

  /** A machine of a pool at this price. @param disk the open reservation of the disk it boots; null = it comes with one */
  purchase(
    { osVolumeGib }: Pick<PoolConfig, 'osVolumeGib'>,
    priceUsdPerHour: number,
    disk: BudgetReservation | null,
  ): Purchase {
    return {
      usdPerHour: new Decimal(priceUsdPerHour),
      diskUsdPerHour: this.diskPrice(osVolumeGib),
      diskUntilMs: disk === null ? null : disk.reservedUntil.getTime(),
    };
  }

  /** USD per hour of a disk. */
  diskPrice(sizeGib: number): Decimal {
    const { volumeUsdPerGibMonth } = this.#options.capabilities;
    return new Decimal(volumeUsdPerGibMonth).times(sizeGib).dividedBy(HOURS_PER_MONTH);
  }

  /** Why a purchase is not allowed now; null = it is. */
  whyNot(purse: Purse, purchase: Purchase, times: LeaseTimes, nowMs: number): BudgetRefusal | null {
    const buyAt = (atMs: number) => () => purchaseClaims(purchase, times, atMs);
    const refusal = whyRefused(purse, buyAt(nowMs), nowMs);
    if (refusal === null) return null;
    const freesAtMs = allowedFrom(purse, buyAt, nowMs);
    return {
      message: refusalWords(refusal, freesAtMs, this.timezone),
      nextTryAtMs: Math.min(nowMs + RETRY_MS, freesAtMs ?? Infinity),
    };
  }
}
