/** What a cost report judges: savings, the rest of the month, unusual days, and whether ledger and balance agree. */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alwaysOnOf } from '../../../../domain/costs/report/always-on.ts';
import { anomaliesOf, type DayCell } from '../../../../domain/costs/report/anomalies.ts';
import { forecastOf } from '../../../../domain/costs/report/forecast.ts';
import { addDays, startOfDayMs, type LocalDay } from '../../../../domain/costs/report/local-day.ts';
import { drawnUsd, prepaidUsd, reconcile } from '../../../../domain/costs/report/reconciliation.ts';
import type { BalanceLook, RentalSpan } from '../../../../domain/costs/report/sums.ts';
import { chargeAt } from '../../../../simulators/clouds/core/billing.ts';
import { forAll } from '../../../../testing/property.ts';
import { rentalOf } from './fixture.ts';

const HOUR_MS = 3_600_000;
const BERLIN = 'Europe/Berlin';

it('always on is the most machines at once, from beginning to end, at the mean price of their time', () => {
  const result = alwaysOnOf({
    rentals: [
      rentalOf({ usdPerHour: '2', fromMs: -5 * HOUR_MS, untilMs: 3 * HOUR_MS }),
      rentalOf({ usdPerHour: '4', fromMs: 2 * HOUR_MS, untilMs: 3 * HOUR_MS }),
      // Begins as the others end.
      rentalOf({ usdPerHour: '2', fromMs: 3 * HOUR_MS, untilMs: 4 * HOUR_MS }),
      rentalOf({ resource: 'volume', usdPerHour: '9', fromMs: 0 }),
      rentalOf({ pool: null, usdPerHour: '9', fromMs: 0 }),
    ],
    spentByPool: new Map([['gpu', new Decimal(13)]]),
    fromMs: 0,
    untilMs: 10 * HOUR_MS,
  });
  // Three hours at 2, one at 4, one at 2: 2.4 on average; two machines for ten hours.
  expect(result).toEqual({
    usd: '48',
    savedUsd: '35',
    savedShare: 0.7292,
    pools: [{ pool: 'gpu', machines: 2, usdPerHour: '2.4', usd: '48', spentUsd: '13' }],
  });
});

it('always on saves nothing where machines ran all the time, whatever their number', () =>
  forAll([fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 400 })], (machines, hours) => {
    const spent = new Decimal('1.999').times(machines).times(hours);
    const result = alwaysOnOf({
      rentals: Array.from({ length: machines }, () => rentalOf({ usdPerHour: '1.999' })),
      spentByPool: new Map([['gpu', spent]]),
      fromMs: 0,
      untilMs: hours * HOUR_MS,
    });
    expect(new Decimal(result.savedUsd).abs().toNumber()).toBeLessThan(1e-6);
  }));

describe('the forecast of a month', () => {
  const each = (
    first: LocalDay,
    last: LocalDay,
    usdOf: (day: LocalDay, i: number) => number,
  ): Map<LocalDay, Decimal> => {
    const usd = new Map<LocalDay, Decimal>();
    for (let day = first, i = 0; day <= last; day = addDays(day, 1), i += 1) usd.set(day, new Decimal(usdOf(day, i)));
    return usd;
  };

  it('goes by weekdays from two weeks on: weekends without work stay without cost', () => {
    const isWeekend = (day: LocalDay): boolean => [0, 6].includes(new Date(day).getUTCDay());
    const usdByDay = each('2026-10-01', '2026-11-15', (day) => (isWeekend(day) ? 0 : 10));
    const knownUntilMs = startOfDayMs('2026-11-16', BERLIN);
    const forecast = forecastOf({ usdByDay, knownUntilMs, timezone: BERLIN, firstDay: '2026-10-01' });
    // 21 working days, ten of them over.
    const expected = { month: '2026-11', spentUsd: '100', forecastUsd: '210', basis: 'weekdays', basisDays: 28 };
    expect(forecast).toEqual(expected);
  });

  it('goes by the mean while little is known, by nothing when nothing is, and is the sum of a month that is over', () => {
    const usdByDay = each('2026-11-01', '2026-11-04', (_, i) => i);
    const at = (day: LocalDay, firstDay: LocalDay | null) =>
      forecastOf({ usdByDay, knownUntilMs: startOfDayMs(day, BERLIN), timezone: BERLIN, firstDay });
    const expected = { spentUsd: '6', forecastUsd: '45', basis: 'mean', basisDays: 4 };
    expect(at('2026-11-05', '2026-11-01')).toMatchObject(expected);
    expect(at('2026-11-05', null)).toMatchObject({ forecastUsd: null, basis: 'none' });
    expect(at('2026-12-01', '2026-11-01')).toMatchObject({ month: '2026-11', forecastUsd: '6', basis: 'complete' });
  });

  it('counts the rest of a day by its hours, 25 where clocks go back', () => {
    const usdByDay = each('2026-10-01', '2026-10-24', () => 25);
    // Half past the hour that comes twice: 22.5 hours of that day are left.
    const knownUntilMs = startOfDayMs('2026-10-25', BERLIN) + 2.5 * HOUR_MS;
    const forecast = forecastOf({ usdByDay, knownUntilMs, timezone: BERLIN, firstDay: '2026-10-01' });
    expect(forecast.forecastUsd).toBe(String(24 * 25 + 22.5 + 6 * 25));
  });
});

