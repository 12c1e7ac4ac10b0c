/**
 * How much of every budget is used: for the API, alerts and metrics.
 */
import { Decimal } from 'decimal.js';
import { spentAndReserved } from '../../../domain/costs/budget/amounts.ts';
import {
  EACH_ONE,
  levelOf,
  rulesFor,
  type BudgetLevel,
  type BudgetRule,
  type TimeSpan,
} from '../../../domain/costs/budget/types.ts';
import { windowAt } from '../../../domain/costs/budget/windows.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { currentReservations, USUAL_BILLING, windowsStart } from './reservations.ts';
import { readRules, readSpending, spentByDecks, spentByTenants } from './spending.ts';

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

/**
 * Every budget with its use. A budget for each tenant is listed once per tenant, a budget for each deck once per deck with a running
 * analysis; where there is no subject it is listed once with nothing spent.
 *
 * @param timezone IANA, of the accounting settings
 * @param wanted selects the budgets; all by default
 */
export async function budgetUse(
  db: PrismaClient | Prisma.TransactionClient,
  now: Date,
  timezone: string,
  wanted: (rule: BudgetRule) => boolean = () => true,
): Promise<BudgetUse[]> {
  const rules = await readRules(db);
  if (rules.length === 0) return [];
  const nowMs = now.getTime();
  const uses: BudgetUse[] = [];
  const current = (await currentReservations(db, USUAL_BILLING)).map(({ row }) => row);
  const ofAll = rules.filter((rule) => rule.scope === 'installation');
  const spending = await readSpending(db, current, windowsStart(ofAll, timezone, nowMs), nowMs);
  const tenants = (await db.tenant.findMany({ select: { id: true }, orderBy: { id: 'asc' } })).map((t) => t.id);
  const running = await db.analysis.groupBy({ by: ['deckId'], where: { status: { in: ['queued', 'running'] } } });
  const decks = running.map((row) => row.deckId);
  for (const rule of rules.filter(wanted)) {
    const window = windowAt(rule.period, nowMs, timezone);
    switch (rule.scope) {
      case 'installation': {
        const { spentUsd, reservedUsd } = spentAndReserved(spending, window, nowMs);
        uses.push(useOf(rule, EACH_ONE, window, spentUsd, reservedUsd));
        break;
      }
      case 'tenant': {
        const those = subjectsOf(rules, rule, tenants);
        const spent = await spentByTenants(db, those, window, now);
        uses.push(...listed(those).map((id) => useOf(rule, id, window, spent.get(id) ?? ZERO, ZERO)));
        break;
      }
      case 'document': {
        const those = subjectsOf(rules, rule, decks);
        const spent = await spentByDecks(db, those, now);
        uses.push(...listed(those).map((id) => useOf(rule, id, window, spent.get(id) ?? ZERO, ZERO)));
        break;
      }
      default:
        rule.scope satisfies never;
    }
  }
  return uses;
}

/** The subjects that a rule applies to. */
const subjectsOf = (rules: readonly BudgetRule[], rule: BudgetRule, all: readonly string[]): string[] =>
  all.filter((id) => rulesFor(rules, rule.scope, id).includes(rule));

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
