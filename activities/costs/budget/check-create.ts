/**
 * Checks budgets before a machine is created or started: reserves money for it, extends the reservation while it runs, and reports the
 * instances that have to end because their reservation is used up.
 *
 * A reservation is never shorter than the wind-down time (domain/costs/budget/reservation-times.ts), so charges stay within the hard caps
 * also when a reservation cannot be extended. Reservations are keyed by create, so repeating a step changes nothing.
 */
import { count, countCommitted } from '../../../platform/process-metrics.ts';
import { Decimal } from 'decimal.js';
import { isUsedUp, purchaseClaims } from '../../../domain/costs/budget/reservation-claims.ts';
import type { Intent, KeptVolume } from '../../../domain/fleet/instance-life/types.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { BudgetReservation, PrismaClient } from '../../../generated/prisma/client.ts';
import { tellOperator } from '../../alerts/operator-told.ts';
import { Memo } from '../../../platform/memo.ts';
import { rememberOutcome } from '../../fleet/selection/offer-blocks.ts';
import { readLimits, workUnderWay, type DemandLimits } from './work-limits.ts';
import { isRenewalDue, renewReservations, reserveExisting, type PriceRise } from './renew-reservations.ts';
import type { Unpaid } from '../../../domain/fleet/pool/budget.ts';
import {
  claimOfRow,
  currentReservations,
  lockBudgets,
  readCaps,
  updateReservations,
  openReservations,
  type CurrentReservation,
} from './reservations.ts';
import { diskReservationId, startReservationId } from '../../../domain/costs/budget/reservation-change.ts';
import { readRules } from './spending.ts';
import { BudgetTerms, type BudgetRefusal, type BudgetTermsOptions } from './reservation-terms.ts';
import type { Transaction } from '../../../platform/db.ts';

export interface BudgetCheckOptions extends BudgetTermsOptions {
  readonly db: PrismaClient;
  readonly now?: () => number;
}

/** How long computed limits on the demand are reused. */
const LIMITS_KEPT_MS = 5_000;
/** Transactions wait for each other's lock, for at most this long. */
const WITHIN_MS = 30_000;

/** Checks and reserves money for the machines of a provider; see the file's header. */
export class BudgetCheck {
  readonly #options: BudgetCheckOptions;
  readonly #terms: BudgetTerms;
  readonly #now: () => number;
  /** By the budgets and the work that they were computed for. */
  readonly #limits: Memo<DemandLimits>;

  constructor(options: BudgetCheckOptions) {
    this.#options = options;
    this.#terms = new BudgetTerms(options);
    this.#now = options.now ?? Date.now;
    this.#limits = new Memo({ limit: 1, keptMs: LIMITS_KEPT_MS, now: this.#now });
  }

