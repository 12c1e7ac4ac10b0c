/** Contradictions inside a deck: found where two statements cannot both be right, and nowhere else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findContradictions, MAX_CONTRADICTIONS } from '../../../domain/evidence/contradictions.ts';
import { forAll } from '../../../testing/property.ts';

const deck = (...texts: string[]) => texts.map((text, index) => ({ slide: index + 1, text }));

it.each([
  ['ask', 'We are raising €2M to grow', 'The ask: €3M'],
  ['ask', 'Kapitalbedarf: 1,5 Mio. €', 'Wir suchen 2,5 Mio. €'],
  ['ask', 'Raising a $2M seed round', 'Funding: $4M'],
  ['ask', 'We are raising €2M', '€2.5M seed round'],
  ['ask', 'The Ask\n\n₹5 Cr', 'We are raising 3 crore'],
  ['ask', 'Ask: 5 crore for 10% equity', '₹3 crore for 8% equity'],
  ['ask', 'Kapitalbedarf\n\n2 Mio. €', 'Wir suchen zweieinhalb Millionen Euro'],
  ['founding_year', 'Gegründet 2018', 'Wir wurden 2021 gegründet.'],
  ['founding_year', 'Founded in 2019 in Berlin', 'The company was founded in March 2021'],
  ['founding_year', 'Gegründet 2018', 'Nordlicht GmbH wurde gegründet im Jahr 2020'],
  ['figure', 'We have 120 paying customers', 'Today\n\n80 paying customers'],
  ['figure', '25 employees', 'We currently employ 40 employees'],
  ['figure', 'Revenue 2024: €1.2M', '€2.4M revenue in 2024'],
  ['figure', 'TAM: €5B', '€9 billion total addressable market'],
  ['figure', 'SAM 2,84M', 'SAM\n4,10M'],
] as const)('%s: %j against %j', (kind, first, second) => {
  const found = findContradictions(deck(first, 'Another slide', second));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ kind, first: { slide: 1 }, second: { slide: 3 } });
  expect(first.replaceAll('\n', ' ')).toContain(found[0]?.first.quote);
  expect(second.replaceAll('\n', ' ')).toContain(found[0]?.second.quote);
});

it.each([
  ['the same sum in other words', 'We are raising €2M', 'The ask: 2,000,000 EUR'],
  ['rounded', 'Revenue 2024: €1.2M', '€1.23M revenue in 2024'],
  ['another currency', 'We are raising €2M', 'The ask: $2.2M'],
  ['an end of the range', 'We are raising €1.5–2M', 'The ask: €1.5M'],
  ['inside the limit', 'We are raising up to €2M', 'The ask: €1M'],
  ['another round', 'Raising a €1M pre-seed round', 'Raising a €5M Series A'],
  ['the round of somebody else', 'We are raising €1M', 'Rival closed a €5M seed round'],
  ['a part below a label', 'We are raising €1M', 'The ask\n\n€400k for sales and marketing in Europe'],
  ['people', 'We are raising 5 crore', 'We need 3 crore users'],
  ['a later round', 'We are raising €1M', 'Next, we are raising €5M in 2027'],
  ['an earlier round', 'We are raising €1M', 'Raised to date: funding: €5M'],
  ['a tranche', 'We are raising €1M', 'First tranche: we need €400k'],
  ['another year', 'Revenue 2024: €1.2M', 'Revenue 2025: €2.4M'],
  ['a plan', 'Revenue 2026: €1.2M', 'Revenue forecast 2026: €2.4M'],
  ['a lower bound', 'We have more than 100 customers', 'We have 140 customers today'],
  ['a goal', 'We have 100 customers', 'We will have 500 customers'],
  ['others', 'We have 100 customers', 'Competition\n\n500 customers'],
  ['a plan on the page', 'We have 100 customers', 'Roadmap\n\n500 customers'],
  ['other customers', 'We have 100 customers', 'We have 20 paying customers'],
  ['register and founding', 'Founded in 2019', 'Incorporated in 2020'],
  ['what a founder did before', 'Founded in 2019', 'Team\n\nFounded in 2012'],
  ['several values on one slide', 'TAM: €5B', 'TAM €9B\n\nTAM €7B'],
] as const)('no contradiction: %s', (_, first, second) => expect(findContradictions(deck(first, second))).toEqual([]));

describe('totals', () => {
  it('shares of the use of funds that are not 100 %', () =>
    expect(findContradictions(deck('Use of funds\n\nProduct 50%\n\nSales 30%\n\nTeam 10%'))).toMatchObject([
      { kind: 'total', first: { value: '90 %', slide: 1 }, second: { value: '100 %', quote: 'Use of funds' } },
    ]));

  it('shares in the lines of one list', () =>
    expect(findContradictions(deck('Use of funds\n\nProduct: 45%\nSales: 35%\nTeam: 30%'))).toMatchObject([
      { kind: 'total', first: { value: '110 %' } },
    ]));

  it('a column that is not its total', () =>
    expect(
      findContradictions(
        deck('Costs\n\nItem\t2025\t2026\nStaff\t120\t200\nRent\t30\t40\nTools\t10\t15\nTotal\t160\t295'),
      ),
    ).toMatchObject([{ kind: 'total', first: { value: '255' }, second: { value: '295', quote: 'Total 295' } }]));

  it.each([
    ['exact', 'Use of funds\n\nProduct 50%\n\nSales 30%\n\nTeam 20%'],
    ['rounded', 'Use of funds\n\nProduct 33%\n\nSales 33%\n\nTeam 33%'],
    ['with another percentage', 'Use of funds\n\nProduct 50%\n\nSales 30%\n\nTeam 20%\n\nEquity 10%'],
    ['said in legend and chart', 'Use of funds\n\nProduct 50%\n\nSales 50%\n\n50%\n\n50%'],
    ['of no funds', 'Our users\n\nWomen 50%\n\nMen 40%\n\nOther 5%'],
    ['a column with a subtotal', 'Costs\n\nStaff\t120\nRent\t30\nSubtotal\t150\nTools\t10\nTotal\t160'],
    ['a column of rounded values', 'Costs\n\nStaff\t1.2\nRent\t0.3\nTools\t0.4\nTotal\t2.0'],
    ['a header of years', 'Costs\n\nItem\t2025\nStaff\t120\nRent\t30\nTools\t10\nTotal\t160'],
  ])('that add up: %s', (_, text) => expect(findContradictions(deck(text))).toEqual([]));
});

it('two sums that one slide asks for are both shown', () => {
  const both = { first: { slide: 1, value: '€2M' }, second: { slide: 1, value: '€3M' } };
  const slide = deck('The round\n\nWe are raising €2M.\n\nWe are raising €3M.');
  expect(findContradictions(slide)).toMatchObject([{ kind: 'ask', ...both }]);
  const asked = { slide: 1, quote: 'We are raising €3M.', value: '€3M' };
  expect(findContradictions(slide, [asked])).toMatchObject([{ kind: 'ask', ...both }]);
});

it.each([
  'We are raising €2M seed.\n\nWe are raising €10M in a Series A.',
  'We are raising €2M.\n\nThe ask: 2,000,000 EUR',
  'We are raising €2–3M.\n\nOur ask: €3M',
])('one slide may ask for sums that agree, or are of several rounds: %j', (text) =>
  expect(findContradictions(deck(text))).toEqual([]),
);

it('headers and footers state nothing, and hide nothing that the page states', () => {
  const footed = (...texts: string[]) => deck(...texts.map((text) => `${text}\n\nAcme | Seed round, raising €2M`));
  expect(findContradictions(footed('We are raising €3M', 'Team', 'Market'))).toEqual([]);
  expect(findContradictions(footed('We are raising €3M', 'Team', 'Our ask: €5M', 'Market'))).toMatchObject([
    { kind: 'ask', first: { slide: 1, value: '€3M' }, second: { slide: 3, value: '€5M' } },
  ]);
});

it('the sum that was extracted counts with its verified quote', () =>
  expect(
    findContradictions(deck('Seed round €3M', 'We are raising €2M'), [
      { slide: 1, quote: 'Seed round €3M', value: '€3M' },
    ]),
  ).toMatchObject([{ kind: 'ask', first: { slide: 1, value: '€3M' }, second: { slide: 2, value: '€2M' } }]));

it('a hostile deck that says the same thousands of times on each page is compared', () => {
  const page = (customers: number): string =>
    Array.from(
      { length: 3000 },
      (_, at) => `Today we have ${customers} customers, says line ${at} of page ${customers}`,
    ).join('\n\n');
  expect(findContradictions(deck(...Array.from({ length: 30 }, (_, at) => page(100 + 100 * at))))).toMatchObject([
    { kind: 'figure', subject: 'customers', first: { slide: 1 }, second: { slide: 2 } },
  ]);
});

describe('properties', () => {
  const statement = fc.constantFrom(
    'We are raising €2M',
    'The ask: €3M',
    'Founded in 2019',
    'Founded in 2020',
    'We have 120 customers',
    '90 customers',
    'TAM: €5B',
    'TAM: €6B',
    'Use of funds\n\nA 50%\n\nB 20%\n\nC 20%',
    'Item\t2025\nA\t1\nB\t2\nC\t3\nTotal\t7',
    'Words',
  );

  it('a deck that says everything once, or the same everywhere, has no contradiction', () =>
    forAll(
      [
        fc.constantFrom('We are raising €2M', 'Founded in 2019', 'We have 120 customers', 'TAM: €5B'),
        fc.integer({ min: 1, max: 9 }),
      ],
      (said, times) => expect(findContradictions(deck(...Array.from({ length: times }, () => said)))).toEqual([]),
    ));

  it('contradictions are few, ordered by slide, of different subjects, and do not depend on words beside', () =>
    forAll([fc.array(statement, { maxLength: 20 })], (texts) => {
      const found = findContradictions(deck(...texts));
      expect(found.length).toBeLessThanOrEqual(MAX_CONTRADICTIONS);
      for (const { kind, first, second } of found) {
        expect(first.value).not.toBe(second.value);
        expect(kind === 'total' || first.slide < second.slide).toBe(true);
      }
      expect(found).toEqual(
        findContradictions(deck(...texts.map((text) => `${text}\n\nOur team loves what it does.`))),
      );
    }));
});
