/**
 * What a cost report is made from: sums over the ledger, small whatever its size, and the rentals and balances of the time.
 *
 * Amounts are exact decimals as text, as the database gives them.
 */
import type { LedgerKind } from '../ledger/facts.ts';
import type { CostReport } from './document.ts';
import { addDays, firstOfMonth, localDayOf, startOfDayMs } from './local-day.ts';
import { daysOf, periodBefore, type PeriodDay, type ReportPeriod } from './period.ts';

/** Days before a day that it is compared with, and that a month is estimated by. */
export const COMPARED_DAYS = 28;

/** What one kind of work of a pool cost in one slot. */
export interface SlotSum {
  /** Index into the slots. */
  readonly slot: number;
  readonly pool: string | null;
  readonly kind: LedgerKind;
  readonly task: string | null;
  readonly usd: string;
}

export interface KindSum {
  readonly kind: LedgerKind;
  /** False for what has no owner. */
  readonly attributed: boolean;
  readonly usd: string;
  readonly seconds: string;
}

export interface MachineSum extends Readonly<Omit<CostReport['machines'][number], 'hours'>> {
  readonly seconds: string;
  readonly spotSavingUsd: string;
}

export interface TaskSum {
  readonly task: string | null;
  readonly kind: LedgerKind;
  readonly usd: string;
  readonly seconds: string;
}

export interface TenantSum extends Readonly<CostReport['tenants'][number]> {
  /** Of documents that are deleted by now. */
  readonly deletedUsd: string;
}

export interface DocumentSums {
  readonly count: number;
  readonly totalUsd: string;
  /** Null where there is none. Percentiles are amounts that a document really cost: the smallest that the share does not exceed. */
  readonly p50Usd: string | null;
  readonly p95Usd: string | null;
  readonly dearest: readonly {
    readonly tenantId: string;
    readonly deckId: string;
    readonly analyses: number;
    readonly usd: string;
  }[];
}

/** What evictions of spot machines in the period cost. */
export interface EvictionSums {
  readonly count: number;
  /** Boots of the machines that were taken back: so much, another machine has to boot. */
  readonly bootUsd: string;
  /** Calls that the machines were at when they were taken back, and that were made again. */
  readonly repeatedUsd: string;
}

/** Sums over the ledger. All but `slots` are of the period alone. */
export interface LedgerSums {
  readonly slots: readonly SlotSum[];
  readonly kinds: readonly KindSum[];
  readonly machines: readonly MachineSum[];
  readonly tasks: readonly TaskSum[];
  readonly tenants: readonly TenantSum[];
  readonly documents: DocumentSums;
  readonly evictions: EvictionSums;
  /** First entry of the scope's ledger, whenever that was; null while there is none. */
  readonly firstEntryMs: number | null;
  /** Rentals of the period that are not settled to its end. */
  readonly unsettledRentals: number;
}

/** A rental as far as its bill matters. */
export interface RentalSpan {
  readonly provider: string;
  /** instance, volume */
  readonly resource: string;
  readonly pool: string | null;
  readonly usdPerHour: string;
  readonly quantumSec: number;
  readonly refundsUnused: boolean;
  readonly fromMs: number;
  /** Null while it is billed. */
  readonly untilMs: number | null;
}

/** A look at a balance. */
export interface BalanceLook {
  readonly atMs: number;
  readonly amount: string;
  readonly currency: string;
}

/** Looks at a provider's balance around a period. */
export interface BalanceSpan {
  readonly provider: string;
  /** Null for a provider whose balance was not looked at. */
  readonly looks: { readonly first: BalanceLook; readonly last: BalanceLook } | null;
  /** Neighbouring looks between which the balance rose. */
  readonly rises: readonly { readonly before: BalanceLook; readonly after: BalanceLook }[];
  /** What the ledger has between the first and the last look; entries that cross one count by time. */
  readonly ledgerUsd: string;
}

/** A piece of time that sums are kept for: a day, or a part of one where something begins or ends within it. */
export interface Slots {
  readonly slots: readonly PeriodDay[];
  /** The first one of the period; those before it are for comparison. */
  readonly firstOfPeriod: number;
}

/** The slots of a report: its days, and those before it that it is compared with. */
export function slotsOf(period: ReportPeriod): Slots {
  const { fromMs, untilMs, timezone } = period;
  const before = periodBefore(period).fromMs;
  const compared = startOfDayMs(addDays(localDayOf(fromMs, timezone), -COMPARED_DAYS), timezone);
  const month = startOfDayMs(firstOfMonth(localDayOf(untilMs - 1, timezone)), timezone);
  const cuts = [Math.min(before, compared, month), before, fromMs, untilMs].toSorted((a, b) => a - b);
  const slots = cuts.slice(1).flatMap((cut, i) => daysOf({ fromMs: cuts[i] ?? cut, untilMs: cut, timezone }));
  return { slots, firstOfPeriod: slots.findIndex((slot) => slot.fromMs >= fromMs) };
}
