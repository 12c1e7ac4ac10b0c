import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeFields, NOTHING_FOUND, type Field, type FoundValues } from '../../../domain/evaluation/judge.ts';
import type { DeckLabel } from '../../../domain/evaluation/labels.ts';
import { bareName, isSameDate, isSameMoney, isSameName, isSameSector } from '../../../domain/evaluation/names.ts';
import { forAll } from '../../../testing/property.ts';

const word = fc.stringMatching(/^[a-z]{3,12}$/u);
const sign = fc.constantFrom(' ', '-', '. ', '_', '·', '’', ' & ');

describe('names', () => {
  it('are compared by letters and digits alone', () => {
    expect(bareName('Café-Société Ltd.')).toBe('cafesocieteltd');
    expect(bareName('STRAẞE 7')).toBe('strasse7');
    expect(bareName('Straße_7')).toBe('strasse7');
    expect(bareName('ΟΔΟΣ')).toBe(bareName('οδος'));
  });

  it('are the same whatever the case and the signs between their words', () =>
    forAll([fc.array(word, { minLength: 1, maxLength: 4 }), sign, sign], (words, a, b) =>
      expect(isSameName(words.join(a).toUpperCase(), [words.join(b)])).toBe(true),
    ));

  it('may have up to four letters beside the labelled one, which a legal form takes', () => {
    expect(isSameName('Quayline GmbH', ['Quayline'])).toBe(true);
    expect(isSameName('Quayline Limited', ['Quayline'])).toBe(false);
    expect(isSameName('Quay', ['Quayline'])).toBe(false);
    expect(isSameName('Nirvesh', ['Synapsil', 'Nirvesh'])).toBe(true);
  });

  it('without a letter are no other name', () => {
    expect(isSameName('Acme', ['!'])).toBe(false);
    expect(isSameName('Acme', ['—', 'Acme'])).toBe(true);
  });
});

describe('dates', () => {
  it('agree as far as both say', () => {
    expect(isSameDate('2024-10', '2024-10-07')).toBe(true);
    expect(isSameDate('2024', '2024-10')).toBe(true);
    expect(isSameDate('2024-11', '2024-10-07')).toBe(false);
    expect(isSameDate('202', '2024')).toBe(false);
  });
  it('agree in either order', () =>
    forAll(
      [fc.stringMatching(/^20[0-9]{2}(-0[1-9]){0,2}$/u), fc.stringMatching(/^20[0-9]{2}(-0[1-9]){0,2}$/u)],
      (a, b) => expect(isSameDate(a, b)).toBe(isSameDate(b, a)),
    ));
});

it('sums are the same in amount and currency, or one that the label allows as well', () => {
  const label = {
    amount: 500_000,
    currency: 'USD',
    also: [1_000_000],
    also_money: [[460_000, 'EUR']] as [number, string][],
  };
  expect(isSameMoney({ amount: 500_000, currency: 'USD' }, label)).toBe(true);
  expect(isSameMoney({ amount: 1_000_000, currency: 'USD' }, label)).toBe(true);
  expect(isSameMoney({ amount: 460_000, currency: 'EUR' }, label)).toBe(true);
  expect(isSameMoney({ amount: 500_000, currency: 'EUR' }, label)).toBe(false);
  expect(isSameMoney({ amount: null, currency: 'USD' }, label)).toBe(false);
  expect(isSameMoney({ amount: 2, currency: null }, { amount: 2, currency: null })).toBe(true);
  expect(isSameMoney({ amount: 2, currency: 'USD' }, { amount: 2, currency: null })).toBe(true);
});

it('the sector label "health" stands for every sector but "other"', () => {
  expect(isSameSector('telemedicine', 'health')).toBe(true);
  expect(isSameSector('other', 'health')).toBe(false);
  expect(isSameSector('other', 'other')).toBe(true);
  expect(isSameSector('telemedicine', 'biotech_pharma')).toBe(false);
});

describe('the judgement of a field', () => {
  const label: DeckLabel = {
    company: ['Acme'],
    offering: 'Robots that sort waste',
    ask: { amount: 2_000_000, currency: 'EUR' },
    date: '2026-03',
    sector: 'other',
  };
  const found: FoundValues = {
    company: 'ACME Inc.',
    offering: 'Robots that sort waste.',
    ask: { amount: 2_000_000, currency: 'EUR', raw: '€2M' },
    date: '2026-03-14',
    sector: 'other',
  };
  const outcomes = (of: DeckLabel, values: FoundValues): Partial<Record<Field, string>> =>
    Object.fromEntries(judgeFields(of, values).map(({ field, outcome }) => [field, outcome]));
  const all = (outcome: string) => ({ company: outcome, offering: outcome, ask: outcome, date: outcome });

  it('is right, missed, invented or rightly none by what deck and review state', () => {
    const none: DeckLabel = { company: null, offering: null, ask: null, date: null };
    expect(outcomes(label, found)).toEqual({ ...all('right'), sector: 'right' });
    expect(outcomes(label, NOTHING_FOUND)).toEqual({ ...all('missed'), sector: 'missed' });
    expect(outcomes(none, found)).toEqual(all('invented'));
    expect(outcomes(none, NOTHING_FOUND)).toEqual(all('rightly_none'));
  });

  it('is wrong for another value; of another offering only a person can say', () => {
    const other: FoundValues = {
      company: 'Cover',
      offering: 'Bins',
      ask: { amount: null, currency: null, raw: 'lots' },
      date: '2025',
      sector: 'telemedicine',
    };
    expect(outcomes(label, other)).toEqual({ ...all('wrong'), offering: 'not_graded', sector: 'wrong' });
    const graded: DeckLabel = { ...label, offering_grades: { 'BINS!': 'partly' } };
    expect(outcomes(graded, other).offering).toBe('partly');
  });

  it('is left out where the label says nothing', () => {
    expect(judgeFields({}, found)).toEqual([]);
    expect(outcomes({ sector: null }, found)).toEqual({});
  });

  it('of a name that stands only in a picture is a field of its own', () => {
    expect(outcomes({ company: ['Acme'], name_in_text: false }, NOTHING_FOUND)).toEqual({
      company_in_picture: 'missed',
    });
    expect(outcomes({ company: null, name_in_text: false }, found)).toEqual({ company: 'invented' });
  });

  it('does not call a date invented that the label allows', () => {
    const allowed: DeckLabel = { date: null, date_also_ok: ['2025'] };
    expect(outcomes(allowed, { ...NOTHING_FOUND, date: '2025-06' })).toEqual({ date: 'rightly_none' });
    expect(outcomes(allowed, { ...NOTHING_FOUND, date: '2024' })).toEqual({ date: 'invented' });
    expect(outcomes({ date: '2026', date_also_ok: ['2025'] }, { ...NOTHING_FOUND, date: '2025' })).toEqual({
      date: 'right',
    });
  });
});
