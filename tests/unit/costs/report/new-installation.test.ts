/** Cost reports of an installation that has only just begun, and sentences that have to add up. */
import { describe, expect, it } from 'vitest';
import { dayChart } from '../../../../api/costs/charts.ts';
import { renderReportHtml } from '../../../../api/costs/report-html.ts';
import { renderReportMarkdown } from '../../../../api/costs/report-markdown.ts';
import { buildCostReport } from '../../../../domain/costs/report/build.ts';
import type { CostReport } from '../../../../domain/costs/report/document.ts';
import { parsePeriod } from '../../../../domain/costs/report/period.ts';
import type { RentalSpan } from '../../../../domain/costs/report/sums.ts';
import { balanceText, NO_TASK } from '../../../../domain/costs/report/words.ts';
import { NO_SUMS, someSums } from './fixture.ts';

const MINUTE_MS = 60_000;
const NOW_MS = Date.UTC(2026, 10, 22, 12);
const MONTH = parsePeriod('2026-11', 'UTC', NOW_MS);

const rentalFrom = (fromMs: number): RentalSpan => ({
  provider: 'simulated',
  resource: 'instance',
  pool: 'gpu',
  usdPerHour: '2',
  quantumSec: 600,
  refundsUnused: true,
  fromMs,
  untilMs: null,
});

describe('running all the time', () => {
  const alwaysOn = (firstEntryMs: number | null, rentedMs: number): number =>
    Number(
      buildCostReport({
        period: MONTH,
        scope: '*',
        sums: { ...NO_SUMS, firstEntryMs },
        rentals: [rentalFrom(rentedMs)],
        balances: [],
        nowMs: NOW_MS,
      }).alwaysOn?.usd,
    );

  it('counts from the first rental of an installation that is 45 minutes old', () => {
    const rentedMs = NOW_MS - 45 * MINUTE_MS;
    expect(alwaysOn(rentedMs, rentedMs)).toBeCloseTo(1.5, 9);
    // Nothing is settled yet.
    expect(alwaysOn(null, rentedMs)).toBeCloseTo(1.5, 9);
  });

  it('counts from the beginning of the period where something was rented before, and no further than now', () => {
    const hours = (NOW_MS - MONTH.fromMs) / (60 * MINUTE_MS);
    expect(alwaysOn(MONTH.fromMs - 1000, NOW_MS - 45 * MINUTE_MS)).toBeCloseTo(2 * hours, 6);
  });
});

describe('the balance against the ledger', () => {
  const told = (changes: Partial<CostReport['reconciliation'][number]>): string =>
    balanceText({
      provider: 'simulated',
      state: 'agrees',
      note: null,
      from: null,
      until: null,
      balanceBeforeUsd: '100',
      balanceAfterUsd: '99.472',
      topUpsUsd: '0',
      fellUsd: '0.528',
      ledgerUsd: '1.03',
      prepaidUsd: '-0.506',
      differenceUsd: '0.004',
      toleranceUsd: '0.01',
      ...changes,
    }) ?? '';

  it('names amounts that add up as they stand, and the difference that is left', () => {
    const amounts = [...told({}).matchAll(/\$(\d+\.\d+)/gu)].map((match) => Number(match[1]));
    const [fell = 0, ledger = 0, before = 0, all = 0, difference = 0, tolerance = 0] = amounts;
    expect(ledger - before).toBeCloseTo(all, 9);
    expect(fell - all).toBeCloseTo(difference, 9);
    expect(difference).toBeLessThanOrEqual(tolerance);
    expect(told({})).toContain('paid in advance before');
  });

  it('adds what is paid in advance, and leaves out what is zero', () => {
    const ahead = told({ prepaidUsd: '0.5', ledgerUsd: '0.028' });
    expect(ahead).toContain('$0.5000 more');
    expect(told({ prepaidUsd: '0' })).not.toContain('in advance');
    expect(told({})).not.toContain('paid in)');
  });

  it('says by how much they differ, and why that may be', () => {
    const differs = told({ state: 'differs', differenceUsd: '0.4', note: 'A price was higher.' });
    expect(differs).toContain('differ by $0.4000');
    expect(differs).toContain('A price was higher.');
  });
});

const chart = (usd: readonly string[]): string[] => {
  const days = usd.map((amount, i) => ({
    day: `2026-11-${String(i + 1).padStart(2, '0')}`,
    from: '',
    until: '',
    usd: amount,
    kinds: { busy: amount },
  }));
  const svg = `${dayChart({ days, daysBefore: [] }) as string}`;
  return [...svg.matchAll(/<title>(2026-\S+):/gu)].flatMap((m) => m[1] ?? []);
};

it('the chart of a new installation begins a week before today, not weeks before its first day', () => {
  const days = chart([...Array.from({ length: 21 }, () => '0'), '1.21']);
  expect(days).toHaveLength(7);
  expect(days.at(-1)).toBe('2026-11-22');
});

it('a chart leaves out no day after the first that cost something', () =>
  expect(chart(['0', '2', ...Array.from({ length: 10 }, () => '0')])).toHaveLength(11));

it('time without a call is named for what it is beside the tasks', () => {
  const report = buildCostReport({
    period: MONTH,
    scope: '*',
    sums: someSums(30),
    rentals: [],
    balances: [],
    nowMs: NOW_MS,
  });
  expect(renderReportMarkdown(report, new Map())).toContain(NO_TASK);
  expect(renderReportHtml(report, new Map())).toContain(NO_TASK);
});
