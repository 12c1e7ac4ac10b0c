/**
 * What is known of a rental when its time is accounted for, and the lines that come of it.
 */
import type { BillPause } from '../../fleet/provider/billing.ts';
import type { InstancePhase } from '../../fleet/phases.ts';
import type { LedgerKind } from './kinds.ts';

/** What is rented: a machine or a disk, with its price as frozen when it was first seen. */
export interface RentalTerms {
  readonly resource: 'instance' | 'volume';
  /** The provider's id. */
  readonly resourceId: string;
  /** Disks: where it is; null where that is not known. */
  readonly location: string | null;
  readonly nanoUsdPerHour: bigint;
  /** What on-demand costs more, for machines of the spot market; 0 for everything else. */
  readonly savedNanoUsdPerHour: bigint;
  /** Paid in advance in blocks of this length, seconds; 0 = by the time. */
  readonly quantumSec: number;
  readonly refundsUnused: boolean;
}

/** From when to when a provider bills. */
export interface BillSpan {
  readonly fromMs: number;
  /** Null while it goes on. */
  readonly untilMs: number | null;
  /** When nothing is billed in between, in the order of time; none where left out. */
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
  /** On a row that enters `ready`: of the time before it, spent on loading models, ms. */
  readonly loadMs: number | null;
}

/** Whose a share of the time was. Ids are null where a deck is deleted. */
export interface CallOwner {
  readonly tenantId: string;
  readonly deckId: string | null;
  readonly analysisId: string | null;
  readonly task: string;
}

/** Time that one attempt of a model call held a slot. */
export interface CallSpan extends CallOwner {
  /** Tells calls apart; attempts of one call share it. Empty where its deck is deleted. */
  readonly callId: string | null;
  readonly slideNumber: number | null;
  readonly fromMs: number;
  /** Null while it runs. */
  readonly untilMs: number | null;
  /** Of its beginning, spent on loading the model, ms; not known before its end. */
  readonly loadMs: number;
}

/** Everything that decides how a rental's time is accounted for. */
export interface RentalFacts {
  readonly terms: RentalTerms;
  /** Null = nothing is billed. */
  readonly bill: BillSpan | null;
  /** What is before this is accounted for and never again; null = nothing is. */
  readonly settledUntilMs: number | null;
  /** Oldest first; empty when nobody ever owned it. */
  readonly rows: readonly OwnerRow[];
  /** Of its instance, at least those that reach beyond {@link settledUntilMs}. */
  readonly calls: readonly CallSpan[];
}

/** Whose a line is; null ids where it is not of one slide or call. */
export interface LineOwner extends CallOwner {
  readonly slideNumber: number | null;
  readonly callId: string | null;
}

/** A share of a rental's time within one quarter of an hour: what it was for, whose it was and what it cost. */
export interface LedgerLine {
  readonly kind: LedgerKind;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Of the interval, what falls to this line when several share it, microseconds. */
  readonly shareMicros: bigint;
  readonly nanoUsd: bigint;
  readonly savedNanoUsd: bigint;
  /** Null = nobody's. */
  readonly owner: LineOwner | null;
}
