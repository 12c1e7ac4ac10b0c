/** What hard caps allow, until when, and from when on. */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedFrom, allowedUntil, whyRefused, type Caps } from '../../../../domain/costs/budget/allowance.ts';
import { allClaimedIn, allSettledIn } from '../../../../domain/costs/budget/amounts.ts';
import {
  levelOf,
  rulesFor,
  whyNoRule,
  type BudgetPeriod,
  type BudgetRule,
  type Claim,
} from '../../../../domain/costs/budget/types.ts';
import { refusalWords } from '../../../../domain/costs/budget/words.ts';
import { windowsOver } from '../../../../domain/costs/budget/windows.ts';
import { assertProperty } from '../../../../testing/property.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-06-10T12:00:00Z');

const rule = (period: BudgetPeriod, hardUsd: number, changes: Partial<BudgetRule> = {}): BudgetRule => ({
  scope: 'installation',
  scopeId: '*',
  period,
  softUsd: null,
  hardUsd: new Decimal(hardUsd),
  ...changes,
});
const claim = (fromMs: number, untilMs: number, usdPerHour = 2): Claim => ({
  usdPerHour: new Decimal(usdPerHour),
  fromMs,
  untilMs,
});
const caps = (rules: readonly BudgetRule[], claims: readonly Claim[] = []): Caps => ({
  rules,
  timezone: 'UTC',
  spending: { settled: [], claims },
});

describe('a cap', () => {
  it('is reached to the last millisecond and not exceeded by one', () => {
    const given = caps([rule('hour', 1)]);
    const until = allowedUntil(given, (untilMs) => () => [claim(NOON, untilMs)], NOON + 1, NOON + HOUR_MS);
    expect(until).toBe(NOON + HOUR_MS / 2);
    expect(whyRefused(given, () => [claim(NOON, NOON + HOUR_MS / 2 + 1)], NOON)).not.toBeNull();
  });

  it('of tenants or documents does not cap what is bought', () => {
    const rules = [rule('day', 0, { scope: 'tenant' }), rule('document', 0, { scope: 'document' })];
    expect(whyRefused(caps(rules), () => [claim(NOON, NOON + HOUR_MS)], NOON)).toBeNull();
  });

  it('of nothing allows nothing', () => {
    expect(whyRefused(caps([rule('month', 0)]), () => [claim(NOON, NOON + 1)], NOON)).not.toBeNull();
  });

  it('says in words what is spent, reserved and left, when it goes on and who changes it', () => {
    const busy = claim(NOON - HOUR_MS / 2, NOON + HOUR_MS / 4);
    const given = caps([rule('day', 2)], [busy]);
    const ask = (atMs: number) => () => [claim(atMs, atMs + HOUR_MS / 2)];
    const refusal = whyRefused(given, ask(NOON), NOON);
    expect(refusal).not.toBeNull();
    const freesAtMs = allowedFrom(given, ask, NOON);
    expect(freesAtMs).toBe(Date.parse('2026-06-11T00:00:00Z'));
    if (refusal !== null)
      expect(refusalWords(refusal, freesAtMs, 'Europe/Berlin')).toBe(
        'No machine is bought: the hard cap of $2.00 for today would be exceeded ($1.00 spent, $0.5000 reserved for running machines, $0.5000 left, $1.00 needed for one more). Buying resumes at 2026-06-11 02:00 Europe/Berlin, or when an operator raises the cap (deckhand budgets set --scope installation --period day --hard USD).',
      );
  });

  it('that no fresh window meets names no time', () => {
    expect(allowedFrom(caps([rule('hour', 0.1)]), (atMs) => () => [claim(atMs, atMs + HOUR_MS)], NOON)).toBeNull();
  });
});

const claims = fc.array(
  fc
    .tuple(fc.integer({ min: -48, max: 48 }), fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 500 }))
    .map(([hours, minutes, cents]) =>
      claim(NOON + hours * HOUR_MS, NOON + hours * HOUR_MS + minutes * 60_000, cents / 100),
    ),
  { maxLength: 12 },
);

it('what is allowed exceeds no window, and a millisecond more exceeds one', () => {
  assertProperty(
    fc.property(
      claims,
      fc.array(fc.tuple(fc.constantFrom('hour', 'day', 'month'), fc.integer({ min: 0, max: 2000 })), { maxLength: 3 }),
      fc.integer({ min: 1, max: 50 * 3600 }),
      (there, given, seconds) => {
        const rules = given.map(([period, cents]) => rule(period, cents / 100));
        const tested = caps(rules, there);
        const used = (until: number): boolean =>
          rules.every(({ period, hardUsd }) =>
            windowsOver(period, { fromMs: NOON, untilMs: until }, 'UTC').every((window) =>
              allClaimedIn([...there, claim(NOON, until)], window).lessThanOrEqualTo(hardUsd ?? 0),
            ),
          );
        const mostMs = NOON + seconds * 1000;
        const until = allowedUntil(tested, (untilMs) => () => [claim(NOON, untilMs)], NOON + 1, mostMs);
        if (until === null) {
          expect(used(NOON + 1)).toBe(false);
          return;
        }
        expect(used(until)).toBe(true);
        if (until < mostMs) expect(used(until + 1)).toBe(false);
      },
    ),
  );
});

it('settled money falls into windows by its time, whatever the windows', () => {
  assertProperty(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 9999 }), (minutes, cents) => {
      const fromMs = NOON - 20 * 60_000;
      const untilMs = fromMs + minutes * 60_000;
      const settled = [{ usd: new Decimal(cents).dividedBy(100), fromMs, untilMs }];
      const parts = windowsOver('hour', { fromMs, untilMs }, 'UTC').map((window) => allSettledIn(settled, window));
      const sum = parts.reduce((total, part) => total.plus(part), new Decimal(0));
      expect(sum.minus(new Decimal(cents).dividedBy(100)).abs().toNumber()).toBeLessThan(1e-12);
    }),
  );
});

describe('levels', () => {
  const both = rule('day', 10, { softUsd: new Decimal(8) });
  it.each([
    [7.99, 'open'],
    [8, 'soft'],
    [9.99, 'soft'],
    [10, 'hard'],
  ])('$%d spent is %s', (usd, level) => expect(levelOf(both, new Decimal(usd))).toBe(level));

  it("a tenant's own rule stands in the place of each one's, period by period", () => {
    const each = (period: BudgetPeriod) => rule(period, 1, { scope: 'tenant' });
    const own = rule('day', 5, { scope: 'tenant', scopeId: 'acme' });
    const rules = [each('day'), each('month'), own, rule('day', 9)];
    expect(rulesFor(rules, 'tenant', 'acme')).toEqual([own, each('month')]);
    expect(rulesFor(rules, 'tenant', 'other')).toEqual([each('day'), each('month')]);
  });

  it('a rule that makes sense is accepted', () => expect(whyNoRule(both)).toBeNull());
});
