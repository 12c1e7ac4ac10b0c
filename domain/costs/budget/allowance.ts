/**
 * Whether hard caps allow more spending, and until when: the one rule behind buying and going on.
 *
 * What is asked for is a set of claims that grows with the time until which it lasts. It is allowed when in every window of every hard cap
 * what is settled, what is claimed already and what is asked for come to no more than the cap. As long as every claim is an upper bound
 * of what is charged later, no window is charged more than its cap.
 */
import { Decimal } from 'decimal.js';
import { allClaimedIn, allSettledIn, spentAndReserved } from './amounts.ts';
import type { BudgetRule, Claim, Spending, TimeSpan } from './types.ts';
import { windowAt, windowsOver } from './windows.ts';

/** What caps are held against. */
export interface Purse {
  /** Budgets of the installation; others do not cap what is bought. */
  readonly rules: readonly BudgetRule[];
  readonly spending: Spending;
  /** IANA. */
  readonly timezone: string;
}

/** Claims that would come on top. One cap may ask for more than another: room is left for disks until the end of its own window. */
export type Asked = (rule: BudgetRule) => readonly Claim[];

/** A cap that would be exceeded, with the figures of its window. */
export interface Refusal {
  readonly rule: BudgetRule;
  readonly window: TimeSpan;
  readonly spentUsd: Decimal;
  readonly reservedUsd: Decimal;
  /** Of the cap; never negative. */
  readonly leftUsd: Decimal;
  /** What was asked for in that window. */
  readonly askedUsd: Decimal;
}

const ZERO = new Decimal(0);

/** The first cap that claims would exceed, or null. @param nowMs divides what is spent from what is reserved in the refusal */
export function whyRefused(purse: Purse, asked: Asked, nowMs: number): Refusal | null {
  for (const rule of purse.rules) {
    const { hardUsd } = rule;
    if (hardUsd === null || rule.scope !== 'installation') continue;
    const claims = asked(rule);
    for (const window of windowsOver(rule.period, spanOf(claims), purse.timezone)) {
      const askedUsd = allClaimedIn(claims, window);
      if (askedUsd.isZero() || usedIn(purse.spending, window).plus(askedUsd).lessThanOrEqualTo(hardUsd)) continue;
      const { spentUsd, reservedUsd } = spentAndReserved(purse.spending, window, nowMs);
      const leftUsd = Decimal.max(ZERO, hardUsd.minus(spentUsd).minus(reservedUsd));
      return { rule, window, spentUsd, reservedUsd, leftUsd, askedUsd };
    }
  }
  return null;
}

/**
 * The latest time between `leastMs` and `mostMs` that the caps allow; null when they do not even allow `leastMs`. Exact to the millisecond.
 */
export function allowedUntil(
  purse: Purse,
  ask: (untilMs: number) => Asked,
  leastMs: number,
  mostMs: number,
): number | null {
  const fits = (untilMs: number): boolean => whyRefused(purse, ask(untilMs), leastMs) === null;
  if (fits(mostMs)) return mostMs;
  if (!fits(leastMs)) return null;
  let [allowed, refused] = [Math.ceil(leastMs), Math.floor(mostMs)];
  while (refused - allowed > 1) {
    const middle = Math.floor((allowed + refused) / 2);
    if (fits(middle)) allowed = middle;
    else refused = middle;
  }
  return allowed;
}

/** Windows that are looked at for room. */
const WINDOWS_AHEAD = 3;

/**
 * When a purchase that is refused now would first be allowed as things stand: at the beginning of a window of the cap that refuses it. Null
 * = not by waiting, because not even a fresh window holds it.
 *
 * @param buy the claims of the purchase made at that time
 */
export function allowedFrom(purse: Purse, buy: (atMs: number) => Asked, nowMs: number): number | null {
  let atMs = nowMs;
  for (let count = 0; count < WINDOWS_AHEAD; count++) {
    const refusal = whyRefused(purse, buy(atMs), atMs);
    if (refusal === null) return atMs;
    // A purchase late in a window may be refused by the next one.
    const { period } = refusal.rule;
    atMs = refusal.window.fromMs > atMs ? refusal.window.fromMs : windowAt(period, atMs, purse.timezone).untilMs;
    if (!Number.isFinite(atMs)) return null;
  }
  return whyRefused(purse, buy(atMs), atMs) === null ? atMs : null;
}

/** Sums over everything, once per window: a search for a time asks for the same ones again and again. */
const tallies = new WeakMap<Spending, Map<string, Decimal>>();

function usedIn(spending: Spending, window: TimeSpan): Decimal {
  const known = tallies.get(spending) ?? new Map<string, Decimal>();
  tallies.set(spending, known);
  const key = `${window.fromMs}/${window.untilMs}`;
  const used = known.get(key) ?? allSettledIn(spending.settled, window).plus(allClaimedIn(spending.claims, window));
  known.set(key, used);
  return used;
}

function spanOf(claims: readonly Claim[]): TimeSpan {
  const real = claims.filter((claim) => claim.untilMs > claim.fromMs);
  return {
    fromMs: Math.min(...real.map((claim) => claim.fromMs)),
    untilMs: Math.max(...real.map((claim) => claim.untilMs)),
  };
}
