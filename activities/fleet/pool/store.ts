/** A pool's row and its idle gaps. */
import { count } from '../../../platform/process-metrics.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { PoolSetup } from '../../../domain/fleet/pool/pool-state.ts';
import type { PoolReport } from '../../../contracts/pool.ts';

/** What is known of a pool from before. */
export interface PoolPast {
  /** Idle gaps, oldest first, seconds. */
  readonly idleGapsSec: readonly number[];
  /** Instances it ever had. */
  readonly instancesMade: number;
}

/** Input of `storePoolDecision`. */
export interface StoreDecisionInput extends Pick<PoolReport, 'target' | 'wish' | 'reasons' | 'demand'> {
  readonly pool: string;
  /** Null = the pool has ended and looks no more. */
  readonly nextLookAtMs: number | null;
  readonly idleGaps: readonly { readonly startedAtMs: number; readonly seconds: number }[];
}

/** Gaps the learned sleep policy looks at. */
export const IDLE_GAPS_READ = 200;

/** Writes the row of a pool as configured. */
export async function registerPool(db: PrismaClient, { config, provider, slots }: PoolSetup): Promise<PoolPast> {
  const { name, classes, selector, min, max, ownQueues = false } = config;
  const columns = { provider, classes, selector, min, max, slots, ownQueues };
  await db.fleetPool.upsert({ where: { name }, create: { name, ...columns }, update: columns });
  const instancesMade = await db.fleetInstance.count({ where: { pool: name } });
  const gaps = await db.idleGap.findMany({
    where: { pool: name },
    orderBy: { startedAt: 'desc' },
    take: IDLE_GAPS_READ,
    select: { seconds: true },
  });
  return { idleGapsSec: gaps.map((g) => g.seconds).toReversed(), instancesMade };
}

/** Writes what a pool decided, and the idle gaps that ended. */
export async function storePoolDecision(db: PrismaClient, input: StoreDecisionInput): Promise<void> {
  const { pool, target, wish, reasons, demand, nextLookAtMs, idleGaps } = input;
  // Figures that are not known stay as they are.
  const figures =
    demand === null
      ? {}
      : {
          openCalls: demand.openCalls,
          openSeconds: demand.openSeconds,
          oldestAgeMs: demand.oldestAgeMs === null ? null : BigInt(Math.round(demand.oldestAgeMs)),
        };
  const before = await db.fleetPool.findUniqueOrThrow({ where: { name: pool }, select: { target: true } });
  await db.fleetPool.update({
    where: { name: pool },
    data: {
      target,
      wish,
      reasons: [...reasons],
      nextLookAt: nextLookAtMs === null ? null : new Date(nextLookAtMs),
      updatedAt: new Date(),
      ...figures,
    },
  });
  if (target !== before.target) {
    count('pool_decisions_total', { pool, reason: target > before.target ? 'raised' : 'lowered' });
  }
  if (idleGaps.length === 0) return;
  await db.idleGap.createMany({
    data: idleGaps.map(({ startedAtMs, seconds }) => ({
      id: `${pool}/${startedAtMs}/${seconds}`,
      pool,
      startedAt: new Date(startedAtMs),
      seconds,
    })),
    skipDuplicates: true,
  });
}
