/**
 * The words of budgets: what a cap covers, for how long, and what counts against it.
 *
 * From the soft cap on only work of priority 1 and 2 buys, from the hard cap on nothing is bought. Amounts are USD, exact.
 */
import type { Decimal } from 'decimal.js';

/** Whose spending a budget caps. A budget of tenants or documents holds for each of them by itself. */
export const BUDGET_SCOPES = ['installation', 'tenant', 'document'] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** Time over which spending is counted; `document` = the whole life of a deck. */
export const BUDGET_PERIODS = ['hour', 'day', 'month', 'document'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** Scope id of a budget that holds for each one of its scope. */
export const EACH_ONE = '*';

/** A cap as it was set. At least one of the two amounts is there. */
export interface BudgetRule {
  readonly scope: BudgetScope;
  /** A tenant's name, or {@link EACH_ONE}. */
  readonly scopeId: string;
  readonly period: BudgetPeriod;
  readonly softUsd: Decimal | null;
  readonly hardUsd: Decimal | null;
}

/** From the first instant until before the last, ms since 1970. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Money that is spent, or may be, at a steady rate. */
export interface Claim extends TimeSpan {
  readonly usdPerHour: Decimal;
}

/** Money that the ledger has settled, spread evenly over its time. */
export interface Settled extends TimeSpan {
  readonly usd: Decimal;
}

/** All that counts against the caps of an installation. */
export interface Spending {
  readonly settled: readonly Settled[];
  /** What is not settled yet, and what is reserved for machines and disks that run. */
  readonly claims: readonly Claim[];
}

/** Name of a scope, tenant or period that a person gave; a rule that means something. Null = it does, else what is wrong with it. */
export function whyNoRule({ scope, scopeId, period, softUsd, hardUsd }: BudgetRule): string | null {
  if ((scope === 'document') !== (period === 'document'))
    return 'A budget of documents has the period document, and no other budget has it.';
  if (scope !== 'tenant' && scopeId !== EACH_ONE) return 'Only a budget of tenants names one.';
  if (softUsd === null && hardUsd === null) return 'A budget needs a soft cap, a hard cap, or both.';
  for (const [name, usd] of [
    ['soft', softUsd],
    ['hard', hardUsd],
  ] as const)
    if (usd !== null && (!usd.isFinite() || usd.isNegative())) return `The ${name} cap must not be negative.`;
  if (softUsd !== null && hardUsd !== null && softUsd.greaterThan(hardUsd))
    return `The soft cap of $${softUsd.toFixed()} is above the hard cap of $${hardUsd.toFixed()}.`;
  return null;
}
