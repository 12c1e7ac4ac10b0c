/**
 * Reads budgets, and what counts against them.
 *
 * Against the installation's caps count the settled amounts of the ledger and an upper bound of everything else. A reservation stands for
 * the time of its machine that the ledger has not settled yet; once the machine's rental is closed, only the ledger counts. A machine that
 * outlives its reservation, because it could not be ended, counts until now. So does a machine without a reservation.
 */
import { Decimal } from 'decimal.js';
import { settledIn } from '../../../domain/costs/budget/amounts.ts';
import {
  BUDGET_PERIODS,
  BUDGET_SCOPES,
  type BudgetRule,
  type Claim,
  type Settled,
  type Spending,
  type TimeSpan,
} from '../../../domain/costs/budget/types.ts';
import type { LineOwner } from '../../../domain/costs/ledger/facts.ts';
import type { Budget, BudgetReservation, PrismaClient, Rental } from '../../../generated/prisma/client.ts';
import { openCosts } from '../ledger/open-costs.ts';
import type { Transaction } from '../../../platform/db.ts';

/** All budgets. Rows with a scope or period that this version does not know are left out. */
export async function readRules(db: Pick<PrismaClient, 'budget'>): Promise<BudgetRule[]> {
  const rows = await db.budget.findMany({ orderBy: { id: 'asc' } });
  return rows.flatMap((row) => ruleOf(row) ?? []);
}

/** A row as a rule; null for a scope or period that this version does not know. */
export function ruleOf({ scope, scopeId, period, softUsd, hardUsd }: Budget): BudgetRule | null {
  const known = BUDGET_SCOPES.find((s) => s === scope);
  const span = BUDGET_PERIODS.find((p) => p === period);
  if (known === undefined || span === undefined) return null;
  return { scope: known, scopeId, period: span, softUsd: exact(softUsd), hardUsd: exact(hardUsd) };
}

/** A decimal of the database as a decimal.js value. */
export const decimalOf = (value: { toString(): string }): Decimal => new Decimal(value.toString());
const exact = (value: { toString(): string } | null): Decimal | null => (value === null ? null : decimalOf(value));

/**
 * Everything that has cost or may cost something since `sinceMs`.
 *
 * @param current the reservations that are not stored as released, in their current state
 */
export async function readSpending(
  db: Pick<Transaction, 'rental' | 'budgetReservation'>,
  current: readonly BudgetReservation[],
  sinceMs: number,
  nowMs: number,
): Promise<Spending> {
  const since = new Date(sinceMs);
  const [rentals, released] = await Promise.all([
    db.rental.findMany({ where: { OR: [{ closedAt: null }, { settledUntil: { gt: since } }] } }),
    db.budgetReservation.findMany({ where: { releasedAt: { not: null }, reservedUntil: { gt: since } } }),
  ]);
  const known = new Set(current.map(({ id }) => id));
  return spendingOf(rentals, [...current, ...released.filter(({ id }) => !known.has(id))], nowMs);
}

/** Settled amounts and open claims; see the file's header. */
export function spendingOf(
  rentals: readonly Rental[],
  reservations: readonly BudgetReservation[],
  nowMs: number,
): Spending {
  const rentalOf = new Map(rentals.map((rental) => [keyOf(rental.resource, rental.resourceId), rental]));
  const reserved = new Set(
    reservations.flatMap((r) => (r.resourceId === null ? [] : [keyOf(r.resource, r.resourceId)])),
  );
  return {
    settled: rentals.flatMap(settledOf),
    claims: [
      ...reservations.flatMap((r) =>
        claimOf(r, r.resourceId === null ? undefined : rentalOf.get(keyOf(r.resource, r.resourceId)), nowMs),
      ),
      ...rentals
        .filter((rental) => !reserved.has(keyOf(rental.resource, rental.resourceId)))
        .flatMap((rental) => unreservedOf(rental, nowMs)),
    ],
  };
}

const keyOf = (resource: string, resourceId: string): string => `${resource}/${resourceId}`;

function settledOf({ billedFrom, settledUntil, settledUsd }: Rental): Settled[] {
  if (billedFrom === null || settledUntil === null || settledUsd.isZero()) return [];
  return [{ usd: decimalOf(settledUsd), fromMs: billedFrom.getTime(), untilMs: settledUntil.getTime() }];
}

