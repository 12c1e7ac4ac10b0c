/** What budgets leave. */
import type { Decimal } from 'decimal.js';
import { decimalOf, readRules } from '../../../activities/accounting/budget/rules.ts';
import { readSpending } from '../../../activities/accounting/budget/spending.ts';
import { spentAndReserved } from '../../../domain/budget/amounts.ts';
import { EACH_ONE, type BudgetRule, type TimeSpan } from '../../../domain/budget/types.ts';
import { windowAt } from '../../../domain/budget/windows.ts';
import type { Sample } from '../../../domain/metrics/definitions.ts';
import { loadFleet } from '../../../platform/fleet-config.ts';
import { sample, type GroupDeps, type MetricGroup } from './group.ts';

export const BUDGET_GROUP: MetricGroup = { name: 'budgets', read: budgets };

/** What is left below each cap of the installation and of tenants in the window that goes on; a cap per document has no one figure. */
async function budgets({ db, config, now }: GroupDeps): Promise<Sample[]> {
  const rules = (await readRules(db)).filter((rule) => rule.scope !== 'document');
  if (rules.length === 0) return [];
  const { timezone } = loadFleet(config).accounting;
  const nowMs = now.getTime();
  const windowOf = (rule: BudgetRule): TimeSpan => windowAt(rule.period, nowMs, timezone);
  const installation = rules.filter((rule) => rule.scope === 'installation');
  const samples: Sample[] = [];
  if (installation.length > 0) {
    const sinceMs = Math.min(...installation.map((rule) => windowOf(rule).fromMs));
    const open = await db.budgetReservation.findMany({ where: { releasedAt: null } });
    const spending = await readSpending(db, open, sinceMs, nowMs);
    for (const rule of installation) {
      const { spentUsd, reservedUsd } = spentAndReserved(spending, windowOf(rule), nowMs);
      samples.push(...left(rule, EACH_ONE, spentUsd.plus(reservedUsd)));
    }
  }
  const tenants = rules.filter((rule) => rule.scope === 'tenant');
  if (tenants.length === 0) return samples;
  for (const { id } of await db.tenant.findMany({ select: { id: true } })) {
    for (const rule of tenants.filter(({ scopeId }) => scopeId === id || scopeId === EACH_ONE)) {
      const { fromMs, untilMs } = windowOf(rule);
      const { _sum } = await db.ledgerEntry.aggregate({
        where: { tenantId: id, fromAt: { gte: new Date(fromMs), lt: new Date(untilMs) } },
        _sum: { amountUsd: true },
      });
      samples.push(...left(rule, id, decimalOf(_sum.amountUsd ?? 0)));
    }
  }
  return samples;
}

function left(rule: BudgetRule, scopeId: string, usedUsd: Decimal): Sample[] {
  const caps = [
    ['soft', rule.softUsd],
    ['hard', rule.hardUsd],
  ] as const;
  return caps.flatMap(([cap, usd]) =>
    usd === null
      ? []
      : [
          sample(
            'budget_remaining_usd',
            { scope: rule.scope, scope_id: scopeId, period: rule.period, cap },
            usd.minus(usedUsd).toNumber(),
          ),
        ],
  );
}
