import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMoney } from '../../../domain/evidence/money.ts';
import { codePoint } from '../../../testing/any-text.ts';
import { forAll } from '../../../testing/property.ts';

it.each([
  ['€2.5M', 2_500_000, 'EUR'],
  ['EUR 2,500,000', 2_500_000, 'EUR'],
  ['2,5 Mio. €', 2_500_000, 'EUR'],
  ['2.500.000 €', 2_500_000, 'EUR'],
  ['$750k', 750_000, 'USD'],
  ['US$ 1.5 million', 1_500_000, 'USD'],
  ['CHF 1.2 million', 1_200_000, 'CHF'],
  ["CHF 1'200'000", 1_200_000, 'CHF'],
  ['£3m', 3_000_000, 'GBP'],
  ['500 Tsd. Euro', 500_000, 'EUR'],
  ['1.200 TEUR', 1_200_000, 'EUR'],
  ['20% for €1M', 1_000_000, 'EUR'],
  ['1,8 Millionen Euro', 1_800_000, 'EUR'],
  ['€1.250M', 1_250_000, 'EUR'],
  ['2,125 Mio. €', 2_125_000, 'EUR'],
])('amounts as decks write them: %s', (raw, amount, currency) => expect(parseMoney(raw)).toEqual({ amount, currency }));

it.each(['2–3 Mio. €', 'between $1M and $2M', '2.5 million', 'twenty euros', '€', '€0', 'Series A'])(
  'amounts that are not certain are not guessed: %s',
  (raw) => expect(parseMoney(raw)).toBeNull(),
);

describe('properties', () => {
  const amount = fc.integer({ min: 1000, max: 999_999_999 });

  it('grouped thousands read back in English and German', () =>
    forAll([amount], (n) => {
      expect(parseMoney(`$${n.toLocaleString('en-US')}`)?.amount).toBe(n);
      expect(parseMoney(`${n.toLocaleString('de-DE')} €`)?.amount).toBe(n);
    }));

  it('never throws and never returns anything but a positive amount with a currency', () =>
    forAll([fc.string({ unit: codePoint, maxLength: 60 })], (raw) => {
      const money = parseMoney(raw);
      return (
        money === null || (money.amount > 0 && Number.isFinite(money.amount) && /^[A-Z]{3}$/u.test(money.currency))
      );
    }));
});
