/** Budgets: what hard caps allow and until when, their windows, what they say, and how a terminal shows them. */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BudgetTerms } from '../../../../activities/costs/budget/reservation-terms.ts';
import type { BudgetDocument, BudgetList } from '../../../../api/client.ts';
import { renderBudgets } from '../../../../cli/costs/budget-table.ts';
import { AZURE } from '../../../../clouds/azure/provider.ts';
import { GOOGLE } from '../../../../clouds/google/provider.ts';
import { allowedFrom, allowedUntil, type Caps, whyRefused } from '../../../../domain/costs/budget/allowance.ts';
import { allClaimedIn, allSettledIn } from '../../../../domain/costs/budget/amounts.ts';
import {
  type BudgetPeriod,
  type BudgetRule,
  type Claim,
  EACH_ONE,
  levelOf,
  rulesFor,
  whyNoRule,
} from '../../../../domain/costs/budget/types.ts';
import { windowAt, windowsOver } from '../../../../domain/costs/budget/windows.ts';
import { reachedWords, refusalWords } from '../../../../domain/costs/budget/words.ts';
import { endpointSchema } from '../../../../domain/fleet/pool/endpoint-config.ts';
import { cautious, HOURS_PER_MONTH } from '../../../../domain/fleet/provider/billing.ts';
import { forAll } from '../../../../testing/property.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-06-10T12:00:00Z');

const rule = (period: BudgetPeriod, hardUsd: number, changes: Partial<BudgetRule> = {}): BudgetRule => ({
  scope: 'installation',
  scopeId: EACH_ONE,
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

it('a cap is reached to the last millisecond and not exceeded by one', () => {
  const given = caps([rule('hour', 1)]);
  const until = allowedUntil(given, (untilMs) => () => [claim(NOON, untilMs)], NOON + 1, NOON + HOUR_MS);
  expect(until).toBe(NOON + HOUR_MS / 2);
  expect(whyRefused(given, () => [claim(NOON, NOON + HOUR_MS / 2 + 1)], NOON)).not.toBeNull();
});

it('a cap of tenants or documents does not cap what is bought', () => {
  const rules = [rule('day', 0, { scope: 'tenant' }), rule('document', 0, { scope: 'document' })];
  expect(whyRefused(caps(rules), () => [claim(NOON, NOON + HOUR_MS)], NOON)).toBeNull();
});

it('a cap of nothing allows nothing', () =>
  expect(whyRefused(caps([rule('month', 0)]), () => [claim(NOON, NOON + 1)], NOON)).not.toBeNull());

it('a cap says in words what is spent, reserved and left, when it goes on and who changes it', () => {
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

it('a cap that no fresh window meets names no time', () =>
  expect(allowedFrom(caps([rule('hour', 0.1)]), (atMs) => () => [claim(atMs, atMs + HOUR_MS)], NOON)).toBeNull());

const claims = fc.array(
  fc
    .tuple(fc.integer({ min: -48, max: 48 }), fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 500 }))
    .map(([hours, minutes, cents]) =>
      claim(NOON + hours * HOUR_MS, NOON + hours * HOUR_MS + minutes * 60_000, cents / 100),
    ),
  { maxLength: 12 },
);

it('what is allowed exceeds no window, and a millisecond more exceeds one', () => {
  const limit = fc.tuple(fc.constantFrom('hour', 'day', 'month'), fc.integer({ min: 0, max: 2000 }));
  const seconds = fc.integer({ min: 1, max: 50 * 3600 });
  return forAll([claims, fc.array(limit, { maxLength: 3 }), seconds], (there, limits, most) => {
    const rules = limits.map(([period, cents]) => rule(period, cents / 100));
    const used = (until: number): boolean =>
      rules.every(({ period, hardUsd }) =>
        windowsOver(period, { fromMs: NOON, untilMs: until }, 'UTC').every((window) =>
          allClaimedIn([...there, claim(NOON, until)], window).lessThanOrEqualTo(hardUsd ?? 0),
        ),
      );
    const mostMs = NOON + most * 1000;
    const until = allowedUntil(caps(rules, there), (untilMs) => () => [claim(NOON, untilMs)], NOON + 1, mostMs);
    if (until === null) return expect(used(NOON + 1)).toBe(false);
    expect(used(until)).toBe(true);
    if (until < mostMs) expect(used(until + 1)).toBe(false);
  });
});

it('settled money falls into windows by its time, whatever the windows', () =>
  forAll([fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 9999 })], (minutes, cents) => {
    const fromMs = NOON - 20 * 60_000;
    const untilMs = fromMs + minutes * 60_000;
    const settled = [{ usd: new Decimal(cents).dividedBy(100), fromMs, untilMs }];
    const parts = windowsOver('hour', { fromMs, untilMs }, 'UTC').map((window) => allSettledIn(settled, window));
    const sum = parts.reduce((total, part) => total.plus(part), new Decimal(0));
    expect(sum.minus(new Decimal(cents).dividedBy(100)).abs().toNumber()).toBeLessThan(1e-12);
  }));

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
});

