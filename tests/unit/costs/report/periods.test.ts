/** Days, weeks and months of time zones: nothing in two of them, nothing in none, whatever clocks do. */
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it, test } from 'vitest';
import { costDocument } from '../../../../api/costs/report-document.ts';
import { chartMarkup } from '../../../../api/document/chart.ts';
import { renderHtml } from '../../../../api/document/html.ts';
import { renderMarkdown } from '../../../../api/document/markdown.ts';
import type { CostReport } from '../../../../domain/costs/report/document.ts';
import { addDays, localDayOf, startOfDayMs } from '../../../../domain/costs/report/local-day.ts';
import {
  type CalendarKind,
  daysOf,
  parsePeriod,
  periodAt,
  periodBefore,
  periodOverAt,
} from '../../../../domain/costs/report/period.ts';
import { reportTimes } from '../../../../domain/costs/report/schedule-times.ts';
import { balanceText, NO_TASK } from '../../../../domain/costs/report/words.ts';
import { forAll } from '../../../../testing/property.ts';
import { NO_SUMS, rentalOf, reportOf, someSums } from './fixture.ts';

const HOUR_MS = 3_600_000;
const BERLIN = 'Europe/Berlin';
const KINDS: readonly CalendarKind[] = ['daily', 'weekly', 'monthly'];

/** Every zone this Node knows, those with odd midnights more often. */
const zone = fc.oneof(
  fc.constantFrom(BERLIN, 'America/Havana', 'America/Sao_Paulo', 'Africa/Cairo', 'Asia/Beirut', 'Australia/Lord_Howe'),
  fc.constantFrom('Pacific/Apia', 'Asia/Kathmandu', 'Pacific/Chatham', 'America/St_Johns', 'Asia/Gaza', 'UTC'),
  fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
);
/** Decades in which all zones are whole quarter hours away from UTC. */
const instant = fc.integer({ min: Date.UTC(1985, 0, 1), max: Date.UTC(2045, 0, 1) });
/** Near a change of clocks, where there is one in the year. */
const nearChange = fc.tuple(zone, instant, fc.integer({ min: -30, max: 30 })).map(([timezone, atMs, quarters]) => {
  const change = changeAfter(atMs, timezone);
  return { timezone, atMs: (change ?? atMs) + quarters * 15 * 60_000 };
});
const place = fc.oneof(fc.record({ timezone: zone, atMs: instant }), nearChange);

function changeAfter(atMs: number, timezone: string): number | null {
  const offset = (ms: number): number => DateTime.fromMillis(ms, { zone: timezone }).offset;
  for (let day = 0; day < 370; day += 1) {
    const ms = atMs + day * 24 * HOUR_MS;
    if (offset(ms) === offset(ms + 24 * HOUR_MS)) continue;
    let [low, high] = [ms, ms + 24 * HOUR_MS];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offset(middle) === offset(low)) low = middle;
      else high = middle;
    }
    return high;
  }
  return null;
}

it('periods of any time zone have every instant in exactly one of each kind', () =>
  forAll([place, fc.constantFrom(...KINDS)], { runs: 600 }, ({ timezone, atMs }, kind) => {
    const period = periodAt(kind, atMs, timezone);
    expect(period.fromMs).toBeLessThanOrEqual(atMs);
    expect(period.untilMs).toBeGreaterThan(atMs);
    // Its neighbours begin where it ends.
    expect(periodBefore(period).untilMs).toBe(period.fromMs);
    expect(periodAt(kind, period.untilMs, timezone).fromMs).toBe(period.untilMs);
    // Whichever instant of it is asked about, it is the same one.
    expect(periodAt(kind, period.fromMs, timezone)).toEqual(period);
    expect(periodAt(kind, period.untilMs - 1, timezone)).toEqual(period);
    expect(parsePeriod(period.name, timezone, period.untilMs)).toEqual(period);
  }));

