/** How far spending has come against a cap. */
import type { Decimal } from 'decimal.js';
import { EACH_ONE, type BudgetRule } from './types.ts';

/** `open` = below both caps; `soft` = only urgent work buys; `hard` = nothing does. */
export type BudgetLevel = 'open' | 'soft' | 'hard';

/** Least urgent priority that still buys beyond a soft cap. */
export const URGENT_PRIORITY = 2;

/** See {@link BudgetLevel}. */
export function levelOf({ softUsd, hardUsd }: BudgetRule, spentUsd: Decimal): BudgetLevel {
  if (hardUsd !== null && spentUsd.greaterThanOrEqualTo(hardUsd)) return 'hard';
  if (softUsd !== null && spentUsd.greaterThanOrEqualTo(softUsd)) return 'soft';
  return 'open';
}

/** The rules that hold for one of a scope: its own, and for periods where it has none those of each one. */
export function rulesFor(rules: readonly BudgetRule[], scope: BudgetRule['scope'], scopeId: string): BudgetRule[] {
  const ofScope = rules.filter((rule) => rule.scope === scope);
  const own = ofScope.filter((rule) => rule.scopeId === scopeId);
  const named = new Set(own.map((rule) => rule.period));
  return [
    ...own,
    ...ofScope.filter((rule) => rule.scopeId === EACH_ONE && scopeId !== EACH_ONE && !named.has(rule.period)),
  ];
}
