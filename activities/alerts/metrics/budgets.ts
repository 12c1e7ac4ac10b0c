/** Metrics of budgets: how far each is used, and which pools it keeps from buying. */
import type { Reading } from '../../../domain/alerts/metrics.ts';
import { percent, type MetricReader } from './reader.ts';
import { budgetUse } from './budget-use.ts';

/** Of a cap of nothing any spending is this many times the cap. */
const LARGEST_SHARE = 1000;

/** Pools that a budget keeps from buying, as they say themselves. */
export const readBudgetRefusals: MetricReader = async ({ db }) => {
  const pools = await db.fleetPool.findMany({ where: { nextLookAt: { not: null } } });
  return pools.map(({ name, budgetMessage }): Reading => {
    const message =
      budgetMessage === null ? `No budget holds pool ${name}.` : `Pool ${name} buys nothing: ${budgetMessage}`;
    return { subject: name, value: budgetMessage === null ? 0 : 1, message };
  });
};

/** How far each budget is used: spent and reserved as a share of its hard cap, of its soft one where that is all there is. */
export const readBudgetUse: MetricReader = async ({ db, now, timezone }) =>
  (await budgetUse(db, now, timezone)).map(({ scope, scopeId, period, usedUsd, capUsd }): Reading => {
    const value = capUsd > 0 ? usedUsd / capUsd : usedUsd > 0 ? LARGEST_SHARE : 0;
    const whose = scopeId === '*' ? scope : `${scope} ${scopeId}`;
    const message = `The budget of the ${whose} per ${period} is used to ${percent(value)}: $${usedUsd.toFixed(2)} of $${capUsd.toFixed(2)} are spent or reserved.`;
    return { subject: `${scope}/${scopeId}/${period}`, value, message };
  });
