/**
 * Whose open work buys nothing now: what caps of tenants, of documents and the installation's soft cap take out of the demand.
 *
 * Such work is not refused: it may run on machines that are there for others, and goes on by itself when its window is over or its cap is
 * raised.
 */
import { Decimal } from 'decimal.js';
import { levelOf, rulesFor } from '../../../domain/costs/budget/levels.ts';
import type { BudgetRule, TimeSpan } from '../../../domain/costs/budget/types.ts';
import { windowAt } from '../../../domain/costs/budget/windows.ts';
import { reachedWords } from '../../../domain/costs/budget/words.ts';
import { spentAndReserved } from '../../../domain/costs/budget/amounts.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { judgeReservations, windowsStart, type BillFacts } from './purse.ts';
import { readRules } from './rules.ts';
import { readSpending } from './spending.ts';
import { spentByDecks, spentByTenants, type SpentBy } from './spent-by.ts';

const ZERO = new Decimal(0);

/** See the file's header. */
export interface DemandLimits {
  /** Only work of priority 1 and 2 counts, whosever it is. */
  readonly urgentOnly: boolean;
  /** Of these only work of priority 1 and 2 counts. */
  readonly urgentTenants: readonly string[];
  readonly urgentDecks: readonly string[];
  /** Of these nothing counts. */
  readonly closedTenants: readonly string[];
  readonly closedDecks: readonly string[];
  /** Why, in sentences for people, by whom it concerns. */
  readonly reasons: readonly LimitReason[];
}

/** One cap that was reached. */
export interface LimitReason {
  readonly scope: BudgetRule['scope'];
  /** The tenant or deck; `*` for the installation. */
  readonly id: string;
  readonly level: 'soft' | 'hard';
  readonly message: string;
}

/** Without budgets everything counts. */
export const NO_LIMITS: DemandLimits = {
  urgentOnly: false,
  urgentTenants: [],
  urgentDecks: [],
  closedTenants: [],
  closedDecks: [],
  reasons: [],
};

/** What limits are worked out from. */
export interface LimitTerms {
  readonly bill: BillFacts;
  /** IANA. */
  readonly timezone: string;
  readonly now: Date;
}

/** The limits now. */
export const readLimits = async (db: PrismaClient, terms: LimitTerms): Promise<DemandLimits> =>
  limitsUnder(db, await readRules(db), terms);

/** The limits that these budgets set now. */
export async function limitsUnder(
  db: PrismaClient,
  rules: readonly BudgetRule[],
  { bill, timezone, now }: LimitTerms,
): Promise<DemandLimits> {
  if (rules.length === 0) return NO_LIMITS;
  const reasons = [
    ...(await ofInstallation(db, rules, bill, timezone, now)),
    ...(await ofTenants(db, rules, timezone, now)),
    ...(await ofDocuments(db, rules, timezone, now)),
  ];
  const ids = (scope: BudgetRule['scope'], level: 'soft' | 'hard'): string[] =>
    reasons.filter((r) => r.scope === scope && r.level === level).map((r) => r.id);
  return {
    urgentOnly: ids('installation', 'soft').length > 0,
    urgentTenants: ids('tenant', 'soft'),
    urgentDecks: ids('document', 'soft'),
    closedTenants: ids('tenant', 'hard'),
    closedDecks: ids('document', 'hard'),
    reasons,
  };
}

/**
 * Which analyses caps of tenants and documents are held against now: the same word for the same ones. Limits say nothing of work that was not
 * there when they were worked out.
 */
export async function workUnderWay(db: PrismaClient, rules: readonly BudgetRule[]): Promise<string> {
  if (rules.every(({ scope }) => scope === 'installation')) return '';
  const rows = await db.$queryRaw<{ readonly word: string | null }[]>`
    SELECT md5(string_agg(id, ' ' ORDER BY id)) AS word FROM "Analysis" WHERE status IN ('queued', 'running')`;
  return rows[0]?.word ?? '';
}

/** The installation's soft caps. Its hard ones are kept where something is bought. */
async function ofInstallation(
  db: PrismaClient,
  all: readonly BudgetRule[],
  bill: BillFacts,
  timezone: string,
  now: Date,
): Promise<LimitReason[]> {
  const nowMs = now.getTime();
  const rules = all.filter(({ scope, softUsd }) => scope === 'installation' && softUsd !== null);
  if (rules.length === 0) return [];
  const judged = (await judgeReservations(db, bill)).map(({ row }) => row);
  const spending = await readSpending(db, judged, windowsStart(rules, timezone, nowMs), nowMs);
  return rules.flatMap((rule) => {
    const window = windowAt(rule.period, nowMs, timezone);
    const { spentUsd } = spentAndReserved(spending, window, nowMs);
    if (levelOf({ ...rule, hardUsd: null }, spentUsd) === 'open') return [];
    const message = reachedWords(rule, 'soft', spentUsd, { window, timezone });
    return [{ scope: rule.scope, id: '*', level: 'soft' as const, message }];
  });
}

async function ofTenants(
  db: PrismaClient,
  all: readonly BudgetRule[],
  timezone: string,
  now: Date,
): Promise<LimitReason[]> {
  const rules = all.filter(({ scope }) => scope === 'tenant');
  if (rules.length === 0) return [];
  const rows = await db.analysis.groupBy({ by: ['tenantId'], where: { status: { in: ['queued', 'running'] } } });
  const tenants = rows.map((row) => row.tenantId);
  const windows = new Map(rules.map(({ period }) => [period, windowAt(period, now.getTime(), timezone)]));
  const spent = new Map<BudgetRule['period'], SpentBy>();
  for (const [period, window] of windows) spent.set(period, await spentByTenants(db, tenants, window, now));
  return tenants.flatMap((id) => worst(id, rulesFor(rules, 'tenant', id), { spent, windows, timezone }, { who: id }));
}

async function ofDocuments(
  db: PrismaClient,
  all: readonly BudgetRule[],
  timezone: string,
  now: Date,
): Promise<LimitReason[]> {
  const rules = all.filter(({ scope }) => scope === 'document');
  if (rules.length === 0) return [];
  const rows = await db.analysis.groupBy({ by: ['deckId'], where: { status: { in: ['queued', 'running'] } } });
  const decks = rows.map((row) => row.deckId);
  const spent = new Map([['document' as const, await spentByDecks(db, decks, now)]]);
  const windows = new Map([['document' as const, windowAt('document', now.getTime(), timezone)]]);
  return decks.flatMap((id) => worst(id, rulesFor(rules, 'document', id), { spent, windows, timezone }, { who: null }));
}

interface Spent {
  readonly spent: ReadonlyMap<BudgetRule['period'], SpentBy>;
  readonly windows: ReadonlyMap<BudgetRule['period'], TimeSpan>;
  readonly timezone: string;
}

/** The strictest of the caps that one tenant or deck has reached; none where it has reached none. */
function worst(
  id: string,
  rules: readonly BudgetRule[],
  { spent, windows, timezone }: Spent,
  { who }: { readonly who: string | null },
): LimitReason[] {
  const reached = rules.flatMap((rule): LimitReason[] => {
    const spentUsd = spent.get(rule.period)?.get(id);
    const window = windows.get(rule.period);
    if (window === undefined) return [];
    const usd = spentUsd ?? ZERO;
    const level = levelOf(rule, usd);
    if (level === 'open') return [];
    const message = reachedWords(rule, level, usd, { window, timezone, who });
    return [{ scope: rule.scope, id, level, message }];
  });
  return [...reached.filter((r) => r.level === 'hard'), ...reached].slice(0, 1);
}
