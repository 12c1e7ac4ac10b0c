/**
 * Decides whether hard caps allow more spending, and until when. Purchases and renewals both use this rule.
 *
 * A request is a set of claims that grows with its end time. It is allowed when, in every window of every hard cap, the settled amounts, the
 * existing claims and the requested claims together do not exceed the cap. Because every claim is an upper bound of the later charge, no
 * window is charged more than its cap.
 */
import { Decimal } from 'decimal.js';
import { allClaimedIn, allSettledIn, spentAndReserved } from './amounts.ts';
import type { BudgetRule, Claim, Spending, TimeSpan } from './types.ts';
import { windowAt, windowsOver } from './windows.ts';

/** The caps of an installation, and the spending that counts against them. */
export interface Caps {
  /** Budgets of the installation; other scopes do not limit purchases directly. */
  readonly rules: readonly BudgetRule[];
  readonly spending: Spending;
  /** IANA. */
  readonly timezone: string;
}

/** The requested claims for one cap. They differ by cap, because money for disks is set aside until the end of the cap's own window. */
export type Asked = (rule: BudgetRule) => readonly Claim[];

/** A cap that would be exceeded, with the amounts of its window. */
export interface Refusal {
  readonly rule: BudgetRule;
  readonly window: TimeSpan;
  readonly spentUsd: Decimal;
  readonly reservedUsd: Decimal;
  /** Left of the cap; never negative. */
  readonly leftUsd: Decimal;
  /** Requested in that window. */
  readonly askedUsd: Decimal;
}

const ZERO = new Decimal(0);

/** The first cap that the request would exceed, or null. @param nowMs separates spent from reserved amounts in the refusal */
export function whyRefused(caps: Caps, asked: Asked, nowMs: number): Refusal | null {
  for (const rule of caps.rules) {
    const { hardUsd } = rule;
    if (hardUsd === null || rule.scope !== 'installation') continue;
    const claims = asked(rule);
    for (const window of windowsOver(rule.period, spanOf(claims), caps.timezone)) {
      const askedUsd = allClaimedIn(claims, window);
      if (askedUsd.isZero() || usedIn(caps.spending, window).plus(askedUsd).lessThanOrEqualTo(hardUsd)) continue;
      const { spentUsd, reservedUsd } = spentAndReserved(caps.spending, window, nowMs);
      const leftUsd = Decimal.max(ZERO, hardUsd.minus(spentUsd).minus(reservedUsd));
      return { rule, window, spentUsd, reservedUsd, leftUsd, askedUsd };
    }
  }
  return null;
}

/**
 * The latest end time between `leastMs` and `mostMs` that the caps allow; null when they do not allow `leastMs`. Exact to the millisecond.
 */
export function allowedUntil(
  caps: Caps,
  ask: (untilMs: number) => Asked,
  leastMs: number,
  mostMs: number,
): number | null {
  const fits = (untilMs: number): boolean => whyRefused(caps, ask(untilMs), leastMs) === null;
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

/** How many later windows are checked. */
const WINDOWS_AHEAD = 3;

/**
 * When a purchase that is refused now would first be allowed: at the start of a later window of the cap that refuses it. Null = waiting does
 * not help, because the purchase does not fit into an empty window.
 *
 * @param buy the claims of the purchase made at that time
 */
export function allowedFrom(caps: Caps, buy: (atMs: number) => Asked, nowMs: number): number | null {
  let atMs = nowMs;
  for (let count = 0; count < WINDOWS_AHEAD; count++) {
    const refusal = whyRefused(caps, buy(atMs), atMs);
    if (refusal === null) return atMs;
    // A purchase late in a window may be refused by the next one.
    const { period } = refusal.rule;
    atMs = refusal.window.fromMs > atMs ? refusal.window.fromMs : windowAt(period, atMs, caps.timezone).untilMs;
    if (!Number.isFinite(atMs)) return null;
  }
  return whyRefused(caps, buy(atMs), atMs) === null ? atMs : null;
}

/** Sums per window, cached because a search for an end time needs the same ones repeatedly. */
const sums = new WeakMap<Spending, Map<string, Decimal>>();

function usedIn(spending: Spending, window: TimeSpan): Decimal {
  const known = sums.get(spending) ?? new Map<string, Decimal>();
  sums.set(spending, known);
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
