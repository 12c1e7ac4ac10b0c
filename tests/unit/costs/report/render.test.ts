/** Cost reports as people and spreadsheets read them: nothing of a file's name acts, and every form says the same total. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvOf } from '../../../../api/http/csv.ts';
import { renderReportCsv } from '../../../../api/costs/report-csv.ts';
import { costDocument } from '../../../../api/costs/report-document.ts';
import { renderHtml } from '../../../../api/document/html.ts';
import { renderMarkdown } from '../../../../api/document/markdown.ts';
import { renderCosts } from '../../../../cli/costs/report-text.ts';
import { costReportSchema, INSTALLATION_SCOPE, type CostReport } from '../../../../domain/costs/report/document.ts';
import { parsePeriod } from '../../../../domain/costs/report/period.ts';
import { slotsOf } from '../../../../domain/costs/report/sums.ts';
import { alwaysOnText } from '../../../../domain/costs/report/words.ts';
import { usdText } from '../../../../domain/text/words.ts';
import { LEDGER_KINDS } from '../../../../domain/costs/ledger/facts.ts';
import { codePoint } from '../../../../testing/any-text.ts';
import { wordsOf } from '../../../../testing/page-words.ts';
import { forAll } from '../../../../testing/property.ts';
import { NO_SUMS, rentalOf, reportOf, someSums } from './fixture.ts';

const NOW = Date.UTC(2026, 10, 22);
const period = parsePeriod('2026-W43', 'Europe/Berlin', NOW);
const report = (scope = INSTALLATION_SCOPE): CostReport =>
  reportOf({
    period,
    scope,
    sums: someSums(slotsOf(period).firstOfPeriod),
    rentals: [rentalOf({ usdPerHour: '2.5', fromMs: period.fromMs, untilMs: period.fromMs + 7_200_000 })],
    balances: [{ provider: 'simulated', looks: null, rises: [], ledgerUsd: '0' }],
    nowMs: NOW,
  });
const named = (name: string): ReadonlyMap<string, string> => new Map([['deck-1', name]]);

const tagsOf = (page: string): string =>
  (page.match(/<[a-z!/][^>]*>/gi) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, '""')).join('');

describe('a cost report', () => {
  it('is what its schema says, also when nothing was rented', () => {
    expect(costReportSchema.parse(report())).toEqual(report());
    const nothing = reportOf({ period, nowMs: NOW });
    expect(costReportSchema.parse(nothing)).toMatchObject({ totalUsd: '0', complete: true, shares: { idle: null } });
    expect(renderMarkdown(costDocument(nothing, new Map()))).toContain('**$0.00**');
    expect(renderHtml(costDocument(nothing, new Map()))).toContain('$0.00');
  });

  it('has a section for each thing, exact to the ninth place', () => {
    expect(report()).toMatchObject({
      totalUsd: '2.250000001',
      days: expect.arrayContaining([expect.objectContaining({ day: '2026-10-19', usd: '2.000000001' })]) as unknown,
      documents: { count: 2, meanUsd: '0.700000001', deletedUsd: '0.1' },
      unattributed: { usd: '0.75' },
      spot: {
        usd: '2.250000001',
        savedUsd: '1.2',
        onDemandUsd: '3.450000001',
        evictions: { count: 2, bootUsd: '0.2', repeatedUsd: '0.1', usd: '0.3' },
        netSavedUsd: '0.9',
        netSavedShare: 0.2609,
      },
      alwaysOn: { pools: [{ pool: 'gpu', machines: 1 }] },
    });
    // The week of the change has an hour more.
    expect(report().alwaysOn?.usd).toBe(String(169 * 2.5));
  });

  it('of a tenant says nothing of the installation', () =>
    expect(report('default')).toMatchObject({ alwaysOn: null, forecast: null, anomalies: [], reconciliation: [] }));

  it('warns while its period goes on, and of what is not settled', () => {
    const warned = (nowMs: number, unsettledRentals: number): readonly string[] => {
      const made = reportOf({ period, nowMs, sums: { ...NO_SUMS, unsettledRentals } });
      return renderMarkdown(costDocument(made, new Map())).match(/^> .*/gmu) ?? [];
    };
    expect(warned(period.untilMs - 1, 0)).toHaveLength(1);
    expect(warned(period.untilMs, 2)).toEqual([expect.stringContaining('2 rentals')]);
    expect(warned(period.untilMs, 2)).not.toEqual(warned(period.untilMs - 1, 2));
    expect(warned(period.untilMs, 0)).toEqual([]);
  });
});

it('names in a report never become markup, whatever they are', async () => {
  const harmless = tagsOf(renderHtml(costDocument(report(), named('harmless.pdf'))));
  // Each draws a whole page.
  await forAll(
    [fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom('<script>alert(1)</script>', '"><img src=x onerror=a>'))],
    { runs: 30 },
    (name) => {
      expect(tagsOf(renderHtml(costDocument(report(), named(name))))).toBe(harmless);
      expect(renderMarkdown(costDocument(report(), named(name)))).not.toMatch(/<(?:script|img)/iu);
    },
  );
});

