/** How much of every budget is used: for the API, alerts and metrics. */
import { Decimal } from 'decimal.js';
import { spentAndReserved } from '../../../domain/costs/budget/amounts.ts';
import {
  EACH_ONE,
  levelOf,
  rulesFor,
  type BudgetLevel,
  type BudgetRule,
  type Spending,
  type TimeSpan,
} from '../../../domain/costs/budget/types.ts';
import { windowAt } from '../../../domain/costs/budget/windows.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db.ts';
import { currentReservations, USUAL_BILLING, windowsStart, type BillingFacts } from './reservations.ts';
import { readRules, readSpending, spentByDecks, spentByTenants, type SpentBy } from './spending.ts';

/** The use of a budget by one of its subjects. */
export interface BudgetUse {
  readonly rule: BudgetRule;
  /** Whose spending: `*` for the installation, a tenant, or a deck. */
  readonly subject: string;
  readonly window: TimeSpan;
  readonly spentUsd: Decimal;
  /** Reserved for existing machines and disks, from now until the end of the window; 0 for tenants and decks. */
  readonly reservedUsd: Decimal;
  /** Left of the hard cap, or of the soft cap where there is no hard cap; never negative. */
  readonly leftUsd: Decimal;
  /** Spent, as a share of the same cap; 1 = all. A cap of 0 counts as used up. */
  readonly usedShare: number;
  readonly level: BudgetLevel;
}

const ZERO = new Decimal(0);

/** Which budgets are looked at, and how. */
export interface UseOptions {
  /** All budgets, where they are read already. */
  readonly rules?: readonly BudgetRule[];
  /** Selects the budgets; all by default. */
  readonly isWanted?: (rule: BudgetRule) => boolean;
  readonly bill?: BillingFacts;
  /** True leaves out tenants without a running analysis. */
  readonly onlyAtWork?: boolean;
}

/**
 * Every budget with its use. A budget for each tenant is listed once per tenant, a budget for each deck once per deck with a running
 * analysis; where there is no subject it is listed once with nothing spent.
 *
 * @param timezone IANA, of the accounting settings
 */
export async function budgetUse(
  db: Transaction,
  now: Date,
  timezone: string,
  { rules: known, isWanted = () => true, bill = USUAL_BILLING, onlyAtWork = false }: UseOptions = {},
): Promise<BudgetUse[]> {
  const nowMs = now.getTime();
  const rules = known ?? (await readRules(db));
  const wanted = rules.filter(isWanted);
  const isOf = (scope: BudgetRule['scope']): boolean => wanted.some((rule) => rule.scope === scope);
  const running = { status: { in: ['queued', 'running'] } } satisfies Prisma.AnalysisWhereInput;
  const tenantsOf = async () =>
    onlyAtWork
      ? (await db.analysis.groupBy({ by: ['tenantId'], where: running })).map((row) => row.tenantId)
      : (await db.tenant.findMany({ select: { id: true }, orderBy: { id: 'asc' } })).map((row) => row.id);
  const decksOf = async () => (await db.analysis.groupBy({ by: ['deckId'], where: running })).map((row) => row.deckId);
  const subjects = {
    tenant: isOf('tenant') ? await tenantsOf() : [],
    document: isOf('document') ? await decksOf() : [],
  };
  const spending = isOf('installation') ? await spendingOfAll(db, rules, { bill, timezone, nowMs }) : null;
  /** By scope and period: several rules share a window. */
  const spent = new Map<string, SpentBy>();
  const uses: BudgetUse[] = [];
  for (const rule of wanted) {
    const { scope, period } = rule;
    const window = windowAt(period, nowMs, timezone);
    if (scope === 'installation') {
      if (spending === null) continue;
      const { spentUsd, reservedUsd } = spentAndReserved(spending, window, nowMs);
      uses.push(useOf(rule, EACH_ONE, window, spentUsd, reservedUsd));
      continue;
    }
    const all = subjects[scope];
    const key = `${scope}/${period}`;
    const by =
      spent.get(key) ??
      (scope === 'tenant' ? await spentByTenants(db, all, window, now) : await spentByDecks(db, all, now));
    spent.set(key, by);
    const those = listed(all.filter((id) => rulesFor(rules, scope, id).includes(rule)));
    uses.push(...those.map((id) => useOf(rule, id, window, by.get(id) ?? ZERO, ZERO)));
  }
  return uses;
}

/** What counts against the caps of the installation. */
async function spendingOfAll(
  db: Transaction,
  rules: readonly BudgetRule[],
  { bill, timezone, nowMs }: { readonly bill: BillingFacts; readonly timezone: string; readonly nowMs: number },
): Promise<Spending> {
  const current = (await currentReservations(db, bill)).map(({ row }) => row);
  const ofAll = rules.filter((rule) => rule.scope === 'installation');
  return readSpending(db, current, windowsStart(ofAll, timezone, nowMs), nowMs);
}

const listed = (subjects: readonly string[]): readonly string[] => (subjects.length === 0 ? [EACH_ONE] : subjects);

function useOf(
  rule: BudgetRule,
  subject: string,
  window: TimeSpan,
  spentUsd: Decimal,
  reservedUsd: Decimal,
): BudgetUse {
  const cap = rule.hardUsd ?? rule.softUsd ?? ZERO;
  return {
    rule,
    subject,
    window,
    spentUsd,
    reservedUsd,
    leftUsd: Decimal.max(ZERO, cap.minus(spentUsd).minus(reservedUsd)),
    usedShare: cap.isZero() ? 1 : spentUsd.dividedBy(cap).toNumber(),
    level: levelOf(rule, spentUsd),
  };
}
