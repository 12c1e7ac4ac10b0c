/** What budgets say, each sentence once. Other tests look for the figures in them. */
import { Decimal } from 'decimal.js';
import { expect, it } from 'vitest';
import { EACH_ONE, whyNoRule, type BudgetRule } from '../../../../domain/costs/budget/types.ts';
import { reachedWords, refusalWords } from '../../../../domain/costs/budget/words.ts';

const TIMEZONE = 'Europe/Berlin';
const day = { fromMs: Date.parse('2026-06-09T22:00Z'), untilMs: Date.parse('2026-06-10T22:00Z') };
const forEver = { fromMs: -Infinity, untilMs: Infinity };

const rule = (changes: Partial<BudgetRule> = {}): BudgetRule => ({
  scope: 'installation',
  scopeId: EACH_ONE,
  period: 'day',
  softUsd: new Decimal(5),
  hardUsd: new Decimal(50),
  ...changes,
});

it('a cap that is reached: which, of whom, when it goes on, and who can raise it', async () => {
  const spent = new Decimal('5.123');
  const tenant = rule({ scope: 'tenant', scopeId: 'acme', period: 'month' });
  const document = rule({ scope: 'document', period: 'document', hardUsd: new Decimal('0.1') });
  const sentences = [
    reachedWords(rule(), 'soft', spent, { window: day, timezone: TIMEZONE }),
    reachedWords(rule({ period: 'hour' }), 'hard', spent, { window: day, timezone: TIMEZONE }),
    reachedWords(tenant, 'soft', spent, { window: day, timezone: TIMEZONE, who: 'acme' }),
    reachedWords(document, 'hard', new Decimal('0.12'), { window: forEver, timezone: TIMEZONE }),
  ];
  await expect(sentences.join('\n')).toMatchFileSnapshot('snapshots/reached.txt');
});

it('a purchase that a cap refuses', async () => {
  const refusal = {
    rule: rule({ hardUsd: new Decimal(10) }),
    window: day,
    spentUsd: new Decimal(4),
    reservedUsd: new Decimal(3),
    leftUsd: new Decimal(3),
    askedUsd: new Decimal('3.5'),
  };
  const sentences = [day.untilMs, null].map((freesAtMs) => refusalWords(refusal, freesAtMs, TIMEZONE));
  await expect(sentences.join('\n')).toMatchFileSnapshot('snapshots/refused.txt');
});

it('a budget that means nothing', async () => {
  const none = { softUsd: null, hardUsd: null };
  const sentences = [
    rule({ period: 'document' }),
    rule({ scope: 'document' }),
    rule({ scopeId: 'acme' }),
    rule(none),
    rule({ hardUsd: new Decimal(-1) }),
    rule({ softUsd: new Decimal(60) }),
  ].map(whyNoRule);
  expect(sentences).not.toContain(null);
  await expect(sentences.join('\n')).toMatchFileSnapshot('snapshots/no-rule.txt');
  expect(whyNoRule(rule())).toBeNull();
});
