/** Metrics of budgets: how far each is used, and which pools it keeps from buying. */
import type { Reading } from '../../../domain/alerts/metrics.ts';
import { EACH_ONE } from '../../../domain/costs/budget/types.ts';
import { budgetUse } from '../../costs/budget/usage.ts';
import { percent, type MetricReader } from './reader.ts';

/** How far each budget is used: spent and reserved as a share of its hard cap, of its soft one where that is all there is. */
export const readBudgetUse: MetricReader = async ({ db, now, timezone }) =>
  (await budgetUse(db, now, timezone)).map(({ rule, subject, spentUsd, reservedUsd, usedShare }): Reading => {
    const { scope, period, hardUsd, softUsd } = rule;
    const cap = hardUsd ?? softUsd;
    const used = spentUsd.plus(reservedUsd);
    // A cap of nothing is used up from the start.
    const value = cap === null || cap.isZero() ? usedShare : used.dividedBy(cap).toNumber();
    const whose = subject === EACH_ONE ? scope : `${scope} ${subject}`;
    const span = period === 'document' ? '' : ` per ${period}`;
    const amounts = `$${used.toFixed(2)} of $${cap?.toFixed(2) ?? '0.00'} are spent or reserved`;
    const message = `The budget of the ${whose}${span} is used to ${percent(value)}: ${amounts}.`;
    return { subject: `${scope}/${subject}/${period}`, value, message };
  });

/** Pools that a budget keeps from buying, as they say themselves. */
export const readBudgetRefusals: MetricReader = async ({ db }) => {
  const pools = await db.fleetPool.findMany({ where: { nextLookAt: { not: null } } });
  return pools.map(({ name, budgetMessage }): Reading => {
    const message =
      budgetMessage === null ? `No budget holds pool ${name}.` : `Pool ${name} buys nothing: ${budgetMessage}`;
    return { subject: name, value: budgetMessage === null ? 0 : 1, message };
  });
};
