/**
 * Contradictions inside a deck: two sums asked for, two founding years, two values of one figure, totals that do not add up. Found by rules
 * over the words of all slides and the sum that was extracted; what may be rounding, a lower bound or another round is none.
 */
import { findMoney, parseAmount, type Money } from './money.ts';
import { statementsOf, type PageText, type Statement } from './statements.ts';
import { wrongTotals } from './totals.ts';

export const CONTRADICTION_KINDS = ['ask', 'founding_year', 'figure', 'total'] as const;
export type ContradictionKind = (typeof CONTRADICTION_KINDS)[number];

/** One of two statements that cannot both be right. */
export interface Side {
  readonly slide: number;
  /** Words of the slide. */
  readonly quote: string;
  /** The value as written; for the parts of a total their sum. */
  readonly value: string;
}

export interface Contradiction {
  readonly kind: ContradictionKind;
  /** What the two values are of: `customers`, `revenue 2025`, `TAM`; for other kinds the kind says it. */
  readonly subject: string;
  readonly first: Side;
  readonly second: Side;
}

/** An extracted sum with a quote that was verified. */
export interface VerifiedAsk {
  readonly slide: number;
  readonly quote: string;
  readonly value: string;
}

/** Most contradictions of a deck; a deck with more is read wrongly. */
export const MAX_CONTRADICTIONS = 10;
/** Values closer than this are the same figure, rounded. */
const ROUNDING = 0.06;

const near = (a: number, b: number): boolean => Math.abs(a - b) <= ROUNDING * Math.max(a, b);

function moneyAgrees(a: Money, b: Money): boolean {
  if (a.currency !== b.currency && a.currency !== null && b.currency !== null) return true;
  if (near(a.amount, b.amount)) return true;
  const inside = (range: Money, other: Money): boolean =>
    range.kind !== 'exact' && other.amount >= (range.minAmount ?? 0) && other.amount <= range.amount;
  return inside(a, b) || inside(b, a) || (a.minAmount !== null && b.kind !== 'exact');
}

/** True when both statements can be right. */
function agrees(a: Statement, b: Statement): boolean {
  const [low, high] = sizeOf(a) <= sizeOf(b) ? [a, b] : [b, a];
  if (low.atLeast) return true;
  if (a.money !== null && b.money !== null) return moneyAgrees(a.money, b.money);
  if (a.subject === 'founded' || a.subject === 'incorporated') return a.count === b.count;
  return near(sizeOf(low), sizeOf(high));
}

const sizeOf = ({ money, count }: Statement): number => money?.amount ?? count ?? 0;

/** The subject under which statements are compared; an ask without the name of a round agrees with any. */
const groupOf = ({ subject }: Statement): string => (subject.startsWith('ask') ? 'ask' : subject);
const sameRound = (a: Statement, b: Statement): boolean =>
  a.subject === b.subject || a.subject === 'ask' || b.subject === 'ask';

/** Of one slide only two sums asked for in different sentences can be compared; the extracted sum may quote both. */
const isApart = (a: Statement, b: Statement): boolean =>
  a.slide !== b.slide ||
  (a.subject === 'ask' && b.subject === 'ask' && !a.quote.includes(b.quote) && !b.quote.includes(a.quote));

function kindOf(subject: string): ContradictionKind {
  if (subject === 'ask') return 'ask';
  return subject === 'founded' || subject === 'incorporated' ? 'founding_year' : 'figure';
}

const sideOf = ({ slide, quote, value }: Statement): Side => ({ slide, quote, value });

function askOf({ slide, quote, value }: VerifiedAsk): Statement[] {
  const money = parseAmount(value);
  if (money === null || findMoney(quote).length !== 1) return [];
  return [{ subject: 'ask', slide, quote, value, money, count: null, atLeast: false }];
}

/** The first two of a list of which something holds. */
function firstPair<T>(all: readonly T[], holds: (first: T, second: T) => boolean): readonly [T, T] | undefined {
  for (const [index, first] of all.entries()) {
    const second = all.slice(index + 1).find((other) => holds(first, other));
    if (second !== undefined) return [first, second];
  }
  return undefined;
}

/**
 * Contradictions of a deck, by slide; at most ten.
 * @param pages text of the slides, blocks separated by blank lines
 * @param asks the extracted sum with each of its verified quotes
 */
export function findContradictions(pages: readonly PageText[], asks: readonly VerifiedAsk[] = []): Contradiction[] {
  const statements = [...statementsOf(pages), ...asks.flatMap(askOf)];
  const found: Contradiction[] = [];
  for (const subject of new Set(statements.map(groupOf))) {
    const said = statements.filter((one) => groupOf(one) === subject).toSorted((a, b) => a.slide - b.slide);
    const pair = firstPair(said, (a, b) => isApart(a, b) && sameRound(a, b) && !agrees(a, b));
    if (pair !== undefined)
      found.push({ kind: kindOf(subject), subject, first: sideOf(pair[0]), second: sideOf(pair[1]) });
  }
  const totals = wrongTotals(pages).map(({ slide, parts, sum, quote, total }): Contradiction => ({
    kind: 'total',
    subject: quote,
    first: { slide, quote: parts, value: sum },
    second: { slide, quote, value: total },
  }));
  return [...found, ...totals].toSorted((a, b) => a.first.slide - b.first.slide).slice(0, MAX_CONTRADICTIONS);
}