  /** Reserves money for a create, in the transaction that stores its intent. Null = the create may be sent. */
  async reserve(
    tx: Transaction,
    { instance, pool, intent }: { readonly instance: string; readonly pool: PoolConfig; readonly intent: Intent },
  ): Promise<BudgetRefusal | null> {
    await lockBudgets(tx);
    const nowMs = this.#now();
    const current = await updateReservations(tx, this.#terms.bill);
    const kept = diskRow(current, intent.volumeId);
    const refusal = await this.#buy(tx, { instance, pool, intent, kept, current, nowMs, id: intent.id });
    await storeBudgetMessage(tx, pool.name, refusal?.message ?? null);
    return refusal;
  }

  /** Reserves money for the start of a stopped machine, which was not billed while it was stopped. Null = it may start. */
  async reserveStart(instance: string, pool: PoolConfig): Promise<BudgetRefusal | null> {
    if (this.#options.capabilities.billsStopped) return null;
    return this.#locked(async (tx) => {
      const nowMs = this.#now();
      const current = await updateReservations(tx, this.#terms.bill);
      const row = await tx.fleetInstance.findUnique({ where: { name: instance } });
      const intent = await tx.createIntent.findFirst({
        where: { instanceName: instance, providerId: row?.providerId ?? '' },
      });
      if (row === null || intent === null) return null;
      const isReserved = ({ row: { resource, resourceId } }: CurrentReservation): boolean =>
        resource === 'instance' && resourceId === intent.providerId;
      if (openReservations(current).some(isReserved)) return null;
      const refusal = await this.#buy(tx, {
        instance,
        pool,
        intent: {
          priceUsdPerHour: (row.priceUsdPerHour ?? intent.priceUsdPerHour).toNumber(),
          volumeId: row.osVolumeId,
          id: intent.id,
        },
        kept: diskRow(current, row.osVolumeId),
        current,
        nowMs,
        id: startReservationId(intent.id, row.phaseSince.getTime()),
      });
      await storeBudgetMessage(tx, pool.name, refusal?.message ?? null);
      return refusal;
    });
  }

  /**
   * The offers that the caps allow now; where there are none, why the cheapest is refused. Reserves nothing, so a create may still be
   * refused.
   */
  async affordable<Offer extends { readonly priceUsdPerHour: number }>(
    pool: PoolConfig,
    offers: readonly Offer[],
    wakeFrom: KeptVolume | null,
  ): Promise<{ readonly offers: readonly Offer[]; readonly refusal: BudgetRefusal | null }> {
    const { db } = this.#options;
    const whyNot = await this.whyNotBought(
      pool,
      offers.map((offer) => offer.priceUsdPerHour),
      wakeFrom,
    );
    const affordable = offers.filter((offer) => !whyNot.has(offer.priceUsdPerHour));
    const cheapest = Math.min(...offers.map((offer) => offer.priceUsdPerHour));
    const refusal = affordable.length > 0 ? null : (whyNot.get(cheapest) ?? null);
    await storeBudgetMessage(db, pool.name, refusal?.message ?? null);
    return { offers: affordable, refusal };
  }

  /** The prices per hour at which the caps refuse a purchase of this pool now, with the reason. Changes nothing. */
  async whyNotBought(
    pool: PoolConfig,
    prices: readonly number[],
    wakeFrom: KeptVolume | null,
  ): Promise<ReadonlyMap<number, BudgetRefusal>> {
    const { db } = this.#options;
    const nowMs = this.#now();
    const current = await currentReservations(db, this.#terms.bill);
    const caps = await readCaps(db, current, this.#terms.timezone, nowMs);
    if (caps.rules.length === 0) return new Map();
    const disk = diskRow(current, wakeFrom?.volumeId ?? null);
    const times = this.#terms.times(pool);
    return new Map(
      [...new Set(prices)].flatMap((price) => {
        const refusal = this.#terms.whyNot(caps, this.#terms.purchase(pool, price, disk), times, nowMs);
        return refusal === null ? [] : [[price, refusal] as const];
      }),
    );
  }

  /**
   * Extends the reservations of a pool's machines and disks as far as the caps allow. Costs two queries when no reservation is due.
   *
   * @returns the instances whose reservation is used up
   */
  async renew(pool: PoolConfig): Promise<readonly Unpaid[]> {
    const { db } = this.#options;
    const terms = this.#terms;
    if (!(await isRenewalDue(db, pool, terms, this.#now()))) return [];
    const { unpaid, priceRises } = await this.#locked(async (tx) => {
      const nowMs = this.#now();
      await reserveExisting(tx, pool, terms, nowMs);
      return renewReservations(tx, pool, terms, await updateReservations(tx, terms.bill), nowMs);
    });
    for (const one of priceRises) await this.#reportPriceRise(one);
    return unpaid;
  }

  /**
   * The work for which no machine is bought now. Computed limits are reused for a few seconds, because pools check often; a changed budget
   * and new work count at once.
   */
  async limits(): Promise<DemandLimits> {
    const { db } = this.#options;
    const all = await readRules(db);
    const basis = JSON.stringify([all, await workUnderWay(db, all)]);
    const { timezone, bill } = this.#terms;
    return this.#limits.get(basis, () => readLimits(db, { bill, timezone, now: new Date(this.#now()) }, all));
  }

  /** True for an instance that has to end because its reservation is used up. */
  async isUnpaid(instance: string, pool: PoolConfig): Promise<boolean> {
    const { db } = this.#options;
    const row = await db.fleetInstance.findUnique({ where: { name: instance } });
    const providerId = row?.providerId ?? null;
    if (providerId === null) return false;
    const open = await db.budgetReservation.findMany({
      where: { instanceName: instance, resource: 'instance', resourceId: providerId, releasedAt: null },
    });
    const { windDownMs } = this.#terms.times(pool);
    return open.length > 0 && open.every((r) => isUsedUp(claimOfRow(r), windDownMs, this.#now()));
  }

  /** Reserves money for a purchase, or returns the refusal. Needs the lock. */
  async #buy(
    tx: Transaction,
    bought: {
      readonly id: string;
      readonly instance: string;
      readonly pool: PoolConfig;
      readonly intent: Pick<Intent, 'id' | 'priceUsdPerHour' | 'volumeId'>;
      readonly kept: BudgetReservation | null;
      readonly current: readonly CurrentReservation[];
      readonly nowMs: number;
    },
  ): Promise<BudgetRefusal | null> {
    const { id, instance, pool, intent, kept, current, nowMs } = bought;
    const times = this.#terms.times(pool);
    const purchase = this.#terms.purchase(pool, intent.priceUsdPerHour, kept);
    const caps = await readCaps(tx, current, this.#terms.timezone, nowMs);
    const refusal = this.#terms.whyNot(caps, purchase, times, nowMs);
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

  /** Notifies operators of a price rise. Where the machine ends for it, its offer is blocked for a while for every pool. */
  async #reportPriceRise({ instance, offer, text, ends }: PriceRise): Promise<void> {
    const { db } = this.#options;
    const nowMs = this.#now();
    const told = ends ? `${text} It finishes its calls and ends.` : text;
    await tellOperator(db, { instance, text: told }, new Date(nowMs));
    if (ends) await rememberOutcome(db, offer, { errorClass: 'capacity_async', message: text }, nowMs);
  }

  async #lengthen(tx: Transaction, id: string, untilMs: number): Promise<void> {
    await tx.budgetReservation.update({ where: { id }, data: { reservedUntil: new Date(untilMs) } });
  }

  #locked<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const locked = async (tx: Transaction): Promise<T> => {
      await lockBudgets(tx);
      return work(tx);
    };
    const { db } = this.#options;
    return countCommitted(() => db.$transaction(locked, { timeout: WITHIN_MS, maxWait: WITHIN_MS }));
  }
}

/** The open reservation of a disk. */
const diskRow = (current: readonly CurrentReservation[], volumeId: string | null): BudgetReservation | null =>
  (volumeId === null
    ? undefined
    : openReservations(current).find(({ row }) => row.resource === 'volume' && row.resourceId === volumeId)?.row) ??
  null;

/** Writes why a budget keeps a pool from buying; null = none does. */
export async function storeBudgetMessage(
  db: Pick<PrismaClient, 'fleetPool'>,
  name: string,
  budgetMessage: string | null,
): Promise<void> {
  if (budgetMessage === null) {
    await db.fleetPool.updateMany({ where: { name, budgetMessage: { not: null } }, data: { budgetMessage } });
    return;
  }
  const begun = await db.fleetPool.updateMany({ where: { name, budgetMessage: null }, data: { budgetMessage } });
  count('pool_decisions_total', { pool: name, reason: 'held_by_budget' }, begun.count);
  if (begun.count === 0) await db.fleetPool.updateMany({ where: { name }, data: { budgetMessage } });
}
