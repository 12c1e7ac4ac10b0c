/**
 * Stores a round of a rule: conditions, alerts, and deliveries to webhooks, in one transaction, so that an alert is never stored
 * without its deliveries or twice.
 */
import { count, countCommitted } from '../../platform/process-metrics.ts';
import { randomUUID } from 'node:crypto';
import { judgeRule, type Condition, type Reading } from '../../domain/alerts/evaluate.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import type { AlertRule } from '../../domain/alerts/rule.ts';
import type { AlertCondition, AlertRule as RuleRow, Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import type { AlertEvent } from '../../domain/webhooks.ts';
import { enqueueAlertDeliveries } from '../webhooks/outbox.ts';
import { lockForTransaction } from '../../platform/locks.ts';
import type { Transaction } from '../../platform/db.ts';

/** What a round changed. */
export interface StoredRound {
  readonly raised: readonly { readonly subject: string; readonly message: string }[];
  readonly cleared: readonly { readonly subject: string }[];
}

const NOTHING: StoredRound = { raised: [], cleared: [] };

/** A reading that is older than the last stored one by no more than this comes from a late round; beyond it the clock was set back. */
const STALE_MS = 300_000;

/** A rule as the database has it; other severities and comparisons cannot be stored. */
export const ruleOf = (row: RuleRow): AlertRule => ({
  ...row,
  comparison: row.comparison === 'below' ? 'below' : 'above',
  severity: row.severity === 'critical' || row.severity === 'info' ? row.severity : 'warning',
});

/** Takes the lock of a rule until the transaction ends: other rounds, and alerts that instances raise, wait. */
export async function lockRule(tx: Transaction, ruleId: string): Promise<void> {
  await lockForTransaction(tx, `alerts/${ruleId}`);
}

/**
 * Judges the readings of a rule and stores the result. A repeated or late round changes nothing.
 *
 * @param ruleId read again: an operator may have edited it since
 */
export async function storeRound(
  db: PrismaClient,
  ruleId: string,
  readings: readonly Reading[],
  now: Date,
): Promise<StoredRound> {
  const round = async (tx: Transaction): Promise<StoredRound> => {
    await lockRule(tx, ruleId);
    const row = await tx.alertRule.findUnique({ where: { id: ruleId }, include: { conditions: true } });
    if (row === null || row.conditions.some(({ seenAt }) => isLater(seenAt, now))) return NOTHING;
    const rule = ruleOf(row);
    const { conditions, raised, cleared } = judgeRule(
      rule,
      row.conditions.map(conditionOf),
      readings,
      now.getTime(),
      randomUUID,
    );
    await tx.alertCondition.deleteMany({ where: { ruleId } });
    await tx.alertCondition.createMany({ data: conditions.map((condition) => columnsOf(ruleId, condition, now)) });
    for (const reading of raised) await raise(tx, rule, { ...reading, raisedAt: now });
    const over = await clear(tx, cleared, now);
    return { raised: raised.map(({ subject, message }) => ({ subject, message })), cleared: over };
  };
  return countCommitted(() => db.$transaction(round));
}

const isLater = (seenAt: Date, now: Date): boolean => seenAt > now && seenAt.getTime() - now.getTime() < STALE_MS;

const conditionOf = ({ subject, value, beyondSince, alertId }: AlertCondition): Condition => ({
  subject,
  value,
  beyondSinceMs: beyondSince?.getTime() ?? null,
  alertId,
});

const columnsOf = (ruleId: string, condition: Condition, now: Date): Prisma.AlertConditionCreateManyInput => ({
  ruleId,
  subject: condition.subject,
  value: condition.value,
  beyondSince: condition.beyondSinceMs === null ? null : new Date(condition.beyondSinceMs),
  alertId: condition.alertId,
  seenAt: now,
});

/** Messages quote machines and providers, whose text may have characters that Postgres does not store. Long ones are cut at the end. */
export const messageOf = (text: string): string => plainText(text, MESSAGE_CHARS);
const MESSAGE_CHARS = 2000;

/** Stores an alert with its deliveries, with the current title and advice of its rule. */
export async function raise(
  tx: Transaction,
  { id: ruleId, title, advice, severity }: Pick<AlertRule, 'id' | 'title' | 'advice' | 'severity'>,
  { alertId, subject, value, message: text, raisedAt }: Reading & { readonly alertId: string; readonly raisedAt: Date },
): Promise<void> {
  const message = messageOf(text);
  await tx.alert.create({ data: { id: alertId, ruleId, title, advice, severity, subject, value, message, raisedAt } });
  count('deckhand_alerts_total', { rule: ruleId, severity });
  await tell(tx, alertId, 'alert.raised');
}

/** Clears open alerts, with their deliveries. Cleared ones stay as they are. */
export async function clear(tx: Transaction, alertIds: readonly string[], now: Date): Promise<StoredRound['cleared']> {
  const open = await tx.alert.findMany({
    where: { id: { in: [...alertIds] }, clearedAt: null },
    select: { id: true, subject: true },
  });
  for (const { id } of open) {
    await tx.alert.update({ where: { id }, data: { clearedAt: now } });
    await tell(tx, id, 'alert.cleared');
  }
  return open.map(({ subject }) => ({ subject }));
}

const tell = (tx: Transaction, alertId: string, event: AlertEvent): Promise<void> =>
  enqueueAlertDeliveries(tx, alertId, event);

const RETENTION_MS = 180 * 24 * 3_600_000;

/** Removes alerts that have been over for 180 days, with the log of their deliveries. Open ones stay, however old they are. */
export async function removeOldAlerts(db: PrismaClient, now: Date = new Date()): Promise<void> {
  await db.alert.deleteMany({ where: { clearedAt: { lt: new Date(now.getTime() - RETENTION_MS) } } });
}
