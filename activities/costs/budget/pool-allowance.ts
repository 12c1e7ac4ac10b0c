/** Limits of budgets for one pool at a check: which of its machines have to end, whether it may buy machines, and why not, in words for people. */
import { isAcquiring, phasesThat } from '../../../domain/fleet/phases.ts';
import type { PoolBudget, Unpaid } from '../../../domain/fleet/pool/budget.ts';
import { queuesOf, type PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Fleet } from '../../../clouds/fleet.ts';
import { readDemand } from '../../fleet/pool/demand.ts';
import { storeBudgetMessage, type BudgetCheck } from './check-create.ts';
import { NO_LIMITS, type DemandLimits } from './work-limits.ts';

/** A pool's allowance with the limits on its demand. */
export interface PoolBudgetRead {
  readonly money: PoolBudget;
  readonly limits: DemandLimits;
}

/** Reads the allowance of a pool; undefined for pools that are not in the configuration, and for static pools. */
export type ReadPoolBudget = (pool: string) => Promise<PoolBudgetRead | undefined>;

export interface PoolBudgetOptions {
  readonly db: PrismaClient;
  readonly budget: BudgetCheck;
  readonly fleet: Pick<Fleet, 'pools' | 'provider'>;
  readonly now: () => Date;
}

/** Most reasons per pool, because there may be one for each tenant and deck. */
const MAX_LIMITED = 10;

/** Reads what budgets allow pools that rent machines. */
export function readPoolBudget({ db, budget, fleet, now }: PoolBudgetOptions): ReadPoolBudget {
  return async (name) => {
    const pool = fleet.pools.find((p) => p.name === name);
    const isRented = fleet.provider !== 'static' || pool?.endpoint?.deployment !== undefined;
    if (pool === undefined || !isRented || pool.endpoint?.url !== undefined) return undefined;
    const [unpaid, limits] = [await budget.renew(pool), await budget.limits()];
    const onlyOverBudget = await isAllOverBudget(db, pool, limits, now());
    const message = await messageOf(db, name, unpaid, now());
    await storeBudgetMessage(db, name, message);
    const limited = limits.reasons.map((reason) => reason.message).slice(0, MAX_LIMITED);
    return { limits, money: { unpaid, urgentOnly: limits.urgentOnly, onlyOverBudget, message, limited } };
  };
}

async function isAllOverBudget(db: PrismaClient, pool: PoolConfig, limits: DemandLimits, now: Date): Promise<boolean> {
  if (limits.closedTenants.length === 0 && limits.closedDecks.length === 0) return false;
  const closed = { ...NO_LIMITS, closedTenants: limits.closedTenants, closedDecks: limits.closedDecks };
  const [all, left] = await Promise.all(
    [NO_LIMITS, closed].map((each) => readDemand(db, pool.classes, now, each, queuesOf(pool))),
  );
  return all !== undefined && left !== undefined && all.openCalls > 0 && left.openCalls + left.comingSeconds === 0;
}

/** The most important reason. */
async function messageOf(db: PrismaClient, name: string, unpaid: readonly Unpaid[], now: Date): Promise<string | null> {
  const [first] = unpaid;
  if (first !== undefined) return first.reason;
  const refusal = await providerRefusal(db, name, now);
  if (refusal !== null) return refusal;
  const row = await db.fleetPool.findUnique({
    where: { name },
    select: {
      budgetMessage: true,
      instances: { where: { phase: { in: phasesThat(isAcquiring) }, providerId: null }, take: 1 },
    },
  });
  // Set and cleared by BudgetCheck when an instance tries to buy.
  return row !== null && row.instances.length > 0 ? row.budgetMessage : null;
}

/** The provider's refusal to sell to this account, which only a person can change. */
async function providerRefusal(db: PrismaClient, pool: string, now: Date): Promise<string | null> {
  const block = await db.offerBlock.findFirst({ where: { errorClass: 'billing', blockedUntil: { gt: now } } });
  if (block === null) return null;
  const until = block.blockedUntil.toISOString().slice(0, 16).replace('T', ' ');
  const said = block.message.replace(/\.$/u, '');
  return `No machine is bought for ${pool}: the provider refuses (${said}). Running machines continue. Top up the account; Deckhand tries again at ${until} UTC.`;
}
