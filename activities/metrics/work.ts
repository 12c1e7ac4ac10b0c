/** The work: what has not ended, what fails, what makes no progress, and deliveries that do not arrive. */
import { spanWords } from '../../domain/alerts/words.ts';
import { LEAST_ANALYSES, LEAST_CALLS, type MetricName, type Sample } from '../../domain/metrics/catalogue.ts';
import { durationWords } from '../../domain/text/words.ts';
import { percent, sample, secondsSince, windowOf, windowStart, type Look } from './source.ts';
import { BAD_INPUT_CODES } from './targets.ts';

/** Analyses, model calls, deliveries and alerts that have not ended. */
export async function readWork({ db }: Look): Promise<Sample[]> {
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
    ...alerts.map(({ ruleId, severity, _count }) => sample('deckhand_alerts_open', { rule: ruleId, severity }, _count)),
  ];
}

interface Counts {
  readonly failed: number;
  readonly total: number;
}

/** Model calls and analyses that failed, as shares of those that ended in the window. */
export async function readFailures(look: Look): Promise<Sample[]> {
  const { db, now } = look;
  const callsSince = windowStart(look, 'call_failure_ratio');
  // Calls are found by their analyses: of those there is an index and a bounded number.
  const [calls] = await db.$queryRaw<Counts[]>`
    SELECT count(*) FILTER (WHERE c.state = 'failed')::int AS failed, count(*)::int AS total
    FROM "Analysis" a JOIN "ModelCall" c ON c."analysisId" = a.id
    WHERE (a."finishedAt" IS NULL OR a."finishedAt" > ${callsSince}) AND NOT c.cached
      AND c.state IN ('stored', 'failed') AND c."finishedAt" > ${callsSince} AND c."finishedAt" <= ${now}`;
  const [analyses] = await db.$queryRaw<Counts[]>`
    SELECT count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*)::int AS total
    FROM "Analysis"
    WHERE status IN ('completed', 'completed_with_gaps', 'failed')
      AND "finishedAt" > ${windowStart(look, 'analysis_failure_ratio')} AND "finishedAt" <= ${now}
      AND ("failureCode" IS NULL OR "failureCode" <> ALL(${BAD_INPUT_CODES}))`;
  return [
    failureShare(look, 'call_failure_ratio', 'model calls were given up', calls, LEAST_CALLS),
    failureShare(look, 'analysis_failure_ratio', 'analyses failed', analyses, LEAST_ANALYSES),
  ];
}

function failureShare(look: Look, metric: MetricName, what: string, counts: Counts | undefined, least: number): Sample {
  const { failed, total } = counts ?? { failed: 0, total: 0 };
  const within = spanWords(windowOf(look, metric));
  const message = `${failed} of ${total} ${what} within ${within} (${percent(total === 0 ? 0 : failed / total)}).`;
  return sample(metric, {}, total < least ? 0 : failed / total, message);
}

interface LastMove {
  readonly id: string;
  readonly stage: string | null;
  readonly movedAt: Date;
  readonly underWay: number;
}

/**
 * The analysis that has made no progress for longest. Progress is a page that was drawn, a call that was planned or has ended, or the start: a stage
 * begins with calls that are planned, and those of a run that was paused count from when it goes on.
 */
export async function readStillAnalyses({ db, now }: Look): Promise<Sample[]> {
  const [still] = await db.$queryRaw<LastMove[]>`
    SELECT a.id, a.stage, greatest(a."createdAt", a."startedAt", calls.at, pages.at) AS "movedAt",
           count(*) OVER ()::int AS "underWay"
    FROM "Analysis" a
    CROSS JOIN LATERAL (SELECT greatest(max(c."createdAt"), max(c."finishedAt")) AS at
                        FROM "ModelCall" c WHERE c."analysisId" = a.id) calls
    CROSS JOIN LATERAL (SELECT max(s."createdAt") AS at FROM "Slide" s WHERE s."deckId" = a."deckId") pages
    WHERE a.status IN ('queued', 'running') AND a."pausedAt" IS NULL
    ORDER BY "movedAt" LIMIT 1`;
  if (still === undefined) return [sample('analysis_still_seconds', {}, 0, 'No analysis is under way.')];
  const { id, stage, movedAt, underWay } = still;
  const value = secondsSince(movedAt, now);
  const where = stage === null ? 'has not begun' : `is at stage ${stage}`;
  const message = `Nothing of analysis ${id} has moved for ${durationWords(value * 1000)}; it ${where}. Analyses under way: ${underWay}.`;
  return [sample('analysis_still_seconds', {}, value, message)];
}

/** A waiting delivery that failed this often counts as one that does not arrive. */
const TRIES = 3;

/**
 * Deliveries of each webhook that were given up in the window, and those that wait after several tries. What tells of this very metric is
 * left out: a webhook that does not answer would keep its own alert alive.
 */
export async function readDeliveries(look: Look): Promise<Sample[]> {
  const own = { alert: { rule: { metric: 'delivery_failures' } } };
  const webhooks = await look.db.webhook.findMany({ where: { disabledAt: null }, select: { id: true, url: true } });
  const counts = await look.db.webhookDelivery.groupBy({
    by: ['webhookId'],
    _count: true,
    where: {
      NOT: own,
      OR: [
        { state: 'failed', lastTriedAt: { gt: windowStart(look, 'delivery_failures') } },
        { state: 'pending', attempts: { gte: TRIES } },
      ],
    },
  });
  const failures = new Map(counts.map(({ webhookId, _count }) => [webhookId, _count]));
  const within = spanWords(windowOf(look, 'delivery_failures'));
  return webhooks.map(({ id, url }) => {
    const value = failures.get(id) ?? 0;
    const message = `${value} deliveries to webhook ${id} (${new URL(url).host}) failed within ${within} or wait after ${TRIES} tries.`;
    return sample('delivery_failures', { webhook: id }, value, message);
  });
}