describe('an unusual day', () => {
  const BUSY = { pool: 'gpu', kind: 'busy', task: 'describe_slide' } as const;
  const cell = (usd: number, values: Partial<DayCell> = {}): DayCell => ({ ...BUSY, usd: new Decimal(usd), ...values });

  it('costs more than three times the median of the days before, and says where that comes from', () => {
    const cells = (day: LocalDay): DayCell[] => {
      if (day < '2026-03-01') return [];
      if (day === '2026-03-10')
        return [cell(4), cell(20, { kind: 'orphan', task: null }), cell(1, { kind: 'idle', task: null })];
      return [cell(4), cell(1, { kind: 'idle', task: null })];
    };
    expect(anomaliesOf(['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11'], cells)).toEqual([
      {
        day: '2026-03-10',
        usd: '25',
        medianUsd: '5',
        factor: 5,
        causes: [{ pool: 'gpu', kind: 'orphan', task: null, usd: '20', usualUsd: '0' }],
      },
    ]);
  });

  it('is none of exactly three times, nor where days with costs are too few; days without say nothing', () => {
    const at = (usd: number, knownDays: number) =>
      anomaliesOf(['2026-03-28'], (day) => {
        if (day === '2026-03-28') return [cell(usd)];
        // Every second day has work.
        const age = (Date.UTC(2026, 2, 28) - Date.parse(day)) / (24 * HOUR_MS);
        return age % 2 === 0 && age / 2 <= knownDays ? [cell(1)] : [];
      }).length;
    expect([at(3, 10), at(3.01, 10), at(100, 4), at(100, 5)]).toEqual([0, 1, 0, 1]);
  });
});

