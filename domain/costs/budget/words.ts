/**
 * Budget messages for people: which budget, what is left, when buying resumes, and who can change the budget.
 */
import { Decimal } from 'decimal.js';
import { DateTime } from 'luxon';
import { usdText } from '../../text/words.ts';
import type { Refusal } from './allowance.ts';
import { EACH_ONE, type BudgetRule, type TimeSpan } from './types.ts';

const ZERO = new Decimal(0);

/** `2026-03-29 15:00 Europe/Berlin`. */
export const timeWords = (atMs: number, timezone: string): string =>
  `${DateTime.fromMillis(atMs, { zone: timezone }).toFormat('yyyy-MM-dd HH:mm')} ${timezone}`;

const PERIOD_WORDS: Readonly<Record<BudgetRule['period'], string>> = {
  hour: 'this hour',
  day: 'today',
  month: 'this month',
  document: 'one document',
};

/** `for today`, or `of tenant x for today`. @param who the tenant that the budget applies to */
export function budgetWords({ scope, period }: BudgetRule, who: string | null = null): string {
  const span = `for ${PERIOD_WORDS[period]}`;
  if (scope === 'tenant') return who === null ? `for each tenant ${span}` : `of tenant ${who} ${span}`;
  return span;
}

/** `the hard cap of $10.00 for today`. */
export const capWords = (rule: BudgetRule, kind: 'soft' | 'hard', who: string | null = null): string =>
  `the ${kind} cap of ${usdText((kind === 'soft' ? rule.softUsd : rule.hardUsd) ?? ZERO)} ${budgetWords(rule, who)}`;

/** Who may change a budget, with the command. */
export function whoChanges({ scope, scopeId, period }: BudgetRule, kind: 'soft' | 'hard'): string {
  const name = scope === 'tenant' && scopeId !== EACH_ONE ? ` --tenant ${scopeId}` : '';
  return `an operator raises the cap (deckhand budgets set --scope ${scope}${name} --period ${period} --${kind} USD)`;
}

/** Why no machine is bought, in two sentences. @param freesAtMs when buying resumes; null = waiting does not help */
export function refusalWords(refusal: Refusal, freesAtMs: number | null, timezone: string): string {
  const { rule, spentUsd, reservedUsd, leftUsd, askedUsd } = refusal;
  const figures = `${usdText(spentUsd)} spent, ${usdText(reservedUsd)} reserved for running machines, ${usdText(leftUsd)} left, ${usdText(askedUsd)} needed for one more`;
  return `No machine is bought: ${capWords(rule, 'hard')} would be exceeded (${figures}). ${resumesWords(rule, 'hard', freesAtMs, timezone)}`;
}

/** Which cap is reached, and what follows. @param who the tenant, or null */
export function reachedWords(
  rule: BudgetRule,
  kind: 'soft' | 'hard',
  spentUsd: Decimal,
  {
    window,
    timezone,
    who = null,
  }: { readonly window: TimeSpan; readonly timezone: string; readonly who?: string | null },
): string {
  const what = kind === 'hard' ? 'No machine is bought' : 'Machines are bought for work of priority 1 and 2 only';
  const freesAtMs = Number.isFinite(window.untilMs) ? window.untilMs : null;
  return `${what}: ${capWords(rule, kind, who)} is reached (${usdText(spentUsd)} spent). ${resumesWords(rule, kind, freesAtMs, timezone)}`;
}

function resumesWords(rule: BudgetRule, kind: 'soft' | 'hard', freesAtMs: number | null, timezone: string): string {
  const changes = whoChanges(rule, kind);
  return freesAtMs === null
    ? `Buying resumes when ${changes}.`
    : `Buying resumes at ${timeWords(freesAtMs, timezone)}, or when ${changes}.`;
}
