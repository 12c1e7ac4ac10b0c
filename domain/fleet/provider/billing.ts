/**
 * How a provider bills, as a capability: sleep policies, ledger and simulator all work from it.
 */

import type { SuspendStrategy } from '../pool/pool-config.ts';

/** Hours that a month of storage is billed for. */
export const HOURS_PER_MONTH = 730;

/** Billing of running instances. */
export interface BillingCapability {
  /** Paid in advance in blocks of this length, seconds; 1 = per second. */
  readonly quantumSec: number;
  /** The unused part of the last block comes back, so that billing is continuous in effect. */
  readonly refundsUnused: boolean;
  /** From when a machine costs: as soon as it is accepted (so where left out), or once it runs. */
  readonly from?: 'created' | 'running';
}

/** A time in which a machine is stopped. */
export interface BillPause {
  readonly fromMs: number;
  /** Null while it goes on. */
  readonly untilMs: number | null;
  /** What the machine costs meanwhile, such as its address; absent = nothing. */
  readonly usdPerHour?: number;
  /** Price from its end on, where the machine was started as another type; absent = as before. */
  readonly usdPerHourAfter?: number;
  /** That type; absent = as before. */
  readonly instanceTypeAfter?: string;
}

/** Type of a machine at a time: the one that it was started as after its last pause by then. @param first type at its beginning */
export const typeAt = (first: string | null, pauses: readonly BillPause[], atMs: number): string | null =>
  pauses.findLast(
    ({ untilMs, instanceTypeAfter }) => instanceTypeAfter !== undefined && untilMs !== null && untilMs <= atMs,
  )?.instanceTypeAfter ?? first;

/** The bill of a machine or disk as its provider's own record tells it. */
export type ProviderBill =
  /** It may still begin. */
  | { readonly state: 'not_begun' }
  /** It came to nothing and never will: the machine did not come to run. */
  | { readonly state: 'void' }
  /** `untilMs` null = it goes on. */
  | {
      readonly state: 'billed';
      readonly fromMs: number;
      readonly untilMs: number | null;
      /** In the order of time; none where left out. */
      readonly pauses?: readonly BillPause[];
    };

/** What can be rented by the hour. */
export type BilledResource = 'instance' | 'volume';

/** What a provider can do and how it behaves, where providers differ. */
export interface ProviderCapabilities {
  readonly billing: BillingCapability;
  /** Storage price of a kept volume, USD per GiB and month (730 h). */
  readonly volumeUsdPerGibMonth: number;
  /** A created instance shows up in the list within this time, or never. */
  readonly visibilityWindowMs: number;
  /** Replicas: the same of their deployment. An instance of it is a claim, which we write ourselves. Absent = as {@link visibilityWindowMs}. */
  readonly deploymentVisibilityMs?: number;
  /** Stopped (`shutdown`) instances go on costing. */
  readonly billsStopped: boolean;
  /** What a stopped machine costs beside its disks where {@link billsStopped} is false, such as its address; absent = nothing. */
  readonly stoppedUsdPerHour?: number;
  /** A volume boots only in its own location. */
  readonly volumePinsLocation: boolean;
  /** A new machine can boot a kept system volume; false = a machine that ends takes its disk along. */
  readonly bootsVolumes: boolean;
  /** An instance can be deleted while it is being provisioned. */
  readonly deletesWhileProvisioning: boolean;
  /** Strategies this provider can do, in order of preference. */
  readonly suspendStrategies: readonly SuspendStrategy[];
  /** Expected time from create to running, ms: what a wake costs. */
  readonly expectedBootMs: number;
  /** A stopped machine may be started again as another type, on the same disk. */
  readonly changesTypeWhileStopped: boolean;
}

/**
 * Capabilities that assume the dearer case of each: what is reserved or foreseen by them is never too little, whichever of the providers is
 * rented from.
 */
export function cautious(
  all: readonly [ProviderCapabilities, ...ProviderCapabilities[]],
): Pick<ProviderCapabilities, 'billing' | 'billsStopped' | 'volumeUsdPerGibMonth' | 'stoppedUsdPerHour'> {
  const longest = all.toSorted((a, b) => b.billing.quantumSec - a.billing.quantumSec);
  const kept = longest.find(({ billing }) => !billing.refundsUnused) ?? longest[0] ?? all[0];
  return {
    billing: { ...kept.billing, from: 'created' },
    billsStopped: all.some((one) => one.billsStopped),
    volumeUsdPerGibMonth: Math.max(...all.map((one) => one.volumeUsdPerGibMonth)),
    stoppedUsdPerHour: Math.max(...all.map((one) => one.stoppedUsdPerHour ?? 0)),
  };
}

/** True when billing stops with the machine: per second, or in blocks whose rest comes back. */
export const billsContinuously = (billing: BillingCapability): boolean =>
  billing.quantumSec <= 1 || billing.refundsUnused;
