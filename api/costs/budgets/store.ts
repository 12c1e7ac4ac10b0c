/** Budgets as rows: set, removed, and listed with what was spent of them. */
import { Decimal } from 'decimal.js';
import { budgetUse, type BudgetUse } from '../../../activities/costs/budget/usage.ts';
import { EACH_ONE, whyNoRule, type BudgetRule } from '../../../domain/costs/budget/types.ts';
import { amountText } from '../../../domain/costs/report/amount.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import type { Budget, PrismaClient } from '../../../generated/prisma/client.ts';
import { readDeckNames } from '../names.ts';
import { unknownTenant } from '../../auth/keys.ts';
import type { BudgetDocument, BudgetList, BudgetName, NewBudget } from './schemas.ts';
import { lockForTransaction } from '../../../platform/locks.ts';

/** All budgets. @param timezone IANA, of the accounting settings */
export async function listBudgets(db: PrismaClient, timezone: string, now: Date): Promise<BudgetList> {
  const [uses, pools] = await Promise.all([
    budgetUse(db, now, timezone),
    db.fleetPool.findMany({
      where: { budgetMessage: { not: null }, nextLookAt: { not: null } },
      orderBy: { name: 'asc' },
    }),
  ]);
  const held = pools.flatMap(({ name, budgetMessage }) =>
    budgetMessage === null ? [] : [{ pool: name, reason: budgetMessage }],
  );
  const byRule = Map.groupBy(uses, (use) => use.rule);
  const names = await readDeckNames(
    db,
    null,
    uses.flatMap(({ rule, subject }) => (rule.scope === 'document' ? [subject] : [])),
  );
  return { timezone, items: [...byRule].map(([rule, those]) => documentOf(rule, those, names)), held };
}

/**
 * Sets a budget. Of one that is there a cap that is not named stays, and `null` takes it away; a soft cap that is not named goes down with a
 * hard one below it.
 *
 * @throws DeckhandError `invalid_request`, `not_found` for a tenant that is not there
 */
export async function setBudget(db: PrismaClient, wish: NewBudget): Promise<void> {
  const { scope, period } = wish;
  const scopeId = scopeIdOf(wish);
  if (scope === 'tenant' && scopeId !== EACH_ONE && (await db.tenant.count({ where: { id: scopeId } })) === 0)
    throw unknownTenant(scopeId);
  await db.$transaction(async (tx) => {
    // Two who each set a cap of one budget both have theirs.
    await lockForTransaction(tx, 'budget rules');
    const name = { scope, scopeId, period };
    const there = await tx.budget.findUnique({ where: { scope_scopeId_period: name } });
    const rule: BudgetRule = { ...name, ...mergedCaps(wish, there) };
    const wrong = whyNoRule(rule);
    if (wrong !== null) throw refused(wrong);
    const caps = { softUsd: rule.softUsd?.toFixed() ?? null, hardUsd: rule.hardUsd?.toFixed() ?? null };
    await tx.budget.upsert({
      where: { scope_scopeId_period: name },
      create: { id: `${scope}/${scopeId}/${period}`, ...name, ...caps },
      update: { ...caps, updatedAt: new Date() },
    });
  });
}

function mergedCaps(wish: NewBudget, there: Budget | null): Pick<BudgetRule, 'softUsd' | 'hardUsd'> {
  const cap = (text: string | null | undefined, before: Budget['softUsd'] | undefined): Decimal | null => {
    const usd = text === undefined ? (before?.toFixed() ?? null) : text;
    return usd === null ? null : new Decimal(usd);
  };
  const hardUsd = cap(wish.hardUsd, there?.hardUsd);
  const softUsd = cap(wish.softUsd, there?.softUsd);
  const isAbove = wish.softUsd === undefined && hardUsd !== null && softUsd?.greaterThan(hardUsd) === true;
  return { hardUsd, softUsd: isAbove ? hardUsd : softUsd };
}

/** Removes a budget. @throws DeckhandError `not_found` */
export async function removeBudget(db: PrismaClient, name: BudgetName): Promise<void> {
  const { scope, period } = name;
  const { count } = await db.budget.deleteMany({ where: { scope, scopeId: scopeIdOf(name), period } });
  if (count > 0) return;
  throw new DeckhandError('not_found', `no budget ${scope}/${scopeIdOf(name)}/${period}`, {
    userMessage: 'There is no such budget.',
    hint: '`./deckhand budgets` lists them.',
  });
}

function scopeIdOf({ scope, tenant }: BudgetName): string {
  if (tenant !== undefined && scope !== 'tenant') throw refused('Only a budget of scope tenant may name a tenant.');
  return tenant ?? EACH_ONE;
}

const refused = (message: string): DeckhandError =>
  new DeckhandError('invalid_request', message, {
    userMessage: message,
    hint: 'For example: deckhand budgets set --scope installation --period day --soft 8 --hard 10',
  });

const documentOf = (
  { scope, scopeId, period, softUsd, hardUsd }: BudgetRule,
  uses: readonly BudgetUse[],
  names: ReadonlyMap<string, string>,
): BudgetDocument => ({
  scope,
  period,
  tenant: scopeId === EACH_ONE ? null : scopeId,
  softUsd: softUsd === null ? null : amountText(softUsd),
  hardUsd: hardUsd === null ? null : amountText(hardUsd),
  currency: 'USD',
  uses: uses.map(({ subject, window, spentUsd, reservedUsd, leftUsd, usedShare, level }) => ({
    subject,
    name: scope === 'document' ? (names.get(subject) ?? null) : null,
    from: instant(window.fromMs),
    until: instant(window.untilMs),
    spentUsd: amountText(spentUsd),
    reservedUsd: amountText(reservedUsd),
    leftUsd: amountText(leftUsd),
    usedShare,
    level,
  })),
});

const instant = (atMs: number): string | null => (Number.isFinite(atMs) ? new Date(atMs).toISOString() : null);