it('names in a report are never formulas of a spreadsheet', () => {
  const table = renderReportCsv(report(), named('=HYPERLINK("http://evil.example";"x")'));
  expect(table).toContain(`"'=HYPERLINK(""http://evil.example"";""x"")"`);
  expect(csvOf(['a'], [['-1.5'], ['-rm'], ['@x'], [null], ['a,b'], ['two\nlines']])).toBe(
    `a\r\n-1.5\r\n'-rm\r\n'@x\r\n\r\n"a,b"\r\n"two\nlines"\r\n`,
  );
});

describe('a table opened where the comma separates decimals', () => {
  /** The cells of a table as a spreadsheet cuts it: quotes hold a cell together only where they begin it. */
  function cellsOf(table: string, separator: string): string[] {
    const cell = `"(?:[^"]|"")*"[^${separator}\\r\\n]*|[^${separator}\\r\\n]*`;
    return (table.match(new RegExp(cell, 'gu')) ?? []).map((text) =>
      text.replace(/^"((?:[^"]|"")*)"/u, (_all, held: string) => held.replaceAll('""', '"')),
    );
  }

  it('begins no cell as a formula, whatever a name holds', async () => {
    const part = fc.constantFrom(';', ',', '\t', '\n', '\r', '"', '=', '+', '-', '@', 'x', '1', ' ');
    const name = fc.array(part).map((parts) => parts.join(''));
    await forAll([fc.array(name, { minLength: 1 })], (names) => {
      const rows = names.map((each) => [each, 'end']);
      const table = csvOf(['name', 'tail'], rows);
      for (const cell of [';', ',', '\t'].flatMap((separator) => cellsOf(table, separator))) {
        // A negative number stays one, whatever it is cut from.
        expect(cell, JSON.stringify(names)).not.toMatch(/^[=+@]|^-(?!\d+(?:\.\d+)?(?:,|$))/u);
      }
    });
  });

  it('keeps a cell with a semicolon whole in quotes and marks what would be computed after it', () =>
    expect(csvOf(['a'], [['x;=1+1;y.pdf'], ['a;b'], ['a\tb'], ['-1.5']])).toBe(
      `a\r\n"x;'=1+1;y.pdf"\r\n"a;b"\r\n"a\tb"\r\n-1.5\r\n`,
    ));
});

