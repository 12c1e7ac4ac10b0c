/**
 * Work for which no machine is bought now: what caps of tenants, caps of decks and the installation's soft cap take out of the demand.
 *
 * Such work is not refused. It may run on machines that run for other work, and machines are bought for it again when the window ends or the
 * cap is raised.
 */
import {
  BUDGET_SCOPES,
  EACH_ONE,
  levelOf,
  URGENT_PRIORITY,
  type BudgetRule,
} from '../../../domain/costs/budget/types.ts';
import { reachedWords } from '../../../domain/costs/budget/words.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { USUAL_BILLING, type BillingFacts } from './reservations.ts';
import { budgetUse, type BudgetUse } from './usage.ts';

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

/** The limits now. @param rules all budgets; read where left out */
export async function readLimits(
  db: PrismaClient,
  { bill, timezone, now }: LimitTerms,
  rules?: readonly BudgetRule[],
): Promise<DemandLimits> {
  const uses = await budgetUse(db, now, timezone, {
    ...(rules === undefined ? {} : { rules }),
    bill,
    onlyAtWork: true,
    // Hard caps of the installation are enforced where a machine is bought.
    isWanted: ({ scope, softUsd }) => scope !== 'installation' || softUsd !== null,
  });
  const reached = uses.flatMap((use) => reasonOf(use, timezone));
  const reasons = BUDGET_SCOPES.flatMap((scope) => {
    const ofScope = reached.filter((reason) => reason.scope === scope);
    return scope === 'installation' ? ofScope : [...Map.groupBy(ofScope, ({ id }) => id).values()].flatMap(strictest);
  });
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

/** The cap that a tenant, a deck or the installation has reached, if any. */
function reasonOf({ rule, subject: id, window, spentUsd }: BudgetUse, timezone: string): LimitReason[] {
  const { scope } = rule;
  // A budget without a subject now.
  if (scope !== 'installation' && id === EACH_ONE) return [];
  const level = levelOf(scope === 'installation' ? { ...rule, hardUsd: null } : rule, spentUsd);
  if (level === 'open') return [];
  const who = scope === 'tenant' ? id : null;
  return [{ scope, id, level, message: reachedWords(rule, level, spentUsd, { window, timezone, who }) }];
}

/** Of the caps that one tenant or deck has reached, one: a hard one, if there is one. */
const strictest = (reached: readonly LimitReason[]): LimitReason[] =>
  [...reached.filter(({ level }) => level === 'hard'), ...reached].slice(0, 1);

/**
 * A hash of the analyses that caps of tenants and decks apply to now. Limits that were computed for another set of analyses are out of date.
 */
export async function workUnderWay(db: PrismaClient, rules: readonly BudgetRule[]): Promise<string> {
  if (rules.every(({ scope }) => scope === 'installation')) return '';
  const rows = await db.$queryRaw<{ readonly word: string | null }[]>`
    SELECT md5(string_agg(id, ' ' ORDER BY id)) AS word FROM "Analysis" WHERE status IN ('queued', 'running')`;
  return rows[0]?.word ?? '';
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
