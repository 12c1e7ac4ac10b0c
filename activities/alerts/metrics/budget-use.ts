/** What counts against each budget in its present window. */
import { EACH_ONE, type BudgetPeriod } from '../../../domain/budget/types.ts';
import { windowAt } from '../../../domain/budget/windows.ts';
import type { Budget, PrismaClient } from '../../../generated/prisma/client.ts';

/** One budget and what is spent and reserved of it, USD. */
export interface BudgetUse {
  readonly scope: string;
  readonly scopeId: string;
  readonly period: string;
  readonly usedUsd: number;
  readonly capUsd: number;
}

const HOUR_MS = 3_600_000;

/** Use of the budgets of the installation and of tenants. */
export async function budgetUse(db: PrismaClient, now: Date, timezone: string): Promise<readonly BudgetUse[]> {
  const budgets = await db.budget.findMany({ where: { scope: { not: 'document' } }, orderBy: { id: 'asc' } });
  const uses = await Promise.all(budgets.map((budget) => usesOf(db, budget, now, timezone)));
  return uses.flat();
}

async function usesOf(db: PrismaClient, budget: Budget, now: Date, timezone: string): Promise<BudgetUse[]> {
  const { scope, scopeId, period } = budget;
  const { fromMs, untilMs } = windowAt(period as BudgetPeriod, now.getTime(), timezone);
  const within = { fromAt: { gte: new Date(fromMs), lt: new Date(untilMs) } };
  const capUsd = Number(budget.hardUsd ?? budget.softUsd ?? 0);
  if (scope === 'installation') {
    const [{ _sum }, reserved] = await Promise.all([
      db.ledgerEntry.aggregate({ where: within, _sum: { amountUsd: true } }),
      db.budgetReservation.findMany({ where: { releasedAt: null, reservedUntil: { gt: now } } }),
    ]);
    const reservedUsd = reserved.reduce((sum, { priceUsdPerHour, reservedUntil }) => {
      const hours = (Math.min(reservedUntil.getTime(), untilMs) - now.getTime()) / HOUR_MS;
      return sum + Number(priceUsdPerHour) * Math.max(0, hours);
    }, 0);
    return [{ scope, scopeId, period, capUsd, usedUsd: Number(_sum.amountUsd ?? 0) + reservedUsd }];
  }
  const spent = await db.ledgerEntry.groupBy({
    by: ['tenantId'],
    where: { ...within, tenantId: scopeId === EACH_ONE ? { not: null } : scopeId },
    _sum: { amountUsd: true },
  });
  return spent.map(({ tenantId, _sum }) => ({
    scope,
    scopeId: tenantId ?? scopeId,
    period,
    capUsd,
    usedUsd: Number(_sum.amountUsd ?? 0),
  }));
}