// Windows of budgets: one after the other without a gap, as long as the calendar says.
const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
const instant = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2028, 0, 1) });

it('a window holds its instant, and the next one begins where it ends', () =>
  forAll([instant, fc.constantFrom(...ZONES), fc.constantFrom('hour', 'day', 'month')], (atMs, zone, period) => {
    const window = windowAt(period, atMs, zone);
    expect(window.fromMs).toBeLessThanOrEqual(atMs);
    expect(window.untilMs).toBeGreaterThan(atMs);
    expect(windowAt(period, window.untilMs, zone).fromMs).toBe(window.untilMs);
    expect(windowAt(period, window.fromMs - 1, zone).untilMs).toBe(window.fromMs);
  }));

it.each([
  ['the day clocks go forward', '2026-03-29T12:00Z', 23],
  ['the day clocks go back', '2026-10-25T12:00Z', 25],
  ['any other day', '2026-06-10T12:00Z', 24],
])('a window is as long as %s in Berlin', (_, at, hours) => {
  const { fromMs, untilMs } = windowAt('day', Date.parse(at), 'Europe/Berlin');
  expect((untilMs - fromMs) / HOUR_MS).toBe(hours);
});

it('a window of a month begins on its first day of the zone', () => {
  const { fromMs, untilMs } = windowAt('month', Date.parse('2026-03-31T23:30:00Z'), 'Europe/Berlin');
  expect(new Date(fromMs).toISOString()).toBe('2026-03-31T22:00:00.000Z');
  expect(new Date(untilMs).toISOString()).toBe('2026-04-30T22:00:00.000Z');
});

it('a window of a document is all of time', () => {
  const { fromMs, untilMs } = windowAt('document', Date.now(), 'UTC');
  expect([fromMs, untilMs]).toEqual([-Infinity, Infinity]);
});

it('a span touches each of its windows once', () =>
  forAll([instant, fc.integer({ min: 0, max: 100 * HOUR_MS }), fc.constantFrom(...ZONES)], (fromMs, ms, zone) => {
    const windows = windowsOver('day', { fromMs, untilMs: fromMs + ms }, zone);
    if (ms === 0) {
      expect(windows).toEqual([]);
      return;
    }
    expect(windows[0]?.fromMs).toBeLessThanOrEqual(fromMs);
    expect(windows.at(-1)?.untilMs).toBeGreaterThanOrEqual(fromMs + ms);
    windows.slice(1).forEach((window, i) => expect(window.fromMs).toBe(windows[i]?.untilMs));
  }));

// What budgets say, each sentence once. Other tests look for the figures in them.
const TIMEZONE = 'Europe/Berlin';
const day = { fromMs: Date.parse('2026-06-09T22:00Z'), untilMs: Date.parse('2026-06-10T22:00Z') };
const forEver = { fromMs: -Infinity, untilMs: Infinity };

const dayRule = (changes: Partial<BudgetRule> = {}): BudgetRule =>
  rule('day', 50, { softUsd: new Decimal(5), ...changes });

it('a cap that is reached: which, of whom, when it goes on, and who can raise it', async () => {
  const spent = new Decimal('5.123');
  const tenant = dayRule({ scope: 'tenant', scopeId: 'acme', period: 'month' });
  const document = dayRule({ scope: 'document', period: 'document', hardUsd: new Decimal('0.1') });
  const sentences = [
    reachedWords(dayRule(), 'soft', spent, { window: day, timezone: TIMEZONE }),
    reachedWords(dayRule({ period: 'hour' }), 'hard', spent, { window: day, timezone: TIMEZONE }),
    reachedWords(tenant, 'soft', spent, { window: day, timezone: TIMEZONE, who: 'acme' }),
    reachedWords(document, 'hard', new Decimal('0.12'), { window: forEver, timezone: TIMEZONE }),
  ];
  await expect(sentences.join('\n')).toMatchFileSnapshot('snapshots/reached.txt');
});

it('a purchase that a cap refuses', async () => {
  const refusal = {
    rule: dayRule({ hardUsd: new Decimal(10) }),
    window: day,
    spentUsd: new Decimal(4),
    reservedUsd: new Decimal(3),
    leftUsd: new Decimal(3),
    askedUsd: new Decimal('3.5'),
  };
  const sentences = [day.untilMs, null].map((freesAtMs) => refusalWords(refusal, freesAtMs, TIMEZONE));
  await expect(sentences.join('\n')).toMatchFileSnapshot('snapshots/refused.txt');
});

