/** Numbers without a currency beside them: amounts of money where words say so, and counts of users and people otherwise. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMoneyByWords } from '../../../domain/evidence/money-words.ts';
import { findBareAmounts } from '../../../domain/evidence/money.ts';
import { statedAsks } from '../../../domain/evidence/stated-asks.ts';
import { checkValueQuote, isAmountOfMoney } from '../../../domain/evidence/value-check.ts';
import { pageOfText } from '../../../domain/pages/page-of-text.ts';
import { forAll } from '../../../testing/property.ts';

const isMoney = (text: string): boolean =>
  findBareAmounts(text).some((place) => isMoneyByWords(text, place, ['Funding']));
const verdict = (value: string, quote: string, text = quote) =>
  checkValueQuote('amount', value, quote, pageOfText(text)).verdict;

describe('what stands between a word for money and its number', () => {
  const GAP = fc.constantFrom('- ', ' – ', ': ', ' ', '  ', '| ', '( ', 'of ', 'rund ', 'total ', 'a ', '= - ');

  it('is read in a time that grows with its length alone', () =>
    // The limit of a test is far shorter than a search that doubles with each gap would take.
    forAll([fc.array(GAP, { minLength: 1, maxLength: 8 }), fc.constantFrom('Funding ', 'Total ')], (gaps, word) => {
      expect(isMoney(`${word}${gaps.join('').repeat(200)}x 2 million`)).toBe(false);
    }));

  it('may be separators and words that say how much', () =>
    forAll([fc.array(fc.constantFrom('- ', ': ', 'of ', 'up to ', 'rund '), { maxLength: 8 })], (gaps) =>
      isMoney(`We plan: funding ${gaps.join('')}2 million`),
    ));
});

describe('a number that counts something', () => {
  const COUNTS = [
    '2 million users pay in € or $ with our app',
    '2 million people live in the US dollar zone',
    '2M+ users pay in €',
    'a 2M-user network in €',
    '2,500,000 users pay in €',
    'Our fund has 2,500,000 users',
    'Target: 2M+ users',
    '€ accounts: 2 million customers',
    '2 Mio. Nutzer zahlen in €',
    'Zwei Millionen Menschen zahlen in €',
    'Ein Netz von 2-Millionen-Nutzern in €',
    '300.000 Haushalte rechnen in CHF ab',
    'Unser Kapital: 2.500.000 Nutzer',
  ];

  it.each(COUNTS)('is no amount of money, although a currency or money is named: %s', (quote) => {
    const value = /\d[\d.,]*|Zwei/u.exec(quote)?.[0] ?? '';
    const multiplied = `${value}${/^ ?(?:million(?:en)?|Mio\.|M)(?!\p{L})/iu.exec(quote.slice(quote.indexOf(value) + value.length))?.[0] ?? ''}`;
    expect(verdict(multiplied, quote)).toBe('contradicted');
    expect(isAmountOfMoney(multiplied, [{ quote, layout: pageOfText(quote) }])).toBe(false);
  });

  it.each([
    ['2 million', 'Amount in €: 2 million'],
    ['2 Mio.', 'Betrag in €: 2 Mio.'],
    ['2M', 'Raising (in €): 2M'],
    ['2M', 'Raising 2M+ to grow'],
    ['2M', 'Raising 2M (closing in March)'],
    ['500,000', 'Costs in €: Hiring 500,000 Marketing 300,000'],
    ['300.000', 'Kosten in €: Personal 500.000 Vertrieb 300.000'],
    ['3 Millionen', 'Eine 3-Millionen-Runde in €'],
    ['500k-1M', 'Raising 500k-1M'],
  ])('another number is one: %s in "%s"', (value, quote) => expect(verdict(value, quote)).toBe('verified'));
});

it.each([
  ['2 million', 'We target 2 million by 2027', 'Plan\nFunding\n2027\nReach\nWe target 2 million by 2027'],
  ['2 million', 'We target 2 million by 2027', 'Plan\nReach\nWe target 2 million by 2027\nIn\nFunding\nin'],
  ['2 Mio.', 'Ziel: 2 Mio. bis 2027', 'Plan\nFinanzierung\n2027\nReichweite\nZiel: 2 Mio. bis 2027'],
  ['2 Mio.', 'Ziel: 2 Mio. bis 2027', 'Plan\nZiel\nKapital\nReichweite\nZiel: 2 Mio. bis 2027\nNutzer'],
])('a label of another line is no label of a quote that has its words: %s, quoted as "%s"', (value, quote, text) =>
  expect(verdict(value, quote, text)).toBe('contradicted'),
);

it.each([
  ['2 million', 'We target 2 million by 2027', 'Plan\nReach\nFunding\nWe target 2 million by 2027'],
  ['2 Mio.', 'Ziel: 2 Mio. bis 2027', 'Plan\n2027\nFinanzierung\nZiel: 2 Mio. bis 2027'],
])('a label beside a quote labels it: %s, quoted as "%s"', (value, quote, text) =>
  expect(verdict(value, quote, text)).toBe('verified'),
);

describe('a sum that a sentence asks for', () => {
  it.each([
    ['We need 5 crore', 5e7],
    ['We are raising 2 million', 2e6],
    ['Kapitalbedarf: 2 Mio.', 2e6],
    ['Wir suchen Kapital: 3 Millionen', 3e6],
    ['5 crore for 10% equity', 5e7],
  ])('may have no currency: %s', (sentence, amount) =>
    expect(statedAsks(sentence, '').map(({ money }) => money.amount)).toEqual([amount]),
  );

  it.each(['We need 5 crore users', 'Looking for 2 million users', 'Wir suchen 2 Mio. Nutzer', 'Raising 2M+ users'])(
    'is no number of users: %s',
    (sentence) => expect(statedAsks(sentence, '')).toEqual([]),
  );
});
