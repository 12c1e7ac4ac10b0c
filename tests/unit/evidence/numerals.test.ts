/** Numbers as decks write them beside a currency: footnotes, fractions, letter-spaced digits, words and multipliers; the million is never lost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMoney, parseAmount } from '../../../domain/evidence/money.ts';
import { forAll } from '../../../testing/property.ts';

const amounts = (text: string) => findMoney(text).map(({ money: { amount, currency } }) => [amount, currency]);
const only = (text: string): number | undefined => {
  const [first, ...others] = findMoney(text);
  expect(others, text).toEqual([]);
  return first?.money.amount;
};

it.each([
  ['We raise €4.2M¹ in a Series A.', 4_200_000, 'EUR'],
  ['Revenue of $42³ per seat', 42, 'USD'],
  ['Umsatz 1,2 Mio. €² im Jahr', 1_200_000, 'EUR'],
  ['We are raising £2½ million.', 2_500_000, 'GBP'],
  ['We are raising £2½m', 2_500_000, 'GBP'],
  ['We need $2 1/2 million to launch', 2_500_000, 'USD'],
  ['Wir suchen 2 1/2 Mio. €', 2_500_000, 'EUR'],
  ['Wir suchen 3¼ Mio. Euro', 3_250_000, 'EUR'],
  ['A grant of ½ million euros', 500_000, 'EUR'],
  ['1/2 million euros', 500_000, 'EUR'],
  ['We are raising $ 1 . 5 M', 1_500_000, 'USD'],
  ['Wir suchen 1 , 5 Mio. €', 1_500_000, 'EUR'],
  ['€ 1 2 . 5 M I L L I O N', 12_500_000, 'EUR'],
  ['€ 2 M R D', 2_000_000_000, 'EUR'],
  ['$ 7 5 0 K', 750_000, 'USD'],
  ['two and a half million euros', 2_500_000, 'EUR'],
  ['half a million dollars', 500_000, 'USD'],
  ['a quarter of a million pounds', 250_000, 'GBP'],
  ['zweieinhalb Millionen Euro', 2_500_000, 'EUR'],
  ['anderthalb Millionen Euro', 1_500_000, 'EUR'],
  ['eine halbe Million Euro', 500_000, 'EUR'],
  ['einundzwanzig Millionen Franken', 21_000_000, 'CHF'],
  ['fünfhunderttausend Euro', 500_000, 'EUR'],
  ['zwei Millionen fünfhunderttausend Euro', 2_500_000, 'EUR'],
  ['twenty-five million US dollars', 25_000_000, 'USD'],
  ['five hundred thousand euros', 500_000, 'EUR'],
  ['$2 and a half million', 2_500_000, 'USD'],
  ['deux millions et demi d’euros', 2_500_000, 'EUR'],
  ['dos millones y medio de euros', 2_500_000, 'EUR'],
  ['due milioni di euro', 2_000_000, 'EUR'],
  ['dois milhões de reais', 2_000_000, 'BRL'],
  ['dwa miliony złotych', 2_000_000, 'PLN'],
  ['₹3 Lakh Crore', 3e12, 'INR'],
  ['INR 2 crore 50 lakh', 25_000_000, 'INR'],
  ['₺20 milyon', 20_000_000, 'TRY'],
  ['CHF 3 Mia. Umsatz', 3_000_000_000, 'CHF'],
  ['CHF Mio. 2.5', 2_500_000, 'CHF'],
  ['Umsatz in Mio. € 2,5', 2_500_000, 'EUR'],
  ['500 Tausend Euro', 500_000, 'EUR'],
  ['500 mil euros', 500_000, 'EUR'],
  ['5 mnkr', 5_000_000, null],
  ['$15 K-12 licence', 15, 'USD'],
  ['2,5 € Mio. Umsatz', 2_500_000, 'EUR'],
  ['€29 per month', 29, 'EUR'],
  ['$200 billing error', 200, 'USD'],
  ['€3 mobile plan', 3, 'EUR'],
  ['€15 m2', 15, 'EUR'],
  ['€5 B2B licence', 5, 'EUR'],
  ['half a million people pay €5', 5, 'EUR'],
])('a number is whole: %s', (text, amount, currency) => expect(amounts(text)).toEqual([[amount, currency]]));

it.each([
  ['raised cents', 'A plan costs $11⁹⁹'],
  ['a power of ten', 'A market of $1.5 × 10⁶'],
  ['a raised digit after a ten', '10⁶ €'],
  ['a footnote that is glued', '€4.2M1 in a Series A'],
  ['a multiplier that does not exist', 'A budget of €2 zillion'],
  ['letters that are no multiplier', '€2Mx of sales'],
  ['an abbreviation of several meanings', '€2 Bio.'],
  ['crores of another currency', '$30 Cr'],
  ['a thousand or a million', '$4 Mil'],
  ['a second multiplier', '€5 million crore'],
  ['an end of a range that cannot be read', '€1–2 zillion'],
  ['a decimal in words', 'zwei Komma fünf Millionen Franken'],
  ['a fraction of a decimal', '€2.5½ million'],
  ['digits that stand apart without a decimal mark', '$ 7 5 K'],
])('no number is better than a wrong one: %s', (_, text) => {
  expect(findMoney(text)).toEqual([]);
  expect(parseAmount(text)?.amount ?? null).toBeNull();
});

it.each(['375 million may need to switch occupations', 'zweieinhalb Millionen Menschen', 'two million patients'])(
  'a number of people is no money: %s',
  (text) => expect(findMoney(text)).toEqual([]),
);

it.each([
  ['Kosten um Millionen Euro', []],
  ['Es geht um Milliarden Euro', []],
  ['Der Bedarf sei Millionen Euro', []],
  ['Ein Millionen-Euro-Projekt', []],
  ['Eine Millionen-Euro-Runde', []],
  ['um milhão de reais', [1e6]],
  ['sei milioni di euro', [6e6]],
  ['sei mila euro', [6000]],
  ['ein Million Euro', [1e6]],
  ['einer Million Euro', [1e6]],
  ['half an million euros', [500_000]],
])('a number of one language is no number in the words of another: %s', (text, expected) =>
  expect(amounts(text).map(([amount]) => amount)).toEqual(expected),
);

it('a word that leaves open how many there are makes no number of what it stands before', () =>
  forAll(
    [
      fc.constantFrom('mehrere', 'Mehrere', 'einige', 'ein paar', 'viele', 'mit mehreren', 'etliche', 'wenige'),
      fc.constantFrom(
        'hunderttausend',
        'tausend',
        'zehntausend',
        'hundert Tausend',
        '100.000',
        '10.000',
        '100 Tausend',
        'Millionen',
      ),
      fc.constantFrom('several', 'a few', 'many', 'a couple of', 'plusieurs', 'varios'),
      fc.constantFrom('hundred thousand', '100k', '100,000', '10 000', 'ten thousand', 'million'),
      fc.constantFrom('Wir suchen ', 'We need ', ''),
      fc.constantFrom(' Euro', ' €', ' EUR', ' CHF'),
    ],
    (german, hundreds, english, thousands, before, currency) => {
      expect(amounts(`${before}${german} ${hundreds}${currency}`)).toEqual([]);
      expect(amounts(`${before}${english} ${thousands}${currency}`)).toEqual([]);
      // Another number is what it says, and so is one that another word stands before.
      expect(only(`${before}mehr als hunderttausend${currency}`)).toBe(100_000);
      expect(only(`${before}more than 100,000${currency}`)).toBe(100_000);
    },
  ));

describe('properties', () => {
  const whole = fc.integer({ min: 1, max: 99 });
  const tenth = fc.integer({ min: 1, max: 9 });
  const mark = fc.constantFrom(['€', 'EUR'], ['$', 'USD'], ['£', 'GBP'], ['CHF ', 'CHF'], ['₹', 'INR']);
  const million = fc.constantFrom('M', 'm', ' million', ' Millionen', ' mln', 'mn', ' Mio.');
  const behind = fc.constantFrom('', ' ', '.', ' in a Series A', ' now', ',');

  it('a footnote changes no amount: of one digit, or behind a multiplier', () =>
    forAll(
      [whole, tenth, mark, million, behind, fc.constantFrom('¹', '²', '³', '⁴', '⁹')],
      (n, d, [sign, code], unit, rest, note) => {
        expect(amounts(`${sign}${n}.${d}${unit.replace('.', '')}${note}${rest}`)).toEqual([
          [Math.round((n + d / 10) * 1e6), code],
        ]);
        if (n !== 10) expect(amounts(`${sign}${n}${note}${rest}`)).toEqual([[n, code]]);
      },
    ));

  it('halves, quarters and spaces between the digits keep the million', () =>
    forAll([whole, tenth, mark, million], (n, d, [sign], unit) => {
      for (const [fraction, part] of [
        ['½', 0.5],
        [' ½', 0.5],
        [' 1/2', 0.5],
        ['¼', 0.25],
        ['¾', 0.75],
      ] as const)
        expect(only(`${sign}${n}${fraction}${unit}`)).toBe((n + part) * 1e6);
      expect(only(`${sign.trim()} ${n} . ${d}${unit}`)).toBe(Math.round((n + d / 10) * 1e6));
    }));

  it('whatever letters stand behind a number, the amount is that of a known multiplier, the number itself, or nothing', () =>
    forAll(
      [
        whole,
        fc.constantFrom('', ' '),
        fc.stringMatching(/^[a-z]{1,9}$/u),
        fc.constantFrom('', 'illion', 'illiard', 'io', 'rd'),
      ],
      { runs: 3000 },
      (n, space, letters, ending) => {
        const word = letters + ending;
        const found = findMoney(`€${n}${space}${word}`)[0]?.money.amount;
        if (/illi(?:on|ard)$/u.test(word)) expect(found, word).not.toBe(n);
        if (found !== undefined && found !== n) expect(Math.log10(found / n) % 1, word).toBe(0);
      },
    ));

  it('digits behind letters that are glued to a number leave no amount', () =>
    forAll(
      [whole, mark, fc.constantFrom('M', 'K', 'Mio', 'mn', 'bn'), fc.integer({ min: 0, max: 99 })],
      (n, [sign], unit, note) => expect(findMoney(`${sign}${n}${unit}${note}`)).toEqual([]),
    ));
});
