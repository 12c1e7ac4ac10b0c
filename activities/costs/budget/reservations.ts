/**
 * Open reservations in their current state, and the caps of the installation with the spending that counts against them.
 *
 * A transaction that reserves money holds one lock for the whole installation, so that concurrent pools never spend the same money.
 */
import type { Caps } from '../../../domain/costs/budget/allowance.ts';
import type { BudgetRule, Claim } from '../../../domain/costs/budget/types.ts';
import { windowAt } from '../../../domain/costs/budget/windows.ts';
import type { BudgetReservation, CreateIntent, FleetInstance } from '../../../generated/prisma/client.ts';
import {
  intentIdOf,
  reservationChange,
  type ReservationChange,
} from '../../../domain/costs/budget/reservation-change.ts';
import { decimalOf, readRules, readSpending } from './spending.ts';
import { lockForTransaction } from '../../../platform/locks.ts';
import type { Transaction } from '../../../platform/db.ts';

/** How a provider bills. */
export interface BillingFacts {
  readonly billsStopped: boolean;
  /** Billing block that is charged in full after a machine ends, ms. */
  readonly blockMs: number;
}

/** A provider that refunds unused time and bills stopped machines. For reports only; purchases use the provider's own facts. */
export const USUAL_BILLING: BillingFacts = { billsStopped: true, blockMs: 0 };

/** A reservation that is stored as open, in its current state. */
export interface CurrentReservation {
  /** The current state, also where it is not stored yet. */
  readonly row: BudgetReservation;
  /** Difference to the stored row; null = none. */
  readonly change: ReservationChange<BudgetReservation['priceUsdPerHour']> | null;
  readonly intent: CreateIntent;
  readonly instance: FleetInstance;
}

/** Takes the installation's budget lock until the transaction ends. */
export async function lockBudgets(tx: Transaction): Promise<void> {
  await lockForTransaction(tx, 'budget');
}

/** The reservations that are stored as open, in their current state, earliest end first. Writes nothing. */
export async function currentReservations(db: Transaction, bill: BillingFacts): Promise<CurrentReservation[]> {
  const rows = await db.budgetReservation.findMany({ where: { releasedAt: null }, orderBy: { reservedUntil: 'asc' } });
  if (rows.length === 0) return [];
  const [intents, instances] = await Promise.all([
    db.createIntent.findMany({ where: { id: { in: rows.map((row) => intentIdOf(row.id)) } } }),
    db.fleetInstance.findMany({ where: { name: { in: rows.map((row) => row.instanceName) } } }),
  ]);
  const intentOf = new Map(intents.map((intent) => [intent.id, intent]));
  const instanceOf = new Map(instances.map((instance) => [instance.name, instance]));
  return rows.flatMap((row) => {
    const intent = intentOf.get(intentIdOf(row.id));
    const instance = instanceOf.get(row.instanceName);
    if (intent === undefined || instance === undefined) return [];
    const change = reservationChange({ row, intent, instance, ...bill });
    return [{ row: { ...row, ...change }, change, intent, instance }];
  });
}

/** Like {@link currentReservations}, and stores what has changed. Needs the lock. */
export async function updateReservations(tx: Transaction, bill: BillingFacts): Promise<CurrentReservation[]> {
  const current = await currentReservations(tx, bill);
  for (const { row, change } of current)
    if (change !== null) await tx.budgetReservation.update({ where: { id: row.id }, data: change });
  return current;
}

/** The reservations that are still open. */
export const openReservations = (current: readonly CurrentReservation[]): CurrentReservation[] =>
  current.filter(({ row }) => row.releasedAt === null);

/** The hard caps of the installation with the spending that counts against them. Without a hard cap no spending is read. */
export async function readCaps(
  db: Transaction,
  current: readonly CurrentReservation[],
  timezone: string,
  nowMs: number,
): Promise<Caps> {
  const rules = (await readRules(db)).filter((rule) => rule.scope === 'installation' && rule.hardUsd !== null);
  if (rules.length === 0) return { rules, timezone, spending: { settled: [], claims: [] } };
  const sinceMs = windowsStart(rules, timezone, nowMs);
  return {
    rules,
    timezone,
    spending: await readSpending(
      db,
      current.map(({ row }) => row),
      sinceMs,
      nowMs,
    ),
  };
}

/** Start of the earliest current window of these rules, ms since 1970. */
export const windowsStart = (rules: readonly BudgetRule[], timezone: string, nowMs: number): number =>
  Math.min(nowMs, ...rules.map((rule) => windowAt(rule.period, nowMs, timezone).fromMs));

/** The same caps with further claims. */
export const withClaims = (caps: Caps, claims: readonly Claim[]): Caps => ({
  ...caps,
  spending: { ...caps.spending, claims: [...caps.spending.claims, ...claims] },
});

/** A reservation as a claim. */
export const claimOfRow = (row: BudgetReservation): Claim => ({
  usdPerHour: decimalOf(row.priceUsdPerHour),
  fromMs: row.fromAt.getTime(),
  untilMs: row.reservedUntil.getTime(),
});
