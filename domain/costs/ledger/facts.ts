/**
 * The facts about a rental that its ledger lines are computed from, and the lines themselves.
 */
import type { BillPause } from '../../fleet/provider/billing.ts';
import type { InstancePhase } from '../../fleet/phases.ts';

/** What the time of a rental was spent on. `busy` and `load` of a call always have an owner; the other kinds may have none. */
export const LEDGER_KINDS = [
  /** From the start of billing, or of a wake, until the machine served. */
  'boot',
  /** Loading a model into the GPU's memory. */
  'load',
  /** A model call had a slot. */
  'busy',
  /** The machine could work and had no call. */
  'idle',
  /** The machine took no new calls and finished the calls in progress. */
  'drain',
  /** Time without use: repairs, machines that never served; also corrections of the charge. */
  'failed',
  /** Without an owning instance. */
  'orphan',
  /** The disk of an existing machine. */
  'storage',
  /** A disk that is kept while its instance is suspended, or a stopped machine that is still billed. */
  'suspended',
  /** Prepaid and unused, where the provider does not refund it. */
  'unused',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** ISO 4217 code of the one currency prices are configured, ranked and settled in. */
export const LEDGER_CURRENCY = 'USD';

/** A rented machine or disk, with its price when it was first seen. */
export interface RentalTerms {
  readonly resource: 'instance' | 'volume';
  /** The provider's id. */
  readonly resourceId: string;
  /** Disks: location; null = not known. */
  readonly location: string | null;
  readonly nanoUsdPerHour: bigint;
  /** Extra cost of the same machine on demand, for spot machines; otherwise 0. */
  readonly savedNanoUsdPerHour: bigint;
  /** Paid in advance in blocks of this length, seconds; 0 = by the time. */
  readonly quantumSec: number;
  readonly refundsUnused: boolean;
}

/** Time for which a provider bills a rental. */
export interface BillingInterval {
  readonly fromMs: number;
  /** Null while billing continues. */
  readonly untilMs: number | null;
  /** Times within the interval that are not billed, in order; absent = none. */
  readonly pauses?: readonly BillPause[];
}

/** A row of the history of the instance that a rental belongs to. */
export interface OwnerRow {
  readonly atMs: number;
  readonly phase: InstancePhase;
  /** Its machine then; null = it had none. */
  readonly providerId: string | null;
  /** Its disks then, the kept one included. */
  readonly volumeIds: readonly string[];
  /** Where its machine was; null where that is not known. */
  readonly location: string | null;
  /** Type and price of its machine; null where they are not known. */
  readonly instanceType: string | null;
  readonly usdPerHour: number | null;
  /** On a row that enters `ready`: of the time before it, spent on loading models, ms. */
  readonly loadMs: number | null;
}

/** Owner of a share of the time. Ids are null where the deck is deleted. */
export interface CallOwner {
  readonly tenantId: string;
  readonly deckId: string | null;
  readonly analysisId: string | null;
  readonly task: string;
}

/** Time that one attempt of a model call held a slot. */
export interface CallSpan extends CallOwner {
  /** Id of the call, shared by its attempts. Null where its deck is deleted. */
  readonly callId: string | null;
  readonly slideNumber: number | null;
  readonly fromMs: number;
  /** Null while it runs. */
  readonly untilMs: number | null;
  /** Time at its start that was spent on loading the model, ms; known at its end. */
  readonly loadMs: number;
}

/** Everything that determines the ledger lines of a rental. */
export interface RentalFacts {
  readonly terms: RentalTerms;
  /** Null = the rental is not billed. */
  readonly bill: BillingInterval | null;
  /** Time before this has ledger entries already; null = none has. */
  readonly settledUntilMs: number | null;
  /** Oldest first; empty when no instance ever owned it. */
  readonly rows: readonly OwnerRow[];
  /** Of its instance, at least those that reach beyond {@link settledUntilMs}. */
  readonly calls: readonly CallSpan[];
}

/** Owner of a line; null ids where it does not belong to one slide or call. */
export interface LineOwner extends CallOwner {
  readonly slideNumber: number | null;
  readonly callId: string | null;
}

/** A share of a rental's time within one quarter of an hour, with kind, owner and cost. */
export interface LedgerLine {
  readonly kind: LedgerKind;
  readonly fromMs: number;
  readonly untilMs: number;
  /** The line's share of the interval where several lines share it, microseconds. */
  readonly shareMicros: bigint;
  readonly nanoUsd: bigint;
  readonly savedNanoUsd: bigint;
  /** Null = no owner. */
  readonly owner: LineOwner | null;
}
