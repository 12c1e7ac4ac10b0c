/**
 * Types of budgets: what a cap covers, for how long, and what counts against it.
 *
 * Above the soft cap machines are bought for work of priority 1 and 2 only; above the hard cap no machine is bought. Amounts are exact USD.
 */
import type { Decimal } from 'decimal.js';

/** Whose spending a budget caps. A budget of scope `tenant` or `document` applies to each tenant or deck separately. */
export const BUDGET_SCOPES = ['installation', 'tenant', 'document'] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** Time over which spending is counted; `document` = the whole life of a deck. */
export const BUDGET_PERIODS = ['hour', 'day', 'month', 'document'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** Scope id of a budget that applies to each member of its scope. */
export const EACH_ONE = '*';

/** A cap as it was set. At least one of the two amounts is set. */
export interface BudgetRule {
  readonly scope: BudgetScope;
  /** A tenant's name, or {@link EACH_ONE}. */
  readonly scopeId: string;
  readonly period: BudgetPeriod;
  readonly softUsd: Decimal | null;
  readonly hardUsd: Decimal | null;
}

/** From `fromMs` until before `untilMs`, ms since 1970. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Money that is or may be spent at a steady rate. */
export interface Claim extends TimeSpan {
  readonly usdPerHour: Decimal;
}

/** Money that the ledger has settled, spread evenly over its time. */
export interface Settled extends TimeSpan {
  readonly usd: Decimal;
}

/** Everything that counts against the caps of an installation. */
export interface Spending {
  readonly settled: readonly Settled[];
  /** What is not settled yet, and what is reserved for machines and disks that run. */
  readonly claims: readonly Claim[];
}

/** What is wrong with a rule that a person gave, as a sentence; null = it is valid. */
export function whyNoRule({ scope, scopeId, period, softUsd, hardUsd }: BudgetRule): string | null {
  if ((scope === 'document') !== (period === 'document'))
    return 'A budget of scope document needs the period document; no other scope may use it.';
  if (scope !== 'tenant' && scopeId !== EACH_ONE) return 'Only a budget of scope tenant may name a tenant.';
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

/** `open` = below both caps; `soft` = machines are bought for urgent work only; `hard` = none are bought. */
export type BudgetLevel = 'open' | 'soft' | 'hard';

/** Least urgent priority for which machines are still bought above a soft cap. */
export const URGENT_PRIORITY = 2;

/** The level that spending has reached against a cap. */
export function levelOf({ softUsd, hardUsd }: BudgetRule, spentUsd: Decimal): BudgetLevel {
  if (hardUsd !== null && spentUsd.greaterThanOrEqualTo(hardUsd)) return 'hard';
  if (softUsd !== null && spentUsd.greaterThanOrEqualTo(softUsd)) return 'soft';
  return 'open';
}

/** The rules that apply to one member of a scope: its own, and those of {@link EACH_ONE} for periods where it has none. */
export function rulesFor(rules: readonly BudgetRule[], scope: BudgetRule['scope'], scopeId: string): BudgetRule[] {
  const ofScope = rules.filter((rule) => rule.scope === scope);
  const own = ofScope.filter((rule) => rule.scopeId === scopeId);
  const named = new Set(own.map((rule) => rule.period));
  return [
    ...own,
    ...ofScope.filter((rule) => rule.scopeId === EACH_ONE && scopeId !== EACH_ONE && !named.has(rule.period)),
  ];
}
