/** Metric of webhooks: deliveries that do not arrive. */
import type { Reading } from '../../../domain/alerts/metrics.ts';
import { spanWords } from '../../../domain/alerts/words.ts';
import { windowStart, type MetricReader } from './reader.ts';

/** A waiting delivery that failed this often counts as one that does not arrive. */
const TRIES = 3;

/**
 * Deliveries of each webhook that were given up in the window, and those that wait after several tries. What tells of this very metric is
 * left out: a webhook that does not answer would keep its own alert alive.
 */
export const readDeliveryFailures: MetricReader = async (look) => {
  const own = { alert: { rule: { metric: 'delivery_failures' } } };
  const [webhooks, counts] = await Promise.all([
    look.db.webhook.findMany({ where: { disabledAt: null }, select: { id: true, url: true } }),
    look.db.webhookDelivery.groupBy({
      by: ['webhookId'],
      _count: true,
      where: {
        NOT: own,
        OR: [
          { state: 'failed', lastTriedAt: { gt: windowStart(look) } },
          { state: 'pending', attempts: { gte: TRIES } },
        ],
      },
    }),
  ]);
  const failures = new Map(counts.map(({ webhookId, _count }) => [webhookId, _count]));
  return webhooks.map(({ id, url }): Reading => {
    const value = failures.get(id) ?? 0;
    const within = spanWords(look.windowSec);
    const message = `${value} deliveries to webhook ${id} (${new URL(url).host}) failed within ${within} or wait after ${TRIES} tries.`;
    return { subject: id, value, message };
  });
};