it('periods of any time zone are made of days that follow each other without a gap, and begin at quarter hours of UTC', () =>
  forAll([place, fc.constantFrom(...KINDS)], { runs: 300 }, ({ timezone, atMs }, kind) => {
    const period = periodAt(kind, atMs, timezone);
    const days = daysOf(period);
    expect(days[0]?.fromMs).toBe(period.fromMs);
    expect(days.at(-1)?.untilMs).toBe(period.untilMs);
    for (const [i, day] of days.entries()) {
      expect(day.fromMs % (15 * 60_000)).toBe(0);
      if (i > 0) expect(day.fromMs).toBe(days[i - 1]?.untilMs);
      expect([localDayOf(day.fromMs, timezone), localDayOf(day.untilMs - 1, timezone)]).toEqual([day.day, day.day]);
    }
  }));

it('periods of any time zone: a day begins with the first instant that has its date', () =>
  forAll([place], { runs: 600 }, ({ timezone, atMs }) => {
    const day = localDayOf(atMs, timezone);
    const fromMs = startOfDayMs(day, timezone);
    expect(localDayOf(fromMs, timezone)).toBe(day);
    expect(localDayOf(fromMs - 1, timezone) < day).toBe(true);
  }));

describe('days on which clocks change', () => {
  const hoursOf = (day: string, timezone = BERLIN): number => {
    const { fromMs, untilMs } = parsePeriod(day, timezone, Date.UTC(2030, 0, 1));
    return (untilMs - fromMs) / HOUR_MS;
  };

  test('scenario 51: a day has 23 hours in March and 25 in October, a week an hour less or more', () => {
    expect(['2026-03-28', '2026-03-29', '2026-03-30'].map((d) => hoursOf(d))).toEqual([24, 23, 24]);
    expect(['2026-10-24', '2026-10-25', '2026-10-26'].map((d) => hoursOf(d))).toEqual([24, 25, 24]);
    expect([hoursOf('2026-W13'), hoursOf('2026-W43')]).toEqual([167, 169]);
    expect([hoursOf('2026-03'), hoursOf('2026-10')]).toEqual([31 * 24 - 1, 31 * 24 + 1]);
    expect(hoursOf('2026-03-29', 'UTC')).toBe(24);
  });

  it('a zone that left a day out has no such day in its month', () => {
    // Samoa went over the date line: after 29 December 2011 came the 31st.
    const december = daysOf(parsePeriod('2011-12', 'Pacific/Apia', Date.UTC(2030, 0, 1)));
    expect(december).toHaveLength(30);
    expect(december.map((d) => d.day)).not.toContain('2011-12-30');
  });

  it('a schedule that fires at six reports on the day before, also then', () => {
    const reportAt = (local: string): string =>
      periodOverAt('daily', DateTime.fromISO(local, { zone: BERLIN }).toMillis(), BERLIN).name;
    const expected = ['2026-03-28', '2026-03-29', '2026-10-25'];
    expect(['2026-03-29T06:00', '2026-03-30T06:00', '2026-10-26T06:00'].map(reportAt)).toEqual(expected);
  });

  it('an hour that is skipped gets a time of its own one hour later; others need none', () => {
    const now = Date.UTC(2026, 0, 15);
    expect(reportTimes('daily', 6, BERLIN, now)).toEqual([{ hour: 6, minute: 0 }]);
    expect(reportTimes('daily', 2, BERLIN, now).slice(0, 4)).toEqual([
      { hour: 2, minute: 0 },
      // Also such a day of the year before: what was missed then is still made up for.
      { year: 2025, month: 3, dayOfMonth: 30, hour: 3, minute: 0 },
      { year: 2026, month: 3, dayOfMonth: 29, hour: 3, minute: 0 },
      { year: 2027, month: 3, dayOfMonth: 28, hour: 3, minute: 0 },
    ]);
    // The clocks change on Sundays, so Mondays have every hour.
    expect(reportTimes('weekly', 2, BERLIN, now)).toEqual([{ hour: 2, minute: 0, dayOfWeek: 1 }]);
    expect(reportTimes('monthly', 2, BERLIN, now)).toEqual([{ hour: 2, minute: 0, dayOfMonth: 1 }]);
  });
});

