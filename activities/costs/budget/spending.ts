/**
 * What counts against the caps of an installation: what the ledger has settled, and an upper bound of everything else.
 *
 * A reservation stands for the time of its machine that the ledger has not settled yet; once the machine's rental is closed the ledger
 * alone counts. A machine that outlives its reservation, because it could not be ended, counts until now, and so does what nobody reserved.
 */
import { Decimal } from 'decimal.js';
import type { Claim, Settled, Spending } from '../../../domain/costs/budget/types.ts';
import type { BudgetReservation, Prisma, PrismaClient, Rental } from '../../../generated/prisma/client.ts';
import { decimalOf } from './rules.ts';

type Reader = Pick<PrismaClient | Prisma.TransactionClient, 'rental' | 'budgetReservation'>;

/**
 * Everything that has cost or may cost something since `sinceMs`.
 *
 * @param judged the reservations that are not written as released, as they are by now
 */
export async function readSpending(
  db: Reader,
  judged: readonly BudgetReservation[],
  sinceMs: number,
  nowMs: number,
): Promise<Spending> {
  const since = new Date(sinceMs);
  const [rentals, released] = await Promise.all([
    db.rental.findMany({ where: { OR: [{ closedAt: null }, { settledUntil: { gt: since } }] } }),
    db.budgetReservation.findMany({ where: { releasedAt: { not: null }, reservedUntil: { gt: since } } }),
  ]);
  const known = new Set(judged.map(({ id }) => id));
  return spendingOf(rentals, [...judged, ...released.filter(({ id }) => !known.has(id))], nowMs);
}

/** See the file's header. */
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

/** What a reservation still stands for. */
function claimOf(row: BudgetReservation, rental: Rental | undefined, nowMs: number): Claim[] {
  if (rental !== undefined && rental.closedAt !== null) return [];
  const fromMs = Math.max(row.fromAt.getTime(), rental?.settledUntil?.getTime() ?? 0);
  const reservedMs = row.reservedUntil.getTime();
  const isThere = row.releasedAt === null && row.resourceId !== null;
  const untilMs = isThere ? Math.max(reservedMs, nowMs) : reservedMs;
  const price = decimalOf(row.priceUsdPerHour);
  // Where it is billed at more than was thought, that is what it costs.
  const usdPerHour = rental === undefined ? price : Decimal.max(price, decimalOf(rental.priceUsdPerHour));
  return untilMs <= fromMs ? [] : [{ usdPerHour, fromMs, untilMs }];
}

/** What is billed without a reservation: nobody's machines, and those of before there were reservations. */
function unreservedOf(
  { billedFrom, billedUntil, settledUntil, closedAt, priceUsdPerHour }: Rental,
  nowMs: number,
): Claim[] {
  if (billedFrom === null || closedAt !== null) return [];
  const fromMs = Math.max(billedFrom.getTime(), settledUntil?.getTime() ?? 0);
  const untilMs = billedUntil?.getTime() ?? nowMs;
  return untilMs <= fromMs ? [] : [{ usdPerHour: decimalOf(priceUsdPerHour), fromMs, untilMs }];
}
