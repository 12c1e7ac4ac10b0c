/** Rows of tables with the headings of their columns: verified where each cell stands under its own heading, and nowhere else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import { pageOfText } from '../../../domain/pages/page-of-text.ts';
import { headedRow, headingRows, type CellTexts } from '../../../domain/pages/table-headings.ts';
import { forAll } from '../../../testing/property.ts';

const tableOf = (rows: CellTexts) => pageOfText(rows.map((row) => `| ${row.join(' | ')} |`).join('\n'));
const check = (quote: string, rows: CellTexts) => checkQuote(quote, tableOf(rows));

const RIVALS = [
  ['', 'Price a month', 'Bikes', 'Unlock by ticket'],
  ['Velhain', '€19', '2,400', 'yes'],
  ['Radmeister', '€35', '900', 'no'],
  ['Nordrad', '€29', '1,100', 'no'],
];

describe('rows with the headings of their columns', () => {
  it.each([
    ['with all its cells', 'Nordrad: Price a month €29; Bikes 1,100; Unlock by ticket no'],
    ['with some of them', 'Nordrad: Price a month €29; Unlock by ticket no'],
    ['with bars and in capitals', '| NORDRAD | PRICE A MONTH €29 | BIKES 1,100 |'],
    ['without its name', 'Price a month €29; Bikes 1,100'],
    ['as it stands, without headings', 'Nordrad €29 1,100 no'],
    ['below the row of headings', 'Price a month Bikes Unlock by ticket Nordrad €29 1,100'],
    ['read down a column', 'Price a month: Velhain €19; Nordrad €29'],
  ])('a row is verified %s', (_, quote) => {
    const { verdict, reason } = check(quote, RIVALS);
    expect(verdict).toBe('verified');
    expect(reason).toContain('in one row of a table');
  });

  it.each([
    ['a cell under another heading', 'Nordrad: Bikes €29'],
    ['a cell of another row', 'Nordrad: Price a month €35'],
    ['cells in another order', 'Nordrad: Price a month €29; Bikes 900'],
    ['a cell before the heading of the next column', '€29 Bikes 1,100'],
    ['a heading behind the cells', 'Nordrad €29 1,100 Unlock by ticket'],
    ['a cell left out between two without headings', 'Nordrad €29 no'],
    ['two headings and one cell', 'Nordrad: Price a month Bikes €29'],
    ['part of a cell', 'Nordrad: Price a month €29; Bikes 1'],
  ])('a row is not verified with %s', (_, quote) => expect(check(quote, RIVALS).verdict).not.toBe('verified'));

  it('a row is not verified with a heading over an empty cell', () => {
    const rows = [
      ['Plan', 'Small', 'Large'],
      ['Price', '€12', '€40'],
      ['Seats', '', '9'],
    ];
    expect(check('Seats: Large 9', rows).verdict).toBe('verified');
    expect(check('Seats: Small 9', rows).verdict).not.toBe('verified');
    expect(check('Plan Small Large Seats 9', rows).verdict).not.toBe('verified');
  });

  it('a row is not verified with a tick in place of a cross', () => {
    const rows = [
      ['Provider', 'Works offline', 'Open source'],
      ['Siloplan', '✓', '✗'],
      ['Grainbase', '✗', '✗'],
    ];
    expect(check('Siloplan: Works offline ✓; Open source ✗', rows).verdict).toBe('verified');
    expect(check('Siloplan: Works offline ✗; Open source ✗', rows).verdict).not.toBe('verified');
  });
});

it('a score of another column is not verified as that of a person', () => {
  const rows = [
    ['', 'Model A', 'Model B', 'Model C', '(human)'],
    ['F1', '96.8 %', '88.2 %', '91.4 %', '94.1 %'],
  ];
  expect(check('F1 96.8 % 88.2 % 91.4 % (human)', rows).verdict).not.toBe('verified');
  expect(check('F1: (human) 94.1 %', rows).verdict).toBe('verified');
});

describe('headings of tables', () => {
  it.each([
    [
      'one row over figures',
      [
        ['Use', 'Share'],
        ['Bikes', '45 %'],
      ],
      1,
    ],
    [
      'years over figures',
      [
        ['In $', '2024', '2025E'],
        ['Revenue', '$2M', '$5M'],
        ['Costs', '$1M', '$2M'],
      ],
      1,
    ],
    [
      'an empty first cell over words',
      [
        ['', 'Strength', 'Gap'],
        ['Acme', 'brand', 'slow'],
        ['Bolt', 'price', 'new'],
      ],
      1,
    ],
    [
      'two rows',
      [
        ['', '2024', '', '2025', ''],
        ['', 'Units', 'Sales', 'Units', 'Sales'],
        ['Bikes', '5', '€9', '7', '€12'],
      ],
      2,
    ],
    [
      'none where the first row has a figure as well',
      [
        ['Bikes', '45 %'],
        ['Sales', '30 %'],
      ],
      0,
    ],
    [
      'none where words stand under words',
      [
        ['Alice Jones', 'CEO'],
        ['Bob Smith', 'CTO'],
      ],
      0,
    ],
  ] satisfies [string, CellTexts, number][])('the headings of a table are %s', (_, rows, count) =>
    expect(headingRows(rows)).toBe(count),
  );

  it.each([
    'Nordrad|45|52/Südrad|33|21',
    'Umsatz|19|20|21/Kosten|9|10|11',
    'Berlin|€29|1,100/Hamburg|€31|900',
    'Acme|12 M|45/Bolt|3 M|33',
    'Acme|2019|45/Bolt|2021|33',
    'Müller|seit 2019/Huber|seit 2021',
    'October|2016|Launch of the shop/November|2016|First order',
  ])('a first row like the others heads none of them: %s', (text) => {
    const rows = text.split('/').map((row) => row.split('|'));
    expect(headingRows(rows)).toBe(0);
    const quote = headedRow(rows, 1, 1, 280) ?? '';
    expect(check(quote, rows).verdict).not.toBe('verified');
    expect(check(rows[1]?.join(' ') ?? '', rows).verdict).toBe('verified');
  });

  it.each([
    ['a long one', 'Name|Share of all customers who would buy it again|Bikes'],
    ['words for degrees', 'Plan|Low|Medium|Hoch'],
    ['figures behind no name', '|10 kg|20 kg|50 kg'],
    ['a currency', '€|Spring|Autumn'],
  ])('%s may head columns, where a quote says so', (_, text) => {
    const header = text.split('|');
    const bodies = [
      ['Nordrad', '€5', '€9', '€20'],
      ['Südrad', '€6', '€8', '€30'],
    ].map((row) => row.slice(0, header.length));
    const rows = [header, ...bodies];
    expect(check(headedRow(rows, 1, 2, 280) ?? '', rows).verdict).toBe('verified');
  });

  it.each([
    'In €|2024|2025E|2026 (f)',
    '|FY24|FY25|GJ 26',
    "Umsatz|Ist 2024|Plan 2025|'26",
    'KPI|Dez 24|Mär 25|June 2026',
    'KPI|H1|Q3|Q1/25',
    'KPI|May 25|Jan 29|Dez-30',
    'KPI|31.12.2024|12/2025|2025/26',
    'KPI|Year 1|Jahr 2|KW 12',
  ])('times head their columns: %s', (text) => {
    const rows = [text.split('|'), ['Bikes', '45', '60', '75']];
    expect(headingRows(rows)).toBe(1);
    const quote = headedRow(rows, 1, 1, 280) ?? '';
    expect(check(quote, rows).verdict).toBe('verified');
  });

  it('a row is quoted bare where a column has no heading, or a part of one', () => {
    const body = ['Tatamg', 'no', 'no', 'yes'];
    expect(headedRow([['', 'Records', '', 'Network &'], body], 1, 1, 280)).toBeNull();
    expect(headedRow([['', 'Records', 'Doctors', 'Network &'], body], 1, 1, 280)).toBeNull();
    expect(headedRow([['', 'Records', 'Doctors', 'Network'], body], 1, 1, 280)).toContain('Doctors no');
  });

  it('headings that span columns stand before the headings below them', () => {
    const rows = [
      ['', '2024', '', '2025', ''],
      ['', 'Units', 'Sales', 'Units', 'Sales'],
      ['Bikes', '5', '€9', '7', '€12'],
    ];
    const quote = headedRow(rows, 2, 2, 280) ?? '';
    expect(quote).toBe('Bikes: 2024 Units 5; 2024 Sales €9; 2025 Units 7; 2025 Sales €12');
    expect(check(quote, rows).verdict).toBe('verified');
    expect(check('Bikes: 2025 Units 5', rows).verdict).not.toBe('verified');
  });
});

describe('properties of a row with its headings', () => {
  const word = fc.stringMatching(/^[a-z]{4,8}$/u);
  const distinct = (count: number) => fc.uniqueArray(word, { minLength: count, maxLength: count });
  /** A table of 2 to 5 columns with names of its own in each heading and each row, and a number of its own in each cell. */
  const table = fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 5 }))
    .chain(([columns, rows]) =>
      fc
        .tuple(
          distinct(columns + rows),
          fc.uniqueArray(fc.integer({ min: 10, max: 9999 }), { minLength: columns * rows, maxLength: columns * rows }),
        )
        .map(([names, numbers]) => [
          ['', ...names.slice(0, columns)],
          ...names
            .slice(columns)
            .map((name, row) => [name, ...numbers.slice(row * columns, (row + 1) * columns).map(String)]),
        ]),
    );

  it('a row is verified as it is written, for all of its cells that fit', () =>
    forAll([table, fc.integer({ min: 40, max: 280 })], (rows, longest) =>
      rows.slice(1).every((_, index) => {
        const quote = headedRow(rows, headingRows(rows), index + 1, longest);
        return quote === null || (quote.length <= longest && check(quote, rows).verdict === 'verified');
      }),
    ));

  it('a row of figures is never verified as the headings of another', () =>
    forAll([table, fc.constantFrom('', '€', ' %', ' M')], (rows, unit) => {
      const figures = rows.slice(1).map(([name = '', ...cells]) => [name, ...cells.map((cell) => `${cell}${unit}`)]);
      const quote = headedRow(figures, 1, 1, 280) ?? '';
      return headingRows(figures) === 0 && check(quote, figures).verdict !== 'verified';
    }));

  it('a row is never verified with two of its headings, or two of its cells, exchanged', () =>
    forAll([table, fc.nat(), fc.boolean()], (rows, pick, exchangesHeadings) => {
      const at = 1 + (pick % (rows.length - 1));
      const exchanged = rows.map((row, index) => {
        const [first = '', a = '', b = '', ...others] = row;
        return index === (exchangesHeadings ? 0 : at) ? [first, b, a, ...others] : row;
      });
      const quote = headedRow(exchanged, 1, at, 280) ?? '';
      return check(quote, rows).verdict !== 'verified';
    }));
});

