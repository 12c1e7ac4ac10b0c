import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDeckDate } from '../../../domain/decks/deck-date.ts';
import { forAll } from '../../../testing/property.ts';

it.each([
  ['2026-03-15', '2026-03-15'],
  ['15.03.2026', '2026-03-15'],
  ['Stand: 15. März 2026', '2026-03-15'],
  ['12 March 2026', '2026-03-12'],
  ['March 12th, 2026', '2026-03-12'],
  ['Sept. 3, 2025', '2025-09-03'],
  ['25/12/2025', '2025-12-25'],
  ['Pitch deck, March 2026', '2026-03'],
  ['03/2026', '2026-03'],
  ['Januar 2026', '2026-01'],
  ['Q1 2026', '2026-01'],
  ['4. Quartal 2025', '2025-10'],
  ['Q4 2025', '2025-10'],
  ['© 2026', '2026'],
])('dates as decks write them: %s', (raw, iso) => expect(parseDeckDate(raw)).toBe(iso));

it.each(['Spring', 'version 3', '', '13/13', '31.02.'])('dates that are not certain are not guessed: %s', (raw) => {
  expect(parseDeckDate(raw)).toBeNull();
});

it('day and month are not decided between when both orders are possible', () =>
  expect(parseDeckDate('03/04/2026')).not.toMatch(/-0[34]-/u));

it('reads back every day it is given in ISO and in German', () =>
  forAll([fc.date({ min: new Date('2000-01-01'), max: new Date('2090-12-31'), noInvalidDate: true })], (date) => {
    const iso = date.toISOString().slice(0, 10);
    const [year, month, day] = iso.split('-');
    expect(parseDeckDate(iso)).toBe(iso);
    expect(parseDeckDate(`${day}.${month}.${year}`)).toBe(iso);
  }));
