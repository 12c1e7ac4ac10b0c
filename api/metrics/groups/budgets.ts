/** What budgets leave. */
import { budgetUse, type BudgetUse } from '../../../activities/costs/budget/usage.ts';
import type { Sample } from '../../../domain/metrics/definitions.ts';
import { loadFleet } from '../../../platform/fleet-config.ts';
import { sample, type GroupDeps } from './group.ts';

/**
 * What is left below each cap of the installation and of tenants in the window that goes on, by the figures of `deckhand budgets`. A cap per
 * document has no one figure.
 */
export async function readBudgets({ db, config, now }: GroupDeps): Promise<Sample[]> {
  const { timezone } = loadFleet(config).accounting;
  return (await budgetUse(db, now, timezone, ({ scope }) => scope !== 'document')).flatMap(left);
}

function left({ rule, subject, spentUsd, reservedUsd }: BudgetUse): Sample[] {
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
            { scope: rule.scope, scope_id: subject, period: rule.period, cap },
            usd.minus(spentUsd).minus(reservedUsd).toNumber(),
          ),
        ],
  );
}