describe('signs that stand alone in a cell', () => {
  const SIGNS = [
    ['', 'Mirela', 'Sleep apps', 'Clinic'],
    ['Nurse on call', '●', '○', '–'],
    ['Cost', '€240', '€60', '–'],
  ];

  it.each(['Nurse on call: Mirela ●; Sleep apps ○; Clinic –', 'Cost: Mirela €240; Sleep apps €60; Clinic –'])(
    'signs are verified under their headings: %s',
    (quote) => expect(check(quote, SIGNS).verdict).toBe('verified'),
  );

  it.each(['Nurse on call: Mirela ○; Sleep apps ●; Clinic –', 'Nurse on call: Mirela ●; Sleep apps –; Clinic ○'])(
    'signs are not verified under other headings: %s',
    (quote) => expect(check(quote, SIGNS).verdict).not.toBe('verified'),
  );

  it('a row without its last dash leaves nothing out, and one without its last cross does', () => {
    expect(check('Cost €240 €60', SIGNS).verdict).toBe('verified');
    const crossed = [...SIGNS.slice(0, 1), ['Works offline', 'yes', 'yes', '✗']];
    expect(check('Works offline yes yes', crossed).verdict).not.toBe('verified');
  });

  it('a dash between words may be written as a hyphen', () => {
    const routes = [...SIGNS.slice(0, 1), ['Route', 'Munich – Berlin', 'Linz – Graz', 'none']];
    expect(check('Route: Mirela Munich - Berlin; Sleep apps Linz - Graz; Clinic none', routes).verdict).toBe(
      'verified',
    );
  });

  it('"yes" names no row, and "high" does', () => {
    const us = [
      ['', 'Us', 'Them'],
      ['yes', 'no', 'no'],
    ];
    const risks = [
      ['Risk', 'Count'],
      ['High', '29'],
    ];
    expect(headedRow(us, 1, 1, 280)).toBeNull();
    expect(headedRow(risks, 1, 1, 280)).toBe('High: Count 29');
  });
});

it.each(['£000', 'in T€', 'USD thousand', 'Tausend €', 'Mio. EUR'])(
  'the unit "%s" of a table heads its labels',
  (unit) =>
    expect(
      headingRows([
        [unit, 'FY25/26', '2027 (plan)', '2028 (Ist)'],
        ['Revenue', '310', '180', '60'],
        ['Costs', '12', '20', '31'],
      ]),
    ).toBe(1),
);

it('numbers with a unit in words are values below headings of words', () =>
  expect(
    headingRows([
      ['Spec', 'Q1 module', 'Caesium clock'],
      ['Volume', '0.4 litres', '30 litres'],
      ['Holdover', '41 days', '60 days'],
      ['Lead time', '6 weeks', 'up to 18 months, with a licence'],
    ]),
  ).toBe(1));
