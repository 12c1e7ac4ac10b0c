/** Work that has not ended: analyses, model calls, deliveries, alerts. */
import { sample, type MetricGroup } from './group.ts';

export const WORK_GROUP: MetricGroup = {
  name: 'work',
  read: async ({ db }) => {
    const analyses = await db.$queryRaw<{ state: string; count: number }[]>`
      SELECT CASE WHEN "pausedAt" IS NOT NULL THEN 'held' ELSE status::text END AS state, count(*)::int AS count
      FROM "Analysis" WHERE status IN ('queued', 'running') GROUP BY 1`;
    const calls = await db.$queryRaw<{ gpuClass: string; priority: number; count: number }[]>`
      SELECT "gpuClass", priority, count(*)::int AS count FROM "ModelCall" WHERE state = 'planned' GROUP BY 1, 2`;
    const deliveries = await db.webhookDelivery.count({ where: { state: 'pending' } });
    const alerts = await db.alert.groupBy({ by: ['ruleId', 'severity'], where: { clearedAt: null }, _count: true });
    return [
      ...['queued', 'running', 'held'].map((state) =>
        sample('deckhand_analyses', { state }, analyses.find((a) => a.state === state)?.count ?? 0),
      ),
      ...calls.map(({ gpuClass, priority, count }) =>
        sample('deckhand_model_calls_open', { gpu_class: gpuClass, priority: String(priority) }, count),
      ),
      sample('deckhand_webhook_deliveries_open', {}, deliveries),
      ...alerts.map(({ ruleId, severity, _count }) =>
        sample('deckhand_alerts_open', { rule: ruleId, severity }, _count),
      ),
    ];
  },
};
