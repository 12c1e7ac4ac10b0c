/**
 * The guard in front of the purse: reserves money before a machine is bought or started, makes the reservation longer while it runs, and says
 * which machines have to go because their money is used up.
 *
 * A machine's reservation is never shorter than its way out (domain/costs/budget/lease.ts), so what is charged stays within the hard caps also when
 * nothing more can be reserved. Everything is done by the ids of creates: a repetition changes nothing.
 */
import { Decimal } from 'decimal.js';
import { isOut, purchaseClaims } from '../../../domain/costs/budget/reservation.ts';
import type { Intent, KeptVolume } from '../../../domain/fleet/instance-life/types.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { BudgetReservation, Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { tellOperator } from '../../alerts/operator-told.ts';
import { rememberOutcome } from '../../fleet/selection/offer-blocks.ts';
import { limitsUnder, workUnderWay, type DemandLimits } from './limits.ts';
import { isAnythingDue, renewReservations, reserveWhatIsThere, type Dearer, type Unpaid } from './look-after.ts';
import {
  claimOfRow,
  judgeReservations,
  lockPurse,
  readPurse,
  settleReservations,
  stillOpen,
  type JudgedReservation,
} from './purse.ts';
import { diskReservationId, startReservationId } from './release.ts';
import { readRules } from './rules.ts';
import { BudgetTerms, type BudgetRefusal, type TermsOptions } from './terms.ts';

export interface BudgetGuardOptions extends TermsOptions {
  readonly db: PrismaClient;
  readonly now?: () => number;
}

/** What takes work out of the demand is worked out this often. */
const LIMITS_KEPT_MS = 5_000;
/** Transactions wait for one another in front of the purse. */
const WITHIN_MS = 30_000;

/** See the file's header. */
export class BudgetGuard {
  readonly #options: BudgetGuardOptions;
  readonly #terms: BudgetTerms;
  readonly #now: () => number;
  #limits: { readonly atMs: number; readonly basis: string; readonly limits: Promise<DemandLimits> } | undefined;

  constructor(options: BudgetGuardOptions) {
    this.#options = options;
    this.#terms = new BudgetTerms(options);
    this.#now = options.now ?? Date.now;
  }

