/** Activities of webhook deliveries, on their own queue: one attempt, and its record. */
import { count, countCommitted } from '../../platform/process-metrics.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { costReportSchema } from '../../domain/costs/report/document.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { Transaction } from '../../platform/db.ts';
import {
  ALERT_EVENTS,
  alertPayload,
  ANALYSIS_EVENTS,
  analysisPayload,
  judgeStatus,
  REPORT_EVENT,
  reportPayload,
  retryDelayMs,
  TEST_EVENT,
  testPayload,
  type WebhookPayload,
} from '../../domain/webhooks.ts';
import { heartbeating } from '../support/heartbeat.ts';
import { sendOnce, TRY_LIMIT_MS, type Answer } from './send.ts';

/** Result of one attempt. */
export type TryOutcome =
  /** Nothing to send: the delivery or its webhook was deleted, or the delivery is settled. */
  | { readonly state: 'over' }
  | { readonly state: 'delivered'; readonly attempt: number; readonly status: number }
  | {
      readonly state: 'pending';
      readonly attempt: number;
      readonly status: number | null;
      readonly error: string;
      readonly retryAfterMs: number;
    }
  | {
      readonly state: 'failed';
      readonly attempt: number;
      readonly status: number | null;
      readonly error: string;
      /** The receiver refuses all further deliveries. */
      readonly disableWebhook: boolean;
    };

export interface NotificationActivities {
  /** Sends a delivery once. @param input.tries attempts of this run, including this one */
  sendWebhook(input: { readonly deliveryId: string; readonly tries: number }): Promise<TryOutcome>;
  /** Stores the result of an attempt. Idempotent. */
  recordTry(input: {
    readonly deliveryId: string;
    readonly outcome: Exclude<TryOutcome, { readonly state: 'over' }>;
  }): Promise<void>;
}

/** Dependencies of the activities. */
export interface NotificationDeps {
  readonly db: PrismaClient;
  /** Page of a report. */
  readonly reportUrl: (analysisId: string) => string;
  /** Page of a cost report. */
  readonly costReportUrl: (costReportId: string) => string;
  /** Time limit for a receiver; {@link TRY_LIMIT_MS} by default. */
  readonly tryLimitMs?: number;
}

export function createNotificationActivities(deps: NotificationDeps): NotificationActivities {
  return heartbeating<NotificationActivities>({
    sendWebhook: (input) => sendWebhook(deps, input),
    recordTry: (input) => recordTry(deps.db, input),
  });
}

const withAll = {
  webhook: true,
  analysis: { include: { deck: true, _count: { select: { gaps: true } } } },
  alert: true,
  costReport: true,
} as const;
type Delivery = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

const findDelivery = (db: PrismaClient, id: string) =>
  db.webhookDelivery.findUnique({ where: { id }, include: withAll });

async function sendWebhook(
  deps: NotificationDeps,
  { deliveryId, tries }: { readonly deliveryId: string; readonly tries: number },
): Promise<TryOutcome> {
  const delivery = await findDelivery(deps.db, deliveryId);
  if (delivery === null || delivery.state !== 'pending') return { state: 'over' };
  // No notification is sent about a deck that is being deleted.
  if (delivery.analysis !== null && delivery.analysis.deck.deletingAt !== null) return { state: 'over' };
  const attempt = delivery.attempts + 1;
  const { webhook } = delivery;
  const isTest = delivery.event === TEST_EVENT;
  if (webhook.disabledAt !== null && !isTest) {
    const error = 'the webhook was disabled before it could be sent';
    return { state: 'failed', attempt: delivery.attempts, status: delivery.lastStatus, error, disableWebhook: false };
  }
  const payload = payloadOf(delivery, deps);
  const message = { id: delivery.id, url: webhook.url, secret: webhook.secret, payload };
  const answer = await sendOnce(message, deps.tryLimitMs ?? TRY_LIMIT_MS);
  // A person waits for the result of a test.
  return judge(answer, attempt, isTest ? null : tries);
}

