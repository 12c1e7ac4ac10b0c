/** Budgets as rows, read for those who decide by them. */
import { Decimal } from 'decimal.js';
import { BUDGET_PERIODS, BUDGET_SCOPES, type BudgetRule } from '../../../domain/costs/budget/types.ts';
import type { Budget, PrismaClient } from '../../../generated/prisma/client.ts';

/** Every budget there is. A row with words of a later version is left out. */
export async function readRules(db: Pick<PrismaClient, 'budget'>): Promise<BudgetRule[]> {
  const rows = await db.budget.findMany({ orderBy: { id: 'asc' } });
  return rows.flatMap((row) => ruleOf(row) ?? []);
}

/** A row as a rule; null for words this version does not know. */
export function ruleOf({ scope, scopeId, period, softUsd, hardUsd }: Budget): BudgetRule | null {
  const known = BUDGET_SCOPES.find((s) => s === scope);
  const span = BUDGET_PERIODS.find((p) => p === period);
  if (known === undefined || span === undefined) return null;
  return { scope: known, scopeId, period: span, softUsd: exact(softUsd), hardUsd: exact(hardUsd) };
}

/** A decimal of the database. */
export const decimalOf = (value: { toString(): string }): Decimal => new Decimal(value.toString());
const exact = (value: { toString(): string } | null): Decimal | null => (value === null ? null : decimalOf(value));
