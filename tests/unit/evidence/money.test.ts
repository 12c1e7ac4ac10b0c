/** Amounts of money as decks write them: currencies, multipliers, ranges, and what is no money. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMoney, type Money, parseAmount, parseMoney } from '../../../domain/evidence/money.ts';
import { codePoint } from '../../../testing/any-text.ts';
import { forAll } from '../../../testing/property.ts';

const exact = (amount: number, currency: string | null): Money => ({
  amount,
  currency,
  kind: 'exact',
  minAmount: null,
});
const CURRENCIES = Intl.supportedValuesOf('currency');

it.each([
  ['€2.5M', 2_500_000, 'EUR'],
  ['EUR 2,500,000', 2_500_000, 'EUR'],
  ['2,5 Mio. €', 2_500_000, 'EUR'],
  ['2.500.000 €', 2_500_000, 'EUR'],
  ['$750k', 750_000, 'USD'],
  ['$.5M', 500_000, 'USD'],
  ['1,3 Mrd. €', 1_300_000_000, 'EUR'],
  ['TEUR 750', 750_000, 'EUR'],
  ['750 T€', 750_000, 'EUR'],
  ['3-Millionen-Euro-Runde', 3_000_000, 'EUR'],
  ['€1.250M', 1_250_000, 'EUR'],
  ['2,125 Mio. €', 2_125_000, 'EUR'],
  ['$1,250 million', 1_250_000_000, 'USD'],
  ['1.250 Mio. €', 1_250_000_000, 'EUR'],
  ['¥6,300亿 (人民币)', 630_000_000_000, 'CNY'],
  ["CHF 1'000'000.-", 1_000_000, 'CHF'],
  ['Fr. 500’000.–', 500_000, 'CHF'],
  ['10 000 000 €', 10_000_000, 'EUR'],
  ['A$2M', 2_000_000, 'AUD'],
  ['C$ 3 million', 3_000_000, 'CAD'],
  ['HK$5m', 5_000_000, 'HKD'],
  ['S$1.2M', 1_200_000, 'SGD'],
  ['NT$30M', 30_000_000, 'TWD'],
  ['$2M CAD', 2_000_000, 'CAD'],
  ['$3M (AUD)', 3_000_000, 'AUD'],
  ['R$ 2 milhões', 2_000_000, 'BRL'],
  ['R$ 500 mil', 500_000, 'BRL'],
  ['2 mil. Kč', 2_000_000, 'CZK'],
  ['1 000 000 PLN', 1_000_000, 'PLN'],
  ['2 mln zł', 2_000_000, 'PLN'],
  ['500 tys. złotych', 500_000, 'PLN'],
  ['₹2.5 Cr', 25_000_000, 'INR'],
  ['Rs. 50 lakhs', 5_000_000, 'INR'],
  ['₹50L', 5_000_000, 'INR'],
  ['INR 2,50,00,000', 25_000_000, 'INR'],
  ['5億円', 500_000_000, 'JPY'],
  ['¥3000万 (人民币)', 30_000_000, 'CNY'],
  ['2 billion yen', 2_000_000_000, 'JPY'],
  ['5 MSEK', 5_000_000, 'SEK'],
  ['¥5,000,000', 5_000_000, null],
  ['500 000 kr', 500_000, null],
  ['2 millones de euros', 2_000_000, 'EUR'],
  ['2 millions d’euros', 2_000_000, 'EUR'],
  ['$1.5T', 1_500_000_000_000, 'USD'],
  ['5 million Swiss francs', 5_000_000, 'CHF'],
  ['99 mil M €', 99_000_000_000, 'EUR'],
  ['€500,000¹', 500_000, 'EUR'],
  ['€2.5M²', 2_500_000, 'EUR'],
  ['€1.2³ million', 1_200_000, 'EUR'],
])('amounts as decks write them: %s', (raw, amount, currency) =>
  expect(parseMoney(raw)).toEqual(exact(amount, currency)),
);

it.each([
  ['2–3 Mio. €', 2_000_000, 3_000_000, 'EUR'],
  ['between $1M and $2M', 1_000_000, 2_000_000, 'USD'],
  ['1.5-2M USD', 1_500_000, 2_000_000, 'USD'],
  ['€500k – €700k', 500_000, 700_000, 'EUR'],
  ['EUR 1 Mio. bis 1,5 Mio.', 1_000_000, 1_500_000, 'EUR'],
  ['A$750k–A$1M', 750_000, 1_000_000, 'AUD'],
])('ranges: %s', (raw, minAmount, amount, currency) =>
  expect(parseMoney(raw)).toEqual({ amount, minAmount, currency, kind: 'range' }),
);

it.each([
  ['up to $500K', 500_000, 'USD'],
  ['bis zu 2 Mio. €', 2_000_000, 'EUR'],
])('upper limits: %s', (raw, amount, currency) =>
  expect(parseMoney(raw)).toEqual({ amount, currency, kind: 'up_to', minAmount: null }),
);

it.each([
  ['We raise €4.2M now', ['€4.2M']],
  ['Kapitalbedarf 2,5 Mio. € für', ['2,5 Mio. €']],
  ['CHF 850’000 and TEUR 750 and $6 million', ['CHF 850’000', 'TEUR 750', '$6 million']],
  ['£3mn. Then EUR 1,500,000.', ['£3mn', 'EUR 1,500,000']],
  ['$2–3M in notes, up to €5M', ['$2–3M', 'up to €5M']],
  ['5 € 10 € 20 €', ['5 €', '10 €', '20 €']],
  ['CHF 2 Mio. CHF 3 Mio.', ['CHF 2 Mio.', 'CHF 3 Mio.']],
  ['€2M ($2.2M) in 2024 €5M', ['€2M', '$2.2M', '€5M']],
  ['€5M – 20 customers, €5M – 20%', ['€5M', '€5M']],
])('every amount with its place: %j', (text, amounts) =>
  expect(findMoney(text).map(({ start, end }) => text.slice(start, end))).toEqual(amounts),
);

it.each([
  '2.5 million',
  'twenty euros',
  '€',
  '€0',
  'Series A',
  '24 months, 40% and Q3 2026',
  'EUR 2024 2025',
  'ALL 50 states, TOP 10 customers',
  'TOP 1000 customers',
  'Euro 6',
  '20 pounds lighter in 30 Sek',
  '1.2.3 €',
])('no money: %s', (text) => expect(findMoney(text)).toEqual([]));

it('two amounts are not one', () => expect(parseMoney('€2M of €5M')).toBeNull());
it('a dollar is the one that the text names', () => {
  expect(findMoney('Raising CAD 2M. Of this $500k').map(({ money }) => money.currency)).toEqual(['CAD', 'CAD']);
  expect(findMoney('A$2M, US$1M and $3M').map(({ money }) => money.currency)).toEqual(['AUD', 'USD', null]);
});
it('words that are known to be an amount need no currency', () => {
  expect(parseAmount('2M')).toEqual(exact(2_000_000, null));
  expect(parseAmount('Kapitalbedarf (in EUR): 2.500.000')).toEqual(exact(2_500_000, 'EUR'));
  expect(parseAmount('2024')).toBeNull();
  expect(parseAmount('€2M of €5M')).toBeNull();
});

describe('properties', () => {
  const LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'pl', 'sv', 'nl', 'en-IN', 'de-CH', 'ja', 'zh'];
  const currency = fc.constantFrom(...CURRENCIES);
  const noCurrency = fc.constantFrom('M', 'million', 'Mio.', 'up to', '–', 'k', 'raise', '%', 'Q3', '2,5', 'we', 'TAM');
  const piece = fc.constantFrom(...Array.from('€$5 M-k(¥%'), '2.5', 'EUR', ' to ', 'kr', '1,000', 'Rs.', 'Cr');

  it('any amount in any currency reads back as each locale formats it', () =>
    forAll(
      [
        fc.integer({ min: 10_000, max: 999_999_999 }),
        currency,
        fc.constantFrom(...LOCALES),
        fc.constantFrom('code', 'symbol', 'narrowSymbol' as const),
      ],
      { runs: 5000 },
      (amount, code, locale, currencyDisplay) => {
        const text = new Intl.NumberFormat(locale, { style: 'currency', currency: code, currencyDisplay }).format(
          amount,
        );
        const sign = text.replaceAll(/[\d.,'’\s]/gu, '');
        const found = parseMoney(text);
        // Letters that are no code (Q, KM, FC) are mostly a unit or a multiplier, so they need not be read.
        if (found === null && sign !== code && /\p{L}/u.test(sign)) return;
        expect(found?.amount, text).toBe(amount);
        const shared: Record<string, string> = { $: 'USD', '£': 'GBP', '₩': 'KRW', Rs: 'INR', C$: 'CAD' };
        expect([code, ...(sign === code ? [] : [null, shared[sign]])], text).toContain(found?.currency);
      },
    ));

  it('full names read back in English and German', () =>
    forAll([fc.integer({ min: 1000, max: 999_999 }), currency, fc.constantFrom('en', 'de')], (amount, code, locale) => {
      const text = new Intl.NumberFormat(locale, { style: 'currency', currency: code, currencyDisplay: 'name' }).format(
        amount,
      );
      expect(parseMoney(text)).toEqual(exact(amount, code));
    }));

  it('compact forms read back', () =>
    forAll(
      [
        fc.integer({ min: 1, max: 99 }),
        fc.constantFrom(1e6, 1e9),
        fc.constantFrom('en', 'de', 'fr', 'es', 'it', 'pl', 'pt', 'sv', 'ja'),
      ],
      (digits, unit, locale) => {
        const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR', notation: 'compact' });
        // French writes a thousand million as Md, Spanish as mil M: both are in the table of multipliers.
        expect(parseMoney(format.format(digits * unit))).toEqual(exact(digits * unit, 'EUR'));
      },
    ));

  it('text without a currency gives no money', () =>
    forAll([fc.array(fc.oneof(fc.nat().map(String), noCurrency), { maxLength: 12 })], (words) =>
      expect(findMoney(words.join(' '))).toEqual([]),
    ));

  it('never throws; amounts are positive, in order and inside the text', () => {
    const pieces = fc.array(piece, { maxLength: 15 }).map((parts) => parts.join(''));
    const anyText = fc.oneof(fc.string({ unit: codePoint, maxLength: 60 }), pieces);
    return forAll([anyText], { runs: 2000 }, (text) => {
      let last = 0;
      for (const { money, start, end } of findMoney(text)) {
        expect(money.amount).toBeGreaterThan(money.minAmount ?? 0);
        expect(money.currency).toSatisfy((code) => code === null || /^[A-Z]{3}$/u.test(String(code)));
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    });
  });
});