it('the page loads nothing: no script, no link to elsewhere, no picture', () => {
  const page = renderHtml(costDocument(report(), named('a.pdf'), [{ link: 'Other', href: '/api/v1/costs/reports/x' }]));
  expect(page).not.toMatch(/<script|<img|https?:\/\/|url\(/iu);
  expect(page).toContain('<svg class="days"');
  expect(page).toContain('prefers-color-scheme: dark');
});

describe('the chart of a day', () => {
  const dayBefore = (usd: string): CostReport => {
    const day = parsePeriod('2026-10-20', 'Europe/Berlin', NOW);
    const slot = slotsOf(day).firstOfPeriod - 1;
    const sums = { ...NO_SUMS, slots: [{ slot, pool: 'gpu', kind: 'busy' as const, task: null, usd }] };
    return reportOf({ period: day, nowMs: NOW, sums });
  };

  it('has the two weeks before it, which are no part of its costs; a week stands by itself', () => {
    const made = dayBefore('3');
    expect(made.days.map(({ day, usd }) => [day, usd])).toEqual([['2026-10-20', '0']]);
    expect(made.totalUsd).toBe('0');
    expect(made.daysBefore).toHaveLength(14);
    expect(made.daysBefore.at(-1)).toMatchObject({ day: '2026-10-19', usd: '3', kinds: { busy: '3' } });
    expect(made.daysBefore[0]).toMatchObject({ day: '2026-10-06', usd: '0' });
    const page = renderHtml(costDocument(made, new Map()));
    expect(page.match(/<g class="before">/gu)).toHaveLength(14);
    expect(page).toContain('2026-10-19: $3.00');
    expect(report().daysBefore).toEqual([]);
    expect(renderHtml(costDocument(report(), new Map()))).not.toContain('class="before"');
  });

  it('is left out where there was nothing at all', () => {
    expect(renderHtml(costDocument(dayBefore('0'), new Map()))).not.toContain('<svg');
  });
});

it('the table has one line for each sum, and each section comes to the total', () => {
  const lines = renderReportCsv(report(), named('a.pdf'))
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const sum = (section: string): number =>
    lines.filter((cells) => cells[2] === section).reduce((total, cells) => total + Number(cells[5]), 0);
  for (const section of ['total', 'day', 'day-kind', 'kind', 'task', 'machine'])
    expect(sum(section)).toBeCloseTo(2.250000001, 9);
  // Hours are those of machines: a day's own length would be taken for them.
  expect(lines.filter((cells) => cells[2] === 'day').map((cells) => cells[6])).toEqual(Array(7).fill(''));
});

describe('the picture in the terminal', () => {
  const style = { colours: false, width: 80 };
  const UNNAMED = { name: null, tenantId: null, hours: 1 };
  const day = (key: string, usd: string, kinds: Record<string, string>) => ({ key, usd, kinds, ...UNNAMED });
  const costs = {
    by: 'day' as const,
    scope: '*',
    from: '2026-10-18T22:00:00.000Z',
    until: '2026-10-20T22:00:00.000Z',
    timezone: 'Europe/Berlin',
    currency: 'USD',
    totalUsd: '4',
    kinds: { busy: '3', idle: '1' },
    items: [day('2026-10-19', '4', { busy: '3', idle: '1' }), day('2026-10-20', '0', {})],
    more: 0,
    moreUsd: '0',
  };

  it('what the pieces mean stands on as many lines as the terminal is narrow, whole and in order', () => {
    const kinds = Object.fromEntries(LEDGER_KINDS.map((kind) => [kind, '1.25']));
    const legendAt = (width: number, colours = false): string[] =>
      renderCosts({ ...costs, kinds }, { width, colours })
        .split('\n\n')
        .at(-1)
        ?.split('\n') ?? [];
    for (const width of [24, 50, 80, 200]) {
      const lines = legendAt(width);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      expect(lines.join(' ').match(/\w+ \$1\.25/gu)).toEqual(LEDGER_KINDS.map((kind) => `${kind} $1.25`));
      expect(legendAt(width, true)).toHaveLength(lines.length);
    }
  });

  it('shows a bar for each line in pieces for what the time was spent on', async () => {
    const text = renderCosts(costs, style);
    await expect(text).toMatchFileSnapshot('snapshots/terminal.txt');
    const [, , first = '', second = ''] = text.split('\n');
    expect(first).toMatch(/^ {2}2026-10-19 {2}█{37}░{12} {2}\$4\.00 {2}100\.0 %$/u);
    expect(second).toMatch(/^ {2}2026-10-20 +\$0\.00 {2} +0\.0 %$/u);
  });

  it('fits the terminal and has a bar of its length for each amount, whatever the amounts are', async () => {
    const amount = fc.integer({ min: 0, max: 10_000 });
    await forAll(
      [fc.array(fc.tuple(amount, amount, amount), { minLength: 1, maxLength: 12 }), fc.integer({ min: 60, max: 200 })],
      (days, width) => {
        const items = days.map(([busy, idle, boot], i) =>
          day(`2026-10-${10 + i}`, String(busy + idle + boot), { busy: `${busy}`, idle: `${idle}`, boot: `${boot}` }),
        );
        const totalUsd = String(days.flat().reduce((sum, usd) => sum + usd, 0));
        const text = renderCosts({ ...costs, items, totalUsd }, { ...style, width });
        const bars = text.split('\n').filter((line) => line.startsWith('  2026-'));
        expect(new Set(bars.map((line) => line.length)).size).toBeLessThanOrEqual(1);
        for (const line of bars) expect(line.length).toBeLessThanOrEqual(width);
      },
    );
  });

  it('lets no control character of a name through', () => {
    const items = [{ ...day('deck-1', '4', { busy: '4' }), name: 'evil\u001B[2J.pdf' }];
    expect(renderCosts({ ...costs, by: 'document', items }, style)).not.toContain('\u001B');
  });
});

it('every word of a cost report on its page', async () => {
  const page = renderHtml(costDocument(report(), named('a.pdf'), [{ link: 'Other', href: '/api/v1/costs/reports/x' }]));
  await expect(wordsOf(page)).toMatchFileSnapshot('snapshots/report-html.txt');
});

it('every word of a cost report in Markdown', () =>
  expect(renderMarkdown(costDocument(report(), named('a.pdf')))).toMatchFileSnapshot('snapshots/report-markdown.txt'));

it('every word of a cost report in the table', () =>
  expect(renderReportCsv(report(), named('a.pdf'))).toMatchFileSnapshot('snapshots/report-csv.txt'));

it.each([
  ['0', '$0.00'],
  ['0.000012345', '$0.000012'],
  ['0.1234567', '$0.1235'],
  ['12.345', '$12.35'],
  ['1234567.8', '$1,234,567.80'],
  ['-3.2', '−$3.20'],
])('amounts for people: %s is %s', (usd, text) => expect(usdText(usd)).toBe(text));

it('nothing is said to be saved against always-on while rentals are not settled', () => {
  const settled = { ...report(), unsettledRentals: 0 };
  expect(alwaysOnText(settled)).toContain('less than the same machines running all the time');
  const open = alwaysOnText({ ...settled, unsettledRentals: 1 });
  expect(open).toContain('would have cost');
  expect(open).not.toContain('less than');
});
