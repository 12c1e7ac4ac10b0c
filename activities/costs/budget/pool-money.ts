/**
 * What budgets say of one pool at a look: which of its machines have to go, whether it may buy, and why not, in words for people.
 */
import { isAcquiring, phasesThat } from '../../../domain/fleet/phases.ts';
import type { GpuClass } from '../../../domain/models/model-tasks.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Fleet } from '../../../platform/fleet-config.ts';
import { readDemand } from '../../fleet/pool/demand.ts';
import type { BudgetGuard } from './guard.ts';
import type { Unpaid } from './look-after.ts';
import { NO_LIMITS, type DemandLimits } from './limits.ts';

/** See the file's header. Plain JSON: it crosses Temporal. */
export interface PoolMoney {
  /** Instances whose money is used up. */
  readonly unpaid: readonly Unpaid[];
  /** A soft cap is reached: a minimum without urgent work has nothing bought. */
  readonly urgentOnly: boolean;
  /** There is open work, and all of it is over a budget of its tenant or document: machines are not kept for it. */
  readonly onlyOverBudget: boolean;
  /** Why nothing at all is bought, in words for everybody who waits; null = nothing is in the way. */
  readonly message: string | null;
  /** Whose work has nothing bought, for operators. */
  readonly limited: readonly string[];
}

/** The same, with what takes work out of the demand. */
export interface PoolMoneySeen {
  readonly money: PoolMoney;
  readonly limits: DemandLimits;
}

/** Asks for a pool of the configuration; undefined for any other. */
export type MoneyOf = (pool: string) => Promise<PoolMoneySeen | undefined>;

export interface PoolMoneyOptions {
  readonly db: PrismaClient;
  readonly budget: BudgetGuard;
  readonly fleet: Pick<Fleet, 'pools' | 'provider'>;
  readonly now: () => Date;
}

/** Reasons that a pool carries at most: one for each tenant or deck might be many. */
const MAX_LIMITED = 10;

/** What budgets say of pools that rent. */
export function poolMoney({ db, budget, fleet, now }: PoolMoneyOptions): MoneyOf {
  return async (name) => {
    const pool = fleet.pools.find((p) => p.name === name);
    if (pool === undefined || fleet.provider === 'static') return undefined;
    const [unpaid, limits] = [await budget.lookAfter(pool), await budget.limits()];
    const onlyOverBudget = await isAllOverBudget(db, pool.classes, limits, now());
    const message = await messageOf(db, name, unpaid, now());
    await db.fleetPool.updateMany({ where: { name }, data: { budgetMessage: message } });
    const limited = limits.reasons.map((reason) => reason.message).slice(0, MAX_LIMITED);
    return { limits, money: { unpaid, urgentOnly: limits.urgentOnly, onlyOverBudget, message, limited } };
  };
}

async function isAllOverBudget(
  db: PrismaClient,
  classes: readonly GpuClass[],
  limits: DemandLimits,
  now: Date,
): Promise<boolean> {
  if (limits.closedTenants.length === 0 && limits.closedDecks.length === 0) return false;
  const closed = { ...NO_LIMITS, closedTenants: limits.closedTenants, closedDecks: limits.closedDecks };
  const [all, left] = await Promise.all([readDemand(db, classes, now), readDemand(db, classes, now, closed)]);
  return all.openCalls > 0 && left.openCalls === 0 && left.comingSeconds === 0;
}

/** The most important thing there is to say. */
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
  // Said by whoever tries to buy, who also takes it back.
  return row !== null && row.instances.length > 0 ? row.budgetMessage : null;
}

/** Why the provider sells nothing to this account, which only a person can change. */
async function providerRefusal(db: PrismaClient, pool: string, now: Date): Promise<string | null> {
  const block = await db.offerBlock.findFirst({ where: { errorClass: 'billing', blockedUntil: { gt: now } } });
  if (block === null) return null;
  const until = block.blockedUntil.toISOString().slice(0, 16).replace('T', ' ');
  const said = block.message.replace(/\.$/u, '');
  return `Nothing is bought for ${pool}: the provider refuses (${said}). Machines that run go on. Top up the account; it is tried again at ${until} UTC.`;
}
