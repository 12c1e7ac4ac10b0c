/**
 * The purse under its lock: reservations that are still open, brought up to date, and what the caps are held against.
 *
 * Whoever reserves holds one lock of the whole installation until its transaction ends, so that concurrent pools never spend the same money.
 */
import type { Purse } from '../../../domain/costs/budget/allowance.ts';
import type { BudgetRule, Claim } from '../../../domain/costs/budget/types.ts';
import { windowAt } from '../../../domain/costs/budget/windows.ts';
import type {
  BudgetReservation,
  CreateIntent,
  FleetInstance,
  Prisma,
  PrismaClient,
} from '../../../generated/prisma/client.ts';
import { intentIdOf, settledReservation, type ReservationChange } from './release.ts';
import { decimalOf, readRules } from './rules.ts';
import { readSpending } from './spending.ts';

/** What a provider's bill depends on. */
export interface BillFacts {
  readonly billsStopped: boolean;
  /** A block that is charged in full after the end of a machine, ms. */
  readonly blockMs: number;
}

/** Of a provider that refunds what is not used and bills stopped machines: good enough where nothing is decided by it. */
export const USUAL_BILL: BillFacts = { billsStopped: true, blockMs: 0 };

/** A reservation that was open, with what it is by now. */
export interface JudgedReservation {
  /** As it is now, whether or not that was written yet. */
  readonly row: BudgetReservation;
  /** What differs from what is written; null = nothing. */
  readonly change: ReservationChange | null;
  readonly intent: CreateIntent;
  readonly instance: FleetInstance;
}

/** Where money is read: the database, or a transaction that holds the lock. */
export type MoneyReader = PrismaClient | Prisma.TransactionClient;

/** Takes the lock of the purse until the transaction ends. */
export async function lockPurse(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('budget', 0))`;
}

/** The reservations that are written as open, what ends first in front, each as it is by now. Writes nothing. */
export async function judgeReservations(db: MoneyReader, bill: BillFacts): Promise<JudgedReservation[]> {
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
    const change = settledReservation({ row, intent, instance, ...bill });
    return [{ row: { ...row, ...change }, change, intent, instance }];
  });
}

/** The same, and writes what has changed. Needs the lock. */
export async function settleReservations(tx: Prisma.TransactionClient, bill: BillFacts): Promise<JudgedReservation[]> {
  const judged = await judgeReservations(tx, bill);
  for (const { row, change } of judged)
    if (change !== null) await tx.budgetReservation.update({ where: { id: row.id }, data: change });
  return judged;
}

/** Reservations of what may still cost something. */
export const stillOpen = (judged: readonly JudgedReservation[]): JudgedReservation[] =>
  judged.filter(({ row }) => row.releasedAt === null);

/** What the hard caps are held against now. Without one nothing is read. */
export async function readPurse(
  db: MoneyReader,
  judged: readonly JudgedReservation[],
  timezone: string,
  nowMs: number,
): Promise<Purse> {
  const rules = (await readRules(db)).filter((rule) => rule.scope === 'installation' && rule.hardUsd !== null);
  if (rules.length === 0) return { rules, timezone, spending: { settled: [], claims: [] } };
  const sinceMs = windowsStart(rules, timezone, nowMs);
  return {
    rules,
    timezone,
    spending: await readSpending(
      db,
      judged.map(({ row }) => row),
      sinceMs,
      nowMs,
    ),
  };
}

/** Start of the earliest window of these rules that is not over. */
export const windowsStart = (rules: readonly BudgetRule[], timezone: string, nowMs: number): number =>
  Math.min(nowMs, ...rules.map((rule) => windowAt(rule.period, nowMs, timezone).fromMs));

/** The same purse with more claims on it. */
export const withClaims = (purse: Purse, claims: readonly Claim[]): Purse => ({
  ...purse,
  spending: { ...purse.spending, claims: [...purse.spending.claims, ...claims] },
});

/** A reservation as a claim on the purse. */
export const claimOfRow = (row: BudgetReservation): Claim => ({
  usdPerHour: decimalOf(row.priceUsdPerHour),
  fromMs: row.fromAt.getTime(),
  untilMs: row.reservedUntil.getTime(),
});