/** The body of a delivery, from the final rows. */
function payloadOf(delivery: Delivery, { reportUrl, costReportUrl }: NotificationDeps): WebhookPayload {
  const { event, createdAt, webhookId, analysis, alert, costReport } = delivery;
  if (event === TEST_EVENT) return testPayload(createdAt, webhookId);
  const ofAlert = ALERT_EVENTS.find((name) => name === event);
  if (ofAlert !== undefined && alert !== null) {
    const { id: alertId, ruleId: rule, title, subject, severity, message, advice, value, raisedAt, clearedAt } = alert;
    const told = { alertId, rule, title, subject, severity, message, advice, value, raisedAt, clearedAt };
    return alertPayload(ofAlert, createdAt, told);
  }
  if (event === REPORT_EVENT && costReport !== null) {
    const { id: costReportId, kind, period, scope, fromAt: from, untilAt: until, timezone, currency } = costReport;
    const told = { costReportId, kind, period, scope, from, until, timezone, currency };
    const totalUsd = costReport.totalUsd.toFixed();
    const { complete } = costReportSchema.parse(costReport.document);
    return reportPayload(createdAt, { ...told, totalUsd, complete, reportUrl: costReportUrl(costReportId) });
  }
  const known = ANALYSIS_EVENTS.find((name) => name === event);
  if (known === undefined || analysis === null) {
    throw new DeckhandError('internal', `delivery ${delivery.id} has event ${event} and nothing that it tells of`);
  }
  const { id: analysisId, tenantId, deckId, taskType, overallScore, scoredQuestions, askedQuestions } = analysis;
  return analysisPayload(known, createdAt, {
    tenantId,
    analysisId,
    deckId,
    fileName: analysis.deck.fileName,
    taskType,
    overallScore,
    scoredQuestions,
    askedQuestions,
    gaps: analysis._count.gaps,
    failureCode: analysis.failureCode,
    finishedAt: analysis.finishedAt,
    reportUrl: reportUrl(analysisId),
  });
}

/** @param tries attempts of this run so far; null = there is no further attempt */
function judge(answer: Answer, attempt: number, tries: number | null): TryOutcome {
  const status = answer.kind === 'answered' ? answer.status : null;
  const error = answer.kind === 'answered' ? `HTTP ${answer.status}` : answer.error;
  const verdict = answer.kind === 'answered' ? judgeStatus(answer.status) : 'later';
  switch (verdict) {
    case 'taken':
      return { state: 'delivered', attempt, status: status ?? 0 };
    case 'gone':
      return { state: 'failed', attempt, status, error: `${error}: the webhook is disabled now`, disableWebhook: true };
    case 'refused':
      return { state: 'failed', attempt, status, error: `${error}: refused for good`, disableWebhook: false };
    case 'later': {
      const asked = answer.kind === 'answered' ? answer.retryAfterMs : null;
      const retryAfterMs = tries === null ? null : retryDelayMs(tries, asked, Math.random());
      if (retryAfterMs !== null) return { state: 'pending', attempt, status, error, retryAfterMs };
      return { state: 'failed', attempt, status, error, disableWebhook: false };
    }
  }
}

/** {@link NotificationActivities.recordTry} */
export async function recordTry(
  db: PrismaClient,
  { deliveryId, outcome }: Parameters<NotificationActivities['recordTry']>[0],
): Promise<void> {
  const { state, attempt, status } = outcome;
  const now = new Date();
  const record = async (tx: Transaction): Promise<void> => {
    // The delivery may have been deleted with its deck or webhook.
    const waiting = await tx.webhookDelivery.findFirst({
      where: { id: deliveryId, state: 'pending' },
      select: { event: true },
    });
    if (waiting !== null && state !== 'pending') {
      count('deckhand_webhook_deliveries_total', { event: waiting.event, outcome: state });
    }
    await tx.webhookDelivery.updateMany({
      where: { id: deliveryId },
      data: {
        state,
        attempts: attempt,
        lastStatus: status,
        lastError: state === 'delivered' ? null : outcome.error,
        lastTriedAt: now,
        deliveredAt: state === 'delivered' ? now : null,
      },
    });
    if (state === 'failed' && outcome.disableWebhook) {
      await tx.webhook.updateMany({
        where: { deliveries: { some: { id: deliveryId } }, disabledAt: null },
        data: { disabledAt: now },
      });
    }
    // A test that arrives shows that the receiver is available again.
    if (state === 'delivered') {
      await tx.webhook.updateMany({
        where: { deliveries: { some: { id: deliveryId, event: TEST_EVENT } } },
        data: { disabledAt: null },
      });
    }
  };
  await countCommitted(() => db.$transaction(record));
}