it('a budget that means nothing', async () => {
  const none = { softUsd: null, hardUsd: null };
  const sentences = [
    dayRule({ period: 'document' }),
    dayRule({ scope: 'document' }),
    dayRule({ scopeId: 'acme' }),
    dayRule(none),
    dayRule({ hardUsd: new Decimal(-1) }),
    dayRule({ softUsd: new Decimal(60) }),
  ].map(whyNoRule);
  expect(sentences).not.toContain(null);
  await expect(sentences.join('\n')).toMatchFileSnapshot('snapshots/no-rule.txt');
  expect(whyNoRule(dayRule())).toBeNull();
});

// Budgets in a terminal: a bar of what is spent and reserved, of the width there is.
const use = (changes: Partial<BudgetDocument['uses'][number]> = {}): BudgetDocument['uses'][number] => ({
  subject: '*',
  name: null,
  from: '2026-06-09T22:00:00.000Z',
  until: '2026-06-10T22:00:00.000Z',
  spentUsd: '4',
  reservedUsd: '2',
  leftUsd: '4',
  usedShare: 0.4,
  level: 'open',
  ...changes,
});
const list = (changes: Partial<BudgetDocument> = {}, held: BudgetList['held'] = []): BudgetList => ({
  timezone: 'Europe/Berlin',
  items: [
    {
      scope: 'installation',
      period: 'day',
      tenant: null,
      softUsd: '8',
      hardUsd: '10',
      currency: 'USD',
      uses: [use()],
      ...changes,
    },
  ],
  held,
});
const plain = { colours: false, width: 60 };

it('says whose it is, its caps, until when, and draws what is spent, reserved and left', async () => {
  const text = renderBudgets(list({}, [{ pool: 'visual', reason: 'no money' }]), plain);
  await expect(text).toMatchFileSnapshot('snapshots/budgets.txt');
  expect(text).toContain('██████▒▒░░░┊░░');
});

it('names each tenant, and why pools buy nothing', () => {
  const uses = [use({ subject: 'acme', reservedUsd: '0', spentUsd: '10', leftUsd: '0', level: 'hard' })];
  const held = [{ pool: 'visual', reason: 'no\u001B[31m money' }];
  const text = renderBudgets(list({ scope: 'tenant', uses }, held), plain);
  expect(text).toContain('each tenant per day');
  expect(text).toMatch(/ {2}acme █+ {2}\$10\.00 spent, \$0\.00 left/u);
  expect(text).toContain('visual: no [31m money');
});

it('says how to set one when there is none', async () => {
  const none = renderBudgets({ timezone: 'UTC', items: [], held: [] }, plain);
  await expect(none).toMatchFileSnapshot('snapshots/no-budgets.txt');
});

it('a cap of nothing is a full bar, and the terminal may be narrow', () => {
  const uses = [use({ spentUsd: '0', reservedUsd: '0' })];
  const text = renderBudgets(list({ hardUsd: '0', softUsd: null, uses }), { ...plain, width: 10 });
  expect(text).toContain('██████████  $0.00 spent');
});

it('names a deck by its file, and by its id where the deck is gone', () => {
  const uses = [use({ subject: '0b7d', name: 'pitch.pdf' }), use({ subject: '1c8e', name: null })];
  const text = renderBudgets(list({ scope: 'document', period: 'document', uses }), plain);
  expect(text).toMatch(/ {2}pitch\.pdf █/u);
  expect(text).not.toContain('0b7d');
  expect(text).toMatch(/ {2}1c8e █/u);
});

it('a disk is reserved with what else its machine costs while it is stopped, at the dearest provider; a replica has none', () => {
  const terms = new BudgetTerms({
    capabilities: cautious([GOOGLE.capabilities, AZURE.capabilities]),
    accounting: { reserveMs: HOUR_MS, timezone: 'UTC' },
  });
  const diskUsdPerHour = (pool: Parameters<BudgetTerms['purchase']>[0]) =>
    terms.purchase(pool, 2, null).diskUsdPerHour.toNumber();
  expect(diskUsdPerHour({ osVolumeGib: 73, endpoint: undefined })).toBeCloseTo((73 * 0.2) / HOURS_PER_MONTH + 0.005, 9);
  const endpoint = endpointSchema.parse({ url: 'http://127.0.0.1:9' });
  expect(diskUsdPerHour({ osVolumeGib: 73, endpoint })).toBe(0);
});
