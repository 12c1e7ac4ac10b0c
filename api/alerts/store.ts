/** Alerts and their rules as rows: listed, found, edited. */
import { lockRule, ruleOf } from '../../activities/alerts/store.ts';
import { checkRule, SEVERITIES, type Severity } from '../../domain/alerts/rule.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { pageOf, positionOf } from '../http/paging.ts';
import {
  alertDocument,
  ruleDetails,
  ruleDocument,
  type AlertDocument,
  type AlertPage,
  type AlertRuleDetails,
  type AlertRuleDocument,
  type NewRule,
  type RuleEdit,
} from './schemas.ts';

/** Waits of a new rule that names none. */
const NEW_RULE = { advice: '', raiseForSec: 0, clearForSec: 0, windowSec: 3600, enabled: true } as const;
/** Metrics that are no readings: one rule each is what they are for. */
const RESERVED: ReadonlySet<string> = new Set(['operator_told', 'unread_rule']);

const withRule = { rule: { select: { metric: true } } } as const;

/** A page of alerts, newest first. */
export async function listAlerts(
  db: PrismaClient,
  { all, limit, cursor }: { readonly all: boolean; readonly limit: number; readonly cursor?: string | undefined },
): Promise<AlertPage> {
  const after = positionOf(cursor);
  const where: Prisma.AlertWhereInput = {
    ...(all ? {} : { clearedAt: null }),
    ...(after === undefined
      ? {}
      : { OR: [{ raisedAt: { lt: after.createdAt } }, { raisedAt: after.createdAt, id: { lt: after.id } }] }),
  };
  const [rows, open, judged] = await Promise.all([
    db.alert.findMany({
      where,
      include: withRule,
      orderBy: [{ raisedAt: 'desc' }, { id: 'desc' }],
      take: limit + 1,
    }),
    db.alert.count({ where: { clearedAt: null } }),
    db.alertCondition.aggregate({ _max: { seenAt: true } }),
  ]);
  const page = pageOf(
    rows.map((row) => ({ ...row, createdAt: row.raisedAt })),
    limit,
  );
  const conditions = await db.alertCondition.findMany({
    where: { alertId: { in: page.items.filter(({ clearedAt }) => clearedAt === null).map(({ id }) => id) } },
  });
  const byAlert = new Map(conditions.map((condition) => [condition.alertId, condition]));
  return {
    items: page.items.map((row) => alertDocument(row, byAlert.get(row.id) ?? null)),
    nextCursor: page.nextCursor,
    open,
    judgedAt: judged._max.seenAt?.toISOString() ?? null,
  };
}

/** One alert, open or over. @throws DeckhandError `not_found` */
export async function findAlert(db: PrismaClient, id: string): Promise<AlertDocument> {
  const [row, condition] = await Promise.all([
    db.alert.findUnique({ where: { id }, include: withRule }),
    db.alertCondition.findFirst({ where: { alertId: id } }),
  ]);
  if (row === null) {
    throw new DeckhandError('not_found', `no alert ${id}`, {
      userMessage: 'There is no such alert.',
      hint: 'The ids are listed by: deckhand alerts --all',
    });
  }
  return alertDocument(row, condition);
}

/** Open alerts by severity. */
export async function countOpenAlerts(db: PrismaClient): Promise<Record<Severity, number>> {
  const groups = await db.alert.groupBy({ by: ['severity'], where: { clearedAt: null }, _count: true });
  const countOf = (severity: Severity): number => groups.find((group) => group.severity === severity)?._count ?? 0;
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, countOf(severity)])) as Record<Severity, number>;
}

/** Every rule, by name. */
export async function listRules(db: PrismaClient): Promise<AlertRuleDocument[]> {
  const [rows, open] = await Promise.all([
    db.alertRule.findMany({ orderBy: { id: 'asc' } }),
    db.alert.groupBy({ by: ['ruleId'], where: { clearedAt: null }, _count: true }),
  ]);
  const counts = new Map(open.map(({ ruleId, _count }) => [ruleId, _count]));
  return rows.map((row) => ruleDocument(row, counts.get(row.id) ?? 0));
}

/** One rule with what its last round read. @throws DeckhandError `not_found` */
export async function findRule(db: PrismaClient | Prisma.TransactionClient, id: string): Promise<AlertRuleDetails> {
  const row = await db.alertRule.findUnique({
    where: { id },
    include: { conditions: { orderBy: { subject: 'asc' } } },
  });
  if (row === null) throw noRule(id);
  return ruleDetails(row, await db.alert.count({ where: { ruleId: id, clearedAt: null } }));
}

/**
 * Changes a rule. What is open stays open until the next round judges it by the new thresholds; waits begin anew.
 *
 * @throws DeckhandError `not_found`, `invalid_request`
 */
export async function editRule(db: PrismaClient, id: string, edit: RuleEdit, now: Date): Promise<AlertRuleDetails> {
  return db.$transaction(async (tx) => {
    await lockRule(tx, id);
    const row = await tx.alertRule.findUnique({ where: { id } });
    if (row === null) throw noRule(id);
    const data = definedOf(edit);
    checkRule({ ...ruleOf(row), ...data });
    // Later than its creation for any clock: `edited` compares both times.
    const updatedAt = new Date(Math.max(now.getTime(), row.createdAt.getTime() + 1));
    await tx.alertRule.update({ where: { id }, data: { ...data, updatedAt } });
    await tx.alertCondition.updateMany({ where: { ruleId: id }, data: { beyondSince: null } });
    return findRule(tx, id);
  });
}

/** Adds a rule. @throws DeckhandError `conflict` when there is one of this name, `invalid_request` */
export async function addRule(db: PrismaClient, input: NewRule, now: Date): Promise<AlertRuleDetails> {
  const { id, metric, ...values } = input;
  if (RESERVED.has(metric)) {
    throw new DeckhandError('invalid_request', `metric ${metric} is no reading`, {
      userMessage: `metric: ${metric} has its one rule already, which can be edited.`,
    });
  }
  const rule = ruleOf({
    ...NEW_RULE,
    comparison: 'above',
    clearAt: values.raiseAt,
    severity: 'warning',
    ...definedOf(values),
    id,
    title: values.title,
    raiseAt: values.raiseAt,
    metric,
    createdAt: now,
    // As edited: no seed of a later version takes it for its own.
    updatedAt: new Date(now.getTime() + 1),
  });
  checkRule(rule);
  const { count } = await db.alertRule.createMany({ data: { ...rule }, skipDuplicates: true });
  if (count === 0) {
    throw new DeckhandError('conflict', `there is a rule ${id}`, {
      userMessage: `There is a rule ${id} already.`,
      hint: `Change it with: deckhand alerts rules set ${id}`,
    });
  }
  return findRule(db, id);
}

/** What was given, without what was left out. */
const definedOf = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const noRule = (id: string): DeckhandError =>
  new DeckhandError('not_found', `no alert rule ${id}`, {
    userMessage: `There is no alert rule ${id}.`,
    hint: 'The rules are listed by: deckhand alerts rules',
  });