describe('what people write for a period', () => {
  const now = DateTime.fromISO('2026-11-18T10:00', { zone: BERLIN }).toMillis();
  const nameOf = (text: string): string => parsePeriod(text, BERLIN, now).name;

  it('is a day, a week, a month, days with both ends, or a word', () => {
    expect(['yesterday', 'last-week', 'last-month'].map(nameOf)).toEqual(['2026-11-17', '2026-W46', '2026-10']);
    expect(['today', 'this-week', 'this-month'].map(nameOf)).toEqual(['2026-11-18', '2026-W47', '2026-11']);
    expect(parsePeriod('2026-03-01/2026-03-15', BERLIN, now)).toMatchObject({
      kind: 'manual',
      fromMs: startOfDayMs('2026-03-01', BERLIN),
      untilMs: startOfDayMs('2026-03-16', BERLIN),
    });
    expect(nameOf('2026-03-01T10:00Z/2026-03-01T11:00Z')).toBe('2026-03-01T10:00:00.000Z/2026-03-01T11:00:00.000Z');
    // The year of a week is that of its Thursday.
    expect(parsePeriod('2026-W53', BERLIN, Date.UTC(2030, 0, 1)).fromMs).toBe(startOfDayMs('2026-12-28', BERLIN));
  });

  const NONE = ['', 'tomorrow', '2026-13', '2026-02-30', '2026-W54', '2025-W53', '2026-3-1', '2026-03-01/', '1/2/3'];
  it.each([...NONE, '2026'])('%j is none: it says what would be', (text) =>
    expect(() => parsePeriod(text, BERLIN, now)).toThrow(expect.objectContaining({ code: 'invalid_request' })),
  );

  it('may be as long as the longest year, whatever clocks do in it, and no day longer', () => {
    expect(nameOf('2024-01-01/2024-12-31')).toBe('2024-01-01/2024-12-31');
    // Begins in summer time and ends in winter time: an hour more.
    expect(nameOf('2024-10-20/2025-10-20')).toBe('2024-10-20/2025-10-20');
  });

  it.each([
    ['2026-03-15/2026-03-01', 'ends before it begins'],
    ['2024-01-01/2026-01-01', 'longer than 366 days'],
    ['2024-01-01/2025-01-01', 'longer than 366 days'],
    ['0000-01-01', 'begins before 1970'],
    ['1969-06', 'begins before 1970'],
    ['2026-11-19', 'has not begun yet'],
    ['2026-12', 'has not begun yet'],
  ])('%s is refused: it %s', (text, why) =>
    expect(() => parsePeriod(text, BERLIN, now)).toThrow(
      expect.objectContaining({ userMessage: expect.stringContaining(why) as string }),
    ),
  );

  it('a manual period is compared with as many days before it, whatever clocks did', () => {
    const after = parsePeriod('2026-03-28/2026-03-30', BERLIN, now);
    expect(periodBefore(after).name).toBe('2026-03-25/2026-03-27');
    expect(addDays('2026-03-28', -3)).toBe('2026-03-25');
  });
});

// Cost reports of an installation that has only just begun, and sentences that have to add up.
const MINUTE_MS = 60_000;
const NOW_MS = Date.UTC(2026, 10, 22, 12);
const MONTH = parsePeriod('2026-11', 'UTC', NOW_MS);

describe('running all the time', () => {
  const alwaysOn = (firstEntryMs: number | null, rentedMs: number): number =>
    Number(
      reportOf({
        period: MONTH,
        nowMs: NOW_MS,
        sums: { ...NO_SUMS, firstEntryMs },
        rentals: [rentalOf({ fromMs: rentedMs })],
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
  const bars = usd.map((amount, i) => {
    const day = `2026-11-${String(i + 1).padStart(2, '0')}`;
    return { name: day, label: day, usd: amount, kinds: { busy: amount }, faded: false };
  });
  const whole = { is: 'chart', title: 'Days', head: ['day', 'cost', 'mostly'], bars, legend: [] } as const;
  const svg = `${chartMarkup(whole) as string}`;
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
  const report = reportOf({ period: MONTH, nowMs: NOW_MS, sums: someSums(30) });
  expect(renderMarkdown(costDocument(report, new Map()))).toContain(NO_TASK);
  expect(renderHtml(costDocument(report, new Map()))).toContain(NO_TASK);
});
