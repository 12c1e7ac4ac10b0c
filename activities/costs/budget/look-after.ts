/**
 * Looks after the reservations of a pool's machines and disks: makes them longer as far as the caps allow, and says whose money is used up.
 *
 * A machine that is billed at more than the catalogue said is reserved at what it costs. Where the caps do not allow that, or the price cannot
 * be what was meant, it goes at once and its offer is left alone for a while.
 */
import { whyRefused, type Purse } from '../../../domain/costs/budget/allowance.ts';
import type { LeaseTimes } from '../../../domain/costs/budget/lease.ts';
import { isDue, isOut, renewDisk, renewMachine } from '../../../domain/costs/budget/reservation.ts';
import { isFinal, isLeaving, type InstancePhase } from '../../../domain/fleet/phases.ts';
import type { OfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import { isAbsurd } from '../../../domain/fleet/selection/price-sanity.ts';
import type { BudgetReservation, Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { claimOfRow, readPurse, stillOpen, withClaims, type JudgedReservation } from './purse.ts';
import { diskReservationId } from './release.ts';
import type { BudgetTerms } from './terms.ts';

/** An instance whose money is used up. */
export interface Unpaid {
  readonly instance: string;
  readonly phase: InstancePhase;
  readonly reason: string;
}

/** A machine that is billed at more than the catalogue said. */
export interface Dearer {
  readonly instance: string;
  readonly offer: OfferKey;
  readonly text: string;
  /** It goes for that. */
  readonly goes: boolean;
}

/** What a look found. */
export interface LookedAfter {
  readonly unpaid: readonly Unpaid[];
  readonly dearer: readonly Dearer[];
}

const HOUR_MS = 3_600_000;

/** Without the lock: is there a reservation to renew or to give up, or a machine without one? */
export async function isAnythingDue(
  db: PrismaClient,
  pool: PoolConfig,
  terms: BudgetTerms,
  nowMs: number,
): Promise<boolean> {
  const times = terms.times(pool);
  const [rows, machines] = await Promise.all([
    db.budgetReservation.findMany({ where: { pool: pool.name, releasedAt: null } }),
    machinesOf(db, pool),
  ]);
  if (rows.some((row) => isDue(claimOfRow(row), times, wayOutOf(row, times), nowMs))) return true;
  const reserved = new Map(rows.filter((row) => row.resource === 'instance').map((row) => [row.instanceName, row]));
  return machines.some(({ name, priceUsdPerHour }) => {
    const row = reserved.get(name);
    if (row === undefined || row.resourceId === null) return true;
    return priceUsdPerHour?.greaterThan(row.priceUsdPerHour) === true;
  });
}

/** Machines without a reservation, bought before there were any: they cost all the same, so they are not asked whether they may. */
export async function reserveWhatIsThere(
  tx: Prisma.TransactionClient,
  pool: PoolConfig,
  terms: BudgetTerms,
  nowMs: number,
): Promise<void> {
  for (const { name, providerId, osVolumeId, priceUsdPerHour, billedSince, phase } of await machinesOf(tx, pool)) {
    if (phase === 'suspended' && !terms.bill.billsStopped) continue;
    const intent = await tx.createIntent.findFirst({ where: { instanceName: name, providerId } });
    if (intent === null) continue;
    const known = await tx.budgetReservation.count({
      where: { instanceName: name, resource: 'instance', id: { startsWith: intent.id }, releasedAt: null },
    });
    if (known > 0) continue;
    const times = { fromAt: billedSince ?? new Date(nowMs), reservedUntil: new Date(nowMs) };
    const shared = { instanceName: name, pool: pool.name, ...times };
    const price = priceUsdPerHour ?? intent.priceUsdPerHour;
    await tx.budgetReservation.createMany({
      data: [
        { id: intent.id, ...shared, resource: 'instance', resourceId: providerId, priceUsdPerHour: price },
        {
          id: diskReservationId(intent.id),
          ...shared,
          resource: 'volume',
          resourceId: osVolumeId,
          priceUsdPerHour: terms.diskPrice(pool.osVolumeGib).toFixed(9),
        },
      ],
      skipDuplicates: true,
    });
  }
}

/** Renews what is due, what ends first in front. Needs the lock. */
export async function renewReservations(
  tx: Prisma.TransactionClient,
  pool: PoolConfig,
  terms: BudgetTerms,
  judged: readonly JudgedReservation[],
  nowMs: number,
): Promise<LookedAfter> {
  const renewal = new Renewal(tx, pool, terms, judged, await readPurse(tx, judged, terms.timezone, nowMs), nowMs);
  for (const one of stillOpen(judged)) await renewal.look(one);
  return renewal;
}

/** One look at the reservations of a pool. */
class Renewal implements LookedAfter {
  readonly unpaid: Unpaid[] = [];
  readonly dearer: Dearer[] = [];
  readonly #tx: Prisma.TransactionClient;
  readonly #pool: PoolConfig;
  readonly #terms: BudgetTerms;
  readonly #times: LeaseTimes;
  readonly #nowMs: number;
  readonly #disks: Map<string, JudgedReservation>;
  #purse: Purse;

  constructor(
    tx: Prisma.TransactionClient,
    pool: PoolConfig,
    terms: BudgetTerms,
    judged: readonly JudgedReservation[],
    purse: Purse,
    nowMs: number,
  ) {
    this.#tx = tx;
    this.#pool = pool;
    this.#terms = terms;
    this.#times = terms.times(pool);
    this.#nowMs = nowMs;
    this.#purse = purse;
    const disks = stillOpen(judged).filter(({ row }) => row.resource === 'volume');
    this.#disks = new Map(disks.map((disk) => [disk.row.id, disk]));
  }

  async look(one: JudgedReservation): Promise<void> {
    const { row, instance } = one;
    if (row.pool !== this.#pool.name || isLeaving(instance.phase) || isFinal(instance.phase)) return;
    if (row.resource === 'volume') {
      // A disk is looked after with its machine as long as that is there.
      if (instance.providerId === null) await this.#lookAtDisk(one);
      return;
    }
    if (!isCurrent(one)) return;
    if (await this.#isTooDear(one)) return;
    const untilMs = isDue(claimOfRow(row), this.#times, this.#times.wayOutMs, this.#nowMs)
      ? await this.#renewMachine(one)
      : row.reservedUntil.getTime();
    if (isOut({ ...claimOfRow(row), untilMs }, this.#times.wayOutMs, this.#nowMs)) this.#goes(one);
  }

  async #lookAtDisk({ row }: JudgedReservation): Promise<void> {
    // It may have been made longer with a machine in this very look.
    const one = this.#disks.get(row.id);
    if (one === undefined) return;
    const claim = claimOfRow(one.row);
    const { diskWayOutMs } = this.#times;
    const due = isDue(claim, this.#times, diskWayOutMs, this.#nowMs);
    const longer = due ? renewDisk(this.#purse, claim, this.#times, this.#nowMs) : null;
    if (longer !== null) await this.#lengthen(one.row, longer);
    if (isOut({ ...claim, untilMs: longer ?? claim.untilMs }, diskWayOutMs, this.#nowMs)) this.#goes(one);
  }

  /** @returns until when it is reserved now, ms since 1970 */
  async #renewMachine(one: JudgedReservation): Promise<number> {
    const machine = claimOfRow(one.row);
    const disk = ownDisk(one, this.#disks.values());
    const running = {
      machine,
      disk: disk === null ? null : claimOfRow(disk.row),
      otherDisks: [...this.#disks.values()].filter((other) => other !== disk).map((other) => claimOfRow(other.row)),
      disksKeptUntilMs: this.#nowMs + this.#pool.maxKeptVolumeAgeHours * HOUR_MS,
    };
    const longer = renewMachine(this.#purse, running, this.#times, this.#nowMs);
    if (longer === null) return machine.untilMs;
    await this.#lengthen(one.row, longer);
    if (disk !== null) {
      const diskUntilMs = Math.max(disk.row.reservedUntil.getTime(), longer + this.#times.diskWayOutMs);
      await this.#lengthen(disk.row, diskUntilMs);
      this.#disks.set(disk.row.id, { ...disk, row: { ...disk.row, reservedUntil: new Date(diskUntilMs) } });
    }
    return longer;
  }

  /** A machine that costs more than the catalogue said. True when it goes for that: then its money is cut to its way out. */
  async #isTooDear(one: JudgedReservation): Promise<boolean> {
    const { row, intent, instance } = one;
    if (row.priceUsdPerHour.lessThanOrEqualTo(intent.priceUsdPerHour.toString())) return false;
    const [sold, said] = [row.priceUsdPerHour.toNumber(), intent.priceUsdPerHour.toNumber()];
    const nowMs = this.#nowMs;
    const moment = { ...claimOfRow(row), fromMs: nowMs, untilMs: nowMs + 1 };
    const goes = isAbsurd(sold, said) || whyRefused(this.#purse, () => [moment], nowMs) !== null;
    const text = `${instance.name} is billed at $${sold.toFixed(3)} an hour; the catalogue said $${said.toFixed(3)}.`;
    this.dearer.push({ instance: instance.name, offer: intent.offerKey as OfferKey, text, goes });
    if (!goes) return false;
    const untilMs = Math.min(row.reservedUntil.getTime(), nowMs + this.#times.wayOutMs);
    await this.#tx.budgetReservation.update({ where: { id: row.id }, data: { reservedUntil: new Date(untilMs) } });
    this.unpaid.push({ instance: instance.name, phase: instance.phase as InstancePhase, reason: text });
    return true;
  }

  async #lengthen(row: BudgetReservation, untilMs: number): Promise<void> {
    const claim = claimOfRow(row);
    this.#purse = withClaims(this.#purse, [{ ...claim, fromMs: Math.max(claim.untilMs, this.#nowMs), untilMs }]);
    await this.#tx.budgetReservation.update({ where: { id: row.id }, data: { reservedUntil: new Date(untilMs) } });
  }

  #goes({ instance, row }: JudgedReservation): void {
    const price = (instance.priceUsdPerHour ?? row.priceUsdPerHour).toNumber();
    const purchase = this.#terms.purchase(this.#pool, price, row);
    const why = this.#terms.whyNot(this.#purse, purchase, this.#times, this.#nowMs);
    const reason = why?.message ?? 'The money that was reserved for it is used up.';
    this.unpaid.push({ instance: instance.name, phase: instance.phase as InstancePhase, reason });
  }
}

const machinesOf = (db: Prisma.TransactionClient | PrismaClient, pool: PoolConfig) =>
  db.fleetInstance.findMany({
    where: { pool: pool.name, endedAt: null, providerId: { not: null }, provider: { not: 'static' } },
  });

/** The machine its instance has now, or the one it is about to have. */
const isCurrent = ({ row, intent, instance }: JudgedReservation): boolean =>
  row.resourceId === null
    ? instance.providerId === null && intent.id === `${instance.name}/${instance.attempts}`
    : row.resourceId === instance.providerId;

/** The disk of a machine. */
const ownDisk = (
  { instance, intent }: JudgedReservation,
  disks: Iterable<JudgedReservation>,
): JudgedReservation | null => {
  for (const disk of disks) {
    if (disk.instance.name !== instance.name) continue;
    if (disk.intent.id === intent.id || (instance.osVolumeId !== null && disk.row.resourceId === instance.osVolumeId))
      return disk;
  }
  return null;
};

/** The way out of what a reservation is for, ms. */
export const wayOutOf = ({ resource }: BudgetReservation, { wayOutMs, diskWayOutMs }: LeaseTimes): number =>
  resource === 'volume' ? diskWayOutMs : wayOutMs;