describe('ledger and balance', () => {
  const look = (atMs: number, amount: Decimal | string, currency = 'USD'): BalanceLook => ({
    atMs,
    amount: amount.toString(),
    currency,
  });

  /** Machines and disks of an account, billed as the simulated provider bills. */
  const account = fc.record({
    rentals: fc.array(
      fc
        .record({
          fromMs: fc.integer({ min: 0, max: 40 * HOUR_MS }),
          lengthMs: fc.option(fc.integer({ min: 1000, max: 30 * HOUR_MS })),
          usdPerHour: fc.integer({ min: 1, max: 5000 }).map((n) => String(n / 1000)),
          billing: fc.constantFrom(
            { quantumSec: 600, refundsUnused: true },
            { quantumSec: 600, refundsUnused: false },
            { quantumSec: 3600, refundsUnused: false },
            { quantumSec: 0, refundsUnused: true },
          ),
        })
        .map(({ fromMs, lengthMs, usdPerHour, billing }) =>
          rentalOf({ ...billing, fromMs, usdPerHour, untilMs: lengthMs === null ? null : fromMs + lengthMs }),
        ),
      { maxLength: 6 },
    ),
    looks: fc.uniqueArray(fc.integer({ min: 0, max: 60 * HOUR_MS }), { minLength: 2, maxLength: 12 }),
    topUps: fc.array(fc.record({ atMs: fc.nat(60 * HOUR_MS), usd: fc.integer({ min: 500, max: 900 }) }), {
      maxLength: 3,
    }),
  });

  const chargedUsd = (rentals: readonly RentalSpan[], atMs: number): Decimal =>
    rentals.reduce((sum, r) => {
      const meter = { fromMs: r.fromMs, untilMs: r.untilMs, usdPerHour: Number(r.usdPerHour) };
      return atMs < r.fromMs ? sum : sum.plus(chargeAt(meter as Parameters<typeof chargeAt>[0], atMs, r));
    }, new Decimal(0));

  /** What the ledger has between two instants: time used, and what was paid and not used, over the time it was paid for. */
  const ledgerUsd = (rentals: readonly RentalSpan[], fromMs: number, untilMs: number): string =>
    rentals
      .reduce((sum, r) => {
        const ends = r.untilMs === null ? untilMs : r.untilMs;
        const blocks = r.quantumSec === 0 ? 0 : Math.max(1, Math.ceil((ends - r.fromMs) / (r.quantumSec * 1000)));
        const paidMs = r.untilMs === null || r.refundsUnused ? ends : r.fromMs + blocks * r.quantumSec * 1000;
        const ms = Math.max(0, Math.min(paidMs, untilMs) - Math.max(r.fromMs, fromMs));
        return sum.plus(new Decimal(r.usdPerHour).times(ms).dividedBy(HOUR_MS));
      }, new Decimal(0))
      .toFixed(9);

  const spanOf = (
    { rentals, looks, topUps }: typeof account extends fc.Arbitrary<infer T> ? T : never,
    foreignUsd = 0,
  ) => {
    const seen = looks
      .toSorted((a, b) => a - b)
      .map((atMs) => {
        const paidIn = topUps.filter((t) => t.atMs <= atMs).reduce((sum, t) => sum + t.usd, 0);
        const foreign = (foreignUsd * atMs) / HOUR_MS;
        const left = new Decimal(1000).plus(paidIn).minus(chargedUsd(rentals, atMs)).minus(foreign);
        return look(atMs, left.toDecimalPlaces(6));
      });
    const rises = seen.slice(1).flatMap((after, i) => {
      const before = seen[i];
      return before !== undefined && Number(after.amount) > Number(before.amount) ? [{ before, after }] : [];
    });
    const [first, last] = [seen[0], seen.at(-1)];
    if (first === undefined || last === undefined) throw new Error('no looks');
    const ofLedger = ledgerUsd(rentals, first.atMs, last.atMs);
    return { provider: 'simulated', looks: { first, last }, rises, ledgerUsd: ofLedger };
  };

  it('agree whatever is rented, paid in advance, given back or paid in', () =>
    forAll([account], { runs: 1000 }, (drawn) => {
      const result = reconcile(spanOf(drawn), drawn.rentals);
      expect(result).toMatchObject({ state: 'agrees', note: null });
      expect(Math.abs(Number(result.differenceUsd))).toBeLessThan(0.001);
    }));

  it('differ where others rent on the account, by what that costs', () =>
    forAll([account, fc.integer({ min: 1, max: 20 })], (drawn, usdPerHour) => {
      // Without payments: between two looks with one nothing can be compared.
      const quiet = { ...drawn, topUps: [], looks: [0, 60 * HOUR_MS] };
      const result = reconcile(spanOf(quiet, usdPerHour), quiet.rentals);
      expect(Number(result.differenceUsd)).toBeCloseTo(usdPerHour * 60, 3);
      expect(result.state).toBe(Number(result.differenceUsd) > Number(result.toleranceUsd) ? 'differs' : 'agrees');
    }));

  it('draw and advance of a rental are those of its blocks', () => {
    const blocks = rentalOf({ untilMs: 25 * 60_000, refundsUnused: false, usdPerHour: '6' });
    const drawn = [-1, 0, 9 * 60_000, 10 * 60_000, 26 * 60_000, HOUR_MS].map((at) => drawnUsd(blocks, at).toNumber());
    expect(drawn).toEqual([0, 1, 1, 2, 3, 3]);
    const expected = ['1', '0.1', '0.4', '0'];
    expect([0, 9 * 60_000, 26 * 60_000, HOUR_MS].map((at) => prepaidUsd(blocks, at).toFixed())).toEqual(expected);
    const refunded = { ...blocks, refundsUnused: true };
    expect([drawnUsd(refunded, HOUR_MS).toFixed(), prepaidUsd(refunded, 26 * 60_000).toFixed()]).toEqual(['2.5', '0']);
  });

  it('cannot be compared without two looks, or in another currency: the report says so', () => {
    const base = { provider: 'p', rises: [], ledgerUsd: '1' };
    const one = look(0, '5');
    expect(reconcile({ ...base, looks: null }, [])).toMatchObject({ state: 'unknown', differenceUsd: null });
    expect(reconcile({ ...base, looks: { first: one, last: one } }, [])).toMatchObject({ state: 'unknown' });
    const euro = { first: one, last: look(1, '4', 'eur') };
    expect(reconcile({ ...base, looks: euro }, []).note).toContain('in EUR, the ledger in USD');
  });
});
