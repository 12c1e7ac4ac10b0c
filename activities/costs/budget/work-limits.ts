/**
 * Work for which no machine is bought now: what caps of tenants, caps of decks and the installation's soft cap take out of the demand.
 *
 * Such work is not refused. It may run on machines that run for other work, and machines are bought for it again when the window ends or the
 * cap is raised.
 */
import { Decimal } from 'decimal.js';
import {
  levelOf,
  rulesFor,
  URGENT_PRIORITY,
  type BudgetRule,
  type TimeSpan,
} from '../../../domain/costs/budget/types.ts';
import { windowAt } from '../../../domain/costs/budget/windows.ts';
import { reachedWords } from '../../../domain/costs/budget/words.ts';
import { spentAndReserved } from '../../../domain/costs/budget/amounts.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { currentReservations, USUAL_BILLING, windowsStart, type BillingFacts } from './reservations.ts';
import { readRules, readSpending, spentByDecks, spentByTenants, type SpentBy } from './spending.ts';

const ZERO = new Decimal(0);

/** Work that counts as no demand, or only while it is urgent. */
export interface DemandLimits {
  /** Only work of priority 1 and 2 counts, of any tenant. */
  readonly urgentOnly: boolean;
  /** For these only work of priority 1 and 2 counts. */
  readonly urgentTenants: readonly string[];
  readonly urgentDecks: readonly string[];
  /** For these no work counts. */
  readonly closedTenants: readonly string[];
  readonly closedDecks: readonly string[];
  /** Why, in sentences for people. */
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

/** Without budgets all work counts. */
export const NO_LIMITS: DemandLimits = {
  urgentOnly: false,
  urgentTenants: [],
  urgentDecks: [],
  closedTenants: [],
  closedDecks: [],
  reasons: [],
};

/** What limits are computed from. */
export interface LimitTerms {
  readonly bill: BillingFacts;
  /** IANA. */
  readonly timezone: string;
  readonly now: Date;
}

/** The limits of all budgets now. */
export const readLimits = async (db: PrismaClient, terms: LimitTerms): Promise<DemandLimits> =>
  limitsUnder(db, await readRules(db), terms);

/** The limits of these budgets now. */
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
 * A hash of the analyses that caps of tenants and decks apply to now. Limits that were computed for another set of analyses are out of date.
 */
export async function workUnderWay(db: PrismaClient, rules: readonly BudgetRule[]): Promise<string> {
  if (rules.every(({ scope }) => scope === 'installation')) return '';
  const rows = await db.$queryRaw<{ readonly word: string | null }[]>`
    SELECT md5(string_agg(id, ' ' ORDER BY id)) AS word FROM "Analysis" WHERE status IN ('queued', 'running')`;
  return rows[0]?.word ?? '';
}

/** The installation's soft caps. Its hard caps are enforced where a machine is bought. */
async function ofInstallation(
  db: PrismaClient,
  all: readonly BudgetRule[],
  bill: BillingFacts,
  timezone: string,
  now: Date,
): Promise<LimitReason[]> {
  const nowMs = now.getTime();
  const rules = all.filter(({ scope, softUsd }) => scope === 'installation' && softUsd !== null);
  if (rules.length === 0) return [];
  const current = (await currentReservations(db, bill)).map(({ row }) => row);
  const spending = await readSpending(db, current, windowsStart(rules, timezone, nowMs), nowMs);
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

/** The strictest cap that one tenant or deck has reached, if any. */
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

/**
 * The cap that keeps machines from being bought for one analysis: of its tenant, of its deck, or a soft cap of the installation that its
 * priority does not pass. Null = none. Caps of other tenants are not named.
 *
 * @param timezone IANA
 */
export async function deckCap(
  db: PrismaClient,
  analysisId: string,
  timezone: string,
  now: Date,
): Promise<string | null> {
  const analysis = await db.analysis.findUnique({
    where: { id: analysisId },
    select: { tenantId: true, deckId: true, priority: true },
  });
  if (analysis === null) return null;
  const { reasons } = await readLimits(db, { bill: USUAL_BILLING, timezone, now });
  const ids = { document: analysis.deckId, tenant: analysis.tenantId, installation: '*' } as const;
  const isUrgent = analysis.priority <= URGENT_PRIORITY;
  const concerning = reasons.filter(({ scope, id, level }) => id === ids[scope] && (level === 'hard' || !isUrgent));
  return (concerning.find(({ level }) => level === 'hard') ?? concerning[0])?.message ?? null;
}
