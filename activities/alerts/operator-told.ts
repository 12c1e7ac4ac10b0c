/**
 * Alerts that an instance raises once: refused credentials, a disk that was given up, a machine that cannot be removed. Each is an
 * alert of one rule; the same text for the same instance is one alert. It is cleared when the instance has been gone for the rule's time.
 */
import { randomUUID } from 'node:crypto';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { OPERATOR_TOLD_RULE } from '../../domain/alerts/rule.ts';
import type { Transaction } from '../../platform/db.ts';
import { countCommitted } from '../../platform/process-metrics.ts';
import { clear, lockRule, messageOf, raise, ruleOf, type StoredRound } from './store.ts';

/** Raises an alert of an instance. Repeating it changes nothing; a rule that is switched off or missing raises nothing. */
export async function tellOperator(
  db: PrismaClient,
  { instance, text }: { readonly instance: string; readonly text: string },
  now: Date,
): Promise<void> {
  const message = messageOf(text);
  const tell = async (tx: Transaction): Promise<void> => {
    await lockRule(tx, OPERATOR_TOLD_RULE);
    const row = await tx.alertRule.findUnique({ where: { id: OPERATOR_TOLD_RULE } });
    if (row === null || !row.enabled) return;
    const where = { ruleId: OPERATOR_TOLD_RULE, subject: instance, message, clearedAt: null };
    if ((await tx.alert.findFirst({ where })) !== null) return;
    const alert = { alertId: randomUUID(), subject: instance, value: 1, message, raisedAt: now };
    await raise(tx, ruleOf(row), alert);
  };
  await countCommitted(() => db.$transaction(tell));
}

/** Clears the alerts of instances that have been gone for long enough, and all of them when the rule is switched off. */
export async function clearTold(db: PrismaClient, ruleId: string, now: Date): Promise<StoredRound> {
  return db.$transaction(async (tx) => {
    await lockRule(tx, ruleId);
    const row = await tx.alertRule.findUnique({ where: { id: ruleId } });
    const open = await tx.alert.findMany({ where: { ruleId, clearedAt: null }, select: { id: true, subject: true } });
    if (row === null || open.length === 0) return { raised: [], cleared: [] };
    const lasting = await tx.fleetInstance.findMany({
      where: {
        name: { in: open.map(({ subject }) => subject) },
        OR: [{ endedAt: null }, { endedAt: { gt: new Date(now.getTime() - row.clearForSec * 1000) } }],
      },
      select: { name: true },
    });
    const there = new Set(row.enabled ? lasting.map(({ name }) => name) : []);
    const over = open.filter(({ subject }) => !there.has(subject)).map(({ id }) => id);
    return { raised: [], cleared: await clear(tx, over, now) };
  });
}