  /** Reserves money for a create, in the transaction that writes its intent, which holds the lock. Null = it may be sent. */
  async reserve(
    tx: Prisma.TransactionClient,
    { instance, pool, intent }: { readonly instance: string; readonly pool: PoolConfig; readonly intent: Intent },
  ): Promise<BudgetRefusal | null> {
    await lockPurse(tx);
    const nowMs = this.#now();
    const judged = await settleReservations(tx, this.#terms.bill);
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
      const judged = await settleReservations(tx, this.#terms.bill);
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
    const whyNot = await this.whyNotBought(
      pool,
      offers.map((offer) => offer.priceUsdPerHour),
      wakeFrom,
    );
    const affordable = offers.filter((offer) => !whyNot.has(offer.priceUsdPerHour));
    const cheapest = Math.min(...offers.map((offer) => offer.priceUsdPerHour));
    const refusal = affordable.length > 0 ? null : (whyNot.get(cheapest) ?? null);
    await this.#tellPool(db, pool.name, refusal?.message ?? null);
    return { offers: affordable, refusal };
  }

  /** Prices per hour at which the caps let a pool buy no machine now, with the reason; reads and changes nothing. */
  async whyNotBought(
    pool: PoolConfig,
    prices: readonly number[],
    wakeFrom: KeptVolume | null,
  ): Promise<ReadonlyMap<number, BudgetRefusal>> {
    const { db } = this.#options;
    const nowMs = this.#now();
    const judged = await judgeReservations(db, this.#terms.bill);
    const purse = await readPurse(db, judged, this.#terms.timezone, nowMs);
    if (purse.rules.length === 0) return new Map();
    const disk = diskRow(judged, wakeFrom?.volumeId ?? null);
    const times = this.#terms.times(pool);
    return new Map(
      [...new Set(prices)].flatMap((price) => {
        const refusal = this.#terms.whyNot(purse, this.#terms.purchase(pool, price, disk), times, nowMs);
        return refusal === null ? [] : [[price, refusal] as const];
      }),
    );
  }

  /**
   * Looks after the reservations of a pool's machines and disks: makes them longer as far as the caps allow and answers those whose money is
   * used up. Cheap as long as nothing is due.
   */
  async lookAfter(pool: PoolConfig): Promise<readonly Unpaid[]> {
    const { db } = this.#options;
    const terms = this.#terms;
    if (!(await isAnythingDue(db, pool, terms, this.#now()))) return [];
    const { unpaid, dearer } = await this.#locked(async (tx) => {
      const nowMs = this.#now();
      await reserveWhatIsThere(tx, pool, terms, nowMs);
      return renewReservations(tx, pool, terms, await settleReservations(tx, terms.bill), nowMs);
    });
    for (const one of dearer) await this.#noteDearer(one);
    return unpaid;
  }

  /**
   * Whose open work has nothing bought now. Sums are worked out anew after a few seconds, because pools look often; a budget that was changed
   * holds at once, and so does one for work that has just come.
   */
  async limits(): Promise<DemandLimits> {
    const nowMs = this.#now();
    const all = await readRules(this.#options.db);
    const basis = JSON.stringify([all, await workUnderWay(this.#options.db, all)]);
    const known = this.#limits;
    const isFresh = known !== undefined && nowMs >= known.atMs && nowMs - known.atMs < LIMITS_KEPT_MS;
    if (isFresh && known.basis === basis) return known.limits;
    const { timezone, bill } = this.#terms;
    const limits = limitsUnder(this.#options.db, all, { bill, timezone, now: new Date(nowMs) });
    this.#limits = { atMs: nowMs, basis, limits };
    limits.catch(() => (this.#limits = undefined));
    return limits;
  }

  /** True for an instance that has to go because its money is used up. */
  async isUnpaid(instance: string, pool: PoolConfig): Promise<boolean> {
    const { db } = this.#options;
    const row = await db.fleetInstance.findUnique({ where: { name: instance } });
    const providerId = row?.providerId ?? null;
    if (providerId === null) return false;
    const open = await db.budgetReservation.findMany({
      where: { instanceName: instance, resource: 'instance', resourceId: providerId, releasedAt: null },
    });
    const { wayOutMs } = this.#terms.times(pool);
    return open.length > 0 && open.every((r) => isOut(claimOfRow(r), wayOutMs, this.#now()));
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
    const times = this.#terms.times(pool);
    const purchase = this.#terms.purchase(pool, intent.priceUsdPerHour, kept);
    const purse = await readPurse(tx, judged, this.#terms.timezone, nowMs);
    const refusal = this.#terms.whyNot(purse, purchase, times, nowMs);
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

  /** An operator is told; an offer that is left for its price is left alone for a while, by every pool. */
  async #noteDearer({ instance, offer, text, goes }: Dearer): Promise<void> {
    const { db } = this.#options;
    const nowMs = this.#now();
    const told = goes ? `${text} It finishes its calls and ends.` : text;
    await tellOperator(db, { instance, text: told }, new Date(nowMs));
    if (goes) await rememberOutcome(db, offer, { errorClass: 'capacity_async', message: text }, nowMs);
  }

  async #lengthen(tx: Prisma.TransactionClient, id: string, untilMs: number): Promise<void> {
    await tx.budgetReservation.update({ where: { id }, data: { reservedUntil: new Date(untilMs) } });
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

/** The open reservation of a disk. */
const diskRow = (judged: readonly JudgedReservation[], volumeId: string | null): BudgetReservation | null =>
  (volumeId === null
    ? undefined
    : stillOpen(judged).find(({ row }) => row.resource === 'volume' && row.resourceId === volumeId)?.row) ?? null;
