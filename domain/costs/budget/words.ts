/**
 * What budgets say to people: which one, what is left, when it goes on, and who can change it.
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

/** `for today`, with whose budget it is where it is not the whole installation's. @param who the tenant it holds for */
export function budgetWords({ scope, period }: BudgetRule, who: string | null = null): string {
  const span = `for ${PERIOD_WORDS[period]}`;
  if (scope === 'tenant') return who === null ? `for each tenant ${span}` : `of tenant ${who} ${span}`;
  return span;
}

/** `the hard cap of $10.00 for today`. */
export const capWords = (rule: BudgetRule, kind: 'soft' | 'hard', who: string | null = null): string =>
  `the ${kind} cap of ${usdText((kind === 'soft' ? rule.softUsd : rule.hardUsd) ?? ZERO)} ${budgetWords(rule, who)}`;

/** The command that changes a budget; who may use it is said with it. */
export function whoChanges({ scope, scopeId, period }: BudgetRule, kind: 'soft' | 'hard'): string {
  const name = scope === 'tenant' && scopeId !== EACH_ONE ? ` --tenant ${scopeId}` : '';
  return `an operator raises it (deckhand budgets set --scope ${scope}${name} --period ${period} --${kind} USD)`;
}

/** Why nothing is bought, in two sentences. @param freesAtMs when waiting helps; null = it does not */
export function refusalWords(refusal: Refusal, freesAtMs: number | null, timezone: string): string {
  const { rule, spentUsd, reservedUsd, leftUsd, askedUsd } = refusal;
  const figures = `${usdText(spentUsd)} spent, ${usdText(reservedUsd)} reserved for machines that run, ${usdText(leftUsd)} left, and ${usdText(askedUsd)} needed for one more`;
  return `Nothing is bought: ${capWords(rule, 'hard')} would be exceeded (${figures}). ${goesOnWords(rule, 'hard', freesAtMs, timezone)}`;
}

/** Why what was spent forbids more. @param who the tenant, or null */
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
  const what = kind === 'hard' ? 'Nothing is bought' : 'Only work of priority 1 and 2 has machines bought';
  const freesAtMs = Number.isFinite(window.untilMs) ? window.untilMs : null;
  return `${what}: ${capWords(rule, kind, who)} is reached (${usdText(spentUsd)} spent). ${goesOnWords(rule, kind, freesAtMs, timezone)}`;
}

function goesOnWords(rule: BudgetRule, kind: 'soft' | 'hard', freesAtMs: number | null, timezone: string): string {
  const changes = whoChanges(rule, kind);
  return freesAtMs === null
    ? `It goes on when ${changes}.`
    : `It goes on at ${timeWords(freesAtMs, timezone)}, or when ${changes}.`;
}
