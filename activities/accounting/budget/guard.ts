/**
 * The guard in front of the purse: reserves money before a machine is bought or started, makes the reservation longer while it runs, and says
 * which machines have to go because their money is used up.
 *
 * A machine's reservation is never shorter than its way out (domain/budget/lease.ts), so what is charged stays within the hard caps also when
 * nothing more can be reserved. Everything is done by the ids of creates: a repetition changes nothing.
 */
import { Decimal } from 'decimal.js';
import { allowedFrom, whyRefused, type Purse, type Refusal } from '../../../domain/budget/allowance.ts';
import { leaseTimes, type LeaseTimes } from '../../../domain/budget/lease.ts';
import {
  isDue,
  isOut,
  purchaseClaims,
  renewDisk,
  renewMachine,
  type Purchase,
} from '../../../domain/budget/reservation.ts';
import { refusalWords } from '../../../domain/budget/words.ts';
import type { ProviderCapabilities } from '../../../domain/fleet/billing.ts';
import type { InstancePhase, Intent, KeptVolume } from '../../../domain/fleet/instance-life/types.ts';
import type { PoolConfig } from '../../../domain/fleet/pool-config.ts';
import type { BudgetReservation, Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import type { Logger } from '../../../platform/log.ts';
import { readLimits, type DemandLimits } from './limits.ts';
import {
  claimOfRow,
  judgeReservations,
  lockPurse,
  readPurse,
  settleReservations,
  withClaims,
  type BillFacts,
  type JudgedReservation,
  stillOpen,
} from './purse.ts';
import { diskReservationId, startReservationId } from './release.ts';

export interface BudgetGuardOptions {
  readonly db: PrismaClient;
  readonly capabilities: Pick<ProviderCapabilities, 'billing' | 'billsStopped' | 'volumeUsdPerGibMonth'>;
  readonly accounting: { readonly reserveMs: number; readonly timezone: string };
  readonly log: Logger;
  readonly now?: () => number;
}

/** Why nothing is bought. */
export interface BudgetRefusal {
  /** For people: which budget, what is left, when it goes on, who can change it. */
  readonly message: string;
  /** When it is worth another try; a budget may be raised at any time, so never long. */
  readonly nextTryAtMs: number;
}

/** An instance whose money is used up. */
export interface Unpaid {
  readonly instance: string;
  readonly phase: InstancePhase;
  readonly reason: string;
}

const HOURS_PER_MONTH = 730;
const HOUR_MS = 3_600_000;
/** A refused purchase is tried again after this time at the latest. */
const RETRY_MS = 60_000;
/** What takes work out of the demand is worked out this often. */
const LIMITS_KEPT_MS = 5_000;
/** Transactions wait for one another in front of the purse. */
const WITHIN_MS = 30_000;

/** Phases of a machine that is being ended already. */
const LEAVING: ReadonlySet<string> = new Set(['suspending', 'destroying', 'gone', 'failed']);

/** See the file's header. */
export class BudgetGuard {
  readonly #options: BudgetGuardOptions;
  readonly #now: () => number;
  #limits: { readonly atMs: number; readonly limits: Promise<DemandLimits> } | undefined;

  constructor(options: BudgetGuardOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get timezone(): string {
    return this.#options.accounting.timezone;
  }

  /**
   * Reserves money for a create, in the transaction that writes its intent. Null = it may be sent.
   *
   * @throws nothing of its own; the caller's transaction carries the lock
   */
  async reserve(
    tx: Prisma.TransactionClient,
    { instance, pool, intent }: { readonly instance: string; readonly pool: PoolConfig; readonly intent: Intent },
  ): Promise<BudgetRefusal | null> {
    await lockPurse(tx);
    const nowMs = this.#now();
    const judged = await settleReservations(tx, this.#bill);
    const kept = diskRow(judged, intent.volumeId);
    const refusal = await this.#buy(tx, { instance, pool, intent, kept, judged, nowMs, id: intent.id });
    await this.#tellPool(tx, pool.name, refusal?.message ?? null);
    return refusal;
  }

  /** The same for a stopped machine that is started again: it was not billed meanwhile. */
  async reserveStart(instance: string, pool: PoolConfig): Promise<BudgetRefusal | null> {
    if (this.#options.capabilities.billsStopped) return null;
    return this.#locked(async (tx) => {
      const nowMs = this.#now();
      const judged = await settleReservations(tx, this.#bill);
      const row = await tx.fleetInstance.findUnique({ where: { name: instance } });
      const intent = await tx.createIntent.findFirst({
        where: { instanceName: instance, providerId: row?.providerId ?? '' },
      });
      if (row === null || intent === null) return null;
      const isReserved = ({ row: { resource, resourceId } }: JudgedReservation): boolean =>
        resource === 'instance' && resourceId === intent.providerId;
      if (stillOpen(judged).some(isReserved)) return null;
      const refusal = await this.#buy(tx, {
        instance,
        pool,
        intent: {
          priceUsdPerHour: (row.priceUsdPerHour ?? intent.priceUsdPerHour).toNumber(),
          volumeId: row.osVolumeId,
          id: intent.id,
        },
        kept: diskRow(judged, row.osVolumeId),
        judged,
        nowMs,
        id: startReservationId(intent.id, row.phaseSince.getTime()),
      });
      await this.#tellPool(tx, pool.name, refusal?.message ?? null);
      return refusal;
    });
  }

  /**
   * The offers of a ladder that the caps allow now, and why the cheapest of the others is refused. Reserves nothing: the create does, and
   * may still be refused.
   */
  async affordable<Offer extends { readonly priceUsdPerHour: number }>(
    pool: PoolConfig,
    offers: readonly Offer[],
    wakeFrom: KeptVolume | null,
  ): Promise<{ readonly offers: readonly Offer[]; readonly refusal: BudgetRefusal | null }> {
    const { db } = this.#options;
    const nowMs = this.#now();
    const judged = await judgeReservations(db, this.#bill);
    const purse = await readPurse(db, judged, this.timezone, nowMs);
    if (purse.rules.length === 0 || offers.length === 0) {
      await this.#tellPool(db, pool.name, null);
      return { offers, refusal: null };
    }
    const disk = diskRow(judged, wakeFrom?.volumeId ?? null);
    const times = this.#times(pool);
    const whyNot = new Map<number, BudgetRefusal | null>();
    for (const { priceUsdPerHour } of offers) {
      if (whyNot.has(priceUsdPerHour)) continue;
      whyNot.set(priceUsdPerHour, this.#whyNot(purse, this.#purchase(pool, priceUsdPerHour, disk), times, nowMs));
    }
    const affordable = offers.filter((offer) => whyNot.get(offer.priceUsdPerHour) === null);
    const cheapest = Math.min(...offers.map((offer) => offer.priceUsdPerHour));
    const refusal = affordable.length > 0 ? null : (whyNot.get(cheapest) ?? null);
    await this.#tellPool(db, pool.name, refusal?.message ?? null);
    return { offers: affordable, refusal };
  }

  /**
   * Looks after the reservations of a pool's machines and disks: makes them longer as far as the caps allow and answers those whose money is
   * used up. Cheap as long as nothing is due.
   */
  async lookAfter(pool: PoolConfig): Promise<readonly Unpaid[]> {
    const { db } = this.#options;
    if (!(await this.#isAnythingDue(db, pool))) return [];
    return this.#locked(async (tx) => {
      const nowMs = this.#now();
      await this.#reserveWhatIsThere(tx, pool, nowMs);
      return this.#renew(tx, pool, await settleReservations(tx, this.#bill), nowMs);
    });
  }

  /** Whose open work has nothing bought now. Worked out anew after a few seconds: pools look often, and sums take a while. */
  async limits(): Promise<DemandLimits> {
    const nowMs = this.#now();
    const known = this.#limits;
    if (known !== undefined && nowMs >= known.atMs && nowMs - known.atMs < LIMITS_KEPT_MS) return known.limits;
    const limits = readLimits(this.#options.db, this.#bill, this.timezone, new Date(nowMs));
    this.#limits = { atMs: nowMs, limits };
    limits.catch(() => (this.#limits = undefined));
    return limits;
  }

  /** True for an instance that has to go because its money is used up. */
  async isUnpaid(instance: string, pool: PoolConfig): Promise<boolean> {
    const { db } = this.#options;
    const row = await db.fleetInstance.findUnique({ where: { name: instance } });
    if (row?.providerId == null) return false;
    const open = await db.budgetReservation.findMany({
      where: { instanceName: instance, resource: 'instance', resourceId: row.providerId, releasedAt: null },
    });
    const { wayOutMs } = this.#times(pool);
    return open.length > 0 && open.every((r) => isOut(claimOfRow(r), wayOutMs, this.#now()));
  }

  get #bill(): BillFacts {
    const { billing, billsStopped } = this.#options.capabilities;
    return { billsStopped, blockMs: billing.refundsUnused ? 0 : billing.quantumSec * 1000 };
  }

  #times(pool: PoolConfig): LeaseTimes {
    const { capabilities, accounting } = this.#options;
    return leaseTimes(pool.timing, capabilities.billing, accounting.reserveMs);
  }

  #purchase({ osVolumeGib }: PoolConfig, priceUsdPerHour: number, disk: BudgetReservation | null): Purchase {
    return {
      usdPerHour: new Decimal(priceUsdPerHour),
      diskUsdPerHour: this.#diskPrice(osVolumeGib),
      diskUntilMs: disk === null ? null : disk.reservedUntil.getTime(),
    };
  }

  #diskPrice(sizeGib: number): Decimal {
    return new Decimal(this.#options.capabilities.volumeUsdPerGibMonth).times(sizeGib).dividedBy(HOURS_PER_MONTH);
  }

  #whyNot(purse: Purse, purchase: Purchase, times: LeaseTimes, nowMs: number): BudgetRefusal | null {
    const buyAt = (atMs: number) => () => purchaseClaims(purchase, times, atMs);
    const refusal = whyRefused(purse, buyAt(nowMs), nowMs);
    return refusal === null ? null : this.#explain(refusal, allowedFrom(purse, buyAt, nowMs), nowMs);
  }

  #explain(refusal: Refusal, freesAtMs: number | null, nowMs: number): BudgetRefusal {
    return {
      message: refusalWords(refusal, freesAtMs, this.timezone),
      nextTryAtMs: Math.min(nowMs + RETRY_MS, freesAtMs ?? Infinity),
    };
  }

  /** Reserves under the lock, or says why not. */
  async #buy(
    tx: Prisma.TransactionClient,
    bought: {
      readonly id: string;
      readonly instance: string;
      readonly pool: PoolConfig;
      readonly intent: Pick<Intent, 'id' | 'priceUsdPerHour' | 'volumeId'>;
      readonly kept: BudgetReservation | null;
      readonly judged: readonly JudgedReservation[];
      readonly nowMs: number;
    },
  ): Promise<BudgetRefusal | null> {
    const { id, instance, pool, intent, kept, judged, nowMs } = bought;
    const times = this.#times(pool);
    const purchase = this.#purchase(pool, intent.priceUsdPerHour, kept);
    const purse = await readPurse(tx, judged, this.timezone, nowMs);
    const refusal = this.#whyNot(purse, purchase, times, nowMs);
    if (refusal !== null) return refusal;
    const [machine, disk] = purchaseClaims(purchase, times, nowMs);
    const shared = { instanceName: instance, pool: pool.name };
    await tx.budgetReservation.createMany({
      data: [
        {
          id,
          ...shared,
          resource: 'instance',
          priceUsdPerHour: machine.usdPerHour.toFixed(9),
          fromAt: new Date(machine.fromMs),
          reservedUntil: new Date(machine.untilMs),
        },
        ...(kept === null
          ? [
              {
                id: diskReservationId(intent.id),
                ...shared,
                resource: 'volume',
                resourceId: intent.volumeId,
                priceUsdPerHour: disk.usdPerHour.toDecimalPlaces(9, Decimal.ROUND_UP).toFixed(9),
                fromAt: new Date(disk.fromMs),
                reservedUntil: new Date(disk.untilMs),
              },
            ]
          : []),
      ],
      skipDuplicates: true,
    });
    if (kept !== null) await this.#lengthen(tx, kept.id, disk.untilMs);
    return null;
  }

  async #lengthen(tx: Prisma.TransactionClient, id: string, untilMs: number): Promise<void> {
    await tx.budgetReservation.update({ where: { id }, data: { reservedUntil: new Date(untilMs) } });
  }

  /** Without the lock: is there a reservation to renew or to give up, or a machine without one? */
  async #isAnythingDue(db: PrismaClient, pool: PoolConfig): Promise<boolean> {
    const times = this.#times(pool);
    const nowMs = this.#now();
    const [rows, machines] = await Promise.all([
      db.budgetReservation.findMany({ where: { pool: pool.name, releasedAt: null } }),
      db.fleetInstance.findMany({
        where: { pool: pool.name, endedAt: null, providerId: { not: null }, provider: { not: 'static' } },
        select: { name: true, priceUsdPerHour: true },
      }),
    ]);
    const due = rows.some((row) => isDue(claimOfRow(row), times, wayOutOf(row, times), nowMs));
    const reserved = new Map(rows.filter((row) => row.resource === 'instance').map((row) => [row.instanceName, row]));
    return (
      due ||
      machines.some(({ name, priceUsdPerHour }) => {
        const row = reserved.get(name);
        return (
          row === undefined || row.resourceId === null || priceUsdPerHour?.greaterThan(row.priceUsdPerHour) === true
        );
      })
    );
  }

  /** Machines without a reservation, bought before there were any: they cost all the same, so they are not asked whether they may. */
  async #reserveWhatIsThere(tx: Prisma.TransactionClient, pool: PoolConfig, nowMs: number): Promise<void> {
    const machines = await tx.fleetInstance.findMany({
      where: { pool: pool.name, endedAt: null, providerId: { not: null }, provider: { not: 'static' } },
    });
    for (const { name, providerId, osVolumeId, priceUsdPerHour, billedSince, phase } of machines) {
      if (phase === 'suspended' && !this.#options.capabilities.billsStopped) continue;
      const intent = await tx.createIntent.findFirst({ where: { instanceName: name, providerId } });
      if (intent === null) continue;
      const known = await tx.budgetReservation.count({
        where: { instanceName: name, resource: 'instance', id: { startsWith: intent.id }, releasedAt: null },
      });
      if (known > 0) continue;
      const shared = {
        instanceName: name,
        pool: pool.name,
        fromAt: billedSince ?? new Date(nowMs),
        reservedUntil: new Date(nowMs),
      };
      await tx.budgetReservation.createMany({
        data: [
          {
            id: intent.id,
            ...shared,
            resource: 'instance',
            resourceId: providerId,
            priceUsdPerHour: priceUsdPerHour ?? intent.priceUsdPerHour,
          },
          {
            id: diskReservationId(intent.id),
            ...shared,
            resource: 'volume',
            resourceId: osVolumeId,
            priceUsdPerHour: this.#diskPrice(pool.osVolumeGib).toFixed(9),
          },
        ],
        skipDuplicates: true,
      });
    }
  }

  async #renew(
    tx: Prisma.TransactionClient,
    pool: PoolConfig,
    judged: readonly JudgedReservation[],
    nowMs: number,
  ): Promise<readonly Unpaid[]> {
    const times = this.#times(pool);
    let purse = await readPurse(tx, judged, this.timezone, nowMs);
    const open = stillOpen(judged);
    const disks = new Map(open.filter(({ row }) => row.resource === 'volume').map((o) => [o.row.id, o]));
    const unpaid: Unpaid[] = [];
    for (const one of open) {
      if (one.row.pool !== pool.name || LEAVING.has(one.instance.phase)) continue;
      const disk = one.row.resource === 'volume' ? one : (ownDisk(one, disks.values()) ?? null);
      const isMachine = one.row.resource === 'instance';
      // A disk is looked after with its machine as long as that is there.
      if (isMachine ? !isCurrent(one) : one.instance.providerId !== null) continue;
      const becameDearer = one.change?.priceUsdPerHour !== undefined;
      if (becameDearer) this.#tellDearer(one);
      const claim = claimOfRow(one.row);
      const wayOutMs = wayOutOf(one.row, times);
      let { untilMs } = claim;
      if (isDue(claim, times, wayOutMs, nowMs)) {
        const others = [...disks.values()].filter((o) => o.row.id !== disk?.row.id).map((o) => claimOfRow(o.row));
        const longer = isMachine
          ? renewMachine(
              purse,
              {
                machine: claim,
                disk: disk === null ? null : claimOfRow(disk.row),
                otherDisks: others,
                disksKeptUntilMs: nowMs + pool.maxKeptVolumeAgeHours * HOUR_MS,
              },
              times,
              nowMs,
            )
          : renewDisk(purse, claim, times, nowMs);
        if (longer !== null) {
          purse = withClaims(purse, [{ ...claim, fromMs: Math.max(claim.untilMs, nowMs), untilMs: longer }]);
          untilMs = longer;
          await this.#lengthen(tx, one.row.id, longer);
          if (isMachine && disk !== null) {
            const was = claimOfRow(disk.row);
            const diskUntilMs = Math.max(was.untilMs, longer + times.diskWayOutMs);
            purse = withClaims(purse, [{ ...was, fromMs: Math.max(was.untilMs, nowMs), untilMs: diskUntilMs }]);
            await this.#lengthen(tx, disk.row.id, diskUntilMs);
            disks.set(disk.row.id, { ...disk, row: { ...disk.row, reservedUntil: new Date(diskUntilMs) } });
          }
        }
      }
      const isOverNow =
        becameDearer && whyRefused(purse, () => [{ ...claim, fromMs: nowMs, untilMs: nowMs + 1 }], nowMs) !== null;
      if (isOut({ ...claim, untilMs }, wayOutMs, nowMs) || isOverNow)
        unpaid.push(this.#unpaid(one, purse, pool, times, nowMs));
    }
    return unpaid;
  }

  #unpaid(one: JudgedReservation, purse: Purse, pool: PoolConfig, times: LeaseTimes, nowMs: number): Unpaid {
    const { instance, row } = one;
    const price = (instance.priceUsdPerHour ?? row.priceUsdPerHour).toNumber();
    const why = this.#whyNot(purse, this.#purchase(pool, price, row), times, nowMs);
    return {
      instance: instance.name,
      phase: instance.phase as InstancePhase,
      reason: why?.message ?? 'The money that was reserved for it is used up.',
    };
  }

  #tellDearer({ instance, intent, row }: JudgedReservation): void {
    const text = `${instance.name} is billed at $${row.priceUsdPerHour.toFixed(3)} an hour, the catalogue said $${intent.priceUsdPerHour.toFixed(3)}`;
    this.#options.log.error({ alert: 'price', instance: instance.name, pool: instance.pool }, text);
  }

  async #tellPool(db: Pick<PrismaClient, 'fleetPool'>, pool: string, message: string | null): Promise<void> {
    const where = message === null ? { name: pool, budgetMessage: { not: null } } : { name: pool };
    await db.fleetPool.updateMany({ where, data: { budgetMessage: message } });
  }

  #locked<T>(work: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
    return this.#options.db.$transaction(
      async (tx) => {
        await lockPurse(tx);
        return work(tx);
      },
      { timeout: WITHIN_MS, maxWait: WITHIN_MS },
    );
  }
}

/** The machine its instance has now, or the one it is about to have. */
const isCurrent = ({ row, intent, instance }: JudgedReservation): boolean =>
  row.resourceId === null
    ? instance.providerId === null && intent.id === `${instance.name}/${instance.attempts}`
    : row.resourceId === instance.providerId;

/** The disk of a machine. */
const ownDisk = (
  { instance, intent }: JudgedReservation,
  disks: Iterable<JudgedReservation>,
): JudgedReservation | undefined => {
  for (const disk of disks) {
    if (disk.instance.name !== instance.name) continue;
    if (disk.intent.id === intent.id || (instance.osVolumeId !== null && disk.row.resourceId === instance.osVolumeId))
      return disk;
  }
  return undefined;
};

/** The open reservation of a disk. */
const diskRow = (judged: readonly JudgedReservation[], volumeId: string | null): BudgetReservation | null =>
  (volumeId === null
    ? undefined
    : stillOpen(judged).find(({ row }) => row.resource === 'volume' && row.resourceId === volumeId)?.row) ?? null;

const wayOutOf = ({ resource }: BudgetReservation, { wayOutMs, diskWayOutMs }: LeaseTimes): number =>
  resource === 'volume' ? diskWayOutMs : wayOutMs;