/** The part of a reservation that the ledger has not settled. */
function claimOf(row: BudgetReservation, rental: Rental | undefined, nowMs: number): Claim[] {
  if (rental !== undefined && rental.closedAt !== null) return [];
  const fromMs = Math.max(row.fromAt.getTime(), rental?.settledUntil?.getTime() ?? 0);
  const reservedMs = row.reservedUntil.getTime();
  const isThere = row.releasedAt === null && row.resourceId !== null;
  const untilMs = isThere ? Math.max(reservedMs, nowMs) : reservedMs;
  const price = decimalOf(row.priceUsdPerHour);
  // The billed price counts where it is higher than the reserved one.
  const usdPerHour = rental === undefined ? price : Decimal.max(price, decimalOf(rental.priceUsdPerHour));
  return untilMs <= fromMs ? [] : [{ usdPerHour, fromMs, untilMs }];
}

/** Billed time without a reservation: machines that Deckhand did not create, and those older than reservations. */
function unreservedOf(
  { billedFrom, billedUntil, settledUntil, closedAt, priceUsdPerHour }: Rental,
  nowMs: number,
): Claim[] {
  if (billedFrom === null || closedAt !== null) return [];
  const fromMs = Math.max(billedFrom.getTime(), settledUntil?.getTime() ?? 0);
  const untilMs = billedUntil?.getTime() ?? nowMs;
  return untilMs <= fromMs ? [] : [{ usdPerHour: decimalOf(priceUsdPerHour), fromMs, untilMs }];
}

/** USD by tenant or by deck. */
export type SpentBy = ReadonlyMap<string, Decimal>;

interface Row {
  readonly id: string;
  readonly usd: { toString(): string } | null;
}

/** No ledger entry with an owner is longer, so an index finds the entries of a window. */
const LONGEST_ENTRY_MS = 3_600_000;
/** For a deck, its whole cost counts. */
const ALWAYS: TimeSpan = { fromMs: -Infinity, untilMs: Infinity };
const ZERO = new Decimal(0);

/** What each of these tenants has spent in a window until now. */
export async function spentByTenants(
  db: Transaction,
  tenants: readonly string[],
  window: TimeSpan,
  now: Date,
): Promise<SpentBy> {
  if (tenants.length === 0) return new Map();
  const from = new Date(Number.isFinite(window.fromMs) ? window.fromMs : 0);
  const until = new Date(Number.isFinite(window.untilMs) ? window.untilMs : now.getTime());
  const since = new Date(from.getTime() - LONGEST_ENTRY_MS);
  const settled = db.$queryRaw<Row[]>`
    SELECT e."tenantId" AS id,
           sum(CASE WHEN e."fromAt" >= ${from} AND e."untilAt" <= ${until} THEN e."amountUsd"
                    ELSE e."amountUsd" * extract(epoch FROM least(e."untilAt", ${until}) - greatest(e."fromAt", ${from}))
                         / extract(epoch FROM e."untilAt" - e."fromAt") END) AS usd
    FROM "LedgerEntry" e
    WHERE e."tenantId" = ANY(${[...tenants]}) AND e."fromAt" > ${since} AND e."fromAt" < ${until} AND e."untilAt" >= ${from}
    GROUP BY e."tenantId"`;
  return added(tenants, await settled, await openSpending(db, (owner) => owner.tenantId, window, now));
}

/** What each of these decks has cost so far. */
export async function spentByDecks(db: Transaction, decks: readonly string[], now: Date): Promise<SpentBy> {
  if (decks.length === 0) return new Map();
  const settled = db.$queryRaw<Row[]>`
    SELECT an."deckId" AS id, sum(e."amountUsd") AS usd
    FROM "Analysis" an JOIN "LedgerEntry" e ON e."analysisId" = an.id
    WHERE an."deckId" = ANY(${[...decks]})
    GROUP BY an."deckId"`;
  return added(decks, await settled, await openSpending(db, (owner) => owner.deckId, ALWAYS, now));
}

/** Costs that the ledger has not settled yet, by tenant or deck, within a window. */
async function openSpending(
  db: Transaction,
  whose: (owner: LineOwner) => string | null,
  window: TimeSpan,
  now: Date,
): Promise<SpentBy> {
  const sums = new Map<string, Decimal>();
  for (const { owner, amountUsd: usd, fromMs, untilMs } of await openCosts(db, now)) {
    const id = owner === null ? null : whose(owner);
    if (id === null) continue;
    sums.set(id, (sums.get(id) ?? ZERO).plus(settledIn({ usd, fromMs, untilMs }, window)));
  }
  return sums;
}

/** Settled and open amounts for each of the ids. */
function added(ids: readonly string[], settled: readonly Row[], open: SpentBy): SpentBy {
  const sums = new Map(settled.map(({ id, usd }) => [id, usd === null ? ZERO : decimalOf(usd)]));
  return new Map(ids.map((id) => [id, (sums.get(id) ?? ZERO).plus(open.get(id) ?? ZERO)]));
}
