/**
 * Extends the reservations of a pool's machines and disks as far as the caps allow, and lists the instances whose reservation is used up.
 *
 * A machine that is billed at more than the catalogue price is reserved at the billed price. Where the caps do not allow that, or the price
 * is implausible, the machine ends at once and its offer is blocked for a while.
 */
import { whyRefused, type Caps } from '../../../domain/costs/budget/allowance.ts';
import type { ReservationTimes } from '../../../domain/costs/budget/reservation-times.ts';
import { isDue, isUsedUp, renewDisk, renewMachine } from '../../../domain/costs/budget/reservation-claims.ts';
import { isFinal, isLeaving, type InstancePhase } from '../../../domain/fleet/phases.ts';
import type { OfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { Unpaid } from '../../../domain/fleet/pool/budget.ts';
import { isAbsurd } from '../../../domain/fleet/selection/price-sanity.ts';
import type { BudgetReservation, PrismaClient } from '../../../generated/prisma/client.ts';
import { claimOfRow, readCaps, openReservations, withClaims, type CurrentReservation } from './reservations.ts';
import { diskReservationId } from '../../../domain/costs/budget/reservation-change.ts';
import type { BudgetTerms } from './reservation-terms.ts';
import type { Transaction } from '../../../platform/db.ts';

/** A machine that is billed at more than the catalogue price. */
export interface PriceRise {
  readonly instance: string;
  readonly offer: OfferKey;
  readonly text: string;
  /** True when the machine ends for it. */
  readonly ends: boolean;
}

/** Result of a renewal. */
export interface RenewalResult {
  readonly unpaid: readonly Unpaid[];
  readonly priceRises: readonly PriceRise[];
}

const HOUR_MS = 3_600_000;

/** Checks without the lock whether a reservation is due or a machine has none. */
export async function isRenewalDue(
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
  if (rows.some((row) => isDue(claimOfRow(row), times, windDownOf(row, times), nowMs))) return true;
  const reserved = new Map(rows.filter((row) => row.resource === 'instance').map((row) => [row.instanceName, row]));
  return machines.some(({ name, priceUsdPerHour }) => {
    const row = reserved.get(name);
    if (row === undefined || row.resourceId === null) return true;
    return priceUsdPerHour?.greaterThan(row.priceUsdPerHour) === true;
  });
}

/** Reserves for machines that were bought before reservations existed. They cost money already, so caps do not refuse them. */
export async function reserveExisting(
  tx: Transaction,
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

/** Renews the reservations that are due, earliest end first. Needs the lock. */
export async function renewReservations(
  tx: Transaction,
  pool: PoolConfig,
  terms: BudgetTerms,
  current: readonly CurrentReservation[],
  nowMs: number,
): Promise<RenewalResult> {
  const renewal = new Renewal(tx, pool, terms, current, await readCaps(tx, current, terms.timezone, nowMs), nowMs);
  for (const one of openReservations(current)) await renewal.renew(one);
  return renewal;
}

/** One renewal of the reservations of a pool. */
class Renewal implements RenewalResult {
  readonly unpaid: Unpaid[] = [];
  readonly priceRises: PriceRise[] = [];
  readonly #tx: Transaction;
  readonly #pool: PoolConfig;
  readonly #terms: BudgetTerms;
  readonly #times: ReservationTimes;
  readonly #nowMs: number;
  readonly #disks: Map<string, CurrentReservation>;
  #caps: Caps;

  constructor(
    tx: Transaction,
    pool: PoolConfig,
    terms: BudgetTerms,
    current: readonly CurrentReservation[],
    caps: Caps,
    nowMs: number,
  ) {
    this.#tx = tx;
    this.#pool = pool;
    this.#terms = terms;
    this.#times = terms.times(pool);
    this.#nowMs = nowMs;
    this.#caps = caps;
    const disks = openReservations(current).filter(({ row }) => row.resource === 'volume');
    this.#disks = new Map(disks.map((disk) => [disk.row.id, disk]));
  }

  async renew(one: CurrentReservation): Promise<void> {
    const { row, instance } = one;
    if (row.pool !== this.#pool.name || isLeaving(instance.phase) || isFinal(instance.phase)) return;
    if (row.resource === 'volume') {
      // The disk of an existing machine is renewed together with the machine.
      if (instance.providerId === null) await this.#renewDisk(one);
      return;
    }
    if (!isCurrent(one)) return;
    if (await this.#isPriceRefused(one)) return;
    const untilMs = isDue(claimOfRow(row), this.#times, this.#times.windDownMs, this.#nowMs)
      ? await this.#renewMachine(one)
      : row.reservedUntil.getTime();
    if (isUsedUp({ ...claimOfRow(row), untilMs }, this.#times.windDownMs, this.#nowMs)) this.#end(one);
  }

  async #renewDisk({ row }: CurrentReservation): Promise<void> {
    // The disk may have been extended together with a machine in this renewal.
    const one = this.#disks.get(row.id);
    if (one === undefined) return;
    const claim = claimOfRow(one.row);
    const { diskWindDownMs } = this.#times;
    const due = isDue(claim, this.#times, diskWindDownMs, this.#nowMs);
    const longer = due ? renewDisk(this.#caps, claim, this.#times, this.#nowMs) : null;
    if (longer !== null) await this.#lengthen(one.row, longer);
    if (isUsedUp({ ...claim, untilMs: longer ?? claim.untilMs }, diskWindDownMs, this.#nowMs)) this.#end(one);
  }

  /** @returns until when it is reserved now, ms since 1970 */
  async #renewMachine(one: CurrentReservation): Promise<number> {
    const machine = claimOfRow(one.row);
    const disk = ownDisk(one, this.#disks.values());
    const running = {
      machine,
      disk: disk === null ? null : claimOfRow(disk.row),
      otherDisks: [...this.#disks.values()].filter((other) => other !== disk).map((other) => claimOfRow(other.row)),
      disksKeptUntilMs: this.#nowMs + this.#pool.maxKeptVolumeAgeHours * HOUR_MS,
    };
    const longer = renewMachine(this.#caps, running, this.#times, this.#nowMs);
    if (longer === null) return machine.untilMs;
    await this.#lengthen(one.row, longer);
    if (disk !== null) {
      const diskUntilMs = Math.max(disk.row.reservedUntil.getTime(), longer + this.#times.diskWindDownMs);
      await this.#lengthen(disk.row, diskUntilMs);
      this.#disks.set(disk.row.id, { ...disk, row: { ...disk.row, reservedUntil: new Date(diskUntilMs) } });
    }
    return longer;
  }

  /** Checks the billed price. True when the machine ends for it; its reservation is then cut to its wind-down time. */
  async #isPriceRefused(one: CurrentReservation): Promise<boolean> {
    const { row, intent, instance } = one;
    if (row.priceUsdPerHour.lessThanOrEqualTo(intent.priceUsdPerHour.toString())) return false;
    const [sold, said] = [row.priceUsdPerHour.toNumber(), intent.priceUsdPerHour.toNumber()];
    const nowMs = this.#nowMs;
    const moment = { ...claimOfRow(row), fromMs: nowMs, untilMs: nowMs + 1 };
    const ends = isAbsurd(sold, said) || whyRefused(this.#caps, () => [moment], nowMs) !== null;
    const text = `${instance.name} is billed at $${sold.toFixed(3)} an hour; the catalogue said $${said.toFixed(3)}.`;
    this.priceRises.push({ instance: instance.name, offer: intent.offerKey as OfferKey, text, ends });
    if (!ends) return false;
    const untilMs = Math.min(row.reservedUntil.getTime(), nowMs + this.#times.windDownMs);
    await this.#tx.budgetReservation.update({ where: { id: row.id }, data: { reservedUntil: new Date(untilMs) } });
    this.unpaid.push({ instance: instance.name, phase: instance.phase as InstancePhase, reason: text });
    return true;
  }

  async #lengthen(row: BudgetReservation, untilMs: number): Promise<void> {
    const claim = claimOfRow(row);
    this.#caps = withClaims(this.#caps, [{ ...claim, fromMs: Math.max(claim.untilMs, this.#nowMs), untilMs }]);
    await this.#tx.budgetReservation.update({ where: { id: row.id }, data: { reservedUntil: new Date(untilMs) } });
  }

  #end({ instance, row }: CurrentReservation): void {
    const price = (instance.priceUsdPerHour ?? row.priceUsdPerHour).toNumber();
    const purchase = this.#terms.purchase(this.#pool, price, row);
    const why = this.#terms.whyNot(this.#caps, purchase, this.#times, this.#nowMs);
    const reason = why?.message ?? 'The money reserved for it is used up.';
    this.unpaid.push({ instance: instance.name, phase: instance.phase as InstancePhase, reason });
  }
}

const machinesOf = (db: Transaction, pool: PoolConfig) =>
  db.fleetInstance.findMany({
    where: { pool: pool.name, endedAt: null, providerId: { not: null }, provider: { not: 'static' } },
  });

/** True for the reservation of the instance's current machine, or of the machine that is being created. */
const isCurrent = ({ row, intent, instance }: CurrentReservation): boolean =>
  row.resourceId === null
    ? instance.providerId === null && intent.id === `${instance.name}/${instance.attempts}`
    : row.resourceId === instance.providerId;

/** The reservation of a machine's disk. */
const ownDisk = (
  { instance, intent }: CurrentReservation,
  disks: Iterable<CurrentReservation>,
): CurrentReservation | null => {
  for (const disk of disks) {
    if (disk.instance.name !== instance.name) continue;
    if (disk.intent.id === intent.id || (instance.osVolumeId !== null && disk.row.resourceId === instance.osVolumeId))
      return disk;
  }
  return null;
};

/** Wind-down time of the machine or disk of a reservation, ms. */
export const windDownOf = ({ resource }: BudgetReservation, { windDownMs, diskWindDownMs }: ReservationTimes): number =>
  resource === 'volume' ? diskWindDownMs : windDownMs;
