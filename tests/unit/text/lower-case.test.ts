/** Lower case in which every character keeps its place, and the numbers, dates and sums that are found with it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDates } from '../../../domain/decks/deck-date.ts';
import { findMoney } from '../../../domain/evidence/money.ts';
import { statedAsks } from '../../../domain/evidence/stated-asks.ts';
import { lowerCase } from '../../../domain/text/lower-case.ts';
import { codePoint } from '../../../testing/any-text.ts';
import { forAll } from '../../../testing/property.ts';

describe('a text in lower case', () => {
  it('has every character in its place', () =>
    forAll([fc.string({ unit: codePoint })], (text) => {
      const lower = lowerCase(text);
      expect(lower).toHaveLength(text.length);
      expect(lowerCase(lower)).toBe(lower);
    }));

  it('has small letters', () => expect(lowerCase('ÄÖÜ İstanbul ẞ ΑΣ')).toBe('äöü İstanbul ß ασ'));
});

it.each(['İstanbul', 'İZMİR İ', 'Diyarbakır', 'Zürich', 'ẞ'])(
  'a letter of another length hides nothing behind it: %s',
  (place) => {
    const money = (text: string) =>
      findMoney(text).map((found) => [found.money.amount, text.slice(found.start, found.end)]);
    expect(money(`${place}: Zwei Millionen Euro`)).toEqual([[2e6, 'Zwei Millionen Euro']]);
    expect(money(`${place}: Two million euros`)).toEqual([[2e6, 'Two million euros']]);
    expect(findDates(`${place}, März 2026`)).toMatchObject([{ iso: '2026-03' }]);
    expect(statedAsks(`In ${place} We Are Raising €2M`, '').map(({ value }) => value)).toEqual(['€2M']);
    expect(statedAsks(`In ${place}: Kapitalbedarf: 2 Mio. €`, '').map(({ value }) => value)).toEqual(['2 Mio. €']);
  },
);
